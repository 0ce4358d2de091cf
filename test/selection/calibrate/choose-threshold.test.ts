/** A threshold in a model: chosen, used by predict, and kept by its file. */
import { describe, expect, test } from 'vitest'
import { DataError } from '../../../src/base/errors.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { makeDataset, selectSamples } from '../../../src/data/table/dataset.ts'
import { trainTestSplit } from '../../../src/data/table/split.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { LogisticRegression } from '../../../src/estimators/logistic-regression.ts'
import { NuSVC } from '../../../src/estimators/nu-svc.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import { f1, precision, recall } from '../../../src/metrics/classification.ts'
import { decisionThreshold } from '../../../src/metrics/decision-threshold.ts'
import { formatJsonModel } from '../../../src/models/files/format-json-model.ts'
import { formatLiblinearModel } from '../../../src/models/files/format-liblinear-model.ts'
import { formatLibsvmModel } from '../../../src/models/files/format-libsvm-model.ts'
import { parseJsonModel } from '../../../src/models/files/parse-json-model.ts'
import type { AnyClassifier } from '../../../src/models/model.ts'
import { fitCalibrated } from '../../../src/selection/calibrate/calibrate.ts'
import {
  chooseThreshold,
  thresholdFromFolds,
  withThreshold,
} from '../../../src/selection/calibrate/choose-threshold.ts'
import { stratifiedKFold } from '../../../src/selection/split/splits.ts'

/** Few of class 1, which overlap with many of class −1. */
const moons = generate('moons', { n: 500, noise: 0.4, seed: 4 })
const rare = selectSamples(
  moons,
  Uint32Array.from(moons.labels.keys()).filter((i) => moons.labels[i] === -1 || i % 5 === 0),
)
const { train, test: unseen } = trainTestSplit(rare, { testFraction: 0.4, seed: 1 })
const binary = { average: 'binary', positive: 1 } as const

const estimators = [
  ['SVC', new SVC({ C: 2 })],
  ['NuSVC', new NuSVC({ nu: 0.2 })],
  ['LinearSVC', new LinearSVC()],
  ['LinearSVC, Crammer and Singer', new LinearSVC({ multiClass: 'crammer-singer' })],
  ['LogisticRegression', new LogisticRegression()],
] as const

describe.each(estimators)('%s', (_, estimator) => {
  const model: AnyClassifier = estimator.fitSync(train)
  const values = model.decisionFunction(unseen.samples)

  test('predict goes by the threshold, and a file keeps it', () => {
    const chosen = chooseThreshold(model, unseen, { maximise: 'f1' })
    const { threshold } = decisionThreshold(unseen.labels, values, { maximise: 'f1' }, { positive: 1 })
    expect(chosen.threshold).toBe(threshold)
    expect(chosen.info().threshold).toBe(threshold)
    const predicted = values.map((value) => (value >= threshold ? 1 : -1))
    expect(chosen.predict(unseen.samples)).toEqual(predicted)
    expect(chosen.labelsOf(values)).toEqual(predicted)
    expect(chosen.decisionFunction(unseen.samples)).toEqual(values)
    expect(f1(unseen.labels, predicted, binary)).toBeGreaterThanOrEqual(
      f1(unseen.labels, model.predict(unseen.samples, { by: 'votes' }), binary),
    )
    const back = parseJsonModel(formatJsonModel(chosen)) as AnyClassifier
    expect(back.threshold).toBe(threshold)
    expect(back.predict(unseen.samples)).toEqual(predicted)
    expect(model.threshold).toBeUndefined()
    const without = withThreshold(chosen, undefined)
    expect(formatJsonModel(without)).toBe(formatJsonModel(model))
    expect(without.predict(unseen.samples)).toEqual(model.predict(unseen.samples))
  })

  test('a value at the threshold is of the second class, and ends of the line hold', () => {
    const [value] = values
    const first = selectSamples(unseen, Uint32Array.of(0)).samples
    expect(withThreshold(model, value).labelsOf(Float64Array.of(value))).toEqual(Float64Array.of(1))
    expect(withThreshold(model, value + 1e-6).predict(first)).toEqual(Float64Array.of(-1))
    expect(withThreshold(model, value - 1e-6).predict(first)).toEqual(Float64Array.of(1))
    const never = withThreshold(model, Number.POSITIVE_INFINITY)
    const always = withThreshold(model, Number.NEGATIVE_INFINITY)
    expect(new Set<number | string>(never.predict(unseen.samples))).toEqual(new Set([-1]))
    expect(new Set<number | string>(always.predict(unseen.samples))).toEqual(new Set([1]))
    const back = parseJsonModel(formatJsonModel(never)) as AnyClassifier
    expect(back.threshold).toBe(Number.POSITIVE_INFINITY)
  })
})

test('labels of large batches in f32 are those of decision values in f64', () => {
  const many = generate('moons', { n: 6000, noise: 0.4, seed: 9 })
  const model = new SVC({ C: 2 }).fitSync(generate('moons', { n: 400, noise: 0.4, seed: 8 }))
  const values = model.decisionFunction(many.samples)
  // At a decision value itself: rounding alone would choose.
  for (const threshold of [0.37, values[17], values[4000] + 1e-12]) {
    const said = withThreshold(model, threshold).predict(many.samples)
    expect(said).toEqual(values.map((value) => (value >= threshold ? 1 : -1)))
  }
})

test('a calibrated model with a threshold decides by it; probabilities remain, and can be asked for', async () => {
  const model = await fitCalibrated(new SVC({ C: 2 }), train)
  const chosen = chooseThreshold(model, unseen, { recall: 0.9 })
  const values = model.decisionFunction(unseen.samples)
  const { threshold = 0 } = chosen
  const predicted = chosen.predict(unseen.samples)
  expect(predicted).toEqual(values.map((value) => (value >= threshold ? 1 : -1)))
  expect(recall(unseen.labels, predicted, binary)).toBeGreaterThanOrEqual(0.9)
  expect(chosen.predictProbability(unseen.samples)).toEqual(model.predictProbability(unseen.samples))
  expect(chosen.predict(unseen.samples, { by: 'probability' })).toEqual(model.predict(unseen.samples))
  expect(chosen.trace).toBe(model.trace)
})

describe('from folds', () => {
  test('the threshold is that of decision values which no model had seen', async () => {
    const estimator = new LinearSVC()
    const values = new Float64Array(train.labels.length)
    for (const fold of stratifiedKFold(train, { folds: 5, seed: 3 })) {
      const part = estimator.fitSync(selectSamples(train, fold.train))
      const found = part.decisionFunction(selectSamples(train, fold.test).samples)
      fold.test.forEach((i, k) => {
        values[i] = found[k]
      })
    }
    const goal = { precision: 0.6 }
    const found = await thresholdFromFolds(estimator, train, goal, { folds: 5, seed: 3 })
    expect(found).toEqual(decisionThreshold(train.labels, values, goal, { positive: 1 }))
    const said = withThreshold(estimator.fitSync(train), found.threshold).predict(unseen.samples)
    expect(precision(unseen.labels, said, binary)).toBeGreaterThan(0.4)
  })

  test('an end that comes early is no threshold', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(thresholdFromFolds(new SVC(), train, { maximise: 'f1' }, { signal })).rejects.toThrow(
      'enough',
    )
  })
})

describe('what cannot have a threshold is refused', () => {
  const blobs = generate('blobs', { n: 60, centers: 3, classes: 3, seed: 2 })
  const three = new SVC().fitSync(blobs)
  const line = makeDataset([[0], [1], [2]], [0, 1.5, 2])

  test('more than two classes, regression, and labels of others', async () => {
    expect(() => chooseThreshold(three, blobs, { maximise: 'f1' })).toThrow(
      new DataError('chooseThreshold: a threshold needs two classes, got 3'),
    )
    const svr = new SVR().fitSync(line)
    expect(() => chooseThreshold(svr as never, line, { maximise: 'f1' })).toThrow(
      'chooseThreshold: a threshold needs a classifier of two classes, got a model of type "svr"',
    )
    await expect(thresholdFromFolds(new SVR(), line, { maximise: 'f1' })).rejects.toThrow(
      'thresholdFromFolds: a threshold needs a classifier of two classes',
    )
    await expect(thresholdFromFolds(new SVC(), blobs, { maximise: 'f1' })).rejects.toThrow(
      'thresholdFromFolds: a threshold needs two classes, got 3',
    )
    const model = new SVC().fitSync(train)
    expect(() => chooseThreshold(model, line, { maximise: 'f1' })).toThrow(
      'chooseThreshold: label 0 is not a class of the model (-1, 1)',
    )
    expect(() => withThreshold(model, Number.NaN)).toThrow('threshold')
  })

  test('files of LIBSVM and LIBLINEAR, and JSON that contradicts itself', () => {
    const model = withThreshold(new LinearSVC().fitSync(train), 0.5)
    expect(() => formatLibsvmModel(model)).toThrow(
      "LIBSVM's model format cannot hold a threshold of decision values: save it as JSON",
    )
    expect(() => formatLiblinearModel(model)).toThrow("LIBLINEAR's model format cannot hold a threshold")
    const changed = (of: AnyClassifier, threshold: unknown) => JSON.stringify({ ...of.toJSON(), threshold })
    expect(() => parseJsonModel(changed(three, 1))).toThrow('threshold: applies to two classes only, got 3')
    expect(() => parseJsonModel(changed(model, 'NaN'))).toThrow('threshold: must not be NaN')
    expect(() => parseJsonModel(changed(model, '1'))).toThrow('threshold: must be a number')
  })
})
