/** Kernel classifiers of several classes: every way to compute them gives what their definition says. */
import { describe, expect, test } from 'vitest'
import { DataError, ParameterError } from '../../src/base/errors.ts'
import { Random } from '../../src/base/random.ts'
import type { DenseMatrix, Matrix } from '../../src/data/matrix/matrix.ts'
import type { Label } from '../../src/data/table/dataset.ts'
import type { Kernel } from '../../src/kernels/kernel.ts'
import { kernelMatrix } from '../../src/kernels/kernel-matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { sigmoid } from '../../src/kernels/sigmoid.ts'
import type { PairProbability } from '../../src/models/model-parts.ts'
import { SvcModel } from '../../src/models/svc-model.ts'
import { expectClose } from '../close.ts'
import { rowOf, someMatrix, storages } from '../suites/matrices.ts'

const kernels: readonly (readonly [string, Kernel])[] = [
  ['linear', linear()],
  ['rbf', rbf({ gamma: 0.1 })],
  ['polynomial', polynomial({ gamma: 0.2, coef0: 1, degree: 3 })],
  ['sigmoid', sigmoid({ gamma: 0.1, coef0: 0.1 })],
]

interface Choice {
  readonly k: number
  readonly kernel: Kernel
  readonly supportVectors: Matrix
  readonly probability?: PairProbability
}

/** A model whose support vectors are spread over k classes, one of which has none when there are more than three. */
function someModel({ k, kernel, supportVectors, probability }: Choice): SvcModel {
  const random = new Random(k)
  const { rows } = supportVectors
  const classes = Array.from({ length: k }, (_, c) => 10 * c)
  const supportCounts = new Uint32Array(k)
  for (let s = 0; s < rows; s++) supportCounts[k > 3 ? (s % (k - 1)) + 1 : s % k]++
  return new SvcModel({
    classes,
    kernel,
    supportVectors,
    supportCounts,
    dualCoef: Float64Array.from({ length: (k - 1) * rows }, () =>
      random.uniform() < 0.3 ? 0 : random.normal(),
    ),
    biases: Float64Array.from({ length: (k * (k - 1)) / 2 }, () => 0.1 * random.normal()),
    features: supportVectors.cols,
    probability,
  })
}

/** f of every pair by definition, from nothing but the parts of the model. */
function naivePairs(model: SvcModel, rows: Matrix): number[] {
  const { classes, supportCounts, dualCoef, biases } = model
  const k = classes.length
  const vectors = model.supportVectors as Matrix
  const values = kernelMatrix(model.kernel, rows, vectors)
  const classOf = Array.from(supportCounts).flatMap((count, c) => Array(count).fill(c))
  const out: number[] = []
  for (let i = 0; i < rows.rows; i++) {
    let p = 0
    for (let a = 0; a < k; a++) {
      for (let b = a + 1; b < k; b++) {
        let f = biases[p++]
        classOf.forEach((c, s) => {
          const value = values.values[i * vectors.rows + s]
          if (c === a) f += dualCoef[(b - 1) * vectors.rows + s] * value
          if (c === b) f += dualCoef[a * vectors.rows + s] * value
        })
        out.push(f)
      }
    }
  }
  return out
}

describe.each(kernels)('%s', (_, kernel) => {
  describe.each(storages)('$storage', ({ store }) => {
    test.each([2, 3, 5])('%i classes: pairs, scores, single rows', (k) => {
      const model = someModel({ k, kernel, supportVectors: store(someMatrix(k, 12, 4)) })
      const rows = someMatrix(7, 30, 4)
      const expected = naivePairs(model, store(rows))
      const size = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
      const pairs = model.decisionFunction(store(rows), { decisionFunctionShape: 'ovo' })
      expectClose(pairs, expected, 1e-13 * size)
      const scores = model.decisionFunction(store(rows))
      expect(scores.length).toBe(30 * model.outputs)
      expect(model.outputs).toBe(k === 2 ? 1 : k)
      const out = new Float64Array(model.outputs)
      for (let i = 0; i < rows.rows; i++) {
        model.decideAll(rowOf(rows, i), out)
        expect(out).toEqual(scores.subarray(i * model.outputs, (i + 1) * model.outputs))
      }
      expect(model.labelsOf(scores)).toEqual(model.predict(store(rows)))
    })

    test('large batches: the engine, in f32 and f64, on any number of threads', () => {
      const model = someModel({ k: 5, kernel, supportVectors: store(someMatrix(2, 300, 20)) })
      const rows = store(someMatrix(3, 700, 20))
      const expected = naivePairs(model, rows)
      const shape = { decisionFunctionShape: 'ovo' } as const
      const weight = model.dualCoef.reduce((sum, c) => sum + Math.abs(c), 0)
      const scale = expected.reduce((most, value) => Math.max(most, Math.abs(value)), weight)
      const exact = model.decisionFunction(rows, { ...shape, precision: 'f64' })
      expectClose(exact, expected, 1e-13 * scale)
      const fast = model.decisionFunction(rows, shape)
      expectClose(fast, expected, 3e-6 * scale)
      expect(fast.map(Math.sign)).toEqual(exact.map(Math.sign))
      expect(model.decisionFunction(rows, { ...shape, threads: 1 })).toEqual(fast)
      expect(model.decisionFunction(rows, { ...shape, threads: 3, precision: 'f64' })).toEqual(exact)
      const labels = model.predict(rows, { precision: 'f64', threads: 1 })
      for (const threads of [1, 2, 3]) expect(model.predict(rows, { threads })).toEqual(labels)
      expect(new Set<Label>(labels).size).toBeGreaterThan(2)
    })
  })
})

test('rows whose winner f32 leaves open are computed in f64', () => {
  // Every pair sums the same vectors with opposite signs; only the last feature, 1e-9 to either side, decides.
  const cols = 11
  const count = 300
  const half = someMatrix(5, count, cols)
  const values = new Float64Array(3 * count * cols)
  for (let c = 0; c < 3; c++) values.set(half.values, c * count * cols)
  for (let s = 0; s < 3 * count; s++) values[s * cols + 10] = [0.7, -0.7, 0][Math.floor(s / count)]
  const supportVectors: DenseMatrix = { kind: 'dense', rows: 3 * count, cols, values }
  const dualCoef = new Float64Array(6 * count)
  for (let s = 0; s < 3 * count; s++) {
    const c = Math.floor(s / count)
    dualCoef[s] = c === 0 ? 1 : -1
    dualCoef[3 * count + s] = c === 2 ? -1 : 1
  }
  const model = new SvcModel({
    classes: [0, 1, 2],
    kernel: rbf({ gamma: 0.05 }),
    supportVectors,
    supportCounts: Uint32Array.of(count, count, count),
    dualCoef,
    biases: new Float64Array(3),
  })
  const rows = someMatrix(6, 500, cols)
  for (let i = 0; i < 500; i++) rows.values[i * cols + 10] = i % 2 === 0 ? 1e-9 : -1e-9
  const exact = model.decisionFunction(rows, { precision: 'f64', decisionFunctionShape: 'ovo' })
  const near = exact.reduce((most, value) => (Math.abs(value) < 1e-6 ? most + 1 : most), 0)
  expect(near).toBeGreaterThan(400)
  expect(model.predict(rows)).toEqual(model.predict(rows, { precision: 'f64' }))
  expect(model.decisionFunction(rows, { decisionFunctionShape: 'ovo' }).map(Math.sign)).toEqual(
    exact.map(Math.sign),
  )
})

describe('ties', () => {
  /** f of the pairs is the row itself. */
  const model = (settings: { labelOrder?: number[]; breakTies?: boolean; decisionFunctionShape?: 'ovo' }) =>
    new SvcModel({
      classes: ['a', 'b', 'c'],
      kernel: linear(),
      supportVectors: {
        kind: 'dense',
        rows: 3,
        cols: 3,
        values: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 1, 0),
      },
      supportCounts: Uint32Array.of(1, 1, 1),
      // Pairs (a,b), (a,c), (b,c) get the first vector, the third and the second.
      dualCoef: Float64Array.of(1, 0, 1, 0, 1, 0),
      biases: new Float64Array(3),
      ...settings,
    })
  const circle = [
    [1, -2, 0.5],
    [1, 0, -3],
  ]

  test('go to the first of equal classes in the order of the labels, or by breakTies to the surest', () => {
    const values = model({}).decisionFunction(circle, { decisionFunctionShape: 'ovo' })
    expect(values).toEqual(Float64Array.of(1, -2, 0.5, 1, 0, -3))
    // Row 0: a over b, c over a, b over c: one vote each.
    expect(model({}).predict(circle)).toEqual(['a', 'c'])
    expect(model({ labelOrder: [1, 2, 0] }).predict(circle)[0]).toBe('b')
    expect(model({ breakTies: true }).predict(circle)[0]).toBe('c')
    expect(model({}).predict(circle, { breakTies: true })[0]).toBe('c')
    expect(model({ breakTies: true }).predict(circle, { breakTies: false })[0]).toBe('a')
  })

  test('are the same from values as from rows, in either shape', () => {
    for (const shape of [{}, { decisionFunctionShape: 'ovo' }] as const) {
      for (const settings of [{}, { labelOrder: [1, 2, 0] }, { breakTies: true }]) {
        const one = model({ ...settings, ...shape })
        expect(one.labelsOf(one.decisionFunction(circle))).toEqual(one.predict(circle))
      }
    }
  })

  test('f = 0 is a vote for the later one', () => {
    // Row 1: f of (a, c) is 0.
    expect(model({ labelOrder: [2, 1, 0] }).decisionFunction([[1, 0, -3]])).toEqual(
      Float64Array.of(2 + 1 / 6, 0 - 4 / 15, 1 + 3 / 12),
    )
    expect(model({}).decisionFunction([[1, 0, -3]])).toEqual(
      Float64Array.of(1 + 1 / 6, 0 - 4 / 15, 2 + 3 / 12),
    )
  })

  test('decide wants one value per row', () => {
    expect(() => model({}).decide([1, 2, 3])).toThrow(
      new DataError('decide: the model has 3 values per row; use decideAll'),
    )
  })

  test('options are checked', () => {
    expect(() => model({}).predict(circle, { breakTies: 1 as unknown as boolean })).toThrow(
      new ParameterError('predict', 'breakTies', 'true or false', 1),
    )
    expect(() => model({}).predict(circle, { by: 'luck' as 'votes' })).toThrow(
      new ParameterError('predict', 'by', 'one of probability, votes', 'luck'),
    )
    expect(() => model({}).decisionFunction(circle, { decisionFunctionShape: 'pairs' as 'ovo' })).toThrow(
      new ParameterError('decisionFunction', 'decisionFunctionShape', 'one of ovr, ovo', 'pairs'),
    )
    expect(() => model({}).predict(circle, { by: 'probability' })).toThrow(
      new DataError('the model has no probabilities: it was not calibrated'),
    )
  })

  test('a model of more than two classes must say which vectors belong to which', () => {
    expect(
      () =>
        new SvcModel({
          classes: [1, 2, 3],
          kernel: linear(),
          supportVectors: someMatrix(1, 3, 1),
          dualCoef: new Float64Array(6),
          biases: new Float64Array(3),
        }),
    ).toThrow(new DataError('a model of 3 classes needs supportCounts'))
  })
})

describe('probabilities', () => {
  const supportVectors = someMatrix(4, 20, 3)
  const rows = someMatrix(5, 40, 3)
  const sigmoids = (pairs: number): PairProbability => {
    const random = new Random(pairs)
    return {
      method: 'sigmoid',
      a: Float64Array.from({ length: pairs }, () => -1 - random.uniform()),
      b: Float64Array.from({ length: pairs }, () => 0.5 * random.normal()),
    }
  }
  const curves = (pairs: number): PairProbability => ({
    method: 'isotonic',
    x: Array.from({ length: pairs }, () => Float64Array.of(-2, 0, 1)),
    y: Array.from({ length: pairs }, (_, p) => Float64Array.of(0.1, 0.2 + 0.05 * p, 0.9)),
  })

  test.each([2, 3, 4])(
    '%i classes: pairs of coupled probabilities agree with the pairs as well as can be',
    (k) => {
      const pairs = (k * (k - 1)) / 2
      for (const probability of [sigmoids(pairs), curves(pairs)]) {
        const model = someModel({ k, kernel: rbf({ gamma: 0.5 }), supportVectors, probability })
        const values = model.decisionFunction(rows, { decisionFunctionShape: 'ovo' })
        const found = model.predictProbability(rows)
        expect(found.length).toBe(40 * k)
        for (let i = 0; i < 40; i++) {
          const p = found.subarray(i * k, (i + 1) * k)
          expect(p.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12)
          // The condition of optimality: all entries of Qp are equal.
          const r = Array.from({ length: k }, () => new Array(k).fill(0))
          let pair = 0
          for (let a = 0; a < k; a++) {
            for (let b = a + 1; b < k; b++) {
              const f = values[i * pairs + pair]
              const positive =
                probability.method === 'sigmoid'
                  ? 1 / (1 + Math.exp(probability.a[pair] * f + probability.b[pair]))
                  : interpolated(probability.x[pair], probability.y[pair], f)
              r[a][b] = k === 2 ? 1 - positive : positive
              r[b][a] = 1 - r[a][b]
              pair++
            }
          }
          const gradient = r.map((row, a) =>
            row.reduce((sum, _, b) => (a === b ? sum : sum + r[b][a] * (r[b][a] * p[a] - r[a][b] * p[b])), 0),
          )
          for (const one of gradient) expect(one).toBeCloseTo(gradient[0], 10)
        }
      }
    },
  )

  test('choose the class unless votes are asked for', () => {
    const probability: PairProbability = {
      method: 'sigmoid',
      a: Float64Array.of(-1),
      b: Float64Array.of(-3),
    }
    const model = someModel({ k: 2, kernel: rbf({ gamma: 0.5 }), supportVectors, probability })
    const values = model.decisionFunction(rows)
    const votes = model.predict(rows, { by: 'votes' })
    expect(votes).toEqual(values.map((value) => (value > 0 ? 10 : 0)))
    // P > ½ where f > −3.
    expect(model.predict(rows)).toEqual(values.map((value) => (value > -3 ? 10 : 0)))
    expect(model.predict(rows)).not.toEqual(votes)
    expect(model.predict(rows)).toEqual(model.labelsOfProbabilities(model.predictProbability(rows)))
  })

  test("LIBSVM's rule stops within half a percent", () => {
    for (const k of [3, 4]) {
      const probability = sigmoids((k * (k - 1)) / 2)
      const model = someModel({ k, kernel: rbf({ gamma: 0.5 }), supportVectors, probability })
      const exact = model.predictProbability(rows)
      const theirs = model.predictProbability(rows, { coupling: 'libsvm' })
      expectClose(theirs, Array.from(exact), 0.02)
      expect(theirs).not.toEqual(exact)
    }
  })
})

function interpolated(x: Float64Array, y: Float64Array, f: number): number {
  if (f <= x[0]) return y[0]
  for (let k = 1; k < x.length; k++) {
    if (f <= x[k]) return y[k - 1] + ((f - x[k - 1]) / (x[k] - x[k - 1])) * (y[k] - y[k - 1])
  }
  return y[y.length - 1]
}
