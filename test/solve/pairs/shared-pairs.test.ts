/** One-vs-one on one copy of the samples, in both ways: every pair as good as if it had been solved on its own. */
import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import type { Evidence } from '../../../src/certify/certificate.ts'
import { measure } from '../../../src/certify/measure.ts'
import type { DenseMatrix } from '../../../src/data/matrix/matrix.ts'
import type { Samples } from '../../../src/data/table/dataset.ts'
import type { AnyKernel } from '../../../src/kernels/kernel.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { custom } from '../../../src/kernels/user-kernels.ts'
import { generalDualOf, signedPointOf } from '../../../src/problems/general-form.ts'
import {
  classPairs,
  membersOf,
  type PairwiseProblem,
  pairProblem,
} from '../../../src/problems/pairwise-problem.ts'
import { type RunOptions, solveSync } from '../../../src/solve/driver/run.ts'
import { solveAll, solveAllSync } from '../../../src/solve/driver/solve-task.ts'
import { type Solved, solutionOf } from '../../../src/solve/driver/solved.ts'
import type { Solver } from '../../../src/solve/driver/solver.ts'
import { smo } from '../../../src/solve/methods/smo.ts'
import { smoMvp } from '../../../src/solve/methods/smo-mvp.ts'
import { SharedPairs } from '../../../src/solve/pairs/shared-pairs.ts'
import { decimals, engineStorages } from '../../suites/engine-kernels.ts'
import { endThreads, startThreads } from '../../suites/engine-threads.ts'
import { kernelMatrixOf, objectiveOf, violationOf } from '../../suites/general-duals.ts'
import { someMatrix } from '../../suites/matrices.ts'

const CLASSES = 4
/** Who limits steps has pairs solved one after the other, by all threads; otherwise one thread solves a small pair. */
const ONE_BY_ONE = { maxIter: 1e9 }
const ways: [string, RunOptions][] = [
  ['a thread each', {}],
  ['one by one', ONE_BY_ONE],
]

/** Classes of different sizes, one of them a multiple of 4, in random order; every sample has its own bound. */
function pairwise(samples: Samples, kernel: AnyKernel, nu?: number): PairwiseProblem {
  const random = new Random(5)
  const rows = 'rows' in samples ? samples.rows : samples.length
  const classOf = random.shuffle(Uint32Array.from({ length: rows }, (_, i) => [0, 0, 0, 1, 1, 2, 3][i % 7]))
  const bounds = Float64Array.from({ length: rows }, () => (nu ? 1 : 2) * (0.5 + random.uniform()))
  return { task: 'pairs', samples, kernel, classCount: CLASSES, classOf, bounds, nu, bias: 'free' }
}

function taskOf(problem: PairwiseProblem, options: RunOptions, solverOptions: object = {}) {
  return { problem, solver: smo as unknown as Solver<object>, solverOptions, options }
}

const problemsOf = (problem: PairwiseProblem) => {
  const members = membersOf(problem.classOf, CLASSES)
  return Array.from(classPairs(CLASSES), (pair) => pairProblem(problem, members, pair))
}

/** Each pair is optimal by a gradient computed afresh, as good as on its own, and says so in its certificate. */
function expectSeparate(problem: PairwiseProblem, solved: Solved, tol: number): void {
  const parts = problemsOf(problem)
  expect(solved.biases.length).toBe(parts.length)
  parts.forEach((part, p) => {
    const { alpha } = solutionOf(solved, p)
    const certificate = solved.certificates[p]
    const dual = generalDualOf(part)
    const K = kernelMatrixOf(dual)
    const beta = signedPointOf(part, alpha)
    expect(certificate.stopReason).toBe('converged')
    expect(certificate.precision).toBe('f32')
    expect(violationOf(dual, K, beta)).toBeLessThanOrEqual(tol * (1 + 1e-6))
    expect(certificate.maxViolation).toBeLessThanOrEqual(tol * (1 + 1e-6))
    const own = solveSync(part, smo, {}, { tol })
    const objective = objectiveOf(dual, K, beta)
    const { dualError } = certificate.evidence as Evidence
    expect(Math.abs(certificate.dual - objective)).toBeLessThanOrEqual(dualError)
    expect(dualError).toBeLessThanOrEqual(1e-4 * Math.abs(objective))
    // Convexity: at a violation of tol, the objective is within tol times what the two points differ.
    const distance = alpha.reduce((sum, a, i) => sum + Math.abs(a - own.alpha[i]), 0)
    const difference = Math.abs(objective - objectiveOf(dual, K, signedPointOf(part, own.alpha)))
    expect(difference).toBeLessThanOrEqual(tol * distance + 1e-9 * Math.abs(objective))
  })
}

describe.each(engineStorages)('pairs of %s samples', (_, matrix) => {
  it.each(
    ways.flatMap(([way, options]) => [
      ['few features', way, 6, 0.3, options] as const,
      ['many features', way, 240, 0.01, options] as const,
    ]),
  )('%s, %s', (_name, _way, cols, gamma, options) => {
    const problem = pairwise(matrix(3, 420, cols), rbf({ gamma }))
    for (const tol of [1e-3, 1e-5])
      expectSeparate(problem, solveAllSync(taskOf(problem, { tol, ...options })), tol)
  })
})

describe('pairs', () => {
  const samples = decimals(7, 350, 200)

  it.each([
    ['linear', linear()],
    ['polynomial', polynomial({ gamma: 0.05, coef0: 1, degree: 2 })],
  ])('with the %s kernel', (_, kernel) => {
    const problem = pairwise(samples, kernel)
    for (const [, options] of ways)
      expectSeparate(problem, solveAllSync(taskOf(problem, { tol: 1e-3, ...options })), 1e-3)
  })

  it.each(ways)('of ν problems, %s', async (_, options) => {
    const problem = pairwise(samples, rbf({ gamma: 0.01 }), 0.3)
    const one = solveAllSync(taskOf(problem, { tol: 1e-4, threads: 1, ...options }))
    expectSeparate(problem, one, 1e-4)
    problemsOf(problem).forEach((part, p) => {
      const { width } = solutionOf(one, p)
      const own = solveSync(part, smo, {}, { tol: 1e-6 })
      expect(Math.abs((width as number) - (own.width as number))).toBeLessThanOrEqual(1e-4)
    })
    await startThreads(2)
    try {
      const two = await solveAll(taskOf(problem, { tol: 1e-4, threads: 2, ...options }))
      expect([two.alpha, two.biases]).toEqual([one.alpha, one.biases])
    } finally {
      endThreads()
    }
  })

  it('of ν problems without a margin say so, and are as good as on their own', () => {
    // Samples that come in every class: nothing tells them apart.
    const { values, cols } = decimals(7, 70, 5) as DenseMatrix
    const same = new Float64Array(5 * values.length)
    for (let k = 0; k < 5; k++) same.set(values, k * values.length)
    const repeated: DenseMatrix = { kind: 'dense', rows: 350, cols, values: same }
    const classOf = Uint32Array.from({ length: 350 }, (_, i) => Math.min(3, Math.floor(i / 70)))
    const problem = {
      ...pairwise(repeated, rbf({ gamma: 0.1 }), 0.2),
      classOf,
      bounds: new Float64Array(350).fill(1),
    }
    const solved = solveAllSync(taskOf(problem, { tol: 1e-4 }))
    problemsOf(problem).forEach((part, p) => {
      const { noMargin, stopReason } = solved.certificates[p]
      const own = solveSync(part, smo, {}, { tol: 1e-4 })
      expect({ noMargin, stopReason }).toEqual({
        noMargin: own.certificate.noMargin,
        stopReason: 'converged',
      })
    })
    expect(solved.certificates[0].noMargin).toBe(true)
  })

  it('need many rounds, give up rows where there is no room, and shrink or not: always as good', () => {
    const problem = pairwise(someMatrix(11, 2600, 60), rbf({ gamma: 0.02 }))
    const full = solveAllSync(taskOf(problem, { tol: 1e-3, ...ONE_BY_ONE }))
    expectSeparate(problem, full, 1e-3)
    // Without memory for a matrix no pair is small.
    const narrow = solveAllSync(taskOf(problem, { tol: 1e-3, cacheBytes: 0 }, { shrinking: false }))
    // Where rows come from does not change what is in them.
    expect(narrow.alpha).toEqual(full.alpha)
  })

  it('are large and cheap: rows are never kept, and idle samples left out', () => {
    const problem = { ...pairwise(someMatrix(17, 16_000, 3), rbf({ gamma: 0.5 })), classCount: 2 }
    const classOf = problem.classOf.map((c) => c % 2)
    const large = { ...problem, classOf, bounds: problem.bounds.map((c) => c / 8) }
    const {
      alpha,
      biases: [bias],
      certificates: [certificate],
    } = solveAllSync(taskOf(large, {}))
    const [part] = [pairProblem(large, membersOf(classOf, 2), [0, 1])]
    const { maxViolation, dual } = measure(part, { alpha, bias })
    expect(certificate.stopReason).toBe('converged')
    expect(maxViolation).toBeLessThanOrEqual(1e-3 * (1 + 1e-6))
    expect(Math.abs(certificate.dual - dual)).toBeLessThanOrEqual(1e-5 * Math.abs(dual))
  })

  it.each(ways)('are the same bits on two threads, and in slices: %s', async (_, options) => {
    // Values that are dear enough for rows to be shared between threads.
    const problem = pairwise(someMatrix(13, 2400, 300), rbf({ gamma: 0.004 }))
    await startThreads(2)
    try {
      const one = solveAllSync(taskOf(problem, { threads: 1, ...options }))
      const two = await solveAll(taskOf(problem, { threads: 2, ...options }))
      expect([two.alpha, two.biases]).toEqual([one.alpha, one.biases])
    } finally {
      endThreads()
    }
  })

  it('say which of them is being solved, and keep to limits', async () => {
    const problem = pairwise(samples, rbf({ gamma: 0.01 }))
    const stopped = await solveAll(taskOf(problem, { signal: AbortSignal.abort() }))
    expect(stopped.certificates.map(({ stopReason }) => stopReason)).toEqual(Array(6).fill('aborted'))
    const limited = solveAllSync(taskOf(problem, { maxIter: 3 }))
    expect(limited.certificates.map(({ iterations }) => iterations)).toEqual(Array(6).fill(3))
    const traced = solveAllSync(taskOf(problem, { trace: { every: 5 } }))
    const plain = solveAllSync(taskOf(problem, ONE_BY_ONE))
    expect(traced.alpha).toEqual(plain.alpha)
    // Each of the six pairs has its start and its end.
    expect(traced.trace.filter(({ iteration }) => iteration === 0).length).toBe(6)
    expect(traced.trace.length).toBeGreaterThan(12)
  })

  it('go to the plain solver where f32 rows cannot reach the tolerance', () => {
    // A column of large numbers in a sparse matrix, which is not centred: distances drown in the norms.
    const { cols } = samples
    const far = { ...samples, values: samples.values.map((value, k) => (k % cols === 0 ? 1e4 : value)) }
    const problem = pairwise(far, rbf({ gamma: 0.01 }))
    const tol = 1e-9
    const { certificates } = solveAllSync(taskOf(problem, { tol }))
    for (const { maxViolation, evidence, stopReason } of certificates) {
      expect(maxViolation).toBeLessThanOrEqual(2 * tol)
      const isProven = maxViolation + (evidence as Evidence).violationError <= tol
      expect(stopReason).toBe(isProven ? 'converged' : 'stalled')
    }
    expect(certificates.some(({ precision }) => precision === 'f64')).toBe(true)
  })

  it('are solved apart by other solvers, with other kernels, with no bound, and when asked to', () => {
    const problem = pairwise(samples, rbf({ gamma: 0.01 }))
    const shared = (changes: object, solver: object = smo, options = {}) =>
      SharedPairs.for({ ...problem, ...changes }, solver as Solver<object>, options) !== undefined
    expect(shared({})).toBe(true)
    expect(shared({}, smoMvp)).toBe(false)
    expect(shared({}, smo, { engine: false })).toBe(false)
    expect(shared({}, smo, { precision: 'f64' })).toBe(false)
    expect(shared({ kernel: custom((x, z) => x[0] * z[0], { name: 'first' }) as AnyKernel })).toBe(false)
    expect(shared({ bounds: problem.bounds.map((c, i) => (i === 0 ? Number.POSITIVE_INFINITY : c)) })).toBe(
      false,
    )
  })
})
