/** Data that break naive implementations. Each must end in a model that is optimal, or in an error that says why. */
import { describe, expect, test } from 'vitest'
import { DataError } from '../../src/base/errors.ts'
import { Random } from '../../src/base/random.ts'
import type { Certificate } from '../../src/certify/certificate.ts'
import { measure } from '../../src/certify/measure.ts'
import { generate } from '../../src/data/generators/generators.ts'
import { type Label, makeDataset, type VectorDataset } from '../../src/data/table/dataset.ts'
import { LinearSVC } from '../../src/estimators/linear-svc.ts'
import { SVC } from '../../src/estimators/svc.ts'
import { linear } from '../../src/kernels/linear.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { sigmoid } from '../../src/kernels/sigmoid.ts'
import type { SvcModel } from '../../src/models/svc-model.ts'
import { makeProblem } from '../../src/problems/problem.ts'
import { expectClose } from '../close.ts'

/** Measures a model's solution afresh, from the data alone, and expects it to be feasible and optimal to `tol`. */
function expectOptimal(
  model: SvcModel & { certificate: Certificate },
  data: VectorDataset,
  C: number | Float64Array,
  tol = 1e-3,
): void {
  const [, positive] = model.classes
  const y = Float64Array.from(data.labels as ArrayLike<Label>, (label) => (label === positive ? 1 : -1))
  const problem = makeProblem({ samples: data.samples, kernel: model.kernel, y, C })
  const alpha = new Float64Array(y.length)
  model.supportIndices?.forEach((i, s) => {
    alpha[i] = model.dualCoef[s] * y[i]
  })
  const balance = alpha.reduce((sum, a, i) => sum + a * y[i], 0)
  const total = alpha.reduce((sum, a) => sum + a, 0)
  expect(Math.abs(balance)).toBeLessThanOrEqual(1e-10 * Math.max(total, Number.MIN_VALUE))
  alpha.forEach((a, i) => {
    expect(a).toBeGreaterThanOrEqual(0)
    expect(a).toBeLessThanOrEqual(problem.C[i])
  })
  const measures = measure(problem, { alpha, bias: model.bias })
  expect(model.certificate.stopReason).toBe('converged')
  expect(measures.maxViolation).toBeLessThanOrEqual(tol * 1.001)
  // Both are f64; rounding of f grows with the sum of alpha, and C = 1e5 multiplies it.
  expectClose([model.certificate.dual, model.certificate.primal], [measures.dual, measures.primal], 1e-9)
}

const infinity = Number.POSITIVE_INFINITY
const moons = generate('moons', { n: 60, noise: 0.3, seed: 4 })

test('duplicates with opposite labels', () => {
  const data = makeDataset([[0], [0], [1], [1], [2], [2]], [1, -1, 1, -1, 1, -1])
  for (const kernel of [linear(), rbf({ gamma: 1 })]) {
    expectOptimal(new SVC({ kernel }).fitSync(data), data, 1)
  }
})

test('constant features', () => {
  const data = makeDataset(
    [
      [5, 0, 0],
      [5, 1, 0],
      [5, 2, 0],
      [5, 3, 0],
    ],
    [0, 0, 1, 1],
  )
  expectOptimal(new SVC().fitSync(data), data, 1)
  for (const scaler of ['range', 'standard'] as const) {
    const model = new SVC({ scaler, kernel: linear() }).fitSync(data)
    expect([...model.predict(data.samples)]).toEqual([0, 0, 1, 1])
  }
})

test('all features constant', () => {
  const data = makeDataset([[5], [5], [5]], [0, 1, 1])
  // gamma 'scale' is 1 where the variance is 0.
  const model = new SVC().fitSync(data)
  expect(model.kernel.spec).toEqual({ kind: 'rbf', gamma: 1 })
  expectOptimal(model, data, 1)
  expect(new SVC({ scaler: 'range' }).fitSync(data).predict([[5]])).toEqual(Float64Array.of(1))
})

test('unscaled features, 1e6 beside 1e-6', () => {
  const random = new Random(1)
  const labels = Array.from({ length: 60 }, (_, i) => i % 2)
  const rows = labels.map((label) => [1e6 * (random.normal() + 2 * label), 1e-6 * random.normal()])
  const data = makeDataset(rows, labels)
  expectOptimal(new SVC({ kernel: rbf() }).fitSync(data), data, 1)
  // C · k is 1e12 here, next to a hard margin on classes that overlap: too far for a few steps, and that is said.
  const raw = new SVC({ kernel: linear(), maxIter: 5000 }).fitSync(data)
  expect(raw.certificate.stopReason).toBe('iteration-limit')
  expect(raw.certificate.maxViolation).toBeGreaterThan(1e-3)
  expect(raw.decisionFunction(data.samples).every(Number.isFinite)).toBe(true)
  const scaled = new SVC({ scaler: 'standard', kernel: linear(), maxIter: 5000 }).fitSync(data)
  expect(scaled.certificate.stopReason).toBe('converged')
})

describe('samples far from 0, as f32 sees them', () => {
  /** 200 points; each has values in one of three pairs of columns, or in all of them. */
  const farAway = (offset: number, dense: boolean) => {
    const random = new Random(5)
    const near = Array.from({ length: 200 }, () => [random.normal(), random.normal()])
    const rows = near.map(([x, y], i) =>
      Array.from({ length: 6 }, (_, j) => (dense || j >> 1 === i % 3 ? offset + (j % 2 ? y : x) : 0)),
    )
    return makeDataset(
      rows,
      near.map(([x, y]) => (x * y > 0 ? 1 : -1)),
    )
  }
  const train = (data: VectorDataset) => new SVC({ kernel: rbf({ gamma: 0.5 }), C: 10 }).fitSync(data)

  test.each([0, 1e4])('dense columns %d away are centred: f32 rows stay good enough', (offset) => {
    const data = farAway(offset, true)
    const model = train(data)
    expectOptimal(model, data, 10)
    expect(model.certificate.precision).toBe('f32')
  })

  test.each([0, 500, 1000, 1e5])('sparse ones %d away: f32 rows are made of differences', (offset) => {
    const data = farAway(offset, false)
    const model = train(data)
    expectOptimal(model, data, 10)
    expect(model.certificate.precision).toBe('f32')
  })
})

describe('C from one end to the other', () => {
  test('1e-9: all samples bound, the smaller class leaves some free', () => {
    const model = new SVC({ C: 1e-9 }).fitSync(moons)
    expectOptimal(model, moons, 1e-9)
    expect(model.certificate.boundedSupportVectors).toBe(60)
  })

  test('1e5', () => {
    const model = new SVC({ C: 1e5, kernel: rbf({ gamma: 2 }), cacheBytes: 1e6 }).fitSync(moons)
    expectOptimal(model, moons, 1e5)
  })

  test('Infinity on classes that can be separated: the widest margin', () => {
    const data = makeDataset(
      [
        [0, 0],
        [0, 2],
        [2, 0],
        [3, 3],
      ],
      [-1, 1, 1, 1],
    )
    const model = new SVC({ C: infinity, kernel: linear(), tol: 1e-9 }).fitSync(data)
    expectOptimal(model, data, infinity, 1e-9)
    // The hyperplane x + y = 1 between (0, 0) and the line through (0, 2) and (2, 0).
    expect(model.coef?.[0]).toBeCloseTo(1, 6)
    expect(model.coef?.[1]).toBeCloseTo(1, 6)
    expect(model.bias).toBeCloseTo(-1, 6)
  })

  test('Infinity on classes that cannot be separated says so', () => {
    const data = makeDataset([[0], [1], [2]], [-1, 1, -1])
    const { certificate } = new SVC({ C: infinity, kernel: linear(), maxIter: 100_000 }).fitSync(data)
    expect(certificate.stopReason).toBe('unbounded')
    expect(certificate.primal).toBe(infinity)
  })
})

describe('too little data', () => {
  const estimators = [
    ['SVC', new SVC()],
    ['LinearSVC', new LinearSVC()],
  ] as const

  test.each(estimators)('%s: one class only', (name, estimator) => {
    expect(() => estimator.fitSync(makeDataset([[1], [2]], [3, 3]))).toThrow(
      new DataError(`${name}: all samples (2) have the class 3; two classes are needed`),
    )
    expect(() => estimator.fitSync(makeDataset([[1], [2]], ['cat', 'cat']))).toThrow(
      new DataError(`${name}: all samples (2) have the class "cat"; two classes are needed`),
    )
  })

  test.each(estimators)('%s: one sample', (name, estimator) => {
    expect(() => estimator.fitSync(makeDataset([[1]], [3]))).toThrow(
      new DataError(`${name}: all samples (1) have the class 3; two classes are needed`),
    )
  })

  test.each(estimators)('%s: empty data', (name, estimator) => {
    expect(() => estimator.fitSync(makeDataset([], []))).toThrow(
      new DataError(`${name}: the data set has no samples`),
    )
  })

  test.each(estimators)('%s: one sample of each of three classes', (_, estimator) => {
    const model = estimator.fitSync(makeDataset([[1], [2], [3]], [2, 1, 3]))
    expect(model.classes).toEqual([1, 2, 3])
    expect(model.certificate.stopReason).toBe('converged')
  })
})

test('NaN and infinities are refused with row and column', () => {
  for (const bad of [Number.NaN, infinity, -infinity]) {
    const samples = { kind: 'dense', rows: 2, cols: 2, values: Float64Array.of(1, 2, 3, bad) } as const
    const data = { samples, labels: Float64Array.of(0, 1) }
    const error = new DataError(`row 1, column 1 is ${bad}; values must be finite`)
    expect(() => new SVC().fitSync(data)).toThrow(error)
    expect(() => new LinearSVC().fitSync(data)).toThrow(error)
    expect(() => new SVC({ scaler: 'range' }).fitSync(data)).toThrow(error)
  }
})

describe('weight 0', () => {
  const data = makeDataset([[-1], [1], [2]], ['a', 'b', 'b'])

  test('of a class: the other one is always predicted', () => {
    expect(new SVC({ classWeight: { a: 0 } }).fitSync(data).predict([[-5], [5]])).toEqual(['b', 'b'])
    expect(new SVC({ classWeight: { b: 0 } }).fitSync(data).predict([[-5], [5]])).toEqual(['a', 'a'])
  })

  test('of all samples of a class is one class only', () => {
    expect(() => new SVC().fitSync({ ...data, weights: Float64Array.of(0, 1, 1) })).toThrow(
      new DataError('SVC: all samples of positive weight have the class "b"; two classes are needed'),
    )
  })

  test('of everything', () => {
    const error = new DataError('SVC: all samples have weight 0')
    expect(() => new SVC().fitSync({ ...data, weights: new Float64Array(3) })).toThrow(error)
    expect(() => new SVC({ classWeight: { a: 0, b: 0 } }).fitSync(data)).toThrow(error)
  })
})

test('n = 2 with equal points', () => {
  const data = makeDataset(
    [
      [1, 1],
      [1, 1],
    ],
    [0, 1],
  )
  for (const kernel of [linear(), rbf({ gamma: 1 })]) {
    const model = new SVC({ kernel }).fitSync(data)
    expectOptimal(model, data, 1)
    expect(model.decisionFunction([[1, 1]])[0]).toBeCloseTo(0, 12)
  }
  const hard = new SVC({ kernel: linear(), C: infinity }).fitSync(data)
  expect(hard.certificate.stopReason).toBe('unbounded')
})

test('a sigmoid kernel that is not positive semi-definite ends', () => {
  const model = new SVC({ kernel: sigmoid({ gamma: 2, coef0: -1 }), C: 10, maxIter: 200_000 }).fitSync(moons)
  expect(model.certificate.stopReason).toBe('converged')
  expect(model.decisionFunction(moons.samples).every(Number.isFinite)).toBe(true)
  expect(model.certificate.maxViolation).toBeLessThanOrEqual(1e-3)
})

test('no free support vector: the bias is the middle of its interval', () => {
  const data = makeDataset([[-1], [1]], [0, 1])
  // C = 0.1 binds both: every bias in [-0.8, 0.8] is optimal.
  const model = new SVC({ C: 0.1, kernel: linear() }).fitSync(data)
  expect(model.certificate.boundedSupportVectors).toBe(2)
  expect(model.bias).toBeCloseTo(0, 12)
  expectOptimal(model, data, 0.1)
})

test('a cache far too small changes nothing but the time', () => {
  const options = { C: 10, kernel: rbf({ gamma: 2 }) }
  const large = new SVC(options).fitSync(moons)
  const small = new SVC({ ...options, cacheBytes: 0 }).fitSync(moons)
  expect(small.dualCoef).toEqual(large.dualCoef)
  expect(small.bias).toBe(large.bias)
})

test('10,000 : 1', () => {
  const random = new Random(7)
  const rows = Array.from({ length: 10_001 }, (_, i) => [
    random.normal() + (i === 0 ? 3 : 0),
    random.normal(),
  ])
  const labels = rows.map((_, i) => (i === 0 ? 1 : 0))
  const data = makeDataset(rows, labels)
  const plain = new SVC({ kernel: rbf({ gamma: 0.5 }) }).fitSync(data)
  expectOptimal(plain, data, 1)
  const balanced = new SVC({ kernel: rbf({ gamma: 0.5 }), classWeight: 'balanced' }).fitSync(data)
  expectOptimal(
    balanced,
    data,
    Float64Array.from(labels, (label) => 10_001 / (2 * (label === 1 ? 1 : 10_000))),
  )
  expect(balanced.predict([rows[0]])).toEqual(Float64Array.of(1))
})

test.each([
  ['sigmoid', sigmoid({ gamma: 1 })],
  ['rbf, its gamma from the data', rbf()],
])('values whose squares overflow: an error, not a model of NaN: %s', (_, kernel) => {
  const row = (i: number) => [Math.sin(i), Math.cos(3 * i), Math.sin(7 * i)].map((value) => 1e200 * value)
  for (const classes of [2, 3]) {
    const data = makeDataset(
      Array.from({ length: 30 }, (_, i) => row(i)),
      Array.from({ length: 30 }, (_, i) => i % classes),
    )
    expect(() => new SVC({ kernel }).fitSync(data)).toThrow(
      /^smo: the primal of the solution is NaN: the values of the samples, or C, are too large to compute with; /,
    )
    expect(() => new SVC({ kernel }).fitSync(data)).toThrow(DataError)
  }
})
