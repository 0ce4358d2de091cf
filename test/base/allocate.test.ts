import { expect, test } from 'vitest'
import { allocate } from '../../src/base/allocate.ts'
import { DataError } from '../../src/base/errors.ts'

test('gives zeros, or says that there is no room for them', () => {
  expect(allocate(Float64Array, 3)).toEqual(Float64Array.of(0, 0, 0))
  const huge = () => allocate(Float64Array, 2 ** 52)
  expect(huge).toThrow(DataError)
  expect(huge).toThrow(`there is not enough memory for an array of ${2 ** 52} numbers`)
})
