import { describe, expect, test } from 'vitest'
import { ParameterError } from '../../../src/base/errors.ts'
import { Random } from '../../../src/base/random.ts'
import type { DenseMatrix, Matrix } from '../../../src/data/matrix/matrix.ts'
import type { Kernel } from '../../../src/kernels/kernel.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { sigmoid } from '../../../src/kernels/sigmoid.ts'
import { LinearSvcModel } from '../../../src/models/linear-svc-model.ts'
import type { DecisionOptions } from '../../../src/models/machines/decision-options.ts'
import { KernelMachine, plainValues } from '../../../src/models/machines/kernel-machine.ts'
import { pairLayout } from '../../../src/models/pairs.ts'
import { SvcModel } from '../../../src/models/svc-model.ts'
import { expectClose } from '../../close.ts'
import { someMatrix, storages, times } from '../../suites/matrices.ts'

const kernels: readonly (readonly [string, Kernel])[] = [
  ['rbf', rbf({ gamma: 0.1 })],
  ['polynomial', polynomial({ gamma: 0.2, coef0: 1, degree: 3 })],
  ['sigmoid', sigmoid({ gamma: 0.1, coef0: 0.1 })],
]

/** Enough support vectors and rows for the engine to be worth it. */
const VECTORS = 400
const ROWS = 900

function someModel(kernel: Kernel, supportVectors: Matrix, bias = 0.1) {
  const random = new Random(1)
  const dualCoef = Float64Array.from({ length: supportVectors.rows }, () => random.normal())
  return new SvcModel({
    classes: [-1, 1],
    biases: Float64Array.of(bias),
    kernel,
    supportVectors,
    dualCoef,
    features: supportVectors.cols,
  })
}

const plainDecision = (model: SvcModel, rows: Matrix) => plainValues(model, rows)
const kernelDecision = (model: SvcModel, rows: Matrix, options: Required<DecisionOptions>) =>
  new KernelMachine(model, pairLayout(model.supportCounts)).values(rows, options)

const inFull = (options: DecisionOptions) => ({ threads: 1, precision: 'f32' as const, ...options })

describe.each(kernels)('large batches, %s', (_, kernel) => {
  describe.each(storages)('$storage', ({ store }) => {
    const model = someModel(kernel, store(someMatrix(2, VECTORS, 20)))
    const rows = store(someMatrix(3, ROWS, 20))
    const plain = plainDecision(model, rows)
    const weight = model.dualCoef.reduce((sum, c) => sum + Math.abs(c), 0)

    test('f64 is the plain result to rounding', () => {
      const values = kernelDecision(model, rows, inFull({ precision: 'f64' }))
      const largest = plain.reduce((most, value) => Math.max(most, Math.abs(value)), weight)
      expectClose(values, plain, 1e-13 * largest)
    })

    test('f32 differs by some 1e-7 of what is added up, and predicts the same', () => {
      const values = kernelDecision(model, rows, inFull({}))
      const scale = plain.reduce((most, value) => Math.max(most, Math.abs(value)), weight)
      expectClose(values, plain, 3e-6 * scale)
      const share = values.reduce((count, value, i) => (value === plain[i] ? count + 1 : count), 0) / ROWS
      expect(share).toBeLessThan(0.5)
      expect(values.map(Math.sign)).toEqual(plain.map(Math.sign))
    })

    test('decisionFunction is f64 unless told otherwise, and predict says the same', () => {
      expect(model.decisionFunction(rows)).toEqual(kernelDecision(model, rows, inFull({ precision: 'f64' })))
      const fast = model.decisionFunction(rows, { precision: 'f32' })
      expect(fast).toEqual(kernelDecision(model, rows, inFull({})))
      expect(model.predict(rows, { threads: 1 })).toEqual(model.labelsOf(plain))
    })
  })
})

test('rows that f32 leaves open are computed in f64', () => {
  // Pairs v, −v with coefficients c, −c and no bias: f is odd, and 0 on the hyperplane that all pairs share.
  const half = someMatrix(5, VECTORS, 10)
  const cols = 11
  const values = new Float64Array(2 * VECTORS * cols)
  for (let s = 0; s < VECTORS; s++) {
    for (let j = 0; j < 10; j++) {
      values[2 * s * cols + j] = half.values[s * 10 + j]
      values[(2 * s + 1) * cols + j] = half.values[s * 10 + j]
    }
    values[2 * s * cols + 10] = 0.7
    values[(2 * s + 1) * cols + 10] = -0.7
  }
  const supportVectors: DenseMatrix = { kind: 'dense', rows: 2 * VECTORS, cols, values }
  const dualCoef = Float64Array.from({ length: 2 * VECTORS }, (_, s) => (s % 2 === 0 ? 1 : -1))
  const model = new SvcModel({
    classes: [-1, 1],
    biases: Float64Array.of(0),
    kernel: rbf({ gamma: 0.05 }),
    supportVectors,
    dualCoef,
  })
  const rows = someMatrix(6, ROWS, cols)
  // The last feature decides: 1e-9 to either side for most rows.
  rows.values.forEach((value, k) => {
    if (k % cols === 10) rows.values[k] = k % 3 === 0 ? value : 1e-9 * (k % 2 === 0 ? 1 : -1)
  })
  const plain = plainDecision(model, rows)
  const found = model.decisionFunction(rows, { precision: 'f32' })
  const labels = model.predict(rows)
  let near = 0
  plain.forEach((value, i) => {
    // 800 values of up to 1 cancel: what is left below 1e-12 is rounding.
    if (Math.abs(value) < 1e-12) return
    expect(Math.sign(found[i])).toBe(Math.sign(value))
    expect(labels[i]).toBe(Math.sign(value))
    if (Math.abs(value) < 1e-6) near++
  })
  expect(near).toBeGreaterThan(ROWS / 2)
})

test('data that even f64 norms cannot resolve are left to plain code', () => {
  // A feature near 1e6 that hides one near 1: distances come from straight differences there.
  const wide = (seed: number, count: number): DenseMatrix => {
    const matrix = someMatrix(seed, count, 20)
    return {
      ...matrix,
      values: matrix.values.map((value, k) => (k % 20 === 0 ? 1e6 * (1 + (k % 3)) : value)),
    }
  }
  for (const { store } of storages) {
    const model = someModel(rbf({ gamma: 1 }), store(wide(7, VECTORS)))
    const rows = store(wide(8, ROWS))
    expect(model.decisionFunction(rows)).toEqual(plainDecision(model, rows))
  }
  // A polynomial that does not fit f32 is computed in f64.
  const large = someModel(
    polynomial({ gamma: 1, coef0: 0, degree: 7 }),
    times(someMatrix(9, VECTORS, 20), 1e3),
  )
  const rows = times(someMatrix(10, ROWS, 20), 1e3)
  const plain = plainDecision(large, rows)
  const scale = plain.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const found = large.decisionFunction(rows)
  for (let i = 0; i < ROWS; i++) expect(Math.abs(found[i] - plain[i])).toBeLessThan(1e-11 * scale)
})

describe('options', () => {
  const models = [
    someModel(rbf({ gamma: 1 }), someMatrix(1, 3, 2)),
    someModel(linear(), someMatrix(1, 3, 2)),
    new LinearSvcModel({ classes: [0, 1], biases: Float64Array.of(0), coef: Float64Array.of(1, 2) }),
  ]

  test.each(models)('of $type are checked', (model) => {
    const rows = [[1, 2]]
    expect(() => model.predict(rows, { threads: 0 })).toThrow(
      new ParameterError('predict', 'threads', 'a whole number >= 1', 0),
    )
    expect(() => model.decisionFunction(rows, { precision: 'f16' as 'f32' })).toThrow(
      new ParameterError('decisionFunction', 'precision', 'one of f32, f64', 'f16'),
    )
    expect(() => model.decisionFunction(rows, { cores: 1 } as DecisionOptions)).toThrow(
      new ParameterError(
        'decisionFunction',
        'option',
        `one of threads, precision${model.type === 'svc' ? ', decisionFunctionShape' : ''}`,
        'cores',
      ),
    )
    expect(model.decisionFunction(rows, { threads: 2, precision: 'f64' })).toEqual(
      model.decisionFunction(rows),
    )
  })
})
