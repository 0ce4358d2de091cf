import { describe, expect, test } from 'vitest'
import { measureKnown, primalValue } from '../../src/certify/svc-measures.ts'
import { toMatrix } from '../../src/data/matrix/matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { makeProblem } from '../../src/problems/problem.ts'

// Samples 1 and −1 on a line: the optimum is w = 1, b = 0, α = (½, ½), of value ½.
const samples = toMatrix([[1], [-1]])
const y = [1, -1]
const problem = makeProblem({ samples, y, kernel: linear(), C: 2 })
const alpha = Float64Array.of(0.5, 0.5)
const rows = (w: number, error = 0) => ({
  values: Float64Array.of(w, -w),
  errors: Float64Array.of(error, error),
})

describe('measures from rows that are known', () => {
  test('at the optimum: both values, no gap, no violation', () => {
    const { primal, dual, gap, violation } = measureKnown(problem, { alpha, bias: 0 }, rows(1), rows(1))
    expect([primal.value, dual.value, gap.value, violation.value]).toEqual([0.5, -0.5, 0, 0])
    for (const { error } of [primal, dual, gap, violation]) expect(error).toBeLessThan(1e-14)
  })

  test('away from it, by hand: α = (¼, ¼) has w = ½', () => {
    const quarter = Float64Array.of(0.25, 0.25)
    const { primal, dual, violation } = measureKnown(
      problem,
      { alpha: quarter, bias: 0 },
      rows(0.5),
      rows(0.5),
    )
    // ½ w² + 2 (½ + ½), ½ w² − ½, and 1 − y f on either side.
    expect([primal.value, dual.value, violation.value]).toEqual([2.125, -0.375, 1])
  })

  test('error bars hold the values of all rows within the errors', () => {
    const error = 2 ** -7
    const bars = measureKnown(problem, { alpha, bias: 0 }, rows(1, error), rows(1, error))
    for (const wrong of [-error, error]) {
      const real = measureKnown(problem, { alpha, bias: 0 }, rows(1 + wrong), rows(1 + wrong))
      for (const name of ['primal', 'dual', 'gap', 'violation'] as const) {
        expect(Math.abs(real[name].value - bars[name].value)).toBeLessThanOrEqual(bars[name].error)
      }
    }
  })

  test('with a hard margin the model is scaled until it is feasible; no model is worth nothing', () => {
    const hard = makeProblem({ samples, y, kernel: linear(), C: Number.POSITIVE_INFINITY })
    expect(primalValue(hard, 0.25, Float64Array.of(0.5, -0.5), 0)).toBe(0.5)
    expect(primalValue(hard, 0, Float64Array.of(0, 0), 0)).toBe(Number.POSITIVE_INFINITY)
  })

  test('the squared hinge and the regularised bias have their own terms', () => {
    const squared = makeProblem({
      samples,
      y,
      kernel: linear(),
      C: 2,
      loss: 'squared-hinge',
      bias: 'regularised',
    })
    const quarter = Float64Array.of(0.25, 0.25)
    const { primal, dual } = measureKnown(squared, { alpha: quarter, bias: 0 }, rows(0.5), rows(0.5))
    // ½ w² + 2 (¼ + ¼); ½ (w² + Σ α² / (2C)) − Σα
    expect(primal.value).toBe(1.125)
    expect(dual.value).toBe(0.5 * (0.25 + (2 * 0.0625) / 4) - 0.5)
  })
})
