import { describe, expect, it } from 'vitest'
import {
  countUp,
  distinctNumbers,
  joinArrays,
  pickNumbers,
  placesOfNonZeros,
  sumOfSquares,
} from '../../src/base/lists.ts'

describe('lists', () => {
  it('count up from 0', () => {
    expect([...countUp(4)]).toEqual([0, 1, 2, 3])
    expect(countUp(0)).toHaveLength(0)
  })

  it('pick numbers in the order asked for, some of them twice', () => {
    expect(pickNumbers(Float64Array.of(5, -0, 7), [2, 0, 1, 2])).toEqual(Float64Array.of(7, 5, -0, 7))
    expect(pickNumbers([1, 2], Uint32Array.of(1))).toEqual(Float64Array.of(2))
  })

  it('name different numbers once, in the order in which they come', () => {
    const lists = [
      [],
      [2, 2, 2],
      [1, -1, 1, -1, -1],
      [3, 1, 3, 2, 1, 2, 3],
      [0, -0, Number.NaN, 0, Number.NaN],
    ]
    for (const list of lists) expect(distinctNumbers(Float64Array.from(list))).toEqual([...new Set(list)])
  })

  it('sum up squares', () => {
    expect(sumOfSquares(Float64Array.of(1, -2, 3))).toBe(14)
    expect(sumOfSquares(Float64Array.of(1e200))).toBe(Number.POSITIVE_INFINITY)
  })

  it('tell where values are not 0; NaN is not', () => {
    expect([...placesOfNonZeros(Float64Array.of(0, 3, -0, Number.NaN, -1))]).toEqual([1, 3, 4])
  })
})

it('typed arrays are joined in order', () => {
  expect(joinArrays(Float64Array, [Float64Array.of(1, 2), new Float64Array(0), Float64Array.of(3)])).toEqual(
    Float64Array.of(1, 2, 3),
  )
  expect(joinArrays(Uint8Array, [])).toEqual(new Uint8Array(0))
})
