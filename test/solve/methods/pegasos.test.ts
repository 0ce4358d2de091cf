import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import { shift } from '../../../src/kernels/combinators.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { lambdaFromC } from '../../../src/problems/mappings.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { type PegasosOptions, pegasos } from '../../../src/solve/methods/pegasos.ts'
import { sdca } from '../../../src/solve/methods/sdca.ts'
import { expectClose } from '../../close.ts'
import { linearGolden } from '../../suites/linear-golden.ts'
import { naiveKernelMatrix, naiveMeasures } from '../../suites/naive-measures.ts'
import { expectTrueBounds, referenceOptimum } from '../../suites/reference-optimum.ts'
import { rowsOf, smallProblem, type VectorProblem } from '../../suites/small-problems.ts'

const variants: { name: string; options: Partial<PegasosOptions> }[] = [
  { name: 'plain', options: {} },
  { name: 'projected', options: { project: true } },
  { name: 'random draws', options: { sampling: 'random' } },
  { name: 'batches of 4', options: { batchSize: 4 } },
  {
    name: 'projected batches of 3 random draws',
    options: { sampling: 'random', batchSize: 3, project: true },
  },
  { name: 'one batch', options: { batchSize: 1000 } },
]

/** The paper's steps on a dense w, with the same random numbers: the best primal value after each epoch. */
function textbook(problem: VectorProblem, C: number, seed: number, epochs: number, options: PegasosOptions) {
  const { y } = problem
  const rows = rowsOf(problem)
  const count = rows.length
  const lambda = lambdaFromC(C, count)
  const random = new Random(seed)
  const order = Uint32Array.from(rows.keys())
  const steps = Math.ceil(count / options.batchSize)
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, v, j) => sum + v * b[j], 0)
  const primal = (w: readonly number[]) =>
    0.5 * dot(w, w) + C * rows.reduce((sum, x, i) => sum + Math.max(0, 1 - y[i] * dot(x, w)), 0)
  let w = rows[0].map(() => 0)
  let t = 0
  const best = [primal(w)]
  for (let epoch = 0; epoch < epochs; epoch++) {
    if (options.sampling === 'epochs') random.shuffle(order)
    else for (let k = 0; k < count; k++) order[k] = random.int(count)
    for (let s = 0; s < steps; s++) {
      const batch = order.subarray(Math.floor((s * count) / steps), Math.floor(((s + 1) * count) / steps))
      const violators = [...batch].filter((i) => y[i] * dot(rows[i], w) < 1)
      const eta = 1 / (lambda * ++t)
      w = w.map((v, j) => {
        const pull = violators.reduce((sum, i) => sum + y[i] * rows[i][j], 0)
        return (1 - eta * lambda) * v + (eta / batch.length) * pull
      })
      const length = Math.sqrt(dot(w, w))
      if (options.project && length > 1 / Math.sqrt(lambda))
        w = w.map((v) => v / (Math.sqrt(lambda) * length))
    }
    best.push(Math.min(best[epoch], primal(w)))
  }
  return best
}

test.each(variants)('$name: takes the steps of the paper', ({ options }) => {
  // At C = 300 the first steps leave the ball by far.
  for (const C of [0.05, 2, 300]) {
    const problem = smallProblem(21, { bias: 'none', C, count: 14 })
    const best = textbook(problem, C, 9, 25, { ...pegasos.options, ...options })
    const run = { seed: 9, tol: 1e-12, maxIter: 25, trace: { every: 1 } }
    const { trace } = solveSync(problem, pegasos, options, run)
    expect(trace.length).toBe(26)
    trace.forEach((point, epoch) => {
      expect(point.primal / best[epoch]).toBeCloseTo(1, 9)
    })
  }
})

describe('each epoch brings a true upper and a true lower bound, never a worse one', () => {
  const kernels = [linear(), rbf({ gamma: 0.5 })]
  test.each(variants)('$name', ({ options }) => {
    for (const kernel of kernels) {
      const problem = smallProblem(22, { bias: 'regularised', kernel, interceptScaling: 1.5 })
      const optimum = -referenceOptimum(problem).dual
      const matrix = naiveKernelMatrix(problem)
      const run = { tol: 1e-12, maxIter: 60, trace: { every: 1, snapshots: true } }
      const { trace, certificate, ...solution } = solveSync(problem, pegasos, options, run)
      expectTrueBounds(trace, optimum, problem)
      const naive = naiveMeasures(problem, matrix, solution)
      expect(certificate.primal).toBeCloseTo(naive.primal, 9)
      expect(certificate.dual).toBeCloseTo(naive.dual, 9)
      const sum = (solution.beta as Float64Array).reduce((a, b) => a + b, 0)
      expect(solution.bias).toBeCloseTo(1.5 ** 2 * sum, 12)
    }
  })
})

/** mean(C_i k̃(x_i, x_i)) · ΣC / P* */
function kappaOf(problem: VectorProblem, optimum: number): number {
  const matrix = naiveKernelMatrix(problem)
  const total = problem.C.reduce((a, b) => a + b)
  return ((problem.C.reduce((sum, c, i) => sum + c * matrix[i][i], 0) / matrix.length) * total) / optimum
}

describe('within 1% of the optimum after 40 (1 + κ) epochs', () => {
  const wanted = linearGolden(({ loss }) => loss === 'hinge')
  test.each(wanted)('$title', ({ problem, primal }) => {
    const maxIter = Math.min(20_000, Math.ceil(40 * (1 + kappaOf(problem, primal))))
    for (const { options } of variants.slice(0, 5)) {
      const { certificate } = solveSync(problem, pegasos, options, { tol: 1e-9, maxIter })
      expect(certificate.primal).toBeLessThanOrEqual(1.01 * primal)
      expect(certificate.primal).toBeGreaterThanOrEqual(primal * (1 - 1e-9))
    }
  })

  test.each([0.1, 1, 10])('Gaussian kernel, C = %d', (C) => {
    const problem = smallProblem(23, { kernel: rbf({ gamma: 0.5 }), bias: 'regularised', count: 60, C })
    const optimum = -solveSync(problem, sdca, {}, { tol: 1e-9 }).certificate.dual
    const maxIter = Math.ceil(40 * (1 + kappaOf(problem, optimum)))
    for (const { options } of variants.slice(0, 5)) {
      const { certificate } = solveSync(problem, pegasos, options, { tol: 1e-9, maxIter })
      expect(certificate.primal).toBeLessThanOrEqual(1.01 * optimum)
    }
  })
})

test.each(variants)('$name: w, sparse or dense, and kernel values take the same way', ({ options }) => {
  const problem = smallProblem(24, { bias: 'regularised', count: 25, C: 3 })
  const run = { seed: 4, tol: 1e-12, maxIter: 20 }
  const dense = solveSync(problem, pegasos, options, run)
  const sparse = solveSync({ ...problem, samples: toSparse(problem.samples) }, pegasos, options, run)
  const byKernel = solveSync({ ...problem, kernel: shift(linear(), 0) }, pegasos, options, run)
  const noCache = solveSync({ ...problem, kernel: shift(linear(), 0) }, pegasos, options, {
    ...run,
    cacheBytes: 0,
  })
  for (const other of [sparse, byKernel]) {
    expectClose(other.beta as Float64Array, dense.beta as Float64Array, 1e-9)
    expectClose(other.alpha, dense.alpha, 1e-9)
  }
  expect(noCache.beta).toEqual(byKernel.beta)
})

test('trap: the regularised bias is the kernel k + 1', () => {
  const kernel = rbf({ gamma: 0.7 })
  const run = { seed: 2, tol: 1e-12, maxIter: 30 }
  const a = solveSync(smallProblem(25, { kernel, bias: 'regularised' }), pegasos, {}, run)
  const b = solveSync(smallProblem(25, { kernel: shift(kernel, 1), bias: 'none' }), pegasos, {}, run)
  expectClose(a.beta as Float64Array, b.beta as Float64Array)
  expect(a.certificate.primal).toBeCloseTo(b.certificate.primal, 10)
  expect([a.bias, b.bias]).toEqual([(a.beta as Float64Array).reduce((x, y) => x + y, 0), 0])
})

test('random draws: coefficients of the model pass C, the dual point never does', () => {
  const problem = smallProblem(26, { bias: 'regularised', count: 20, C: 0.1 })
  const run = { tol: 1e-12, maxIter: 5 }
  const { alpha, beta } = solveSync(problem, pegasos, { sampling: 'random' }, run)
  expect(beta?.some((b) => Math.abs(b) > 0.11)).toBe(true)
  expect(alpha.every((a) => a >= 0 && a <= 0.1)).toBe(true)
})

test('a sample with C = 0 is as if it were not there', () => {
  const problem = smallProblem(27, { bias: 'none', count: 11 })
  const rows = rowsOf(problem)
  const without = { ...problem, ...leaveOut(problem, rows, 2) }
  const options = { tol: 1e-12, maxIter: 15, seed: 8 }
  const a = solveSync(problem, pegasos, {}, options)
  const b = solveSync(without, pegasos, {}, options)
  expect(a.beta?.[2]).toBe(0)
  expectClose(
    (a.beta as Float64Array).filter((_, i) => i !== 2),
    b.beta as Float64Array,
  )
})

function leaveOut({ y, C }: VectorProblem, rows: number[][], out: number) {
  const kept = rows.filter((_, i) => i !== out)
  return {
    samples: {
      kind: 'dense' as const,
      rows: kept.length,
      cols: kept[0].length,
      values: Float64Array.from(kept.flat()),
    },
    y: y.filter((_, i) => i !== out),
    C: C.filter((_, i) => i !== out),
  }
}

test('seeds change the draws', () => {
  const problem = smallProblem(28, { bias: 'none', count: 30 })
  const [a, b, again] = [1, 2, 1].map((seed) =>
    solveSync(problem, pegasos, {}, { seed, maxIter: 5, tol: 1e-9 }),
  )
  expect(a.beta).toEqual(again.beta)
  expect(a.beta).not.toEqual(b.beta)
})

test('says what it cannot do', () => {
  const run =
    (problem: VectorProblem, options = {}) =>
    () =>
      solveSync(problem, pegasos, options)
  const problem = smallProblem(29, { bias: 'none' })
  expect(run(problem, { batchSize: 0 })).toThrow('pegasos: batchSize must be a whole number >= 1, got 0')
  expect(run(problem, { sampling: 'twice' })).toThrow(
    'pegasos: sampling must be one of epochs, random, got "twice"',
  )
  expect(run(problem, { batch: 3 })).toThrow(
    'pegasos: option must be one of sampling, batchSize, project, got "batch"',
  )
  const hard = smallProblem(29, { bias: 'none', C: Number.POSITIVE_INFINITY })
  expect(run(hard)).toThrow('pegasos: C must be finite, got Infinity')
  const squared = smallProblem(29, { bias: 'none', loss: 'squared-hinge' })
  expect(run(squared)).toThrow('pegasos: loss must be hinge, got "squared-hinge"')
})
