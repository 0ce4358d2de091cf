import { describe, expect, test } from 'vitest'
import type { Evidence } from '../../../src/certify/certificate.ts'
import { allowedGap, type Goal, isReached } from '../../../src/solve/driver/goal.ts'

/** A point with these values, and error bars of these sizes. */
function measured(values: object = {}, bars: Partial<Evidence> = {}) {
  const evidence: Evidence = {
    ...{ rows: 4, rowsInDouble: 4, rowsSampled: 0, bound: 'worst-case' },
    ...{ violationError: 0, primalError: 0, dualError: 0, gapError: 0, ...bars },
  }
  return { primal: 10, dual: -9, gap: 1, maxViolation: 0.5, ...values, evidence }
}

test('the gap that is allowed: any, tol of the primal value, or ten times that', () => {
  expect(allowedGap('violation', 1e-3, 50)).toBe(Number.POSITIVE_INFINITY)
  expect(allowedGap('gap', 1e-3, 50)).toBe(0.05)
  expect(allowedGap('both', 1e-3, 50)).toBe(0.5)
  expect(allowedGap('gap', 1e-3, -50)).toBe(0.05)
})

describe('a goal is reached', () => {
  const reached = (goal: Goal, values: object, bars: Partial<Evidence> = {}, gap = 1) =>
    isReached(measured(values, bars), goal, 0.5, gap)

  test('up to the tolerance and the gap, both included', () => {
    expect(reached('violation', {})).toBe(true)
    expect(reached('violation', { maxViolation: 0.5 + 1e-15 })).toBe(false)
    expect(reached('gap', { gap: 1 + 1e-15, maxViolation: 9 })).toBe(false)
    expect(reached('gap', { maxViolation: 9 })).toBe(true)
    expect(reached('both', {})).toBe(true)
    expect(reached('both', { maxViolation: 0.51 })).toBe(false)
    expect(reached('both', { gap: 1.01 })).toBe(false)
  })

  test('only where the upper end of the error bar is within it', () => {
    expect(reached('violation', { maxViolation: 0.4 }, { violationError: 0.1 })).toBe(true)
    expect(reached('violation', { maxViolation: 0.4 }, { violationError: 0.11 })).toBe(false)
    expect(reached('gap', { gap: 0.75 }, { gapError: 0.25 })).toBe(true)
    expect(reached('gap', { gap: 0.75 }, { gapError: 0.26 })).toBe(false)
    // Bars of what the goal does not speak of do not count.
    expect(reached('gap', { gap: 0.75 }, { violationError: 9 })).toBe(true)
    expect(reached('violation', {}, { primalError: 9, dualError: 9 })).toBe(true)
  })

  test.each(['primal', 'dual', 'gap', 'maxViolation'])('never where %s is no number', (name) => {
    for (const goal of ['violation', 'both'] as const) {
      expect(reached(goal, { [name]: Number.NaN }, {}, Number.POSITIVE_INFINITY)).toBe(false)
      expect(reached(goal, { [name]: Number.POSITIVE_INFINITY }, {}, Number.POSITIVE_INFINITY)).toBe(false)
    }
  })
})
