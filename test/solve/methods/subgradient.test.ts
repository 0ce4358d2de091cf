import { describe, expect, test } from 'vitest'
import { type Matrix, toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { lambdaFromC } from '../../../src/problems/mappings.ts'
import { makeProblem } from '../../../src/problems/problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { subgradient } from '../../../src/solve/methods/subgradient.ts'
import { expectClose } from '../../close.ts'
import { linearGolden } from '../../suites/linear-golden.ts'
import { naiveKernelMatrix, naiveMeasures } from '../../suites/naive-measures.ts'
import { expectTrueBounds, referenceOptimum } from '../../suites/reference-optimum.ts'
import { rowsOf, smallProblem, type VectorProblem } from '../../suites/small-problems.ts'

/** Primal value of w, ½‖w‖² + Σ C_i hinge_i, for a problem without a bias. */
function primalOf({ y, C, ...problem }: VectorProblem, w: readonly number[]): number {
  const loss = rowsOf({ y, C, ...problem }).reduce((sum, x, i) => {
    const margin = y[i] * x.reduce((dot, v, j) => dot + v * w[j], 0)
    return sum + C[i] * Math.max(0, 1 - margin)
  }, 0)
  return 0.5 * w.reduce((sum, v) => sum + v * v, 0) + loss
}

test('follows w ← w − η (λw − mean of the violators y x) with η = 1/(λt), and keeps the best iterate', () => {
  const C = 0.7
  const problem = smallProblem(1, { bias: 'none', C })
  const rows = rowsOf(problem)
  const lambda = lambdaFromC(C, rows.length)
  const { trace } = solveSync(problem, subgradient, {}, { tol: 1e-9, maxIter: 40, trace: { every: 1 } })
  let w = rows[0].map(() => 0)
  let best = primalOf(problem, w)
  for (let t = 1; t <= 40; t++) {
    const gradient = w.map((v) => lambda * v)
    rows.forEach((x, i) => {
      if (problem.y[i] * x.reduce((dot, v, j) => dot + v * w[j], 0) >= 1) return
      x.forEach((v, j) => {
        gradient[j] -= (problem.y[i] * v) / rows.length
      })
    })
    w = w.map((v, j) => v - gradient[j] / (lambda * t))
    best = Math.min(best, primalOf(problem, w))
    expect(trace[t].primal).toBeCloseTo(best, 10)
  }
})

test('each epoch brings a true upper and a true lower bound, never a worse one', () => {
  for (const seed of [2, 3, 4]) {
    const problem = smallProblem(seed, { bias: 'regularised', interceptScaling: 0.5 })
    const optimum = -referenceOptimum(problem).dual
    const matrix = naiveKernelMatrix(problem)
    const options = { tol: 1e-4, maxIter: 3000, trace: { every: 1, snapshots: true } }
    const { trace, certificate, ...solution } = solveSync(problem, subgradient, {}, options)
    expectTrueBounds(trace, optimum, problem)
    const naive = naiveMeasures(problem, matrix, solution)
    expect(certificate.stopReason).toBe('converged')
    expect(naive.gap).toBeLessThanOrEqual(1.001e-4 * naive.primal)
    expect(certificate.primal).toBeCloseTo(naive.primal, 10)
    expect(certificate.dual).toBeCloseTo(naive.dual, 10)
  }
})

describe('within 1% of the optimum after 200 (1 + κ) epochs', () => {
  const wanted = linearGolden(({ loss, C }) => loss === 'hinge' && C <= 1)
  test.each(wanted)('$title', ({ problem, primal }) => {
    const maxIter = Math.ceil(200 * (1 + kappaOf(problem, primal)))
    const result = solveSync(problem, subgradient, {}, { tol: 1e-9, maxIter })
    expect(result.certificate.primal).toBeLessThanOrEqual(1.01 * primal)
    expect(result.certificate.primal).toBeGreaterThanOrEqual(primal * (1 - 1e-9))
  })
})

/** mean(C_i k̃(x_i, x_i)) · ΣC / P* */
function kappaOf(problem: VectorProblem, optimum: number): number {
  const matrix = naiveKernelMatrix(problem)
  const total = problem.C.reduce((a, b) => a + b)
  return ((problem.C.reduce((sum, c, i) => sum + c * matrix[i][i], 0) / matrix.length) * total) / optimum
}

test('dense and sparse rows take the same way', () => {
  const dense = smallProblem(5, { bias: 'regularised' })
  const sparse = { ...dense, samples: toSparse(dense.samples) }
  const [a, b] = [dense, sparse].map((problem) => solveSync(problem, subgradient, {}, { maxIter: 50 }))
  expectClose(a.alpha, b.alpha)
  expectClose(a.beta as Float64Array, b.beta as Float64Array)
})

test('two copies of a sample are one sample with twice the C', () => {
  const problem = smallProblem(6, { bias: 'regularised', C: 0.5 })
  const rows = rowsOf(problem)
  const samples: Matrix = toMatrix([...rows, rows[4]])
  const copied = makeProblem({
    samples,
    y: [...problem.y, problem.y[4]],
    kernel: linear(),
    C: 0.5,
    bias: 'regularised',
  })
  const doubled = { ...problem, C: problem.C.map((c, i) => (i === 4 ? 2 * c : c)) }
  const options = { tol: 1e-9, maxIter: 100, trace: { every: 1 } }
  const a = solveSync(copied, subgradient, {}, options)
  const b = solveSync(doubled, subgradient, {}, options)
  a.trace.forEach((point, k) => {
    expect(point.primal).toBeCloseTo(b.trace[k].primal, 10)
    expect(point.dual).toBeCloseTo(b.trace[k].dual, 10)
  })
})

test('nothing to learn: all C are 0', () => {
  const problem = smallProblem(7, { bias: 'none', C: 0 })
  const { certificate, alpha } = solveSync(problem, subgradient)
  expect(certificate).toMatchObject({ primal: 0, dual: 0, gap: 0, stopReason: 'converged' })
  expect(alpha.every((a) => a === 0)).toBe(true)
})

test('says what it cannot solve', () => {
  const run = (options: Parameters<typeof smallProblem>[1]) => () =>
    solveSync(smallProblem(8, { bias: 'none', ...options }), subgradient)
  expect(run({ kernel: rbf({ gamma: 1 }) })).toThrow('subgradient: kernel must be linear, got "rbf"')
  expect(run({ loss: 'squared-hinge' })).toThrow('subgradient: loss must be hinge, got "squared-hinge"')
  expect(run({ bias: 'free' })).toThrow('subgradient: bias must be one of regularised, none, got "free"')
  expect(run({ C: Number.POSITIVE_INFINITY })).toThrow('subgradient: C must be finite, got Infinity')
})
