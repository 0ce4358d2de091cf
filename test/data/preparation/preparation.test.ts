import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toDense } from '../../../src/data/matrix/matrix.ts'
import {
  applyPreparation,
  fitPreparation,
  preparedNames,
} from '../../../src/data/preparation/column-preparation.ts'
import { describePreparation } from '../../../src/data/preparation/describe-preparation.ts'
import { selectSamples } from '../../../src/data/table/dataset.ts'
import { makeTable } from '../../../src/data/table/make-table.ts'
import type { Table } from '../../../src/data/table/table.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { parseModel } from '../../../src/models/files/parse-model.ts'
import { fitCalibrated } from '../../../src/selection/calibrate/calibrate.ts'
import { crossValidate } from '../../../src/selection/score/cross-validate.ts'
import { tune } from '../../../src/selection/search/tune.ts'
import { kFold } from '../../../src/selection/split/splits.ts'

const people = [
  { age: 30, city: 'Rome', since: '2024-02-29', member: true, left: 'no' },
  { age: null, city: 'Oslo', since: '2023-01-01', member: false, left: 'yes' },
  { age: 40, city: 'Rome', since: null, member: true, left: 'no' },
  { age: 20, city: undefined, since: '2023-01-03', member: null, left: 'yes' },
]

const prepare = (options = {}) => {
  const data = makeTable(people, { label: 'left', ...options })
  const preparation = fitPreparation(data.samples as Table)
  return { data, preparation, rows: toDense(applyPreparation(preparation, data.samples as Table)) }
}

describe('a preparation', () => {
  it('fills, encodes and names columns, and says so', () => {
    const { preparation, rows } = prepare({ parts: ['epoch', 'weekday'], indicator: true })
    expect(preparedNames(preparation)).toEqual([
      ...['age', 'age is missing', 'city=Oslo', 'city=Rome', 'city is missing'],
      ...['since', 'since weekday', 'since is missing', 'member', 'member is missing'],
    ])
    // 2023-01-01 is day 19358, a Sunday; the median date is 2023-01-03.
    expect(Array.from(rows.values.subarray(10, 20))).toEqual([30, 1, 1, 0, 0, 19358, 6, 0, 0, 0])
    expect(Array.from(rows.values.subarray(20, 30))).toEqual([40, 0, 0, 1, 0, 19360, 1, 1, 1, 0])
    expect(describePreparation(preparation)).toEqual([
      'age: number, 1 missing filled with median 30, indicated by a feature',
      'city: category, 2 values, unseen ones: ignore, 1 missing filled with most frequent Rome, indicated by a feature',
      'since: date as days since 1970, weekday, 1 missing filled with 2023-01-03, indicated by a feature'.replace(
        'with 2023',
        'with median 2023',
      ),
      'member: boolean, 1 missing filled with most frequent 1, indicated by a feature',
    ])
  })

  it('drops rows that lack a cell where that is chosen, and counts them', () => {
    const { data } = prepare({ fill: 'drop' })
    expect(data.samples.rows).toBe(1)
    expect(data.report.dropped).toBe(3)
    expect(data.labels).toEqual(['no'])
  })

  it('fills with a constant, for all columns or for one', () => {
    const { rows, preparation } = prepare({
      columns: { age: { fill: { value: -1 } }, city: { fill: { value: 'nowhere' } } },
    })
    expect(preparedNames(preparation)).toContain('city=nowhere')
    expect(rows.values[rows.cols]).toBe(-1)
  })

  it.each([
    ['ignore', [0, 0]],
    ['most-frequent', [0, 1]],
  ] as const)('does with unseen categories what was chosen: %s', (unseen, features) => {
    const data = makeTable(people, {
      label: 'left',
      unseen,
      columns: { age: 'ignored', since: 'ignored', member: 'ignored' },
    })
    const preparation = fitPreparation(data.samples as Table)
    expect(Array.from(toDense(applyPreparation(preparation, [{ city: 'Bern' }])).values)).toEqual(features)
  })

  it('refuses what it cannot do, by row and column', () => {
    const { preparation } = prepare({ unseen: 'error' })
    const apply = (record: object) => () =>
      applyPreparation(preparation, [{ age: 1, city: 'Rome', since: '2023-01-01', member: true, ...record }])
    expect(apply({ city: 'Bern' })).toThrow('row 1, column "city" must be one of Oslo, Rome, got "Bern"')
    expect(apply({ age: 'old' })).toThrow('row 1, column "age" must be a number, got "old"')
    expect(apply({ since: 'soon' })).toThrow('column "since" must be a date such as 2024-05-31, got "soon"')
    expect(() => applyPreparation(preparation, [{ age: 1 }])).toThrow('no column is named "city", only "age"')
  })

  it('is learned from the training rows of a fold alone', async () => {
    const random = new Random(3)
    const words = ['good', 'bad', 'late', 'fast', 'staff', 'price', 'rude', 'kind']
    const records = Array.from({ length: 60 }, (_, i) => ({
      x: random.uniform() < 0.2 ? null : random.normal(),
      place: random.uniform() < 0.1 ? null : `p${Math.floor(random.uniform() * 12)}`,
      body: Array.from({ length: 5 }, () => words[Math.floor(random.uniform() * words.length)]).join(' '),
      label: i % 2 === 0 ? 'a' : 'b',
    }))
    const data = makeTable(records, { columns: { body: 'text' } })
    const folds = kFold(data, { folds: 3, seed: 1 })
    for (const estimator of [
      new SVC({ scaler: 'standard', tol: 1e-8 }),
      new LinearSVC({ scaler: 'range' }),
    ]) {
      const result = await crossValidate(estimator, data, { protocol: folds })
      for (const { train, test } of folds) {
        // By hand: a model that never saw the held-out rows, not even their categories, words and medians.
        const alone = estimator.fitSync(
          makeTable(
            Array.from(train, (i) => records[i]),
            { columns: { body: 'text' } },
          ),
        )
        const own = alone.decisionFunction(Array.from(test, (i) => records[i]))
        test.forEach((i, k) => {
          const at = result.outOfFold.indices.indexOf(i)
          expect(result.outOfFold.decisions?.[at]).toBeCloseTo(own[k], 4)
        })
      }
    }
  })

  it('goes through tuning and calibration into the model and its file', async () => {
    const records = Array.from({ length: 40 }, (_, i) => ({
      x: i % 7,
      place: `p${i % 5}`,
      label: i % 7 > 3 ? 1 : 0,
    }))
    const data = makeTable(records)
    expect(data.samples.kind).toBe('table')
    const { model } = await tune(new SVC({ scaler: 'standard' }), data, {
      grid: { C: [1, 10], gamma: [0.1, 1] },
    })
    const calibrated = await fitCalibrated(new SVC({ C: 10 }), data)
    const some = selectSamples(data, [0, 1, 5])
    const again = parseModel(JSON.stringify(calibrated)) as unknown as typeof calibrated
    expect(again.predictProbability(some.samples as Table)).toEqual(
      calibrated.predictProbability([0, 1, 5].map((i) => records[i])),
    )
    expect(model?.predict(some.samples as never)).toEqual(Float64Array.of(0, 0, 1))
  })
})
