import { expect } from 'vitest'

/** Expects every number to agree to `tolerance`, relative to values above 1. */
export function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-12): void {
  expect(actual.length).toBe(expected.length)
  for (let k = 0; k < actual.length; k++) {
    expect(Math.abs(actual[k] - expected[k])).toBeLessThanOrEqual(
      tolerance * Math.max(1, Math.abs(expected[k])),
    )
  }
}
