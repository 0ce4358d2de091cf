/**
 * Groups and times of a data set hold wherever it is divided, and divided again: every part that anything is fitted to, or tested on, is
 * recorded.
 */
import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { fitSigmoid } from '../../../src/calibration/sigmoid-calibration.ts'
import type { Matrix } from '../../../src/data/matrix/matrix.ts'
import { type Dataset, makeDataset, selectSamples } from '../../../src/data/table/dataset.ts'
import { trainTestSplit } from '../../../src/data/table/split.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { OneClassSVM } from '../../../src/estimators/one-class-svm.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import type { LinearSvcModel } from '../../../src/models/linear-svc-model.ts'
import { fitCalibrated } from '../../../src/selection/calibrate/calibrate.ts'
import { thresholdFromFolds } from '../../../src/selection/calibrate/choose-threshold.ts'
import {
  conformalIntervalsFromFolds,
  conformalSetsFromFolds,
} from '../../../src/selection/calibrate/cross-conformal.ts'
import { crossValidate } from '../../../src/selection/score/cross-validate.ts'
import { learningCurve } from '../../../src/selection/score/learning-curve.ts'
import { nestedCrossValidate } from '../../../src/selection/score/nested-cross-validate.ts'
import { validateAndTest } from '../../../src/selection/score/validate-and-test.ts'
import { tune } from '../../../src/selection/search/tune.ts'
import {
  fiveByTwo,
  groupKFold,
  holdOut,
  kFold,
  leaveOneOut,
  libsvmFolds,
  repeatedKFold,
  stratifiedKFold,
  timeSeriesSplit,
  trainValidationTest,
} from '../../../src/selection/split/splits.ts'

const COUNT = 120
const random = new Random(5)
/** The first feature says which sample it is. */
const rows = Array.from({ length: COUNT }, (_, i) => [i, random.uniform(), random.uniform()])
const labels = rows.map(([, a, b]) => (a + b + 0.4 * random.uniform() > 1.2 ? 'yes' : 'no'))
const groups = rows.map(() => `g${Math.floor(12 * random.uniform())}`)
/** Days in disorder, some of them more than once. */
const times = rows.map(() => Math.floor(80 * random.uniform()))
const grouped = makeDataset(rows, labels, { groups })
const timed = makeDataset(rows, labels, { times })

/** What was fitted, and what the model of it was asked about, one after the other. */
interface Part {
  readonly train: readonly number[]
  readonly test: number[][]
}

const idsOf = ({ samples }: Pick<Dataset, 'samples'>): number[] => {
  const { rows: count, cols, values } = samples as Matrix
  return Array.from({ length: count }, (_, i) => values[i * cols])
}

type Fit = (data: Dataset, options?: object) => Promise<LinearSvcModel>

/** Makes linear machines that record what they are fitted to, and what their models are asked about. */
function recording(parts: Part[]) {
  return (options: object): LinearSVC => {
    const machine = new LinearSVC(options)
    const learn = machine.fit.bind(machine) as unknown as Fit
    const recorded: Fit = async (data, settings) => {
      const part: Part = { train: idsOf(data), test: [] }
      parts.push(part)
      const model = await learn(data, settings)
      for (const name of ['machineValues', 'decisionFunction'] as const) {
        const own = model[name].bind(model) as (samples: Matrix, more?: unknown) => Float64Array
        Object.assign(model, {
          [name]: (samples: Matrix, more?: unknown) => {
            const ids = idsOf({ samples })
            // A learning curve scores what was learned from, too.
            if (String(ids) !== String(part.train)) part.test.push(ids)
            return own(samples, more)
          },
        })
      }
      return model
    }
    return Object.assign(machine, { fit: recorded as never })
  }
}

const wholeGroups = (ids: readonly number[]): boolean => {
  const inside = new Set(ids)
  const named = new Set(ids.map((i) => groups[i]))
  return groups.every((group, i) => inside.has(i) === named.has(group))
}
const latest = (ids: readonly number[]) => Math.max(...ids.map((i) => times[i]))
const earliest = (ids: readonly number[]) => Math.min(...ids.map((i) => times[i]))

function checkGroups(parts: readonly Part[]): void {
  for (const { train, test } of parts) {
    const seen = new Set(train.map((i) => groups[i]))
    for (const ids of test) expect(ids.filter((i) => seen.has(groups[i]))).toEqual([])
  }
}

function checkTimes(parts: readonly Part[]): void {
  for (const { train, test } of parts)
    for (const ids of test) expect(earliest(ids)).toBeGreaterThan(latest(train))
}

/** Everything that divides data, and divides parts of it again. */
const ways: Readonly<
  Record<string, (make: (options: object) => LinearSVC, data: Dataset) => Promise<unknown>>
> = {
  crossValidate: (make, data) => crossValidate(make({}), data, { threads: 1 }),
  'crossValidate, calibrated': (make, data) =>
    crossValidate({ fit: (part: Dataset) => fitCalibrated(make({}), part as never) } as never, data, {
      threads: 1,
    }),
  'nestedCrossValidate with tune': (make, data) =>
    nestedCrossValidate(
      (part) => tune((params) => make(params) as never, part, { grid: { C: [0.1, 1] } }) as never,
      data,
      { folds: 3 },
    ),
  'nestedCrossValidate with tune that halves': (make, data) =>
    nestedCrossValidate(
      (part) =>
        tune((params) => make(params) as never, part, {
          search: 'halving',
          folds: 3,
          grid: { C: [0.1, 1, 10] },
        }) as never,
      data,
      { folds: 3 },
    ),
  validateAndTest: (make, data) =>
    validateAndTest((params) => make(params) as never, data, {
      cells: [{ C: 0.1 }, { C: 1 }],
      refit: false,
    }),
  learningCurve: (make, data) => learningCurve(make({}), data, { sizes: [0.6, 1], folds: 3 }),
  thresholdFromFolds: (make, data) => thresholdFromFolds(make({}), data, { maximise: 'f1' }, { threads: 1 }),
  fitCalibrated: (make, data) => fitCalibrated(make({}), data as never, { folds: 4 }),
  'conformal sets': (make, data) => conformalSetsFromFolds(make({}), data),
}

describe.each(Object.entries(ways))('%s', (name, way) => {
  it('keeps groups together, and learns nothing from the future', async () => {
    const own: Part[] = []
    await way(recording(own), grouped)
    checkGroups(own)
    const parts: Part[] = []
    await way(recording(parts), timed)
    // The last fit of a calibration or a search is that of all samples there are; nothing is tested on it.
    checkTimes(parts)
    const tested = [own, parts].map((all) => all.flatMap(({ test }) => test).length)
    expect(Math.min(...tested)).toBeGreaterThan(name === 'validateAndTest' ? 1 : 2)
  })
})

describe('splits', () => {
  it('keep the groups of the data', () => {
    const folds = [
      ...kFold(grouped),
      ...stratifiedKFold(grouped),
      ...groupKFold(grouped),
      ...repeatedKFold(grouped, { repeats: 2 }),
      ...fiveByTwo(grouped),
      ...leaveOneOut(grouped),
      holdOut(grouped),
    ]
    for (const { train, test } of folds)
      expect([wholeGroups([...train]), wholeGroups([...test])]).toEqual([true, true])
    const three = trainValidationTest(grouped)
    expect([three.train, three.validation, three.test].map((part) => wholeGroups([...part]))).toEqual([
      true,
      true,
      true,
    ])
    expect(wholeGroups([...trainTestSplit(grouped).testIndices])).toBe(true)
    expect(kFold(grouped)).toEqual(kFold({ ...grouped, groups: undefined } as never, { groups }))
  })

  it('go by the times of the data', () => {
    for (const { train, test } of [...timeSeriesSplit(timed), holdOut(timed)])
      expect(earliest([...test])).toBeGreaterThan(latest([...train]))
    const { train, validation, test } = trainValidationTest(timed)
    expect(earliest([...validation])).toBeGreaterThan(latest([...train]))
    expect(earliest([...test])).toBeGreaterThan(latest([...validation]))
    const byRows = trainTestSplit(makeDataset(rows, labels, { times: 'rows' }))
    expect([...byRows.testIndices]).toEqual(Array.from({ length: 24 }, (_, k) => 96 + k))
    // Of a part in another order, too, time is what it was.
    const turned = selectSamples(
      byRows.train,
      Array.from({ length: 96 }, (_, k) => 95 - k),
    )
    expect(trainTestSplit(turned, { testFraction: 1 / 96 }).test.samples).toMatchObject({
      values: Float64Array.from(rows[95]),
    })
  })

  it.each([
    ['kFold', () => kFold(timed)],
    ['repeatedKFold', () => repeatedKFold(timed)],
    ['leaveOneOut', () => [...leaveOneOut(timed)]],
    ['libsvmFolds', () => libsvmFolds(timed)],
  ])('%s refuses to divide at random what has times', (name, split) => {
    expect(split).toThrow(`${name}: splits at random, but this data set has times`)
  })

  it('refuse what they cannot keep', async () => {
    expect(() => libsvmFolds(grouped)).toThrow('libsvmFolds: would split groups')
    expect(() => holdOut({ ...grouped, times })).toThrow('holdOut: groups cannot be used together with times')
    expect(() => kFold({ ...grouped, groups: ['a'] })).toThrow('kFold: 120 samples but 1 groups')
    await expect(crossValidate(new SVC(), timed, { protocol: 'k-fold' })).rejects.toThrow('has times')
  })
})

describe('calibration', () => {
  it('is fitted to what folds by time test on, the first part left out', async () => {
    const estimator = new LinearSVC({ tol: 1e-8 })
    const { probability } = await fitCalibrated(estimator, timed, { folds: 3 })
    const values: number[] = []
    const isYes: boolean[] = []
    for (const { train, test } of timeSeriesSplit(timed, { folds: 3 })) {
      const model = await estimator.fit(selectSamples(timed, train))
      const held = selectSamples(timed, test)
      values.push(...model.decisionFunction(held.samples))
      isYes.push(...held.labels.map((label) => label === 'yes'))
    }
    const { a, b } = fitSigmoid(Float64Array.from(values), isYes)
    expect(probability).toMatchObject({ method: 'sigmoid' })
    const own = probability as { a: Float64Array; b: Float64Array }
    expect(own.a[0]).toBeCloseTo(a, 10)
    expect(own.b[0]).toBeCloseTo(b, 10)
  })

  it('of kernel machines shares its work over the same folds', async () => {
    const machine = new SVC({ scaler: 'standard' })
    const bare = makeDataset(rows, labels)
    const byGroups = await fitCalibrated(machine, grouped)
    const asked = await fitCalibrated(machine, bare, { protocol: stratifiedKFold(bare, { groups }) })
    const atRandom = await fitCalibrated(machine, bare)
    expect(byGroups.probability).toEqual(asked.probability)
    expect(byGroups.probability).not.toEqual(atRandom.probability)
    const targets = makeDataset(rows, times)
    const inTime = await fitCalibrated(new SVR({ scaler: 'standard' }), { ...targets, times })
    const inFolds = await fitCalibrated(new SVR({ scaler: 'standard' }), targets, {
      protocol: { kind: 'time-series', times },
    })
    expect(inTime.probability).toEqual(inFolds.probability)
    const normal = await fitCalibrated(new OneClassSVM({ nu: 0.3, scaler: 'standard' }), {
      samples: bare.samples,
      times,
    } as never)
    expect(normal.probability?.method).toBe('density')
  })

  it('needs each class where folds test', async () => {
    const early = makeDataset(
      rows,
      rows.map((_, i) => (times[i] < 8 ? 'old' : labels[i])),
      { times },
    )
    await expect(fitCalibrated(new SVC(), early, { folds: 2 })).rejects.toThrow(
      'fitCalibrated: class "old" is in no test part',
    )
  })

  it('gives intervals and searches the folds of the data', async () => {
    const targets = {
      ...makeDataset(
        rows,
        rows.map(([, a, b]) => a - b),
      ),
      groups,
    }
    const { predict } = await conformalIntervalsFromFolds(new SVR(), targets)
    const asked = await conformalIntervalsFromFolds(new SVR(), targets, {
      protocol: { kind: 'k-fold', groups },
    })
    expect(predict(targets.samples)).toEqual(asked.predict(targets.samples))
    const grid = { C: [1, 10], gamma: [0.1] }
    const tuned = await tune(new SVC(), grouped, { grid, folds: 4, calibrate: 'sigmoid' })
    const same = await tune(new SVC(), grouped, { grid, folds: { kind: 'k-fold', folds: 4, groups } })
    expect(tuned.cells.map(({ scores }) => scores)).toEqual(same.cells.map(({ scores }) => scores))
  })
})
