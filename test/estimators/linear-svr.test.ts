import { describe, expect, test } from 'vitest'
import { DataError, ParameterError } from '../../src/base/errors.ts'
import { Random } from '../../src/base/random.ts'
import { toDense, toMatrix, toSparse } from '../../src/data/matrix/matrix.ts'
import { makeDataset } from '../../src/data/table/dataset.ts'
import { LinearSVR, type LinearSvrOptions } from '../../src/estimators/linear-svr.ts'
import { parseJsonModel } from '../../src/models/files/parse-json-model.ts'
import type { TubeLoss } from '../../src/problems/linear-loss.ts'
import { expectClose } from '../close.ts'
import golden from '../golden/linear-machines.json' with { type: 'json' }

const random = new Random(4)
const rows = Array.from({ length: 80 }, () => Array.from({ length: 3 }, () => random.normal()))
const z = rows.map(([a, b, c]) => 2 * a - b + 0.5 * c + 1 + 0.2 * random.normal())
const data = makeDataset(rows, z)
const tight = { tol: 1e-9, maxIter: 1_000_000 }

describe('scikit-learn finds the same, sample weights included', () => {
  const cases = golden.regressions.flatMap(({ name, rows, targets, results }) =>
    results
      .filter(({ by, costs }) => by === 'scikit-learn' && Math.max(...costs) === 2)
      .map((result) => ({ name, rows, targets, ...result })),
  )
  test.each(cases)('$name, $loss, epsilon $epsilon, bias $bias', (entry) => {
    // C is 1 in these: the costs are the weights.
    const dataset = makeDataset(entry.rows, entry.targets, { weights: entry.costs })
    const model = new LinearSVR({
      ...tight,
      loss: entry.loss as TubeLoss,
      epsilon: entry.epsilon,
      bias: entry.bias > 0 ? 'regularised' : 'none',
      ...(entry.bias > 0 && { interceptScaling: entry.bias }),
    }).fitSync(dataset)
    const features = entry.rows[0].length
    expect(model.certificate.stopReason).toBe('converged')
    expectClose(model.coef, entry.weights.slice(0, features), 1e-5)
    expect(model.bias).toBeCloseTo(entry.bias > 0 ? entry.bias * entry.weights[features] : 0, 5)
    expect(model.certificate.primal / entry.primal).toBeCloseTo(1, 8)
  })
})

test('defaults are said explicitly', () => {
  const model = new LinearSVR().fitSync(data)
  const same = new LinearSVR({
    C: 1,
    epsilon: 0,
    loss: 'epsilon-insensitive',
    bias: 'regularised',
    interceptScaling: 1,
    tol: 1e-6,
    seed: 0,
  }).fitSync(data)
  expect(model.coef).toEqual(same.coef)
  expect(model.certificate.solver).toBe('newton')
  expect(model.certificate.tol).toBe(1e-6)
})

test.each(['epsilon-insensitive', 'squared-epsilon-insensitive'] as const)(
  'a weight of 2 is the sample twice, one of 0 is none: %s',
  (loss) => {
    const weights = z.map((_, i) => i % 3)
    const weighted = new LinearSVR({ loss, ...tight }).fitSync(makeDataset(rows, z, { weights }))
    const repeated = rows.flatMap((row, i) => Array.from({ length: weights[i] }, () => [...row, z[i]]))
    const plain = new LinearSVR({ loss, ...tight }).fitSync(
      makeDataset(
        repeated.map((row) => row.slice(0, 3)),
        repeated.map((row) => row[3]),
      ),
    )
    expectClose(weighted.coef, plain.coef, 1e-6)
    expect(weighted.certificate.primal).toBeCloseTo(plain.certificate.primal, 7)
  },
)

test('predictions, sparse data, scalers, JSON and fit', async () => {
  const options = { epsilon: 0.1, scaler: { kind: 'standard', mean: false } } as const
  const model = await new LinearSVR(options).fit(data)
  const sparse = new LinearSVR(options).fitSync({ ...data, samples: toSparse(toMatrix(rows)) })
  expectClose(sparse.coef, model.coef, 1e-12)
  const { values } = toDense(toMatrix(rows))
  const { scale } = model.scaler as unknown as { scale: Float64Array }
  const predicted = model.predict(rows)
  predicted.forEach((value, i) => {
    let expected = model.bias
    for (let j = 0; j < 3; j++) expected += (model.coef[j] * values[i * 3 + j]) / scale[j]
    expect(value).toBeCloseTo(expected, 12)
  })
  const back = parseJsonModel(JSON.stringify(model))
  expect(back.predict(rows)).toEqual(predicted)
  expect(back.certificate).toEqual(model.certificate)
})

test('an epoch limit, a signal and a trace are honest', async () => {
  const limited = new LinearSVR({ maxIter: 2, tol: 1e-14 }).fitSync(data, { trace: { every: 1 } })
  expect(limited.certificate).toMatchObject({ stopReason: 'iteration-limit', iterations: 2 })
  expect(limited.trace.map(({ iteration }) => iteration)).toEqual([0, 1, 2])
  const aborted = await new LinearSVR().fit(data, { signal: AbortSignal.abort() })
  expect(aborted.certificate.stopReason).toBe('aborted')
})

describe('what cannot be used is refused', () => {
  test.each([
    [{ C: 0 }, 'LinearSVR: C must be > 0, got 0'],
    [{ C: Number.POSITIVE_INFINITY }, 'LinearSVR: C must be finite and > 0, got Infinity'],
    [{ epsilon: -1 }, 'LinearSVR: epsilon must be >= 0, got -1'],
    [
      { loss: 'huber' },
      'LinearSVR: loss must be one of epsilon-insensitive, squared-epsilon-insensitive, got "huber"',
    ],
    [{ bias: 1 }, 'LinearSVR: bias must be one of regularised, free, none, got 1'],
    [{ interceptScaling: 0 }, 'LinearSVR: interceptScaling must be > 0, got 0'],
    [{ tol: 0 }, 'LinearSVR: tol must be > 0, got 0'],
    [{ maxIter: 1.5 }, 'LinearSVR: maxIter must be a whole number >= 0, got 1.5'],
    [
      { solver: 'sdca' },
      'LinearSVR: solver must be one of auto, dual-descent, newton for the epsilon-insensitive loss, got "sdca"',
    ],
  ])('%o', (options, message) => {
    expect(() => new LinearSVR(options as LinearSvrOptions)).toThrow(ParameterError)
    expect(() => new LinearSVR(options as LinearSvrOptions)).toThrow(message)
  })

  test('labels that are texts, and no samples', () => {
    expect(() => new LinearSVR().fitSync(makeDataset([[1]], ['a']))).toThrow(
      new DataError('LinearSVR: regression needs numeric labels, but these are strings'),
    )
    expect(() => new LinearSVR().fitSync(makeDataset([], []))).toThrow(
      new DataError('LinearSVR: the data set has no samples'),
    )
  })
})
