/** Calibration by cross-fitting, against its definition. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { fitLaplaceNoise } from '../../../src/calibration/laplace-noise.ts'
import { fitSigmoid } from '../../../src/calibration/sigmoid-calibration.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { makeDataset, selectSamples, type VectorDataset } from '../../../src/data/table/dataset.ts'
import { NuSVC } from '../../../src/estimators/nu-svc.ts'
import { NuSVR } from '../../../src/estimators/nu-svr.ts'
import { OneClassSVM } from '../../../src/estimators/one-class-svm.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { fitCalibrated } from '../../../src/selection/calibrate/calibrate.ts'
import { kFold, stratifiedKFold } from '../../../src/selection/split/splits.ts'
import { expectClose } from '../../close.ts'
import { clouds, curve } from '../../suites/tool-data.ts'

const kernel = rbf({ gamma: 0.25 })
const two = clouds(1, 100, [1, -1])
const three = clouds(2, 150, [4, 2, 9])

/** Rows of `width` probabilities. */
function rowsOf(flat: Float64Array, width: number): number[][] {
  return Array.from({ length: flat.length / width }, (_, i) => [...flat.subarray(i * width, (i + 1) * width)])
}

describe('classes', () => {
  test.each([
    ['SVC', new SVC({ kernel, C: 2, tol: 1e-7 })],
    ['NuSVC', new NuSVC({ kernel, nu: 0.6, tol: 1e-7 })],
  ])('%s, two classes: the sigmoid of values that no model had seen', async (_, estimator) => {
    const model = await fitCalibrated(estimator as SVC, two, { folds: 4, seed: 3 })
    const values = new Float64Array(100)
    for (const { train, test: held } of stratifiedKFold(two, { folds: 4, seed: 3 })) {
      const part = estimator.fitSync(selectSamples(two, train))
      const found = part.decisionFunction(selectSamples(two, held).samples)
      held.forEach((i, k) => {
        values[i] = found[k]
      })
    }
    const { a, b } = fitSigmoid(
      values,
      Array.from(two.labels as Float64Array, (label) => label === 1),
    )
    const found = model.probability as { a: Float64Array; b: Float64Array }
    expectClose([...found.a, ...found.b], [a, b], 1e-5)
  })

  test.each(['sigmoid', 'isotonic'] as const)(
    'three classes, %s: sums of 1, which agree with predictions',
    async (method) => {
      const model = await fitCalibrated(new SVC({ kernel }), three, { method })
      const unseen = clouds(5, 200, [4, 2, 9])
      const rows = rowsOf(model.predictProbability(unseen.samples), 3)
      for (const row of rows) expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 9)
      const predicted = model.predict(unseen.samples)
      rows.forEach((row, i) => {
        expect(row[model.classes.indexOf(predicted[i])]).toBe(Math.max(...row))
      })
      // The class that is right gets more than its share.
      const right = rows.map((row, i) => row[model.classes.indexOf(unseen.labels[i])])
      expect(right.reduce((a, b) => a + b) / 200).toBeGreaterThan(0.45)
    },
  )

  test('the seed chooses the folds, and nothing else', async () => {
    const [a, b, c] = await Promise.all(
      [1, 1, 2].map((seed) => fitCalibrated(new SVC({ kernel, tol: 1e-8 }), three, { seed })),
    )
    expect(a.probability).toEqual(b.probability)
    expect(a.probability).not.toEqual(c.probability)
    expect(a.supportIndices).toEqual(c.supportIndices)
    expectClose(a.dualCoef, c.dualCoef, 1e-6)
  })

  test('a class of one sample, which the model of its fold does not know', async () => {
    const rare = withLabel(three, 7, 5)
    const model = await fitCalibrated(new SVC({ kernel }), rare)
    expect(model.classes).toEqual([2, 4, 5, 9])
    const rows = rowsOf(model.predictProbability(three.samples), 4)
    for (const row of rows) expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 9)
    // Pairs of the other classes are as if it were not there, except for one sample: within what one sample can do.
    const without = await fitCalibrated(new SVC({ kernel }), three)
    const agree = without
      .predict(three.samples)
      .filter((label, i) => label === model.predict(three.samples)[i])
    expect(agree.length).toBeGreaterThan(140)
    const pair = makeDataset([[0], [1], [2], [3], [4], [9]], [1, 1, 1, 1, 1, 2])
    const lonely = await fitCalibrated(new SVC({ kernel }), pair)
    expect(rowsOf(lonely.predictProbability([[0.5]]), 2)[0][0]).toBeGreaterThan(0.5)
  })

  test('fewer samples than folds', async () => {
    const tiny = makeDataset([[1], [2], [3]], [1, 2, 1])
    const model = await fitCalibrated(new SVC({ kernel }), tiny)
    expect(model.predictProbability([[1]]).every(Number.isFinite)).toBe(true)
    await expect(fitCalibrated(new SVC({ kernel }), tiny, { folds: 5 })).rejects.toThrow('folds')
  })
})

describe('others', () => {
  test.each([
    ['SVR', new SVR({ kernel, tol: 1e-7 })],
    ['NuSVR', new NuSVR({ kernel, tol: 1e-7 })],
  ])('%s: the noise of residuals that no model had seen', async (_, estimator) => {
    const wave = curve(4, 120)
    const model = await fitCalibrated(estimator as SVR, wave)
    const residuals = new Float64Array(120)
    for (const { train, test: held } of kFold(wave, { folds: 5, seed: 0 })) {
      const found = estimator.fitSync(selectSamples(wave, train)).predict(selectSamples(wave, held).samples)
      held.forEach((i, k) => {
        residuals[i] = (wave.labels[i] as number) - found[k]
      })
    }
    expectClose([model.probability?.sigma ?? Number.NaN], [fitLaplaceNoise(residuals)], 1e-5)
  })

  test('one class: ten marks that ascend, and samples farther out are less normal', async () => {
    const random = new Random(3)
    const rows = Array.from({ length: 200 }, () => [random.normal(), random.normal()])
    const data = makeDataset(rows, new Float64Array(200))
    const model = await fitCalibrated(new OneClassSVM({ nu: 0.3 }), data)
    const marks = [...(model.probability?.marks ?? [])]
    expect(marks.length).toBe(10)
    expect(marks).toEqual(marks.toSorted((a, b) => a - b))
    const [near, far] = model.predictProbability([
      [0, 0],
      [4, 4],
    ])
    expect(near).toBeGreaterThan(far)
  })

  test('settings are checked', async () => {
    await expect(fitCalibrated(new SVC(), two, { method: 'platt' as never })).rejects.toThrow('method')
    await expect(fitCalibrated(new SVC(), two, { folds: 1 })).rejects.toThrow('folds')
    await expect(fitCalibrated(new SVC(), two, { fold: 3 } as object)).rejects.toThrow('fold')
  })
})

/** The same data with another label for one sample. */
function withLabel(data: VectorDataset, sample: number, label: number): VectorDataset {
  return { ...data, labels: (data.labels as Float64Array).map((own, i) => (i === sample ? label : own)) }
}

test('one class needs no labels', async () => {
  const { samples } = generate('blobs', { n: 80, seed: 4 })
  const model = await fitCalibrated(new OneClassSVM({ nu: 0.3 }), { samples })
  const probabilities = model.predictProbability(samples)
  expect(probabilities.length).toBe(80)
  expect(probabilities.every((p) => p > 0 && p < 1)).toBe(true)
})
