/** Tasks of evaluation, streams and many rows, with what scikit-learn gets on the same data and splits (scripts/golden-tasks.py). */
import { describe, expect, it } from 'vitest'
import { makeDataset } from '../../src/data/table/dataset.ts'
import { LinearSVC } from '../../src/estimators/linear-svc.ts'
import { OneClassSVM } from '../../src/estimators/one-class-svm.ts'
import { SVC } from '../../src/estimators/svc.ts'
import { SVR } from '../../src/estimators/svr.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { accuracy } from '../../src/metrics/classification.ts'
import { rocAuc } from '../../src/metrics/ranking.ts'
import { crossValidate } from '../../src/selection/score/cross-validate.ts'
import { nestedCrossValidate } from '../../src/selection/score/nested-cross-validate.ts'
import { tune } from '../../src/selection/search/tune.ts'
import { groupKFold } from '../../src/selection/split/splits.ts'
import golden from '../golden/tasks.json' with { type: 'json' }
import {
  curve,
  distance,
  foldsOf,
  grouped,
  large,
  Numbers,
  neighbourFolds,
  series,
  times,
} from './task-data.ts'

describe('cross-validation', () => {
  const { x, y, owner } = grouped(7, 20, 12, 4)
  const data = makeDataset(x, y)
  const estimator = new SVC({ C: 1, kernel: rbf({ gamma: 0.25 }), scaler: 'standard', tol: 1e-9 })
  const folds = foldsOf(golden.groups.folds)

  it('by groups, with a score of your own', async () => {
    /** A missed one costs five false alarms. */
    const cost = (truth: ArrayLike<unknown>, predicted: ArrayLike<unknown>) => {
      const costs = times(truth.length, (i): number =>
        truth[i] === predicted[i] ? 0 : truth[i] === 1 ? 5 : 1,
      )
      return -costs.reduce((sum, one) => sum + one, 0)
    }
    const { scores } = await crossValidate(estimator, data, { protocol: folds, scoring: ['accuracy', cost] })
    expect(distance(scores[0].scores, golden.groups.accuracy)).toBeLessThan(1e-10)
    expect(distance(scores[1].scores, golden.groups.cost)).toBeLessThan(1e-10)
    // Folds that it makes itself never divide a group either.
    for (const { train, test } of groupKFold(data, { groups: owner, folds: 5 })) {
      const seen = new Set(Array.from(train, (i) => owner[i]))
      expect(Array.from(test).filter((i) => seen.has(owner[i]))).toEqual([])
    }
  })

  it('nested', async () => {
    const { x: rows, y: targets } = curve(8, 150, 3)
    const tuner = (train: Parameters<typeof tune>[1]) =>
      tune(new SVR({ epsilon: 0.05, tol: 1e-7 }), train, {
        grid: { C: [0.1, 1, 10, 100], gamma: [0.05, 0.2, 1] },
        folds: neighbourFolds(120, 4),
        scoring: 'mse',
      })
    const { scores, choices } = await nestedCrossValidate(tuner as never, makeDataset(rows, targets), {
      protocol: neighbourFolds(150, 5),
      scoring: 'mse',
    })
    expect(choices.map(({ bestParams }) => bestParams)).toEqual(golden.nested.chosen)
    expect(distance(scores[0].scores, golden.nested.mse)).toBeLessThan(1e-5)
  })

  it('of a time series', async () => {
    const { x: rows, y: targets } = series(9, 240, 6)
    const machine = new SVR({
      C: 10,
      kernel: rbf({ gamma: 0.05 }),
      epsilon: 0.01,
      scaler: 'standard',
      tol: 1e-8,
    })
    const { scores } = await crossValidate(machine, makeDataset(rows, targets), {
      protocol: 'time-series',
      folds: 5,
      scoring: 'mae',
    })
    expect(distance(scores[0].scores, golden.timeSeries.mae)).toBeLessThan(1e-6)
  })
})

it('a stream of measurements, some of them strange', async () => {
  const numbers = new Numbers(4)
  const normal = times(400, () => times(3, () => numbers.normal()))
  const isStrange = (i: number) => i % 40 >= 30
  const stream = times(200, (i) => times(3, () => (isStrange(i) ? 3 : 0) + numbers.normal()))
  const model = await new OneClassSVM({ nu: 0.05, kernel: rbf({ gamma: 0.3 }), tol: 1e-9 }).fit(normal)
  // One at a time, as they come.
  const decisions = stream.map((row) => model.decide(row))
  expect(distance(decisions, golden.anomalies.decisions)).toBeLessThan(1e-6)
  const labels = stream.map((_, i) => Number(isStrange(i)))
  expect(
    rocAuc(
      labels,
      decisions.map((value) => -value),
    ),
  ).toBeCloseTo(golden.anomalies.rocAuc, 10)
})

it('300,000 x 20 rows', async () => {
  const data = large(13, 300_000, 20)
  const model = await new LinearSVC({ C: 1, tol: 1e-7 }).fit(data)
  expect(model.certificate.stopReason).toBe('converged')
  expect(distance(model.coef, golden.manyRows.weights)).toBeLessThan(1e-4)
  expect(Math.abs(model.biases[0] - golden.manyRows.bias)).toBeLessThan(1e-4)
  expect(
    Math.abs(accuracy(data.labels, model.predict(data.samples)) - golden.manyRows.accuracy),
  ).toBeLessThan(1e-4)
}, 120_000)
