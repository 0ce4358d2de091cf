import { describe, expect, test } from 'vitest'
import { expansionValues } from '../../src/certify/expansion-values.ts'
import { measure } from '../../src/certify/measure.ts'
import { toMatrix, toSparse } from '../../src/data/matrix/matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { sigmoid } from '../../src/kernels/sigmoid.ts'
import type { SvmProblem } from '../../src/problems/problem.ts'
import { makeProblem } from '../../src/problems/problem.ts'
import { expectClose } from '../close.ts'
import { naiveKernelMatrix, naiveMeasures } from '../suites/naive-measures.ts'
import { rowsOf, smallProblem } from '../suites/small-problems.ts'

describe('solved by hand', () => {
  test('hinge, no bias: margins 3, 1, ½, −¼ at w = 1', () => {
    // w = Σ α_i y_i x_i = ¾ · 1 + 1 · ½ − 1 · ¼ = 1; primal ½ + ½ + 5/4, dual ½ − 11/4.
    const problem = makeProblem({
      samples: toMatrix([[3], [-1], [0.5], [0.25]]),
      y: [1, -1, 1, -1],
      kernel: linear(),
      C: 1,
      bias: 'none',
    })
    const alpha = Float64Array.of(0, 0.75, 1, 1)
    expect(measure(problem, { alpha, bias: 0 })).toEqual({
      primal: 2.25,
      dual: -2.25,
      gap: 0,
      maxViolation: 0,
      supportVectors: 3,
      boundedSupportVectors: 2,
    })
    // α_1 = 0.1 makes w = 1.3: the first sample should let go of it (margin 3.9 − 1), the second too (1.3 − 1).
    const off = measure(problem, { alpha: Float64Array.of(0.1, 0.75, 1, 1), bias: 0 })
    expect(off.maxViolation).toBeCloseTo(2.9, 12)
    expect(off.gap).toBeGreaterThan(0)
  })

  test('squared hinge, no bias: w = 4C / (1 + 4C)', () => {
    // ½w² + 2C(1 − w)² at C = ½: w = 2/3, ξ = 1/3, α = 2Cξ = 1/3, value 1/3.
    const problem = makeProblem({
      samples: toMatrix([[1], [-1]]),
      y: [1, -1],
      kernel: linear(),
      C: 0.5,
      loss: 'squared-hinge',
      bias: 'none',
    })
    const found = measure(problem, { alpha: Float64Array.of(1 / 3, 1 / 3), bias: 0 })
    expect(found.primal).toBeCloseTo(1 / 3, 14)
    expect(found.dual).toBeCloseTo(-1 / 3, 14)
    expect(found.maxViolation).toBeCloseTo(0, 14)
    expect(found).toMatchObject({ supportVectors: 2, boundedSupportVectors: 0 })
  })

  test('hard margin: a model that is almost feasible counts with the w that is', () => {
    // x = ±1: w = 1. α = 0.4 each gives w = 0.8, margins 0.8; scaled to margin 1 it is optimal, ½.
    const problem = makeProblem({
      samples: toMatrix([[1], [-1]]),
      y: [1, -1],
      kernel: linear(),
      C: Number.POSITIVE_INFINITY,
    })
    const { primal, dual, maxViolation } = measure(problem, { alpha: Float64Array.of(0.4, 0.4), bias: 0 })
    expect(primal).toBeCloseTo(0.5, 14)
    expect(dual).toBeCloseTo(0.5 * 0.64 - 0.8, 14)
    expect(maxViolation).toBeCloseTo(0.4, 14)
    const wrongSide = measure(problem, { alpha: new Float64Array(2), bias: 0 })
    expect(wrongSide.primal).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('a regularised bias is one more feature', () => {
  const s = 2.5
  for (const loss of ['hinge', 'squared-hinge'] as const) {
    test(`${loss}: same measures as the augmented samples, for dual points and for models of their own`, () => {
      const problem = smallProblem(1, { bias: 'regularised', interceptScaling: s, loss })
      const samples = toMatrix(rowsOf(problem).map((row) => [...row, s]))
      const augmented = { ...problem, samples, bias: 'none' as const }
      const alpha = problem.C.map((c, i) => (c * ((i * 7) % 5)) / 4)
      const beta = problem.y.map((label, i) => label * 0.1 * ((i * 3) % 4))
      const biasOf = (c: Float64Array) => s * s * c.reduce((a, b) => a + b, 0)
      const signed = alpha.map((a, i) => a * problem.y[i])
      const pairs = [
        [measure(problem, { alpha, bias: biasOf(signed) }), measure(augmented, { alpha, bias: 0 })],
        [measure(problem, { alpha, beta, bias: biasOf(beta) }), measure(augmented, { alpha, beta, bias: 0 })],
      ]
      for (const [ours, theirs] of pairs) expectClose(Object.values(ours), Object.values(theirs), 1e-12)
    })
  }
})

test.each([linear(), rbf({ gamma: 0.3 }), polynomial({ gamma: 0.5, coef0: 1, degree: 3 })])(
  'any point, any bias: what the definitions say ($spec.kind)',
  (kernel) => {
    for (const bias of ['free', 'regularised', 'none'] as const) {
      for (const store of [toMatrix, toSparse]) {
        const problem = smallProblem(2, { kernel, bias, store })
        const alpha = problem.C.map((c, i) => (c * ((i * 7) % 5)) / 4)
        const signed = alpha.map((a, i) => a * problem.y[i])
        const sum = signed.reduce((a, b) => a + b, 0)
        const b = bias === 'free' ? 0.3 : bias === 'regularised' ? sum : 0
        const naive = naiveMeasures(problem, naiveKernelMatrix(problem), { alpha, bias: b })
        const found = measure(problem, { alpha, bias: b })
        expectClose([found.primal, found.dual], [naive.primal, naive.dual])
        expectClose([found.gap, found.maxViolation], [naive.gap, naive.violation])
      }
    }
  },
)

describe('large problems are measured on the engine', () => {
  const kernels = [
    rbf({ gamma: 0.2 }),
    polynomial({ gamma: 0.2, coef0: 1, degree: 3 }),
    sigmoid({ gamma: 0.1, coef0: 0.1 }),
  ]

  test.each(kernels)('in f64, the same to rounding ($spec.kind)', (kernel) => {
    for (const store of [toMatrix, toSparse]) {
      const problem = smallProblem(3, { kernel, store, count: 600, features: 8 })
      const signed = problem.C.map((c, i) => (problem.y[i] * c * ((i * 7) % 5)) / 4)
      const fast = expansionValues(problem, signed)
      const plain = plainExpansionValues(problem, signed)
      const size = plain.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
      for (let i = 0; i < 600; i++) expect(Math.abs(fast[i] - plain[i])).toBeLessThan(1e-13 * size)
    }
  })

  test('also where distances would drown in norms', () => {
    const near = smallProblem(4, { kernel: rbf({ gamma: 1 }), store: toSparse, count: 600, features: 8 })
    const values = near.samples.values.map((value, k) => (k % 8 === 0 ? 1e6 * (k % 3) : value))
    const problem = { ...near, samples: { ...near.samples, values } }
    const fast = expansionValues(problem, problem.y)
    const plain = plainExpansionValues(problem, problem.y)
    for (let i = 0; i < 600; i++) expect(Math.abs(fast[i] - plain[i])).toBeLessThan(1e-13 * 600)
  })
})

/** By definition: one kernel row for each coefficient. */
function plainExpansionValues({ samples, kernel }: SvmProblem, coefficients: Float64Array): Float64Array {
  const values = new Float64Array(coefficients.length)
  const row = new Float64Array(coefficients.length)
  const evaluator = kernel.between(samples, samples)
  coefficients.forEach((c, j) => {
    evaluator.row(j, row)
    for (let i = 0; i < values.length; i++) values[i] += c * row[i]
  })
  return values
}
