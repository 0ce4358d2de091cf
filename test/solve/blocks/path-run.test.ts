/** Small duals over their whole matrix: feasible, optimal by plain loops, the same bits on any number of threads. */
import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import type { GeneralDual } from '../../../src/problems/general-dual.ts'
import { runPath } from '../../../src/solve/blocks/path-run.ts'
import { type Examiner, engineKernelOf } from '../../../src/solve/blocks/smo-blocks.ts'
import { generalBias } from '../../../src/solve/dual/general-bias.ts'
import type { GeneralState } from '../../../src/solve/dual/general-run.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'
import { onBuild } from '../../suites/engine-kernels.ts'
import { endThreads, startThreads } from '../../suites/engine-threads.ts'
import {
  generalDuals,
  kernelMatrixOf,
  objectiveOf,
  solvePlainly,
  violationOf,
  vOf,
} from '../../suites/general-duals.ts'
import { someMatrix } from '../../suites/matrices.ts'

const usual = { pauseAt: Number.POSITIVE_INFINITY, cacheBytes: 0, threads: 1 }

/** Runs a path to its end; the point is examined by plain loops over a kernel matrix. */
function solveOnPath(dual: GeneralDual, tol: number, settings: Partial<typeof usual> = {}) {
  const K = kernelMatrixOf(dual)
  let certified = 0
  const end = runToEnd(
    dual,
    { tol, ...settings },
    {
      *examine({ beta }) {
        const values = vOf(dual, K, beta).map((value, i) => dual.target[i] - value)
        return { maxViolation: violationOf(dual, K, beta), violationError: 0, values }
      },
      *certify() {
        certified++
        yield
      },
    },
  )
  return { ...end, certified, K }
}

const never = (): never => {
  throw new Error('a path asks whoever has started it')
}

function runToEnd(
  dual: GeneralDual,
  { tol = 1e-3, ...settings }: Partial<typeof usual> & { tol?: number },
  examiner: Examiner = { examine: never, certify: never },
) {
  const context = {
    ...{ tol, maxIter: 1e7, due: () => true, random: new Random(0), onStep: undefined },
    ...{ examine: never, certify: never, allowedGap: () => 0, ...usual, ...settings },
  }
  const kernel = engineKernelOf(dual)
  if (!kernel) throw new Error('the engine does not take this dual')
  const run = runPath(dual, context, kernel, examiner)
  const state = run.next().value as GeneralState
  for (;;) {
    const { done, value } = run.next()
    if (done) return { state, isSolved: value }
  }
}

function expectFeasible({ lower, upper, groups, start }: GeneralDual, beta: Float64Array): void {
  expect(beta.every((b, i) => lower[i] <= b && b <= upper[i])).toBe(true)
  for (const group of groups ? [0, 1] : [0]) {
    const sumOf = (values: Float64Array) =>
      values.reduce((sum, b, i) => (groups && groups[i] !== group ? sum : sum + b), 0)
    const size = beta.reduce((sum, b) => sum + Math.abs(b), 1)
    expect(Math.abs(sumOf(beta) - (start ? sumOf(start) : 0))).toBeLessThan(1e-10 * size)
  }
}

const kernels = [rbf({ gamma: 0.5 }), linear(), polynomial({ gamma: 0.2, coef0: 1, degree: 3 })]

describe.each(Object.entries(generalDuals))('%s on a path', (name, make) => {
  const isDoubled = name === 'ν-SVR'

  it('is feasible and as good as a plain solver, or says that it is not solved', () => {
    let solved = 0
    for (const kernel of kernels) {
      for (const rows of [7, 16, 65, 130]) {
        const samples = someMatrix(rows, rows, 4)
        const dual = make(rows, rows === 65 ? toSparse(samples) : samples, kernel)
        const { state, isSolved, certified, K } = solveOnPath(dual, 1e-3)
        expectFeasible(dual, state.beta)
        expect(certified).toBe(isSolved ? 1 : 0)
        if (!isSolved) continue
        solved++
        expect(violationOf(dual, K, state.beta)).toBeLessThanOrEqual(1e-3)
        const plain = solvePlainly(dual, K, 1e-3)
        const distance = state.beta.reduce((sum, b, i) => sum + Math.abs(b - plain[i]), 0)
        const [mine, theirs] = [state.beta, plain].map((point) => objectiveOf(dual, K, point))
        expect(Math.abs(mine - theirs)).toBeLessThanOrEqual(1e-3 * distance + 1e-9 * Math.abs(theirs))
        const { bias } = generalBias(dual, state.beta, vOf(dual, K, state.beta))
        expect(state.bias).toBeCloseTo(bias, 10)
      }
    }
    expect(solved).toBeGreaterThanOrEqual(8)
  })

  it.each(testedBuilds)('the %s build solves it too', (build) => {
    const dual = make(5, someMatrix(11, 200, 5), kernels[0])
    const { state, isSolved, K } = onBuild(build, () => solveOnPath(dual, 1e-3))
    expect(isSolved).toBe(true)
    expect(violationOf(dual, K, state.beta)).toBeLessThanOrEqual(1e-3)
  })

  it('the same bits on any number of threads', async () => {
    await startThreads(3)
    try {
      const dual = make(17, someMatrix(19, isDoubled ? 400 : 800, 4), kernels[0])
      const [one, ...others] = [1, 2, 3].map((threads) => solveOnPath(dual, 1e-3, { threads }))
      for (const { state } of others) {
        expect(state.beta).toEqual(one.state.beta)
        expect(state.bias).toBe(one.state.bias)
      }
    } finally {
      endThreads()
    }
  })

  it('is not begun where steps are to be shown, or there are too many samples', () => {
    const rows = isDoubled ? 2049 : 2050
    const many = { ...make(5, someMatrix(11, rows, 1), kernels[0]), kernel: linear() }
    const cases: readonly (readonly [GeneralDual, number])[] = [
      [make(5, someMatrix(11, 60, 5), kernels[0]), 100],
      [many, usual.pauseAt],
    ]
    for (const [dual, pauseAt] of cases) {
      const { state, isSolved } = runToEnd(dual, { pauseAt })
      expect(isSolved).toBe(false)
      expect(state.iteration).toBe(0)
      expect(state.beta).toEqual(dual.start ?? new Float64Array(dual.target.length))
    }
  })
})

describe('where only sums in f64 are exact enough', () => {
  it('is solved, with sums that are updated many times', () => {
    const samples = someMatrix(3, 240, 4)
    const kernel = polynomial({ gamma: 0.025, coef0: 1, degree: 3 })
    const dual = generalDuals['C-SVC'](3, samples, kernel)
    const scaled = { ...dual, lower: dual.lower.map((b) => 6000 * b), upper: dual.upper.map((b) => 6000 * b) }
    const { state, isSolved, K } = solveOnPath(scaled, 1e-3)
    expectFeasible(scaled, state.beta)
    expect(isSolved).toBe(true)
    expect(violationOf(scaled, K, state.beta)).toBeLessThanOrEqual(1e-3)
  })
})

describe('ν-SVR with an empty tube', () => {
  it('α and α* of a sample share what β does not add up to', () => {
    const half = someMatrix(23, 60, 3)
    const dual = generalDuals['ν-SVR'](23, half, rbf({ gamma: 4 }))
    // On a curve through all targets nothing is left for a tube.
    const flat = { ...dual, target: dual.target.map((t) => 0.01 * t) }
    const { state, isSolved, K } = solveOnPath(flat, 1e-3)
    expect(isSolved).toBe(true)
    expectFeasible(flat, state.beta)
    expect(violationOf(flat, K, state.beta)).toBeLessThanOrEqual(1e-3)
    const isOnBothSides = (i: number) => state.beta[i] > 0 && state.beta[half.rows + i] < 0
    expect(Array.from({ length: half.rows }, (_, i) => i).some(isOnBothSides)).toBe(true)
  })
})
