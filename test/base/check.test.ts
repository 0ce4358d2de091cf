import { describe, expect, test } from 'vitest'
import { checkKnown, checkNumber, checkOneOf, type NumberRange } from '../../src/base/check.ts'
import { FormatError, ParameterError, show } from '../../src/base/errors.ts'

describe('checkNumber', () => {
  const refused: [value: unknown, range: NumberRange, allowed: string][] = [
    [Number.NaN, { infinite: true }, 'a number'],
    [Number.POSITIVE_INFINITY, {}, 'a finite number'],
    ['1', {}, 'a finite number'],
    [0, { above: 0 }, '> 0'],
    [-1, { min: 0 }, '>= 0'],
    [2, { min: 0, below: 1 }, '>= 0 and < 1'],
    [3, { max: 2 }, '<= 2'],
    [1.5, { integer: true, min: 1 }, 'a whole number >= 1'],
  ]
  test.each(refused)('%s in %o', (value, range, allowed) => {
    const check = () => checkNumber('SVC', 'C', value, range)
    expect(check).toThrow(new ParameterError('SVC', 'C', allowed, value))
    expect(check).toThrow(`SVC: C must be ${allowed}, got ${show(value)}`)
  })

  test('returns what is allowed', () => {
    expect(checkNumber('SVC', 'C', Number.POSITIVE_INFINITY, { infinite: true, integer: true })).toBe(
      Number.POSITIVE_INFINITY,
    )
    expect(checkNumber('SVC', 'C', 0, { min: 0, max: 0 })).toBe(0)
  })
})

test('checkOneOf and checkKnown list what there is', () => {
  expect(checkOneOf('f', 'kind', 'a', ['a', 'b'])).toBe('a')
  expect(() => checkOneOf('f', 'kind', 'c', ['a', 'b'])).toThrow('f: kind must be one of a, b, got "c"')
  expect(() => checkKnown('f', { a: 1 }, ['a', 'b'])).not.toThrow()
  expect(() => checkKnown('f', { c: 1 }, ['a', 'b'])).toThrow('f: option must be one of a, b, got "c"')
  expect(() => checkKnown('f', [1] as object, [])).toThrow(
    new ParameterError('f', 'options', 'an object', [1]),
  )
})

test('messages show values briefly', () => {
  const long = 'x'.repeat(100)
  const values = ['a', long, -0, null, undefined, [1, 2], Float64Array.of(1), {}, Math.max, () => 0]
  expect(values.map(show)).toEqual([
    ...['"a"', `"${'x'.repeat(37)}..."`, '-0', 'null', 'undefined', 'an array of length 2'],
    ...['an array of length 1', 'an object', 'function max', 'a function'],
  ])
})

test('a defect in a text is told with its place', () => {
  expect(new FormatError('odd', { file: 'a.csv', line: 2, column: 3 }).message).toBe('a.csv:2:3: odd')
  expect(new FormatError('odd').message).toBe('<input>: odd')
})
