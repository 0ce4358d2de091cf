import { describe, expect, test } from 'vitest'
import { fallOf, riseOf } from '../../../src/solve/dual/rates.ts'

/** What the tube adds to the dual to be minimised: ε|β|. */
const tube = 0.25
const cost = (beta: number): number => tube * Math.abs(beta)

describe('rates of a variable', () => {
  test.each([-0.75, -0.5, 0.5, 0.75])('at %d both are minus the slope of ε|β|', (beta) => {
    const slope = (cost(beta + 2 ** -20) - cost(beta - 2 ** -20)) / 2 ** -19
    expect(riseOf(beta, 1, tube)).toBeCloseTo(-slope, 12)
    expect(fallOf(beta, -1, tube)).toBeCloseTo(-slope, 12)
  })

  test('at the kink of the tube they are the slopes of its two sides', () => {
    expect(riseOf(0, 1, tube)).toBe(-tube)
    expect(fallOf(0, -1, tube)).toBe(tube)
  })

  test('at a bound there is no rate beyond it, and one back into the box', () => {
    expect(riseOf(1, 1, tube)).toBe(Number.NEGATIVE_INFINITY)
    expect(fallOf(1, -1, tube)).toBe(-tube)
    expect(fallOf(-1, -1, tube)).toBe(Number.POSITIVE_INFINITY)
    expect(riseOf(-1, 1, tube)).toBe(tube)
  })

  test('a variable without room has neither', () => {
    expect(riseOf(0, 0, 0)).toBe(Number.NEGATIVE_INFINITY)
    expect(fallOf(0, 0, 0)).toBe(Number.POSITIVE_INFINITY)
  })
})
