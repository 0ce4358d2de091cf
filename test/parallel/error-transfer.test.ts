import { describe, expect, test } from 'vitest'
import { DataError, FormatError, HyperplaneError, ParameterError } from '../../src/base/errors.ts'
import { packError, unpackError } from '../../src/parallel/error-transfer.ts'

/** There and back, through the copy that threads make. */
const transfer = (thrown: unknown) => unpackError(structuredClone(packError(thrown)))

describe('errors keep class, message, stack and fields', () => {
  test.each([
    new HyperplaneError('something'),
    new DataError('row 3 is wrong'),
    new ParameterError('SVC', 'C', '> 0', -1),
    new FormatError('bad line', { file: 'a.model', line: 3, column: 7 }),
    new TypeError('x is not a function'),
    new Error('plain'),
  ])('%s', (error) => {
    const back = transfer(error)
    expect(back.name).toBe(error.name)
    expect(back.message).toBe(error.message)
    expect(back.stack).toBe(error.stack)
    expect(back).toBeInstanceOf(error instanceof HyperplaneError ? error.constructor : Error)
    expect({ ...back }).toEqual({ ...error })
    expect(Object.prototype.toString.call(back)).toBe('[object Error]')
  })
})

test('what is not an error becomes one', () => {
  expect(transfer('just a text')).toMatchObject({ name: 'Error', message: 'just a text' })
  expect(transfer(undefined).message).toBe('undefined')
})
