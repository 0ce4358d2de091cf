/** Cells that share their work say what separate fits say. */
import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { isMatrix, toDense } from '../../../src/data/matrix/matrix.ts'
import { applyScaler } from '../../../src/data/scaling/scaler.ts'
import { fitStandardScaler } from '../../../src/data/scaling/standard-scaler.ts'
import { type Dataset, makeDataset, type VectorDataset } from '../../../src/data/table/dataset.ts'
import { NuSVC } from '../../../src/estimators/nu-svc.ts'
import { NuSVR } from '../../../src/estimators/nu-svr.ts'
import { OneClassSVM } from '../../../src/estimators/one-class-svm.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { sigmoid } from '../../../src/kernels/sigmoid.ts'
import type { FoldOutput } from '../../../src/selection/score/fold-output.ts'
import { estimatorMaker, type Params, type Tunable } from '../../../src/selection/search/estimator-params.ts'
import { type Executor, inProcessExecutor, type Unit } from '../../../src/selection/search/executor.ts'
import { gridCells } from '../../../src/selection/search/search-cells.ts'
import { tune } from '../../../src/selection/search/tune.ts'
import { sharedWorkExecutor } from '../../../src/selection/share/shared-work.ts'
import { kFold, repeatedKFold } from '../../../src/selection/split/splits.ts'

const tol = 1e-3

interface Outcome {
  readonly outputs: Map<string, FoldOutput>
  readonly failures: string[]
}

async function run(
  executor: Executor,
  estimator: Tunable,
  data: Dataset,
  cells: readonly Params[],
  folds = kFold(data, { folds: 3 }),
  signal?: AbortSignal,
  onResult: () => void = () => {},
): Promise<Outcome> {
  const outputs = new Map<string, FoldOutput>()
  const failures: string[] = []
  const units: Unit[] = cells.flatMap((_, cell) => folds.map((_, fold) => ({ cell, fold })))
  const work = { data, folds, cells, make: estimatorMaker(estimator), job: undefined }
  await executor.run(work, units, {
    signal,
    onResult({ cell, fold, output }) {
      outputs.set(`${cell} ${fold}`, output)
      onResult()
    },
    onFailure: ({ error }) => failures.push(error.message),
  })
  return { outputs, failures }
}

/** Nobody: what comes here was not shared. */
const nobody: Executor = {
  run: (_, units) => Promise.reject(new Error(`${units.length} units were not shared`)),
}
const shared = () => sharedWorkExecutor({ threads: 1, otherwise: nobody })

/** The same labels wherever f is not within tol of 0. */
function expectSame(one: Outcome, other: Outcome, units: number): void {
  expect(one.failures).toEqual([])
  expect(one.outputs.size).toBe(units)
  expect(other.outputs.size).toBe(units)
  for (const [key, { predicted, decisions, pairDecisions, seconds }] of one.outputs) {
    const reference = other.outputs.get(key) as FoldOutput
    expect(predicted.length).toBe(reference.predicted.length)
    expect(seconds).toBeGreaterThanOrEqual(0)
    const pairs = (pairDecisions?.length ?? predicted.length) / predicted.length
    for (let i = 0; i < predicted.length; i++) {
      const values = decisions ? [decisions[i]] : pairDecisions?.subarray(i * pairs, (i + 1) * pairs)
      if (values?.every((value) => Math.abs(value) >= tol)) expect(predicted[i]).toBe(reference.predicted[i])
    }
  }
}

const grid = gridCells({ C: [0.05, 1, 20, 300], gamma: [0.1, 1, 10] })
const twoClasses = generate('moons', { n: 240, noise: 0.25, seed: 3 })
const threeClasses = threeBlobs()
const numbers = smoothNumbers()

function smoothNumbers(): VectorDataset {
  const random = new Random(9)
  const rows = Array.from({ length: 210 }, () => [random.uniform(), random.uniform(), random.uniform()])
  return makeDataset(
    rows,
    rows.map(([a, b, c]) => Math.sin(6 * a) + b * c + 0.2 * random.normal()),
  )
}

function threeBlobs(): VectorDataset {
  const { samples, labels } = generate('blobs', { n: 180, centers: 3, classes: 3, seed: 5, spread: 3 })
  const names = Array.from(labels as Float64Array, (label) => ['ash', 'beech', 'cedar'][label % 3])
  return makeDataset(samples, names)
}

describe('shared work', () => {
  it('predicts what separate fits predict: two classes', async () => {
    const args = [new SVC(), twoClasses, grid] as const
    const [one, other] = [await run(shared(), ...args), await run(inProcessExecutor(), ...args)]
    expectSame(one, other, 36)
  })

  it('predicts what separate fits predict: three classes with names', async () => {
    expect(new Set(threeClasses.labels as string[]).size).toBe(3)
    const args = [new SVC(), threeClasses, grid] as const
    const [one, other] = [await run(shared(), ...args), await run(inProcessExecutor(), ...args)]
    expectSame(one, other, 36)
    for (const { pairDecisions, decisions } of one.outputs.values()) {
      expect(decisions).toBeUndefined()
      expect(pairDecisions?.length).toBe(180)
    }
  })

  it.each([
    ['SVR', new SVR(), 'numbers', { C: [0.1, 10, 300], gamma: [0.1, 5], epsilon: [0.01, 0.2] }],
    ['NuSVR', new NuSVR(), 'numbers', { C: [0.1, 10, 300], gamma: [0.1, 5], nu: [0.22, 0.73] }],
    ['NuSVC', new NuSVC(), 'two', { nu: [0.23, 0.47, 0.82], gamma: [0.5, 20] }],
    ['NuSVC of three classes', new NuSVC(), 'three', { nu: [0.23, 0.47, 0.82], gamma: [0.1, 10] }],
    ['OneClassSVM', new OneClassSVM(), 'two', { nu: [0.11, 0.43], gamma: [0.5, 20] }],
    ['SVR, linear kernel', new SVR({ kernel: linear() }), 'numbers', { C: [0.1, 1] }],
  ] as const)('decides as separate fits of other machines do: %s', async (_, machine, which, values) => {
    const data = { numbers, two: twoClasses, three: threeClasses }[which]
    const estimator = estimatorMaker(machine)({ tol: 1e-6 }) as typeof machine
    const args = [estimator, data, gridCells(values), kFold(data, { folds: 3, stratify: false })] as const
    const [one, other] = [await run(shared(), ...args), await run(inProcessExecutor(), ...args)]
    expect([one.failures, other.failures]).toEqual([[], []])
    expect(one.outputs.size).toBe(3 * args[2].length)
    for (const [key, output] of one.outputs) {
      const reference = other.outputs.get(key) as FoldOutput
      const valuesOf = ({ decisions, pairDecisions }: FoldOutput) => decisions ?? pairDecisions ?? []
      expect(valuesOf(output).length).toBe(valuesOf(reference).length)
      for (const [i, value] of valuesOf(output).entries()) {
        expect(Math.abs(value - valuesOf(reference)[i])).toBeLessThan(1e-3)
      }
    }
  })

  it('leaves a classifier with ν that has no margin to others', async () => {
    const labels = Float64Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 1 : -1))
    const same = makeDataset(
      Array.from(labels, () => [1, 2]),
      labels,
    )
    const args = [new NuSVC(), same, gridCells({ nu: [0.3], gamma: [1] })] as const
    await expect(run(shared(), ...args)).rejects.toThrow('3 units were not shared')
    expect((await run(sharedWorkExecutor(), ...args)).outputs.size).toBe(3)
  })

  it.each([
    ['linear', new SVC({ kernel: linear() }), { C: [0.1, 1, 10] }],
    [
      'polynomial',
      new SVC({ kernel: polynomial({ degree: 2, coef0: 1 }) }),
      { C: [0.1, 1], gamma: [0.1, 1] },
    ],
    ['sigmoid', new SVC({ kernel: sigmoid() }), { C: [0.1, 1], gamma: [0.01, 0.1] }],
    ['gamma by rule', new SVC(), { C: [1, 10], gamma: ['scale', 'auto'] }],
    ['one rbf', new SVC(), { C: [1, 10], gamma: [2] }],
    ['one narrow rbf', new SVC(), { C: [1, 10], gamma: [200] }],
    ['one sigmoid', new SVC({ kernel: sigmoid() }), { C: [1], gamma: [0.1] }],
  ])('knows the kernels: %s', async (_, estimator, values) => {
    for (const data of [twoClasses, threeClasses]) {
      const args = [estimator, data, gridCells(values)] as const
      const [one, other] = [await run(shared(), ...args), await run(inProcessExecutor(), ...args)]
      expectSame(one, other, 3 * args[2].length)
    }
  })

  it('heeds weights of classes and samples, and folds that overlap', async () => {
    const weights = Float64Array.from({ length: 240 }, (_, i) => [1, 0.3, 2, 0][i % 4])
    const data = { ...twoClasses, weights }
    const folds = repeatedKFold(data, { folds: 2, repeats: 2, seed: 4 })
    for (const classWeight of ['balanced', { '-1': 3, 1: 0.5 }] as const) {
      const args = [new SVC({ classWeight }), data, gridCells({ C: [0.5, 50], gamma: [1] }), folds] as const
      const [one, other] = [await run(shared(), ...args), await run(inProcessExecutor(), ...args)]
      expectSame(one, other, 8)
    }
  })

  it('takes any fold: judged on what was learned from, few samples of many, samples twice', async () => {
    const all = Uint32Array.from({ length: 240 }, (_, i) => i)
    const folds = [
      ...kFold(twoClasses, { folds: 3 }),
      { train: all, test: all },
      { train: all.filter((i) => i % 4 === 0), test: all.filter((i) => i % 3 === 0) },
    ]
    const args = [new SVC(), twoClasses, gridCells({ C: [1, 50], gamma: [0.5, 200] }), folds] as const
    const separate = await run(inProcessExecutor(), ...args)
    for (const threads of [1, 2]) {
      expectSame(await run(sharedWorkExecutor({ threads, otherwise: nobody }), ...args), separate, 20)
    }
    const twice = [{ train: Uint32Array.from([...all, ...all.subarray(0, 60)]), test: all }]
    const again = [args[0], args[1], args[2], twice] as const
    expectSame(await run(sharedWorkExecutor(), ...again), await run(inProcessExecutor(), ...again), 4)
  })

  it('scales inside the folds, and that is not the same as outside', async () => {
    const data = stretched(twoClasses)
    const cells = gridCells({ C: [1, 100], gamma: [0.5] })
    const args = [new SVC({ scaler: 'standard' }), data, cells] as const
    const inside = await run(shared(), ...args)
    expectSame(inside, await run(inProcessExecutor(), ...args), 6)
    const scaled = { ...data, samples: applyScaler(fitStandardScaler(data.samples), data.samples) }
    const outside = await run(shared(), new SVC(), scaled, cells)
    for (const [key, { decisions = new Float64Array(0) }] of inside.outputs) {
      const leaked = outside.outputs.get(key)?.decisions ?? []
      const apart = decisions.reduce((most, value, i) => Math.max(most, Math.abs(value - leaked[i])), 0)
      expect(apart).toBeGreaterThan(10 * tol)
    }
  })

  it('hands on what does not fit, what it does not know, and what fit should complain of', async () => {
    const handed: Unit[] = []
    const otherwise: Executor = {
      async run(_, units) {
        handed.push(...units)
      },
    }
    const few = gridCells({ C: [1, 2] })
    await run(sharedWorkExecutor({ cacheBytes: 0, otherwise }), new SVC(), twoClasses, few)
    expect(handed.length).toBe(6)
    for (const estimator of [new SVC({ solver: 'smo-mvp' }), new SVC({ maxIter: 5 })]) {
      handed.length = 0
      await run(sharedWorkExecutor({ otherwise }), estimator, twoClasses, few)
      expect(handed.length).toBe(6)
    }
    handed.length = 0
    await run(sharedWorkExecutor({ otherwise }), new SVC(), twoClasses, [
      { C: Number.POSITIVE_INFINITY },
      { C: 1 },
    ])
    expect(handed).toEqual([0, 1, 2].map((fold) => ({ cell: 0, fold })))
    const oneClass = makeDataset([[0], [1], [2], [3]], [1, 1, 1, 2])
    const folds = [{ train: Uint32Array.of(0, 1), test: Uint32Array.of(2, 3) }]
    const { failures } = await run(sharedWorkExecutor(), new SVC(), oneClass, [{ C: 1 }], folds)
    expect(failures).toEqual(['SVC: all samples (2) have the class 1; two classes are needed'])
  })

  it('stops when it is told to', async () => {
    const controller = new AbortController()
    const wide = gridCells({ C: [0.1, 1, 10, 100, 1000], gamma: [0.01, 0.1, 1, 10] })
    const folds = kFold(twoClasses, { folds: 10 })
    const { outputs } = await run(shared(), new SVC(), twoClasses, wide, folds, controller.signal, () =>
      controller.abort(),
    )
    expect(outputs.size).toBeGreaterThan(0)
    expect(outputs.size).toBeLessThan(200)
  })
})

/** The first feature, and a few samples, far larger than the others. */
function stretched(data: VectorDataset): VectorDataset {
  const { rows, cols, values } = toDense(data.samples)
  expect(isMatrix(data.samples)).toBe(true)
  const far = values.map((value, k) => (k % cols === 0 ? 50 * value * (k % 37 === 0 ? 20 : 1) : value))
  return { ...data, samples: { kind: 'dense', rows, cols, values: far } }
}

it('leaves cells to others whose squared distances do not fit into f32, and drops none', async () => {
  const small = generate('moons', { n: 60, noise: 0.3, seed: 2 })
  const values = small.samples.values.map((value) => 1e16 * value)
  const data = { ...small, samples: { ...small.samples, values } as typeof small.samples }
  const { cells } = await tune(new SVC(), data, { grid: { C: [1, 10], gamma: [1e-32] }, folds: 3 })
  const plain = await tune(new SVC(), small, { grid: { C: [1, 10], gamma: [1] }, folds: 3 })
  expect(cells.map(({ scores }) => scores)).toEqual(plain.cells.map(({ scores }) => scores))
})
