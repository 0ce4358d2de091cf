import { expect, test } from 'vitest'
import { biasInterval, biasOf, midpointBias } from '../../../src/solve/dual/bias.ts'

const list = (...values: number[]) => Float64Array.from(values)
const infinity = Number.POSITIVE_INFINITY

test('the mean over free support vectors, bound ones left out', () => {
  const y = list(1, -1, 1, -1)
  const alpha = list(0.5, 0.25, 1, 0)
  const f = list(-0.2, -0.4, 7, 9)
  expect(biasOf(alpha, y, list(1, 1, 1, 1), f)).toBeCloseTo(0.3, 15)
})

test('seed 001 eq. 77 with the y_j it drops: b = y_i − Σ α_j y_j k(x_j, x_i)', () => {
  // x = 0 (−1) and x = 2 (+1), linear: the hard margin is w = 1, b = −1, with both α = ½.
  const y = list(-1, 1)
  const alpha = list(0.5, 0.5)
  const values = list(0, 2) // Σ α_j y_j ⟨x_j, x_i⟩
  const f = values.map((value, i) => value - y[i])
  expect(biasOf(alpha, y, list(infinity, infinity), f)).toBe(-1)
})

test('no free support vector: the midpoint of the interval, not a mean over nothing', () => {
  const y = list(1, -1, 1, -1)
  const alpha = list(1, 1, 0, 0)
  const C = list(1, 1, 1, 1)
  // I_up: sample 1 (−1 at C) and 2 (+1 at 0); I_low: sample 0 and 3.
  const f = list(-0.5, 0.1, 0.3, -0.9)
  expect(biasInterval(alpha, y, C, f)).toEqual({ bUp: 0.1, up: 1, bLow: -0.5, low: 0 })
  expect(biasOf(alpha, y, C, f)).toBeCloseTo(0.2, 15)
})

test('an empty set leaves the other end; two empty sets leave 0', () => {
  const y = list(1, -1)
  expect(biasOf(list(0, 0), y, list(1, 0), list(-1, 1))).toBe(1)
  expect(biasOf(list(0, 0), y, list(0, 1), list(-1, 1))).toBe(-1)
  expect(Object.is(biasOf(list(0, 0), y, list(0, 0), list(-1, 1)), 0)).toBe(true)
})

test('a bias of zero has no sign', () => {
  expect(Object.is(midpointBias({ bUp: 1, bLow: -1, up: 0, low: 1 }), 0)).toBe(true)
  expect(Object.is(biasOf(list(0.5, 0.5), list(1, -1), list(1, 1), list(0, 0)), 0)).toBe(true)
})
