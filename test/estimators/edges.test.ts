/** Settings and data at the edge of what can be used: an answer, or an error that says what is wrong. */
import { describe, expect, it } from 'vitest'
import { makeDataset, selectSamples } from '../../src/data/table/dataset.ts'
import { LinearSVC } from '../../src/estimators/linear-svc.ts'
import { LinearSVR } from '../../src/estimators/linear-svr.ts'
import { NuSVC } from '../../src/estimators/nu-svc.ts'
import { NuSVR } from '../../src/estimators/nu-svr.ts'
import { SVC } from '../../src/estimators/svc.ts'
import { SVR } from '../../src/estimators/svr.ts'
import { r2 } from '../../src/metrics/regression.ts'
import { parseModel } from '../../src/models/files/parse-model.ts'
import { fitCalibrated } from '../../src/selection/calibrate/calibrate.ts'
import { crossValidate } from '../../src/selection/score/cross-validate.ts'
import { tune } from '../../src/selection/search/tune.ts'

const rows = Array.from({ length: 42 }, (_, i) => [Math.sin(i), Math.cos(3 * i), i % 2])
const two = makeDataset(
  rows,
  rows.map((_, i) => (i % 2 ? 1 : -1)),
)
const three = makeDataset(
  rows,
  rows.map((_, i) => 'abc'[i % 3]),
)

it('a price that must be finite is told so', () => {
  for (const Machine of [SVR, NuSVR, LinearSVR, LinearSVC]) {
    expect(() => new Machine({ C: Number.POSITIVE_INFINITY })).toThrow(
      'C must be finite and > 0, got Infinity',
    )
  }
})

describe('probabilities of LinearSVC', () => {
  it.each([
    ['two classes', two, {}],
    ['three classes', three, {}],
    ['three classes together', three, { multiClass: 'crammer-singer' }],
    ['two classes together', two, { multiClass: 'crammer-singer' }],
  ] as const)('%s', async (_, data, options) => {
    for (const method of ['sigmoid', 'isotonic'] as const) {
      const model = await fitCalibrated(new LinearSVC(options), data, { method })
      const k = model.classes.length
      const probabilities = model.predictProbability(rows)
      for (let i = 0; i < rows.length; i++) {
        const own = probabilities.subarray(i * k, (i + 1) * k)
        expect(own.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
      }
      expect(model.certificate.stopReason).toBe('converged')
      const back = parseModel(JSON.stringify(model)) as typeof model
      expect(back.predictProbability(rows)).toEqual(probabilities)
    }
  })

  it('know a class of one sample, which a fold lacks', async () => {
    const rare = makeDataset(
      rows,
      rows.map((_, i) => (i === 7 ? 'z' : 'ab'[i % 2])),
    )
    const model = await fitCalibrated(new LinearSVC(), rare)
    expect(model.predictProbability(rows).every((p) => p >= 0 && p <= 1)).toBe(true)
  })
})

it('values whose squares overflow are refused with words', () => {
  const huge = makeDataset(
    rows.map((row) => row.map((value) => 1e300 * value)),
    two.labels,
  )
  expect(() => new LinearSVC().fitSync(huge)).toThrow(
    "LinearSVC: the values of sample 0 are too large: the sum of their squares is Infinity; scale the data (scaler: 'standard')",
  )
  expect(() => new LinearSVR().fitSync(huge)).toThrow('LinearSVR: the values of sample 0 are too large')
})

it('a class of weight 0 does not count; with nu it is an error', () => {
  const model = new SVC({ classWeight: { 1: 0 } }).fitSync(two)
  expect(model.predict(rows).every((label) => label === -1)).toBe(true)
  expect(() => new NuSVC({ classWeight: { 1: 0 } }).fitSync(two)).toThrow(
    'NuSVC: class 1 has weight 0; with nu, every class needs a positive weight',
  )
})

it('R² of one sample is nothing that could be said', () => {
  expect(r2([1], [1])).toBeNaN()
  expect(r2([1, 2], [1, 2])).toBe(1)
})

it('positions that no sample has are refused', () => {
  expect(() => selectSamples(two, [500])).toThrow(
    'selectSamples: chosen[0] must be a whole number from 0 to 41, the position of a sample, got 500',
  )
  for (const bad of [-1, 0.5, Number.NaN]) expect(() => selectSamples(two, [0, bad])).toThrow('chosen[1]')
})

describe('folds of the user', () => {
  it.each([
    [[], 'folds must be at least one fold'],
    [[{ train: [], test: [1] }], 'folds[0].train must be a list of at least one sample'],
    [[{ train: [0, 1], test: [] }], 'folds[0].test must be a list of at least one sample'],
    [[{ train: [0, 1] }], 'folds[0].test must be a list of at least one sample'],
    [[{ train: [0, 1, 2], test: [2, 3] }], 'sample 2 is on both sides of folds[0]'],
    [[{ train: [0, 1, 42], test: [3] }], 'folds[0].train[2] must be a whole number from 0 to 41'],
  ])('%j', async (folds, message) => {
    const given = folds as never
    await expect(crossValidate(new SVC(), two, { protocol: given })).rejects.toThrow(
      `crossValidate: ${message}`,
    )
    await expect(tune(new SVC(), two, { grid: { C: [1] }, folds: given })).rejects.toThrow(`tune: ${message}`)
  })
})
