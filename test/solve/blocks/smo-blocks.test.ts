/** The block solver on all five duals: feasible, optimal by a gradient computed afresh, and as good as a plain solver. */
import { afterAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { type DenseMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import type { AnyKernel } from '../../../src/kernels/kernel.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { sigmoid } from '../../../src/kernels/sigmoid.ts'
import type { GeneralDual } from '../../../src/problems/general-dual.ts'
import { ActiveSetRun } from '../../../src/solve/active-set/active-set-run.ts'
import { type Examiner, engineKernelOf, runBlocks } from '../../../src/solve/blocks/smo-blocks.ts'
import { type GeneralBias, generalBias } from '../../../src/solve/dual/general-bias.ts'
import type { GeneralState } from '../../../src/solve/dual/general-run.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'
import { mostlyZeros, onBuild } from '../../suites/engine-kernels.ts'
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

interface Outcome extends GeneralBias {
  readonly beta: Float64Array
  readonly rounds: number
}

/** What the certifier would say, by plain loops over a kernel matrix. */
function examineNaively(dual: GeneralDual): Examiner {
  const K = kernelMatrixOf(dual)
  return {
    *examine({ beta }) {
      return {
        maxViolation: violationOf(dual, K, beta),
        violationError: 0,
        values: vOf(dual, K, beta).map((value, i) => dual.target[i] - value),
      }
    },
    *certify() {},
  }
}

function neverExamined(): never {
  throw new Error('the block solver asks whoever has started it')
}

function solveOnBlocks(
  dual: GeneralDual,
  tol: number,
  shrinking = true,
  threads = 1,
  cacheBytes = 1e8,
): Outcome {
  const kernel = engineKernelOf(dual)
  if (!kernel) throw new Error('the engine does not take this dual')
  const context = {
    ...{ tol, maxIter: 1e6, pauseAt: Number.POSITIVE_INFINITY, due: () => true, random: new Random(0) },
    ...{
      cacheBytes,
      threads,
      onStep: undefined,
      examine: neverExamined,
      certify: neverExamined,
      allowedGap: () => 0,
    },
  }
  const run = runBlocks(
    dual,
    context,
    kernel,
    shrinking,
    new ActiveSetRun(dual, context),
    examineNaively(dual),
  )
  const state = run.next().value as GeneralState
  for (let rounds = 0; ; rounds++) {
    const { done, value } = run.next()
    if (done) {
      if (!value) throw new Error('f32 rows were not enough')
      return { ...state, rounds }
    }
    if (state.iteration >= context.maxIter) throw new Error('too many steps')
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

/** The kernel matrix of a dual, and a plain solver's optimum. */
function referenceOf(dual: GeneralDual, tol: number) {
  const K = kernelMatrixOf(dual)
  return { K, plain: solvePlainly(dual, K, tol) }
}

/** Convexity: at a violation of tol, the objective is within tol times what the two points differ on either side. */
function expectOptimal(
  dual: GeneralDual,
  beta: Float64Array,
  tol: number,
  { K, plain } = referenceOf(dual, tol),
): void {
  expectSolved(dual, K, beta, tol)
  const distance = beta.reduce((sum, b, i) => sum + Math.abs(b - plain[i]), 0)
  const [mine, theirs] = [beta, plain].map((point) => objectiveOf(dual, K, point))
  expect(Math.abs(mine - theirs)).toBeLessThanOrEqual(tol * distance + 1e-9 * Math.abs(theirs))
}

function expectSolved(dual: GeneralDual, K: Float64Array[], beta: Float64Array, tol: number): void {
  expect(violationOf(dual, K, beta)).toBeLessThanOrEqual(tol * (1 + 1e-6))
}

const kernels: [string, AnyKernel, boolean][] = [
  ['rbf', rbf({ gamma: 0.2 }), true],
  ['linear', linear(), true],
  ['polynomial', polynomial({ gamma: 0.2, coef0: 1, degree: 3 }), true],
  ['sigmoid', sigmoid({ gamma: 0.1, coef0: -0.5 }), false],
]
const storages: [string, (seed: number, rows: number, cols: number) => DenseMatrix][] = [
  ['dense', someMatrix],
  ['sparse', mostlyZeros],
]

afterAll(() => chooseEngineBuild(undefined))

describe.each(Object.entries(generalDuals))('%s on blocks', (name, make) => {
  it.each(kernels)('%s: feasible, optimal, the bias between rates and costs', (_, kernel, convex) => {
    for (const [storage, matrix] of storages) {
      const samples = matrix(7, 90, 6)
      const dual = make(3, storage === 'sparse' ? toSparse(samples) : samples, kernel)
      for (const tol of [1e-3, 1e-5]) {
        const { beta, bias, groupValues } = solveOnBlocks(dual, tol)
        expectFeasible(dual, beta)
        const K = kernelMatrixOf(dual)
        if (convex) expectOptimal(dual, beta, tol, { K, plain: solvePlainly(dual, K, tol) })
        else expectSolved(dual, K, beta, tol)
        const v = vOf(dual, K, beta)
        expectFits(dual, beta, v, groupValues ?? [bias], tol)
        const naive = naiveGroupValues(dual, beta, v)
        ;(groupValues ?? [bias]).forEach((value, g) => {
          expect(Math.abs(value - naive[g])).toBeLessThanOrEqual(1e-12 * (1 + Math.abs(naive[g])))
        })
        expect(groupValues?.length ?? 1).toBe(naive.length)
        if (groupValues) expect(bias).toBe((groupValues[0] + groupValues[1]) / 2)
      }
    }
  })

  it('many rounds, with and without shrinking and with rows that are kept', () => {
    for (const [cols, gamma] of [
      [5, 0.5],
      [80, 0.02],
    ]) {
      const dual = make(5, someMatrix(11, name === 'ν-SVR' ? 500 : 1000, cols), rbf({ gamma }))
      const reference = referenceOf(dual, 1e-4)
      const outcomes = [true, false].map((shrinking) => solveOnBlocks(dual, 1e-4, shrinking))
      for (const { beta, rounds } of outcomes) {
        expect(rounds).toBeGreaterThan(2)
        expectFeasible(dual, beta)
        expectOptimal(dual, beta, 1e-4, reference)
      }
    }
  })

  it.each(testedBuilds)('the %s build: optimal at awkward sizes', (build) => {
    onBuild(build, () => {
      for (const rows of [6, 7, 15, 16, 17, 63, 65, 130, 515]) {
        const dual = make(rows, someMatrix(rows, rows, 3), rbf({ gamma: 0.5 }))
        const { beta } = solveOnBlocks(dual, 1e-3)
        expectFeasible(dual, beta)
        expectOptimal(dual, beta, 1e-3)
      }
    })
  })

  it('the same bits by scalars and by vectors', () => {
    const dual = make(9, someMatrix(13, 600, 5), rbf({ gamma: 0.5 }))
    const [scalar, simd] = (['scalar', 'simd'] as const).map((build) =>
      onBuild(build, () => solveOnBlocks(dual, 1e-3)),
    )
    expect(simd.beta).toEqual(scalar.beta)
    expect(simd.bias).toBe(scalar.bias)
  })

  it('the same bits on two and three threads', async () => {
    await startThreads(3)
    try {
      const dual = make(17, someMatrix(19, name === 'ν-SVR' ? 1700 : 3400, 4), rbf({ gamma: 0.5 }))
      const [one, ...others] = [1, 2, 3].map((threads) => solveOnBlocks(dual, 1e-3, true, threads))
      for (const other of others) {
        expect(other.beta).toEqual(one.beta)
      }
    } finally {
      endThreads()
    }
  })
})

/** Of each group, the mean rate of its free variables, or the middle of [m, M] where none is free. */
function naiveGroupValues({ lower, upper, tube, groups }: GeneralDual, beta: Float64Array, v: Float64Array) {
  return (groups ? [0, 1] : [0]).map((group) => {
    const members = Array.from(beta.keys()).filter((i) => !groups || groups[i] === group)
    const rate = (i: number) => v[i] - (beta[i] >= 0 ? tube : -tube)
    const cost = (i: number) => v[i] - (beta[i] > 0 ? tube : -tube)
    const rates = members.filter((i) => beta[i] < upper[i]).map(rate)
    const costs = members.filter((i) => beta[i] > lower[i]).map(cost)
    const isFree = (i: number) => lower[i] < beta[i] && beta[i] < upper[i] && (tube === 0 || beta[i] !== 0)
    const free = members.filter(isFree).map(rate)
    if (free.length > 0) return free.reduce((a, b) => a + b) / free.length
    return (Math.max(...rates) + Math.min(...costs)) / 2
  })
}

/** Every multiplier fits its group: no rate above it by more than tol, no cost below it. */
function expectFits(
  dual: GeneralDual,
  beta: Float64Array,
  v: Float64Array,
  values: readonly number[],
  tol: number,
) {
  const { lower, upper, tube, groups } = dual
  let worst = 0
  beta.forEach((b, i) => {
    const value = values[groups ? groups[i] : 0]
    if (b < upper[i]) worst = Math.max(worst, v[i] - (b >= 0 ? tube : -tube) - value)
    if (b > lower[i]) worst = Math.max(worst, value - v[i] + (b > 0 ? tube : -tube))
  })
  expect(worst).toBeLessThanOrEqual(tol * (1 + 1e-6))
}

it('is as good with room for all rows, for few of them, and for next to none', () => {
  // 60 features make rows dear: they are kept while there is room, and lose idle columns where there is not.
  const dual = generalDuals['C-SVC'](5, someMatrix(11, 1200, 60), rbf({ gamma: 0.002 }))
  const reference = referenceOf(dual, 1e-4)
  for (const cacheBytes of [1e8, 2e6, 1]) {
    const { beta } = solveOnBlocks(dual, 1e-4, true, 1, cacheBytes)
    expectFeasible(dual, beta)
    expectOptimal(dual, beta, 1e-4, reference)
  }
})

describe('the bias of a point', () => {
  const empty = { samples: someMatrix(1, 4, 1), kernel: linear() }

  it('is the mean over variables that may move both ways, the tube taken off', () => {
    const dual = {
      ...empty,
      target: new Float64Array(4),
      lower: Float64Array.of(-1, -1, -1, -1),
      upper: Float64Array.of(1, 1, 1, 1),
      tube: 0.5,
    }
    const beta = Float64Array.of(0.25, -0.5, 0, 1)
    expect(generalBias(dual, beta, Float64Array.of(1.5, 1, 100, 200)).bias).toBe((1.5 - 0.5 + (1 + 0.5)) / 2)
  })

  it('is the midpoint where there is none, and the finite end where there is but one', () => {
    const dual = {
      ...empty,
      target: new Float64Array(4),
      lower: new Float64Array(4),
      upper: Float64Array.of(1, 1, 1, 1),
      tube: 0,
    }
    const v = Float64Array.of(3, 1, 5, 8)
    expect(generalBias(dual, Float64Array.of(0, 0, 1, 1), v).bias).toBe(4)
    expect(generalBias(dual, Float64Array.of(0, 0, 0, 0), v).bias).toBe(8)
    expect(generalBias(dual, Float64Array.of(1, 1, 1, 1), v).bias).toBe(1)
  })

  it('with groups is the mean of their multipliers', () => {
    const dual = {
      ...empty,
      target: new Float64Array(4),
      lower: new Float64Array(4),
      upper: Float64Array.of(1, 1, 1, 1),
      tube: 0,
      groups: Uint8Array.of(0, 0, 1, 1),
    }
    const result = generalBias(dual, Float64Array.of(0, 1, 0.5, 0.5), Float64Array.of(3, 1, 5, 8))
    expect(result).toEqual({ bias: (2 + 6.5) / 2, groupValues: [2, 6.5] })
  })
})

describe('engineKernelOf', () => {
  it('refuses what the engine cannot take', () => {
    const dual = generalDuals['C-SVC'](1, someMatrix(1, 10, 2), linear())
    expect(engineKernelOf(dual)).toBeDefined()
    expect(engineKernelOf({ ...dual, upper: dual.upper.map(() => Number.POSITIVE_INFINITY) })).toBeUndefined()
    expect(engineKernelOf({ ...dual, lower: dual.lower.map(() => Number.NEGATIVE_INFINITY) })).toBeUndefined()
    const huge = { ...someMatrix(1, 10, 2), values: new Float64Array(20).fill(1e20) }
    expect(engineKernelOf({ ...dual, samples: huge })).toBeUndefined()
  })
})
