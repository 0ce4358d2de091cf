import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { DataError } from '../../src/base/errors.ts'
import { Random } from '../../src/base/random.ts'
import { generate } from '../../src/data/generators/generators.ts'
import { type DenseMatrix, type SparseMatrix, toDense, toSparse } from '../../src/data/matrix/matrix.ts'
import { applyScaler } from '../../src/data/scaling/scaler.ts'
import { makeDataset } from '../../src/data/table/dataset.ts'
import { SVC } from '../../src/estimators/svc.ts'
import type { Kernel } from '../../src/kernels/kernel.ts'
import { kernelValue } from '../../src/kernels/kernel-matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { LinearSvcModel } from '../../src/models/linear-svc-model.ts'
import { SvcModel } from '../../src/models/svc-model.ts'
import { expectClose } from '../close.ts'
import { rowOf, someMatrix, storages } from '../suites/matrices.ts'

/** f by its definition, a call a pair. */
function naive(model: SvcModel, rows: DenseMatrix): number[] {
  const vectors = toDense(model.supportVectors as DenseMatrix)
  const scaled = model.scaler ? toDense(applyScaler(model.scaler, rows)) : rows
  return Array.from({ length: rows.rows }, (_, i) => {
    let sum = model.bias
    for (let s = 0; s < vectors.rows; s++) {
      sum += model.dualCoef[s] * kernelValue(model.kernel, rowOf(scaled, i), rowOf(vectors, s))
    }
    return sum
  })
}

const kernels: readonly (readonly [string, Kernel])[] = [
  ['linear', linear()],
  ['polynomial', polynomial({ gamma: 0.5, coef0: 1, degree: 2 })],
  ['rbf', rbf({ gamma: 0.5 })],
]
const labels = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? 7 : 3))

describe.each(storages)('trained on $storage data', ({ store }) => {
  const rows = someMatrix(1, 40, 5)
  const data = makeDataset(store(rows), labels)
  const fresh = someMatrix(2, 30, 5)

  test.each(kernels)('%s: the decision function is Σ dualCoef · k + bias', (_, kernel) => {
    for (const scaler of [undefined, 'range', 'standard'] as const) {
      const model = new SVC({ kernel, scaler }).fitSync(data)
      for (const { store: storeRows } of storages) {
        expectClose(model.decisionFunction(storeRows(fresh)), naive(model, fresh), 1e-9)
      }
    }
  })

  test('support vectors are the training rows that their indices name', () => {
    const model = new SVC({ kernel: rbf({ gamma: 1 }) }).fitSync(data)
    const vectors = toDense(model.supportVectors as DenseMatrix)
    expect(model.supportIndices?.length).toBe(model.supportCount)
    expect(vectors.rows).toBe(model.certificate.supportVectors)
    model.supportIndices?.forEach((i, s) => {
      expect(rowOf(vectors, s)).toEqual(rowOf(rows, i))
      // y_i α_i has the sign of y_i.
      expect(Math.sign(model.dualCoef[s])).toBe(labels[i] === 7 ? 1 : -1)
    })
    expect((model.supportVectors as DenseMatrix).kind).toBe(store(rows).kind)
  })

  test('coef of the linear kernel is Σ dualCoef · support vector', () => {
    const model = new SVC({ kernel: linear() }).fitSync(data)
    const vectors = toDense(model.supportVectors as DenseMatrix)
    const w = Array.from({ length: 5 }, (_, j) =>
      model.dualCoef.reduce((sum, coef, s) => sum + coef * vectors.values[s * 5 + j], 0),
    )
    expectClose(model.coef as Float64Array, w)
    expect(new SVC({ kernel: rbf() }).fitSync(data).coef).toBeUndefined()
  })
})

describe('rows', () => {
  const data = generate('moons', { n: 50, noise: 0.2, seed: 1 })
  const model = new SVC({ C: 10 }).fitSync(data)
  const list = [
    [0.5, 0.25],
    [-1, 2],
  ]
  const expected = model.decisionFunction(list)

  test('may be lists, typed arrays, flat with a shape, or matrices', () => {
    expect(model.decisionFunction(list.map((row) => Float64Array.from(row)))).toEqual(expected)
    expect(model.decisionFunction(list.map((row) => Float32Array.from(row)))).toEqual(expected)
    expect(model.decisionFunction({ values: list.flat(), shape: [2, 2] })).toEqual(expected)
    const dense: DenseMatrix = { kind: 'dense', rows: 2, cols: 2, values: Float64Array.from(list.flat()) }
    expect(model.decisionFunction(dense)).toEqual(expected)
    expect(model.decisionFunction(toSparse(dense))).toEqual(expected)
  })

  test('give the same value one by one as together', () => {
    const together = model.decisionFunction(data.samples)
    const rows = toDense(data.samples)
    for (let i = 0; i < rows.rows; i++) expect(model.decisionFunction([rowOf(rows, i)])[0]).toBe(together[i])
  })

  test('may be none', () => {
    expect(model.predict([])).toEqual(new Float64Array())
    expect(model.decisionFunction({ values: [], shape: [0, 2] })).toEqual(new Float64Array())
  })

  test('of the wrong width are refused with both numbers', () => {
    const error = new DataError('rows have 3 columns, but the model needs 2')
    expect(() => model.predict([[1, 2, 3]])).toThrow(error)
    expect(() => model.predict([[1]])).toThrow(new DataError('rows have 1 columns, but the model needs 2'))
    expect(() => model.predict([[1, 2], [1]])).toThrow(new DataError('row 1 has 1 values, but row 0 has 2'))
  })

  test('that are not finite are refused with row and column', () => {
    expect(() =>
      model.predict([
        [1, 2],
        [3, Number.NaN],
      ]),
    ).toThrow(new DataError('row 1, column 1 is NaN; values must be finite'))
    expect(() => model.predict([[Number.NEGATIVE_INFINITY, 2]])).toThrow(
      new DataError('row 0, column 0 is -Infinity; values must be finite'),
    )
    expect(() => model.predict([['1', 2] as unknown as number[]])).toThrow(
      new DataError('row 0, column 0 is not a number: "1"'),
    )
  })
})

describe('sparse rows follow LIBSVM', () => {
  const sparse = (cols: number, ...entries: [number, number][]): SparseMatrix => ({
    kind: 'sparse',
    rows: 1,
    cols,
    indptr: Uint32Array.of(0, entries.length),
    indices: Uint32Array.from(entries, ([j]) => j),
    values: Float64Array.from(entries, ([, value]) => value),
  })
  const training = toSparse({ kind: 'dense', rows: 2, cols: 3, values: Float64Array.of(1, 0, 2, 0, 1, -1) })
  const data = makeDataset(training, [1, -1])

  test.each(kernels)('%s: narrower rows end in zeros', (_, kernel) => {
    const model = new SVC({ kernel }).fitSync(data)
    expect(model.decisionFunction(sparse(1, [0, 3]))).toEqual(model.decisionFunction([[3, 0, 0]]))
  })

  test.each(kernels)('%s: a feature that training never saw was zero there', (_, kernel) => {
    const model = new SVC({ kernel }).fitSync(data)
    const padded = toSparse({
      kind: 'dense',
      rows: 2,
      cols: 5,
      values: Float64Array.of(1, 0, 2, 0, 0, 0, 1, -1, 0, 0),
    })
    const wider = new SVC({ kernel }).fitSync(makeDataset(padded, [1, -1]))
    const row = sparse(5, [0, 1], [4, 2])
    expect(model.decisionFunction(row)).toEqual(wider.decisionFunction(row))
  })

  test('a scaler drops such a feature', () => {
    const model = new SVC({ scaler: { kind: 'range', lower: 0 } }).fitSync(data)
    expect(model.decisionFunction(sparse(5, [0, 1], [4, 2]))).toEqual(
      model.decisionFunction(sparse(3, [0, 1])),
    )
  })
})

test('predict gives labels as they were given, and the first class when f is 0', () => {
  const parts = {
    biases: Float64Array.of(0),
    kernel: linear(),
    supportVectors: { kind: 'dense', rows: 1, cols: 1, values: Float64Array.of(1) },
    dualCoef: Float64Array.of(2),
  } as const
  const numbers = new SvcModel({ ...parts, classes: [0, 1] })
  expect(numbers.predict([[-1], [0], [1]])).toEqual(Float64Array.of(0, 0, 1))
  const texts = new SvcModel({ ...parts, classes: ['ham', 'spam'] })
  expect(texts.predict([[-1], [0], [1]])).toEqual(['ham', 'ham', 'spam'])
})

test('a linear model is ⟨coef, x⟩ + bias in every storage', () => {
  const random = new Random(4)
  const coef = Float64Array.from({ length: 5 }, () => random.normal())
  const model = new LinearSvcModel({ classes: [0, 1], biases: Float64Array.of(0.5), coef, features: 5 })
  const rows = someMatrix(3, 10, 5)
  const expected = Array.from({ length: 10 }, (_, i) =>
    rowOf(rows, i).reduce((sum, x, j) => sum + x * coef[j], 0.5),
  )
  for (const { store } of storages) expectClose(model.decisionFunction(store(rows)), expected)
  expect(() => model.predict([[1, 2]])).toThrow(new DataError('rows have 2 columns, but the model needs 5'))
})

test('info says what a model is', () => {
  const model = new SVC({ kernel: rbf({ gamma: 2 }), scaler: 'range' }).fitSync(
    generate('xor', { n: 20, seed: 1 }),
  )
  expect(model.info()).toEqual({
    type: 'svc',
    classes: [-1, 1],
    kernel: { kind: 'rbf', gamma: 2 },
    features: 2,
    supportVectors: model.supportCount,
    supportCounts: Array.from(model.supportCounts),
    biases: [model.bias],
    scaler: 'range',
    probability: undefined,
    certificate: model.certificate,
  })
})

test('console.log shows what a model is, not all its numbers', () => {
  const shown = inspect(new SVC().fitSync(generate('moons', { n: 300, seed: 1 })))
  expect(shown).toMatch(/^SvcModel \{\n {2}type: 'svc'/)
  expect(shown).toContain('classes: [ -1, 1 ]')
  expect(shown).toContain("stopReason: 'converged'")
  expect(shown.split('\n').length).toBeLessThan(15)
})
