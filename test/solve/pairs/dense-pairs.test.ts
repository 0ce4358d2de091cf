/** Pairs of small classes over kernel matrices of their own: every pair as good as if it had been solved on its own. */
import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { measure } from '../../../src/certify/measure.ts'
import type { AnyKernel } from '../../../src/kernels/kernel.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { custom } from '../../../src/kernels/user-kernels.ts'
import {
  classPairs,
  membersOf,
  type PairwiseProblem,
  pairProblem,
} from '../../../src/problems/pairwise-problem.ts'
import { type RunOptions, solveSync } from '../../../src/solve/driver/run.ts'
import { solveAll, solveAllSync } from '../../../src/solve/driver/solve-task.ts'
import { solutionOf } from '../../../src/solve/driver/solved.ts'
import type { Solver } from '../../../src/solve/driver/solver.ts'
import { smo } from '../../../src/solve/methods/smo.ts'
import { smoMvp } from '../../../src/solve/methods/smo-mvp.ts'
import { DensePairs } from '../../../src/solve/pairs/dense-pairs.ts'
import { someMatrix, storages } from '../../suites/matrices.ts'

/** Classes of 1 to 5 samples in random order, and one of 40, which is not small. */
function pairwise(samples: PairwiseProblem['samples'], kernel: AnyKernel, nu?: number): PairwiseProblem {
  const random = new Random(2)
  const rows = 'rows' in samples ? samples.rows : samples.length
  const sizes = nu === undefined ? [1, 3, 5, 2, 40] : [3, 3, 4, 3, 4]
  const all = sizes.flatMap((size, c) => Array.from({ length: size }, () => c))
  const classOf = random.shuffle(Uint32Array.from({ length: rows }, (_, i) => all[i % all.length]))
  const bounds = Float64Array.from({ length: rows }, () => (nu ? 1 : 3 * (0.5 + random.uniform())))
  return { task: 'pairs', samples, kernel, classCount: sizes.length, classOf, bounds, nu, bias: 'free' }
}

const taskOf = (problem: PairwiseProblem, options: RunOptions, solver: unknown = smo) => ({
  problem,
  solver: solver as Solver<object>,
  solverOptions: {},
  options,
})

function expectSeparate(problem: PairwiseProblem, tol: number): void {
  const solved = solveAllSync(taskOf(problem, { tol }))
  const members = membersOf(problem.classOf, problem.classCount)
  let p = 0
  for (const pair of classPairs(problem.classCount)) {
    const part = pairProblem(problem, members, pair)
    const solution = solutionOf(solved, p)
    const certificate = solved.certificates[p++]
    const fresh = measure(part, solution)
    const own = solveSync(part, smo, { precision: 'f64' }, { tol })
    expect(certificate.stopReason).toBe('converged')
    expect(fresh.maxViolation).toBeLessThanOrEqual(tol * (1 + 1e-6))
    expect(certificate.dual).toBeCloseTo(fresh.dual, 9)
    expect(certificate.primal).toBeCloseTo(fresh.primal, 9)
    const most = problem.bounds.reduce((sum, bound) => sum + bound, 0)
    expect(Math.abs(fresh.dual - own.certificate.dual)).toBeLessThanOrEqual(tol * most)
    expect(solution.width).toBe(certificate.width)
    if (solution.width !== undefined) expect(solution.width).toBeCloseTo(own.width as number, 1)
  }
}

describe.each(storages)('small classes, $storage', ({ store }) => {
  it('are as good as on their own', () => {
    for (const tol of [1e-3, 1e-8])
      expectSeparate(pairwise(store(someMatrix(5, 51, 4)), rbf({ gamma: 0.5 })), tol)
    expectSeparate(pairwise(store(someMatrix(6, 51, 4)), linear()), 1e-4)
  })

  it('of ν problems, too', () => {
    expectSeparate(pairwise(store(someMatrix(7, 17, 3)), rbf({ gamma: 0.5 }), 0.4), 1e-6)
  })
})

describe('small classes', () => {
  const samples = someMatrix(8, 51, 4)
  const problem = pairwise(samples, rbf({ gamma: 0.5 }))

  it('of samples that are not vectors', () => {
    const texts = Array.from({ length: 51 }, (_, i) => 'x'.repeat(1 + (i % 7)))
    expectSeparate(
      pairwise(
        texts,
        custom((a: string, b: string) => 1 / (1 + Math.abs(a.length - b.length)), { name: 'lengths' }),
      ),
      1e-4,
    )
  })

  it('keep to limits, and are told of', async () => {
    const stopped = await solveAll(taskOf(problem, { signal: AbortSignal.abort() }))
    expect(stopped.certificates.map(({ stopReason }) => stopReason)).toEqual(Array(10).fill('aborted'))
    expect(stopped.alpha.every((a) => a === 0)).toBe(true)
    const late = solveAllSync(taskOf(problem, { timeLimit: 0 }))
    expect(late.certificates.map(({ stopReason }) => stopReason)).toEqual(Array(10).fill('time-limit'))
    const limited = solveAllSync(taskOf(problem, { maxIter: 1 }))
    expect(limited.certificates.every(({ iterations }) => iterations === 1)).toBe(true)
    expect(limited.certificates.some(({ stopReason }) => stopReason === 'iteration-limit')).toBe(true)
  })

  it('let an abort through between two pairs, however small they are', async () => {
    const classCount = 120
    const classOf = Uint32Array.from({ length: 240 }, (_, i) => i % classCount)
    const many = {
      ...problem,
      samples: someMatrix(9, 240, 4),
      classCount,
      classOf,
      bounds: new Float64Array(240).fill(1),
    }
    const abort = new AbortController()
    // At the first turn that others get.
    setTimeout(() => abort.abort(), 0)
    const { certificates } = await solveAll(taskOf(many, { signal: abort.signal }))
    expect(certificates).toHaveLength(1)
    expect(certificates[0].stopReason).toBe('aborted')
  })

  it('go another way for other solvers, for hard margins, and where somebody looks on', () => {
    const members = membersOf(problem.classOf, problem.classCount)
    const dense = (changes: object, solver: unknown = smo, options: RunOptions = {}) =>
      DensePairs.for({ ...problem, ...changes }, members, solver as Solver<object>, options) !== undefined
    expect(dense({})).toBe(true)
    expect(dense({}, smoMvp)).toBe(false)
    expect(dense({ bounds: problem.bounds.map(() => Number.POSITIVE_INFINITY) })).toBe(false)
    expect(dense({}, smo, { trace: { every: 1 } })).toBe(false)
    expect(dense({}, smo, { onStep: () => {} })).toBe(false)
  })

  it('that are hard are solved by another method', () => {
    // Nearly equal samples of two classes at a huge price: tens of thousands of pair steps.
    const values = samples.values.slice(0, 80).map((value) => 1e-2 * value)
    const classOf = Uint32Array.from({ length: 20 }, (_, i) => i % 2)
    const shape = { classCount: 2, classOf, bounds: new Float64Array(20).fill(1e7) }
    const hard = { ...problem, samples: { ...samples, rows: 20, values }, ...shape }
    const members = membersOf(classOf, 2)
    const dense = DensePairs.for(hard, members, smo as unknown as Solver<object>, {})
    const options = { tol: 1e-6 }
    const pair = [0, 1] as const
    expect(dense?.solve(pairProblem(hard, members, pair), pair, options, undefined)).toBeUndefined()
    const own = solveSync(pairProblem(hard, members, pair), smo, {}, options)
    const [{ stopReason, maxViolation }] = solveAllSync(taskOf(hard, options)).certificates
    expect(stopReason).toBe(own.certificate.stopReason)
    expect(maxViolation).toBeLessThanOrEqual(2 * own.certificate.maxViolation + options.tol)
  })
})
