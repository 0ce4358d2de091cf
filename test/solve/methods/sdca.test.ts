import { describe, expect, test } from 'vitest'
import { toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { weightedRowSum } from '../../../src/data/matrix/products.ts'
import { shift } from '../../../src/kernels/combinators.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { sigmoid } from '../../../src/kernels/sigmoid.ts'
import { expansionCoefficients } from '../../../src/problems/kernel-problem.ts'
import { type BiasForm, type Loss, makeProblem } from '../../../src/problems/problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { sdca } from '../../../src/solve/methods/sdca.ts'
import { expectClose } from '../../close.ts'
import { linearGolden } from '../../suites/linear-golden.ts'
import { naiveViolation, referenceOptimum } from '../../suites/reference-optimum.ts'
import { rowsOf, smallProblem, type VectorProblem } from '../../suites/small-problems.ts'

const storages = [
  { storage: 'dense', store: toMatrix },
  { storage: 'sparse', store: toSparse },
] as const

describe.each(storages)('LIBLINEAR finds the same, $storage', ({ store }) => {
  test.each(linearGolden(() => true))('$title', ({ problem, primal, w, intercept }) => {
    const ours = { ...problem, samples: store(problem.samples) }
    const result = solveSync(ours, sdca, {}, { tol: 1e-9 })
    expect(result.certificate.stopReason).toBe('converged')
    expect(result.certificate.primal / primal).toBeCloseTo(1, 8)
    expect(-result.certificate.dual / primal).toBeCloseTo(1, 8)
    expectClose(weightedRowSum(ours.samples, expansionCoefficients(ours, result.alpha)), w, 1e-5)
    expect(result.bias).toBeCloseTo(intercept, 5)
  })
})

const losses: Loss[] = ['hinge', 'squared-hinge']
const biases: BiasForm[] = ['regularised', 'none']
const kernels = [linear(), rbf({ gamma: 0.4 })]

describe('projected gradients on the whole dual find the same', () => {
  const cases = losses.flatMap((loss) =>
    biases.flatMap((bias) => kernels.map((kernel) => ({ loss, bias, kernel, kind: kernel.spec.kind }))),
  )
  test.each(cases)('$loss, bias $bias, $kind', ({ loss, bias, kernel }) => {
    for (const seed of [1, 2, 3]) {
      const problem = smallProblem(seed, { loss, bias, kernel, interceptScaling: 2 })
      const result = solveSync(problem, sdca, {}, { tol: 1e-10, seed })
      const { dual } = referenceOptimum(problem)
      expect(result.certificate.dual / dual).toBeCloseTo(1, 9)
      expect(result.certificate.gap).toBeLessThan(1e-8)
      expect(naiveViolation(problem, result.alpha)).toBeLessThanOrEqual(1e-9)
      expect(result.alpha[2]).toBe(0)
      if (loss === 'hinge') expect(result.alpha.every((a, i) => a >= 0 && a <= problem.C[i])).toBe(true)
    }
  })
})

test('squared hinge: the slack of a support vector is alpha / 2C', () => {
  const problem = smallProblem(4, { loss: 'squared-hinge', bias: 'none' })
  const { alpha } = solveSync(problem, sdca, {}, { tol: 1e-11 })
  const w = weightedRowSum(problem.samples, expansionCoefficients(problem, alpha))
  const margins = rowsOf(problem).map((row, i) => problem.y[i] * row.reduce((sum, x, j) => sum + x * w[j], 0))
  alpha.forEach((a, i) => {
    if (a > 0) expect(1 - margins[i]).toBeCloseTo(a / (2 * problem.C[i]), 9)
    else if (problem.C[i] > 0) expect(margins[i]).toBeGreaterThanOrEqual(1 - 1e-9)
  })
})

describe('trap: w moves by the clipped change of alpha', () => {
  /** The slide of seed 004 as it stands, or with the clipped change. */
  function slide(problem: VectorProblem, useClipped: boolean): { alpha: Float64Array; w: number[] } {
    const rows = rowsOf(problem)
    const alpha = new Float64Array(rows.length)
    const w = rows[0].map(() => 0)
    for (let epoch = 0; epoch < 3000; epoch++) {
      rows.forEach((x, i) => {
        const value = x.reduce((sum, v, j) => sum + v * w[j], 0)
        const delta = (1 - problem.y[i] * value) / x.reduce((sum, v) => sum + v * v, 0)
        const before = alpha[i]
        alpha[i] = Math.min(problem.C[i], Math.max(0, before + delta))
        const change = useClipped ? alpha[i] - before : delta
        x.forEach((v, j) => {
          w[j] += change * problem.y[i] * v
        })
      })
    }
    return { alpha, w }
  }

  test('the unclipped change loses w = sum of alpha y x, and with it the optimum', () => {
    const problem = smallProblem(5, { bias: 'none', C: 0.3 })
    const wrong = slide(problem, false)
    const right = slide(problem, true)
    const expansion = (alpha: Float64Array) =>
      weightedRowSum(problem.samples, expansionCoefficients(problem, alpha))
    expect(Math.max(...expansion(wrong.alpha).map((v, j) => Math.abs(v - wrong.w[j])))).toBeGreaterThan(0.1)
    expect(naiveViolation(problem, wrong.alpha)).toBeGreaterThan(0.1)
    expectClose(right.w, expansion(right.alpha), 1e-10)
    const ours = solveSync(problem, sdca, {}, { tol: 1e-9 })
    expectClose(ours.alpha, right.alpha, 1e-6)
    expect(naiveViolation(problem, ours.alpha)).toBeLessThanOrEqual(1e-9)
  })
})

describe('trap: the regularised bias is the kernel k + s²', () => {
  test('the same as one more feature s without a bias', () => {
    const s = 1.5
    const problem = smallProblem(6, { interceptScaling: s, bias: 'regularised' })
    const augmented = {
      ...problem,
      samples: toMatrix(rowsOf(problem).map((row) => [...row, s])),
      bias: 'none' as const,
    }
    const a = solveSync(problem, sdca, {}, { tol: 1e-10 })
    const b = solveSync(augmented, sdca, {}, { tol: 1e-10 })
    expectClose(a.alpha, b.alpha, 1e-8)
    expect(a.certificate.dual).toBeCloseTo(b.certificate.dual, 9)
    const w = weightedRowSum(augmented.samples, expansionCoefficients(augmented, b.alpha))
    expect(a.bias).toBeCloseTo(s * w[3], 8)
    expect(b.bias).toBe(0)
  })

  test.each(kernels)('the same as shift(k, 1) without a bias', (kernel) => {
    const problem = smallProblem(7, { kernel, bias: 'regularised' })
    const shifted = smallProblem(7, { kernel: shift(kernel, 1), bias: 'none' })
    const a = solveSync(problem, sdca, {}, { tol: 1e-10 })
    const b = solveSync(shifted, sdca, {}, { tol: 1e-10 })
    expectClose(a.alpha, b.alpha, 1e-8)
    expect(a.bias).toBeCloseTo(
      expansionCoefficients(problem, a.alpha).reduce((x, y) => x + y, 0),
      12,
    )
  })
})

test('w and kernel rows lead to the same point', () => {
  const problem = smallProblem(8, { count: 40, bias: 'none' })
  const byRows = { ...problem, kernel: shift(linear(), 0) }
  const options = { tol: 1e-9, seed: 5 }
  const a = solveSync(problem, sdca, {}, options)
  const b = solveSync(byRows, sdca, {}, options)
  expectClose(b.alpha, a.alpha, 1e-7)
  const tight = solveSync(byRows, sdca, {}, { ...options, cacheBytes: 0 })
  expect(tight.alpha).toEqual(b.alpha)
})

test.each(losses)('shrinking changes the way, not the end: %s', (loss) => {
  const problem = smallProblem(9, { count: 150, features: 2, loss, bias: 'regularised', C: 1 })
  const shrunk = solveSync(problem, sdca, {}, { tol: 1e-8 })
  const plain = solveSync(problem, sdca, { shrinking: false }, { tol: 1e-8 })
  expect(shrunk.certificate.stopReason).toBe('converged')
  expect(shrunk.certificate.dual / plain.certificate.dual).toBeCloseTo(1, 10)
  expect(naiveViolation(problem, shrunk.alpha)).toBeLessThanOrEqual(1.001e-8)
})

test('seeds change the order of the steps, not the optimum', () => {
  const problem = smallProblem(10, { count: 30, bias: 'regularised' })
  const [a, b] = [1, 2].map((seed) => solveSync(problem, sdca, {}, { seed, tol: 1e-9 }))
  expect(a.alpha).not.toEqual(b.alpha)
  expect(a.certificate.dual).toBeCloseTo(b.certificate.dual, 9)
})

describe('samples without curvature', () => {
  const samples = toMatrix([[0], [1], [-1]])
  const y = [1, 1, -1]

  test('a sample at the origin costs its C whatever w is: alpha = C', () => {
    const problem = makeProblem({ samples, y, kernel: linear(), C: 5, bias: 'none' })
    const { alpha, certificate } = solveSync(problem, sdca, {}, { tol: 1e-9 })
    expect(alpha[0]).toBe(5)
    // w = 1 satisfies the other two: ½ + 5
    expect(certificate.primal).toBeCloseTo(5.5, 9)
    expect(certificate.stopReason).toBe('converged')
  })

  test('with a hard margin there is no solution', () => {
    const problem = makeProblem({ samples, y, kernel: linear(), C: Number.POSITIVE_INFINITY, bias: 'none' })
    expect(solveSync(problem, sdca).certificate.stopReason).toBe('unbounded')
  })

  test('a kernel that is not positive semi-definite comes to an end', () => {
    const kernel = sigmoid({ gamma: 1, coef0: -1 })
    const problem = smallProblem(11, { kernel, bias: 'none', C: 1 })
    const { alpha, certificate } = solveSync(problem, sdca, {}, { maxIter: 2000 })
    expect(alpha.every((a) => a >= 0 && a <= 1)).toBe(true)
    expect(certificate.dual).toBeLessThan(0)
    expect(certificate.stopReason).toBe('converged')
  })
})

test('a hard margin: the widest street between two points', () => {
  const samples = toMatrix([
    [1, 0],
    [-1, 0],
    [4, 2],
  ])
  const problem = makeProblem({
    samples,
    y: [1, -1, 1],
    kernel: linear(),
    C: Number.POSITIVE_INFINITY,
    bias: 'none',
  })
  const { alpha, certificate } = solveSync(problem, sdca, {}, { tol: 1e-10 })
  expectClose(weightedRowSum(samples, expansionCoefficients(problem, alpha)), [1, 0], 1e-9)
  expect(certificate.primal).toBeCloseTo(0.5, 9)
  expect(certificate.stopReason).toBe('converged')
})

test('an indefinite kernel with the squared loss has no optimum: unbounded, with finite numbers', () => {
  // tanh(γ x z − 1) is about −0.76 between short samples: each coordinate has the curvature 0.24, all together a negative one.
  const samples = toMatrix([[0.1], [0.2], [0.3], [-0.1], [-0.2], [3]])
  const y = Float64Array.of(1, 1, 1, 1, 1, -1)
  const kernel = sigmoid({ gamma: 1, coef0: -1 })
  const problem = makeProblem({ samples, kernel, y, C: 0.5, loss: 'squared-hinge', bias: 'none' })
  const { alpha, certificate } = solveSync(problem, sdca)
  expect(certificate.stopReason).toBe('unbounded')
  expect(certificate.proves).toBe('stationary-point')
  expect(alpha.every(Number.isFinite)).toBe(true)
  expect(Number.isFinite(certificate.dual)).toBe(true)
})
