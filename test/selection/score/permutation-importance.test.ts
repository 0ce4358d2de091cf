import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import { LinearSVR } from '../../../src/estimators/linear-svr.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { kernelMatrix } from '../../../src/kernels/kernel-matrix.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { precomputed, precomputedSamples } from '../../../src/kernels/precomputed.ts'
import { accuracy } from '../../../src/metrics/classification.ts'
import { LinearSvrModel } from '../../../src/models/linear-svr-model.ts'
import { permutationImportance } from '../../../src/selection/score/permutation-importance.ts'

const random = new Random(1)
const names = ['signal', 'noise', 'constant', 'weaker']
const rows = Array.from({ length: 150 }, () => [random.normal(), random.normal(), 7, random.normal()])
const labels = rows.map(([signal, , , weaker]) => (2 * signal + weaker > 0 ? 'yes' : 'no'))
const data = makeDataset(rows, labels, { featureNames: names })
const model = new SVC({ kernel: linear() }).fitSync(data)

test('the score lost by shuffling, feature by feature', () => {
  const found = permutationImportance(model, data, { repeats: 8, seed: 2 })
  expect(found.scoring).toBe('accuracy')
  expect(found.score).toBe(accuracy(labels, model.predict(data.samples)))
  const [signal, noise, constant, weaker] = found.features
  expect(found.features.map(({ name, feature }) => [feature, name])).toEqual(
    names.map((name, j) => [j, name]),
  )
  expect(signal.mean).toBeGreaterThan(weaker.mean)
  expect(weaker.mean).toBeGreaterThan(Math.abs(noise.mean))
  expect(constant.losses).toEqual(new Float64Array(8))
  for (const { losses, mean, standardDeviation } of found.features) {
    expect(losses.length).toBe(8)
    expect(mean).toBeCloseTo(losses.reduce((a, b) => a + b) / 8, 12)
    expect(standardDeviation ** 2).toBeCloseTo(losses.reduce((s, x) => s + (x - mean) ** 2, 0) / 8, 12)
  }
})

test('for a linear regression it is known: mean squared error grows by 2 w² Var(x)', () => {
  const coef = Float64Array.of(2, 0, 1, -0.5)
  const exact = new LinearSvrModel({ coef, bias: 1, features: 4 })
  const targets = rows.map((row) => 1 + row.reduce((sum, x, j) => sum + coef[j] * x, 0))
  const { features, score } = permutationImportance(exact, makeDataset(rows, targets), {
    scoring: 'mse',
    repeats: 400,
  })
  expect(score).toBeCloseTo(0, 20)
  features.forEach(({ mean, losses }, j) => {
    const column = rows.map((row) => row[j])
    const centre = column.reduce((a, b) => a + b) / column.length
    const variance = column.reduce((sum, x) => sum + (x - centre) ** 2, 0) / column.length
    const wanted = 2 * coef[j] ** 2 * variance
    const error = Math.sqrt(losses.reduce((s, x) => s + (x - mean) ** 2, 0)) / losses.length
    expect(Math.abs(mean - wanted)).toBeLessThanOrEqual(4 * error)
  })
})

test('sparse samples give what dense ones give; the seed decides', () => {
  const thin = rows.map((row) => row.map((x) => (Math.abs(x) < 0.5 ? 0 : x)))
  const dense = makeDataset(thin, labels)
  const sparse = { ...dense, samples: toSparse(dense.samples) }
  const of = (set: typeof dense, seed: number) => permutationImportance(model, set, { seed })
  expect(of(sparse, 3)).toEqual(of(dense, 3))
  expect(of(sparse, 3)).not.toEqual(of(sparse, 4))
})

describe('defaults and refusals', () => {
  test('a regression is judged by r2', () => {
    const targets = makeDataset(
      rows,
      rows.map(([signal]) => signal),
    )
    const regression = new LinearSVR().fitSync(targets)
    const { scoring, features } = permutationImportance(regression, targets)
    expect(scoring).toBe('r2')
    expect(features[0].mean).toBeGreaterThan(1)
  })

  test('options are checked', () => {
    expect(() => permutationImportance(model, data, { repeats: 0 })).toThrow(
      'permutationImportance: repeats must be',
    )
    expect(() => permutationImportance(model, data, { repeat: 3 } as object)).toThrow('repeat')
  })

  test('a precomputed kernel has no features', () => {
    const samples = precomputedSamples(kernelMatrix(linear(), data.samples, data.samples))
    const gram = { samples, labels: data.labels }
    const trained = new SVC({ kernel: precomputed() }).fitSync(gram)
    expect(() => permutationImportance(trained, gram)).toThrow('columns of a precomputed kernel')
  })
})
