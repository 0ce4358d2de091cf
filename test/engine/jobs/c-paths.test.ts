/** Paths over C or ν: at every step feasible, optimal by a gradient computed afresh, and the held-out decisions those of β. */
import { afterAll, describe, expect, it } from 'vitest'
import { type Matrix, selectRows } from '../../../src/data/matrix/matrix.ts'
import { CPaths } from '../../../src/engine/jobs/c-paths.ts'
import type { PathInput, PathResult } from '../../../src/engine/jobs/path-input.ts'
import { giveEngine, takeEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import type { AnyKernel } from '../../../src/kernels/kernel.ts'
import { kernelForEngine } from '../../../src/kernels/kernel-for-engine.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { sigmoid } from '../../../src/kernels/sigmoid.ts'
import type { GeneralDual } from '../../../src/problems/general-dual.ts'
import { orderByNearness } from '../../../src/selection/split/order-by-nearness.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'
import { mostlyZeros, onBuild } from '../../suites/engine-kernels.ts'
import { endThreads, startThreads } from '../../suites/engine-threads.ts'
import { generalDuals, kernelMatrixOf, objectiveOf, violationOf } from '../../suites/general-duals.ts'
import { someMatrix } from '../../suites/matrices.ts'

type Kind = keyof typeof generalDuals
const tol = 1e-3

/** Of five samples those that are learned from: most, or some, as of a pair of several classes. The third is held out. */
const MOST = [0, 1, 3, 4]
const SOME = [1, 3]

const ofEachFive = (samples: Matrix, places: readonly number[]): Uint32Array =>
  Uint32Array.from({ length: samples.rows }, (_, i) => i).filter((i) => places.includes(i % 5))

interface Path {
  readonly kind: Kind
  readonly kernel: AnyKernel
  readonly C: readonly number[]
  /** Where sums are fixed: what multiplies those of the start, beside C. */
  readonly shares?: readonly number[]
}

function inputOf(
  samples: Matrix,
  path: Path,
  places = MOST,
  heldOut = [2],
): { input: PathInput; dual: GeneralDual } {
  const { kind, kernel, C, shares } = path
  const train = ofEachFive(samples, places)
  const dual = generalDuals[kind](7, selectRows(samples, train), kernel)
  const held = ofEachFive(samples, heldOut)
  const engineKernel = kernelForEngine(kernel)
  if (!engineKernel) throw new Error('the engine does not know this kernel')
  return {
    dual,
    input: {
      kernel: engineKernel,
      samples: Uint32Array.of(...train, ...held),
      training: train.length,
      ...{ target: dual.target.slice(0, train.length), tube: dual.tube },
      // α* of ν-SVR is the lower half of β.
      lower: dual.lower.slice(-train.length),
      upper: dual.upper.slice(0, train.length),
      ...(shares && {
        sums: Float64Array.from(C, (c, k) => c * shares[k] * sumAbove((dual as GeneralDual).start ?? [])),
      }),
      ...{ C: Float64Array.from(C), tol, maxSteps: 1e6, keepSolutions: true },
    },
  }
}

function sumAbove(values: Iterable<number>): number {
  let sum = 0
  for (const value of values) sum += Math.max(0, value)
  return sum
}

/** β as the dual has it: of ν-SVR α and α*. Where the tube has no width, what is missing from their sums is in free ones. */
function dualPoint(
  { upper, target }: GeneralDual,
  beta: Float64Array,
  sum: number | undefined,
): Float64Array {
  if (sum === undefined || beta.length === target.length) return beta
  let missing = sum - sumAbove(beta)
  if (missing < 1e-10 * sum) missing = 0
  const both = beta.map((b, i) => {
    const added = Math.min(missing, upper[i] - Math.abs(b))
    missing -= added
    return added
  })
  return Float64Array.of(
    ...beta.map((b, i) => Math.max(b, 0) + both[i]),
    ...beta.map((b, i) => Math.min(b, 0) - both[i]),
  )
}

function follow(
  samples: Matrix,
  inputs: readonly PathInput[],
  { threads = 1, ofFolds = false } = {},
): PathResult[][] {
  const engine = takeEngine(threads)
  const mark = engine.mark()
  const rough = { variables: samples.rows, bound: largestBound(inputs), tol }
  const paths = new CPaths(engine, samples, inputs, ofFolds ? { ofFolds: rough } : {})
  try {
    while (paths.advance() !== 'done');
    return inputs.map(({ C }, p) =>
      Array.from(C, (_, c) => {
        const result = paths.result(p, c) as PathResult
        return { ...result, decisions: result.decisions.slice() }
      }),
    )
  } finally {
    paths.finish()
    giveEngine(engine, mark)
  }
}

/** The largest |β| that any box allows. */
const largestBound = (inputs: readonly PathInput[]): number =>
  Math.max(
    ...inputs.map(({ C, upper, lower }) => Math.max(...C) * Math.max(...upper, ...lower.map((b) => -b))),
  )

/** The dual for one C of a path. */
const dualAt = (dual: GeneralDual, C: number): GeneralDual => ({
  ...dual,
  lower: dual.lower.map((bound) => C * bound),
  upper: dual.upper.map((bound) => C * bound),
})

function expectSolved(samples: Matrix, dual: GeneralDual, input: PathInput, results: readonly PathResult[]) {
  const K = kernelMatrixOf(dual)
  const held = selectRows(samples, input.samples.subarray(input.training))
  const evaluator = dual.kernel.between(held, dual.samples)
  const row = new Float64Array(dual.target.length)
  results.forEach(({ solution: beta = new Float64Array(0), ...result }, c) => {
    const own = dualAt(dual, input.C[c])
    const sum = input.sums?.[c]
    const solution = dualPoint(own, beta, sum)
    const size = solution.reduce((all, b) => all + Math.abs(b), 1)
    expect(result.converged).toBe(true)
    const counted = sumAbove(beta) + sumAbove(beta.map((b) => -b))
    expect(Math.abs(result.size - counted)).toBeLessThan(1e-12 * size)
    expect(solution.every((b, i) => own.lower[i] <= b && b <= own.upper[i])).toBe(true)
    const below = own.lower.some((bound) => bound < 0) ? sumAbove(solution.map((b) => -b)) : sum
    expect(Math.abs(sumAbove(solution) - (sum ?? below ?? 0))).toBeLessThan(1e-10 * size)
    expect(Math.abs((below ?? 0) - (sum ?? sumAbove(solution)))).toBeLessThan(1e-10 * size)
    expect(violationOf(own, K, solution)).toBeLessThanOrEqual(tol)
    // ½ βᵀg with an error of g below a fifth of tol.
    expect(Math.abs(result.dual - objectiveOf(own, K, solution))).toBeLessThan(0.1 * tol * size)
    expect(result.supportVectors).toBe(beta.filter((b) => b !== 0).length)
    result.decisions.forEach((decision, k) => {
      evaluator.row(k, row)
      const f = row.reduce((all, value, i) => all + value * solution[i], result.bias)
      expect(Math.abs(decision - f)).toBeLessThan(0.2 * tol)
    })
  })
}

/** Near ones side by side: kernel values are then zero in whole blocks. */
const ordered = (samples: Matrix): Matrix => selectRows(samples, orderByNearness(samples))

afterAll(() => chooseEngineBuild(undefined))

describe.each(testedBuilds)('paths, %s build', (build) => {
  const C = [0.03, 0.1, 1, 30, 1000]
  const paths: [string, Path][] = [
    ['C-SVC, rbf', { kind: 'C-SVC', kernel: rbf({ gamma: 0.5 }), C }],
    ['C-SVC, narrow rbf', { kind: 'C-SVC', kernel: rbf({ gamma: 50 }), C }],
    ['C-SVC, wide rbf', { kind: 'C-SVC', kernel: rbf({ gamma: 0.01 }), C: [0.1, 10, 3000] }],
    [
      'C-SVC, polynomial',
      { kind: 'C-SVC', kernel: polynomial({ gamma: 0.3, coef0: 1, degree: 2 }), C: [0.01, 1] },
    ],
    ['C-SVC, linear', { kind: 'C-SVC', kernel: linear(), C: [0.01, 0.1, 1] }],
    ['C-SVC, sigmoid', { kind: 'C-SVC', kernel: sigmoid({ gamma: 0.05, coef0: 0 }), C: [0.1, 1] }],
    ['ε-SVR, rbf', { kind: 'ε-SVR', kernel: rbf({ gamma: 0.5 }), C }],
    ['C-SVC, rbf that is mostly zero', { kind: 'C-SVC', kernel: rbf({ gamma: 400 }), C }],
    ['ε-SVR, rbf that is mostly zero', { kind: 'ε-SVR', kernel: rbf({ gamma: 100 }), C }],
    ['ε-SVR, wide rbf', { kind: 'ε-SVR', kernel: rbf({ gamma: 0.02 }), C: [0.1, 10, 300] }],
    ...([0.02, 0.5, 100] as const).flatMap((gamma): [string, Path][] => {
      const nu = { kernel: rbf({ gamma }), C: [1, 1, 1, 1], shares: [1, 0.6, 0.3, 0.8] }
      return [
        [`ν-SVC, rbf ${gamma}`, { kind: 'ν-SVC', ...nu }],
        [`one class, rbf ${gamma}`, { kind: 'one class', ...nu }],
        [`ν-SVR, rbf ${gamma}`, { ...nu, kind: 'ν-SVR', C: [0.03, 1, 30, 300], shares: [1, 1, 1, 1] }],
        [`ν-SVR over ν, rbf ${gamma}`, { ...nu, kind: 'ν-SVR', C: [3, 3, 3, 3] }],
      ]
    }),
    ['ν-SVC, linear', { kind: 'ν-SVC', kernel: linear(), C: [1, 1], shares: [1, 0.5] }],
  ]

  it.each(paths)('%s: optimal at every step', (_, path) => {
    onBuild(build, () => {
      for (const samples of [
        someMatrix(3, 260, 3),
        mostlyZeros(5, 150, 12),
        ordered(someMatrix(9, 330, 3)),
      ]) {
        const { input, dual } = inputOf(samples, path)
        expectSolved(samples, dual, input, follow(samples, [input])[0])
        expectSolved(samples, dual, input, follow(samples, [input], { ofFolds: true })[0])
      }
    })
  })

  it.each(paths)('%s, of some of the samples: optimal at every step', (_, path) => {
    onBuild(build, () => {
      for (const samples of [someMatrix(3, 260, 3), ordered(someMatrix(9, 330, 3))]) {
        const { input, dual } = inputOf(samples, path, SOME)
        // With another kernel beside it, and with one step of it alone.
        const other = inputOf(samples, { ...path, kernel: rbf({ gamma: 3 }) }, SOME)
        const single = {
          ...input,
          C: input.C.slice(0, 1),
          ...(input.sums && { sums: input.sums.slice(0, 1) }),
        }
        const isRbf = path.kernel.spec.kind === 'rbf'
        const [results, [first]] = follow(samples, [input, single, ...(isRbf ? [other.input] : [])])
        expectSolved(samples, dual, input, results)
        expectSolved(samples, dual, single, [first])
      }
    })
  })

  it('solves problems of awkward sizes', () => {
    onBuild(build, () => {
      for (const rows of [4, 5, 7, 16, 17, 33, 80]) {
        const samples = someMatrix(rows, rows, 2)
        for (const kind of ['C-SVC', 'ε-SVR'] as const) {
          const { input, dual } = inputOf(samples, { kind, kernel: rbf({ gamma: 1 }), C: [0.5, 5, 50] })
          if (new Set(dual.target.map(Math.sign)).size < 2) continue
          expectSolved(samples, dual, input, follow(samples, [input])[0])
        }
      }
    })
  })

  it('solves problems whose kernel values are all near 1', () => {
    onBuild(build, () => {
      const samples = someMatrix(31, 240, 4)
      for (const kind of ['C-SVC', 'ε-SVR'] as const) {
        for (const chosen of [undefined, SOME]) {
          const all = [1e-2, 1e-4, 1e-6].map((gamma) =>
            inputOf(
              samples,
              { kind, kernel: rbf({ gamma }), C: [0.1 / gamma, 1 / gamma, 20 / gamma] },
              chosen,
            ),
          )
          const results = follow(
            samples,
            all.map(({ input }) => input),
          )
          for (const [k, { input, dual }] of all.entries()) expectSolved(samples, dual, input, results[k])
        }
      }
    })
  })

  it.each(paths)('%s: optimal from the solution of another fold', (_, path) => {
    onBuild(build, () => {
      for (const samples of [someMatrix(3, 260, 3), ordered(someMatrix(9, 330, 3))]) {
        const single = { ...path, C: path.C.slice(0, 1) }
        for (const common of [[1, 3, 4], [3]]) {
          const seed = inputOf(samples, single, [0, ...common], [2])
          const fold = inputOf(samples, single, [2, ...common], [0])
          const inputs = [{ ...fold.input, seed: 1 }, seed.input]
          expectSolved(samples, fold.dual, fold.input, follow(samples, inputs)[0])
        }
      }
    })
  })

  it('arrives at the same decisions from below as from nothing', () => {
    onBuild(build, () => {
      const samples = someMatrix(23, 200, 3)
      const whole = inputOf(samples, { kind: 'C-SVC', kernel: rbf({ gamma: 0.5 }), C: [0.1, 1, 10] }).input
      const warm = follow(samples, [whole])[0]
      whole.C.forEach((C, c) => {
        const [[cold]] = follow(samples, [{ ...whole, C: Float64Array.of(C) }])
        warm[c].decisions.forEach((decision, k) => {
          if (Math.abs(decision) >= tol) expect(Math.sign(cold.decisions[k])).toBe(Math.sign(decision))
        })
      })
    })
  })
})

describe('paths', () => {
  const samples = ordered(someMatrix(11, 420, 4))
  const inputs = [0.02, 0.3, 5, 60].flatMap((gamma) =>
    (['C-SVC', 'ε-SVR'] as const).flatMap((kind) => {
      const path = { kind, kernel: rbf({ gamma }), C: [0.1, 3, 100, 2000] }
      return [MOST, SOME].map((places) => inputOf(samples, path, places).input)
    }),
  )

  it('give the same bits by scalars and by vectors', () => {
    const [scalar, simd] = (['scalar', 'simd'] as const).map((build) =>
      onBuild(build, () => follow(samples, inputs)),
    )
    expect(simd).toEqual(scalar)
  })

  it('give the same bits on two threads', async () => {
    const ofOneKernel = inputs.filter(({ kernel }) => kernel.gamma === 0.3)
    const expected = follow(samples, inputs)
    const expectedOfFolds = follow(samples, ofOneKernel, { ofFolds: true })
    const folds = [0, 1, 2, 4].map((held, fold) => {
      const path = { kind: 'ν-SVR', kernel: rbf({ gamma: 0.3 }), C: [3], shares: [1] } as const
      const places = [0, 1, 2, 3, 4].filter((place) => place !== held)
      return { ...inputOf(samples, path, places, [held]).input, ...(fold > 1 && { seed: fold % 2 }) }
    })
    const expectedSeeded = follow(samples, folds)
    await startThreads(2)
    try {
      expect(follow(samples, inputs, { threads: 2 })).toEqual(expected)
      expect(follow(samples, ofOneKernel, { threads: 2, ofFolds: true })).toEqual(expectedOfFolds)
      expect(follow(samples, folds, { threads: 2 })).toEqual(expectedSeeded)
    } finally {
      endThreads()
    }
  })

  it('give the same bits whether there is room for their rows in f64 or others have taken it', () => {
    const many = ordered(someMatrix(12, 2600, 4))
    const path = { kind: 'ε-SVR', kernel: rbf({ gamma: 0.3 }), C: [1] } as const
    const own = { ...inputOf(many, path).input, tol: 1e-6 }
    const other = { ...own, target: own.target.map((z, i) => z + (i % 3)) }
    const [[, found], [alone]] = [follow(many, [other, own]), follow(many, [own])]
    expect(alone[0].converged).toBe(true)
    expect(found).toEqual(alone)
  })

  it('say so when steps run out', () => {
    const [results] = follow(samples, [{ ...inputs[8], maxSteps: 3 }])
    expect(results[0].converged).toBe(false)
    expect(results[0].violation).toBeGreaterThan(tol)
  })
})
