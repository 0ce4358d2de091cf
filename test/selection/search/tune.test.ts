import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { fitSigmoid } from '../../../src/calibration/sigmoid-calibration.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import type { SvcModel } from '../../../src/models/svc-model.ts'
import { crossValidate } from '../../../src/selection/score/cross-validate.ts'
import type { CellResult, UnitScore } from '../../../src/selection/score/evaluate-cells.ts'
import { makeScorer } from '../../../src/selection/score/scoring.ts'
import { chooseCell } from '../../../src/selection/search/choose-cell.ts'
import type { Params } from '../../../src/selection/search/estimator-params.ts'
import type { Executor } from '../../../src/selection/search/executor.ts'
import { gridCells, libsvmGrid, neighbours, randomCells } from '../../../src/selection/search/search-cells.ts'
import { tune } from '../../../src/selection/search/tune.ts'

const data = generate('moons', { n: 160, noise: 0.25, seed: 7 })
const grid = { C: [0.1, 1, 10], gamma: [0.1, 1, 10] }

const cellOf = (params: Params, mean: number, standardError = 0.01): CellResult => ({
  ...{ params, mean, standardError, scores: [mean], seconds: 0 },
})

describe('cells', () => {
  it("are grid.py's unless others are given", () => {
    const cells = gridCells(libsvmGrid)
    expect(cells.length).toBe(110)
    expect(cells[0]).toEqual({ C: 2 ** -5, gamma: 8 })
    expect(cells[109]).toEqual({ C: 2 ** 15, gamma: 2 ** -15 })
  })

  it('are drawn within their ranges, the same for the same seed', () => {
    const ranges = {
      C: { from: 0.01, to: 100 },
      degree: { from: 1, to: 4, scale: 'linear', integer: true },
      kernel: ['rbf', 'poly'],
    } as const
    const cells = randomCells(ranges, 200, new Random(1))
    expect(cells).toEqual(randomCells(ranges, 200, new Random(1)))
    const prices = cells.map(({ C }) => C as number)
    expect(Math.min(...prices)).toBeGreaterThanOrEqual(0.01)
    expect(Math.max(...prices)).toBeLessThanOrEqual(100)
    // By ratio: half of them below the geometric mean.
    expect(Math.abs(prices.filter((C) => C < 1).length - 100)).toBeLessThan(40)
    expect(new Set(cells.map(({ degree }) => degree))).toEqual(new Set([1, 2, 3, 4]))
    expect(new Set(cells.map(({ kernel }) => kernel))).toEqual(new Set(['rbf', 'poly']))
  })

  it('have neighbours half a step away', () => {
    const near = neighbours({ C: [1, 4, 16], kernel: ['rbf'] }, { C: 4, kernel: 'rbf' }, 0.5)
    expect(near.map(({ C }) => C)).toEqual([2, 8])
    expect(neighbours({ coef0: [-1, 0, 1] }, { coef0: 0 }, 0.5)).toEqual([{ coef0: -0.5 }, { coef0: 0.5 }])
  })
})

describe('the choice', () => {
  const accuracy = makeScorer('accuracy')

  it('takes the simplest of equally good cells: smaller C, then smaller gamma', () => {
    const cells = [
      cellOf({ C: 10, gamma: 0.1 }, 0.9),
      cellOf({ C: 1, gamma: 10 }, 0.9),
      cellOf({ C: 1, gamma: 1 }, 0.9),
      cellOf({ C: 0.1, gamma: 1 }, 0.8),
    ]
    expect(chooseCell(cells, accuracy)?.params).toEqual({ C: 1, gamma: 1 })
    expect(chooseCell([...cells].reverse(), accuracy)?.params).toEqual({ C: 1, gamma: 1 })
  })

  it.each([
    ['a larger ε', [{ epsilon: 0.1 }, { epsilon: 0.5 }], { epsilon: 0.5 }],
    ['a larger ν where it stands for C', [{ nu: 0.2 }, { nu: 0.4 }], { nu: 0.4 }],
    [
      'a smaller ν beside C',
      [
        { C: 1, nu: 0.4 },
        { C: 1, nu: 0.2 },
      ],
      { C: 1, nu: 0.2 },
    ],
    [
      'a smaller degree before gamma',
      [
        { degree: 3, gamma: 1 },
        { degree: 2, gamma: 9 },
      ],
      { degree: 2, gamma: 9 },
    ],
    [
      'what is no number last',
      [
        { kernel: 'rbf', C: 2 },
        { kernel: 'linear', C: 1 },
      ],
      { kernel: 'linear', C: 1 },
    ],
  ] as const)('of equally good cells %s is simpler', (_, params, simplest) => {
    const cells = params.map((one) => cellOf(one, 0.9))
    expect(chooseCell(cells, accuracy)?.params).toEqual(simplest)
    expect(chooseCell(cells.reverse(), accuracy)?.params).toEqual(simplest)
  })

  it('takes the simplest within one standard error on request, in either direction', () => {
    const cells = [cellOf({ C: 100 }, 0.92), cellOf({ C: 1 }, 0.911), cellOf({ C: 0.1 }, 0.909)]
    expect(chooseCell(cells, accuracy)?.params).toEqual({ C: 100 })
    expect(chooseCell(cells, accuracy, true)?.params).toEqual({ C: 1 })
    const errors = [cellOf({ C: 100 }, 0.08), cellOf({ C: 1 }, 0.089), cellOf({ C: 0.1 }, 0.091)]
    expect(chooseCell(errors, makeScorer('mse'), true)?.params).toEqual({ C: 1 })
  })

  it('leaves out cells without a score', () => {
    expect(chooseCell([cellOf({ C: 1 }, Number.NaN), cellOf({ C: 2 }, 0.1)], accuracy)?.params).toEqual({
      C: 2,
    })
    expect(chooseCell([cellOf({ C: 1 }, Number.NaN)], accuracy)).toBeUndefined()
  })
})

describe('tune', () => {
  it('gives each cell the scores of cross-validation, and trains the best on all the data', async () => {
    const heard: CellResult[] = []
    const result = await tune<SvcModel>(new SVC(), data, {
      grid,
      folds: 4,
      onCell: (cell) => heard.push(cell),
    })
    expect(result.cells.length).toBe(9)
    expect(new Set(heard)).toEqual(new Set(result.cells))
    for (const { params, scores } of result.cells) {
      const { C, gamma } = params as { C: number; gamma: number }
      const estimator = new SVC({ C, kernel: rbf({ gamma }) })
      const own = await crossValidate(estimator, data, { protocol: { kind: 'k-fold', folds: 4 } })
      expect(scores).toEqual(own.scores[0].scores)
    }
    expect(result.bestScore).toBe(Math.max(...result.cells.map(({ mean }) => mean)))
    expect(result.complete).toBe(true)
    expect(result.model?.certificate?.stopReason).toBe('converged')
    expect(result.model?.kernel.spec).toMatchObject({ gamma: result.bestParams.gamma })
  })

  it('finds what is known in the store, and keeps the rest there', async () => {
    const kept = new Map<string, UnitScore>()
    const key = (params: Params, fold: number) => JSON.stringify([params, fold])
    const store = {
      get: (params: Params, fold: number) => kept.get(key(params, fold)),
      add(params: Params, fold: number, score: UnitScore) {
        kept.set(key(params, fold), score)
      },
    }
    const first = await tune(new SVC(), data, { grid, folds: 3, store, refit: false })
    expect(kept.size).toBe(27)
    const executor: Executor = {
      async run(_, units) {
        expect(units).toEqual([])
      },
    }
    const again = await tune(new SVC(), data, { grid, folds: 3, store, refit: false, executor })
    expect(again.cells).toEqual(first.cells)
    expect(again.bestParams).toEqual(first.bestParams)
  })

  it('searches at random, by halving and by refining', async () => {
    const ranges = { C: { from: 0.01, to: 100 }, gamma: { from: 0.01, to: 10 } }
    const random = await tune(new SVC(), data, { ranges, budget: { cells: 12 }, folds: 3, refit: false })
    expect(random.cells.length).toBe(12)
    const halving = { ranges, search: 'halving', budget: { cells: 27 }, folds: 3, refit: false } as const
    const halved = await tune(new SVC(), data, halving)
    expect(halved.cells.length).toBe(1)
    expect((await tune(new SVC(), data, halving)).cells).toMatchObject(
      halved.cells.map(({ params, scores }) => ({ params, scores })),
    )
    const options = { grid, search: 'adaptive', rounds: 2, folds: 3, refit: false } as const
    const refined = await tune(new SVC(), data, options)
    expect(refined.cells.length).toBe(9 + 2 * 8)
    const plain = await tune(new SVC(), data, { grid, folds: 3, refit: false })
    expect(refined.bestScore).toBeGreaterThanOrEqual(plain.bestScore)
  })

  it('gives up hopeless cells when asked to, never the best', async () => {
    const all = await tune(new SVC(), data, { folds: 5, refit: false })
    const some = await tune(new SVC(), data, { folds: 5, refit: false, abandon: true })
    expect(all.cells.length).toBe(110)
    expect(some.cells.length).toBeLessThan(110)
    expect(some.bestScore).toBe(all.bestScore)
    for (const cell of some.cells) {
      expect(
        all.cells.find(({ params }) => params.C === cell.params.C && params.gamma === cell.params.gamma),
      ).toMatchObject({ scores: cell.scores })
    }
  })

  it('calibrates by what was said of the folds', async () => {
    const few = { C: [1], gamma: [1] }
    const { model } = await tune<SvcModel>(new SVC(), data, { grid: few, folds: 4, calibrate: 'sigmoid' })
    const { outOfFold } = await crossValidate(new SVC({ C: 1, kernel: rbf({ gamma: 1 }) }), data, {
      protocol: { kind: 'k-fold', folds: 4 },
    })
    const { decisions = new Float64Array(0), truth } = outOfFold
    const { a, b } = fitSigmoid(
      decisions,
      Array.from(truth as Float64Array, (label) => label > 0),
    )
    const probability = model?.probability as { a: Float64Array; b: Float64Array }
    // The decisions agree to the tolerance of the solver.
    expect(probability.a[0]).toBeCloseTo(a, 2)
    expect(probability.b[0]).toBeCloseTo(b, 2)
  })

  it('calibrates several classes', async () => {
    const three = generate('blobs', { n: 150, centers: 3, classes: 3, spread: 3, seed: 2 })
    const { model } = await tune<SvcModel>(new SVC(), three, {
      ...{ grid: { C: [1, 10] }, folds: 3, calibrate: 'isotonic' },
    })
    const probabilities = model?.predictProbability(three.samples) ?? new Float64Array(0)
    expect(probabilities.length).toBe(450)
    for (let i = 0; i < 150; i++) {
      const sum = probabilities.subarray(3 * i, 3 * i + 3).reduce((total, p) => total + p, 0)
      expect(sum).toBeCloseTo(1, 10)
    }
  })

  it('works with estimators that share nothing', async () => {
    const { cells, model } = await tune(new LinearSVC(), data, { grid: { C: [0.1, 1] }, folds: 3 })
    expect(cells.map(({ params }) => params)).toEqual([{ C: 0.1 }, { C: 1 }])
    expect(model?.predict(data.samples).length).toBe(160)
  })

  it('keeps what is done when it is stopped', async () => {
    const controller = new AbortController()
    const { complete, cells, model } = await tune(new SVC(), data, {
      ...{ folds: 3, signal: controller.signal, onCell: () => controller.abort() },
    })
    expect(complete).toBe(false)
    expect(cells.length).toBeGreaterThan(0)
    expect(cells.length).toBeLessThan(110)
    expect(model).toBeUndefined()
    const nothing = tune(new SVC(), data, { folds: 3, signal: AbortSignal.abort() })
    await expect(nothing).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('says what is wrong', async () => {
    await expect(tune(new SVC(), data, { grid: { C: [] } })).rejects.toThrow(
      'grid.C must be a list of at least one',
    )
    await expect(tune(new SVC(), data, { search: 'random' })).rejects.toThrow('ranges is required')
    await expect(tune(new SVC(), data, { budget: { cells: 0 } })).rejects.toThrow('budget.cells must be')
    await expect(tune(new SVC(), data, { grid: { C: [-1] }, folds: 3 })).rejects.toThrow(
      'SVC: C must be > 0, got -1',
    )
  })
})
