/** Regression, one-class and linear models of several classes: what they say of a row, from the parts they are made of. */
import { describe, expect, test } from 'vitest'
import { DataError, ParameterError } from '../../src/base/errors.ts'
import { Random } from '../../src/base/random.ts'
import { kernelMatrix } from '../../src/kernels/kernel-matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { custom } from '../../src/kernels/user-kernels.ts'
import { LinearOneClassModel } from '../../src/models/linear-one-class-model.ts'
import { LinearSvcModel } from '../../src/models/linear-svc-model.ts'
import { LinearSvrModel } from '../../src/models/linear-svr-model.ts'
import { OneClassModel } from '../../src/models/one-class-model.ts'
import { SvrModel } from '../../src/models/svr-model.ts'
import { expectClose } from '../close.ts'
import { rowOf, someMatrix, storages } from '../suites/matrices.ts'

const rows = someMatrix(1, 40, 4)

describe.each(storages)('$storage', ({ store }) => {
  test.each([['linear', linear()] as const, ['rbf', rbf({ gamma: 0.3 })] as const])(
    'kernel models of one function, %s',
    (_, kernel) => {
      const vectors = someMatrix(2, 9, 4)
      const random = new Random(3)
      const dualCoef = Float64Array.from({ length: 9 }, () => random.normal())
      const parts = { kernel, supportVectors: store(vectors), dualCoef, bias: -0.25, features: 4 }
      const values = kernelMatrix(kernel, rows, vectors).values
      const expected = Array.from({ length: 40 }, (_, i) =>
        dualCoef.reduce((sum, c, s) => sum + c * values[i * 9 + s], -0.25),
      )
      const regression = new SvrModel(parts)
      expectClose(regression.predict(store(rows)), expected)
      expect(regression.decisionFunction(store(rows))).toEqual(regression.predict(store(rows)))
      const oneClass = new OneClassModel(parts)
      expectClose(oneClass.decisionFunction(store(rows)), expected)
      expect([...oneClass.predict(store(rows))]).toEqual(expected.map((value) => (value > 0 ? 1 : -1)))
      for (const model of [regression, oneClass]) {
        expect([model.outputs, model.bias, model.supportCount]).toEqual([1, -0.25, 9])
        expect(model.coef === undefined).toBe(kernel.spec.kind !== 'linear')
        const all = model.decisionFunction(rows)
        for (let i = 0; i < 40; i++) expect(model.decide(rowOf(rows, i))).toBe(all[i])
      }
    },
  )

  test.each([2, 3, 5])('linear models of %i classes', (k) => {
    const random = new Random(k)
    const coef = Float64Array.from({ length: 4 * k }, () => random.normal())
    const biases = Float64Array.from({ length: k }, () => random.normal())
    const classes = Array.from({ length: k }, (_, c) => `class ${c}`)
    const model = new LinearSvcModel({ classes, coef, biases, features: 4, multiClass: 'crammer-singer' })
    const values = Array.from({ length: 40 }, (_, i) =>
      classes.map((_, c) => rowOf(rows, i).reduce((sum, x, j) => sum + x * coef[4 * c + j], biases[c])),
    )
    const expected = k === 2 ? values.map(([a, b]) => b - a) : values.flat()
    const found = model.decisionFunction(store(rows))
    expectClose(found, expected)
    const labels = values.map((row) => classes[row.indexOf(Math.max(...row))])
    expect(model.predict(store(rows))).toEqual(labels)
    expect(model.labelsOf(found)).toEqual(labels)
    const out = new Float64Array(model.outputs)
    for (let i = 0; i < 40; i++) {
      model.decideAll(rowOf(rows, i), out)
      expectClose(out, Array.from(model.decisionFunction([rowOf(rows, i)])), 0)
    }
  })
})

test('linear models of one function', () => {
  const parts = { coef: Float64Array.of(1, -2), bias: 0.5 }
  const list = [
    [1, 0],
    [0, 1],
    [1, 0.75],
  ]
  expect(new LinearSvrModel(parts).predict(list)).toEqual(Float64Array.of(1.5, -1.5, 0))
  const oneClass = new LinearOneClassModel(parts)
  expect(oneClass.predict(list)).toEqual(Float64Array.of(1, -1, -1))
  expect(oneClass.labelsOf(oneClass.decisionFunction(list))).toEqual(oneClass.predict(list))
  expect(oneClass.decide([1, 0])).toBe(1.5)
})

test('equal scores go to the first class in the order of the labels', () => {
  const parts = { classes: [1, 2, 3], coef: Float64Array.of(1, 1, 0), biases: new Float64Array(3) }
  expect(new LinearSvcModel(parts).predict([[1], [0], [-1]])).toEqual(Float64Array.of(1, 1, 3))
  expect(new LinearSvcModel({ ...parts, labelOrder: [1, 2, 0] }).predict([[1], [0], [-1]])).toEqual(
    Float64Array.of(2, 2, 3),
  )
  const two = { classes: [1, 2], coef: Float64Array.of(1, 1), biases: new Float64Array(2) }
  expect(new LinearSvcModel({ ...two, labelOrder: [0, 1] }).predict([[1]])).toEqual(Float64Array.of(1))
  expect(new LinearSvcModel({ ...two, labelOrder: [1, 0] }).predict([[1]])).toEqual(Float64Array.of(2))
})

describe('probabilities', () => {
  test('of each class against the rest are made to sum to 1', () => {
    const model = new LinearSvcModel({
      classes: ['a', 'b', 'c'],
      coef: Float64Array.of(1, 0, -1),
      biases: Float64Array.of(0, 0.5, 0),
      probability: { method: 'sigmoid', a: Float64Array.of(-1, -2, -1), b: Float64Array.of(0, 1, 0) },
    })
    const each = [1 / (1 + Math.exp(-2)), 1 / (1 + Math.exp(-1 + 1)), 1 / (1 + Math.exp(2))]
    const sum = each[0] + each[1] + each[2]
    expectClose(
      model.predictProbability([[2]]),
      each.map((p) => p / sum),
      1e-15,
    )
    expect(model.predict([[2]])).toEqual(['a'])
    // f: 0.4, 0.5, −0.4. Probabilities: 0.599, 0.5, 0.401 before they are made to sum to 1.
    expect(model.predict([[0.4]], { by: 'votes' })).toEqual(['b'])
    expect(model.predict([[0.4]])).toEqual(['a'])
  })

  test('of no class at all are equal', () => {
    const zero = { x: [0, 1, 2].map(() => Float64Array.of(0)), y: [0, 1, 2].map(() => Float64Array.of(0)) }
    const model = new LinearSvcModel({
      classes: [1, 2, 3],
      coef: Float64Array.of(1, 2, 3),
      biases: new Float64Array(3),
      probability: { method: 'isotonic', ...zero },
    })
    expect(model.predictProbability([[1]])).toEqual(Float64Array.of(1 / 3, 1 / 3, 1 / 3))
  })

  test('of being normal follow the marks', () => {
    const marks = Float64Array.of(-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
    const parts = {
      kernel: linear(),
      supportVectors: { kind: 'dense', rows: 1, cols: 1, values: Float64Array.of(1) } as const,
      dualCoef: Float64Array.of(1),
      bias: 0,
    }
    const model = new OneClassModel({ ...parts, probability: { method: 'density', marks } })
    expect(model.predictProbability([[-6], [-4.5], [0], [4.5], [6]])).toEqual(
      Float64Array.of(0.001, 0.1, 0.5, 0.9, 0.999),
    )
    expect(() => new OneClassModel(parts).predictProbability([[1]])).toThrow(
      new DataError('the model has no probabilities: it has no density marks'),
    )
    expect(model.info().probability).toBe('density')
  })
})

test('samples that are no vectors', () => {
  const shared = custom<string>((a, b) => [...a].filter((letter) => b.includes(letter)).length, {
    name: 'shared',
  })
  const model = new SvrModel<string>({
    kernel: shared,
    supportVectors: ['ab', 'cd'],
    dualCoef: Float64Array.of(1, -1),
    bias: 0.5,
  })
  expect(model.predict(['abc', 'd'])).toEqual(Float64Array.of(1.5, -0.5))
  expect(model.decide('abc')).toBe(1.5)
})

test('options of regressions and one-class models are checked', () => {
  const model = new LinearSvrModel({ coef: Float64Array.of(1), bias: 0 })
  expect(() => model.predict([[1]], { by: 'votes' } as object)).toThrow(
    new ParameterError('decisionFunction', 'option', 'one of threads, precision', 'by'),
  )
})
