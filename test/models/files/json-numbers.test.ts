import { expect, it } from 'vitest'
import { decodeDeep, decodeNumber, encodeDeep } from '../../../src/models/files/json-numbers.ts'

const strange = [-0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]
const plain = [0, 0.1, -1 / 3, 5e-324, Number.MAX_VALUE, 2 ** 53 + 2]

it('every double survives JSON, at any depth', () => {
  const value = { a: [...plain, ...strange], b: { c: strange[0] } }
  expect(decodeDeep(JSON.parse(JSON.stringify(encodeDeep(value))))).toEqual(value)
})

it('typed arrays become lists, the four numbers that JSON lacks words', () => {
  expect(encodeDeep(Float64Array.from([1, ...strange]))).toEqual([1, '-0', 'Infinity', '-Infinity', 'NaN'])
})

it('other texts are no numbers', () => {
  expect(['0', '1e3', 'infinity', '', null, [1]].map(decodeNumber)).toEqual(Array(6).fill(undefined))
})
