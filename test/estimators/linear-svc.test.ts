import { describe, expect, test } from 'vitest'
import { ParameterError } from '../../src/base/errors.ts'
import { generate } from '../../src/data/generators/generators.ts'
import { toDense, toSparse } from '../../src/data/matrix/matrix.ts'
import { makeDataset } from '../../src/data/table/dataset.ts'
import { LinearSVC, type LinearSvcOptions } from '../../src/estimators/linear-svc.ts'
import { SVC } from '../../src/estimators/svc.ts'
import { linear } from '../../src/kernels/linear.ts'
import { parseJsonModel } from '../../src/models/files/parse-json-model.ts'
import { expectClose } from '../close.ts'

const data = generate('blobs', { n: 60, seed: 3 })
const rows = toDense(data.samples)
const y = data.labels as Float64Array

/** ½(‖w‖² + (b/s)²) + C Σ loss(1 − y f(x)), from the definition. */
function objective(w: Float64Array, b: number, C: number, square: boolean, s: number): number {
  let value = 0.5 * (w.reduce((sum, x) => sum + x * x, 0) + (b / s) ** 2)
  for (let i = 0; i < rows.rows; i++) {
    const f = w.reduce((sum, x, j) => sum + x * rows.values[i * rows.cols + j], b)
    const slack = Math.max(0, 1 - y[i] * f)
    value += C * (square ? slack * slack : slack)
  }
  return value
}

describe.each([
  ['squared-hinge', true],
  ['hinge', false],
] as const)('%s', (loss, square) => {
  test.each([1, 10])('minimises its objective, intercept scaled by %d', (interceptScaling) => {
    const options = { loss, interceptScaling, C: 0.5, tol: 1e-8, maxIter: 100_000 }
    const model = new LinearSVC(options).fitSync(data)
    const at = objective(model.coef, model.bias, 0.5, square, interceptScaling)
    expect(model.certificate.stopReason).toBe('converged')
    expect(at).toBeCloseTo(model.certificate.primal, 9)
    expect(model.certificate.gap).toBeLessThan(1e-6 * at)
    // A convex function has no lower point nearby.
    for (let j = 0; j <= rows.cols; j++) {
      for (const step of [1e-3, -1e-3]) {
        const w = model.coef.slice()
        if (j < rows.cols) w[j] += step
        const b = model.bias + (j === rows.cols ? step : 0)
        expect(objective(w, b, 0.5, square, interceptScaling)).toBeGreaterThanOrEqual(at)
      }
    }
  })
})

test('without an intercept the bias is 0', () => {
  const model = new LinearSVC({ bias: 'none' }).fitSync(data)
  expect(model.bias).toBe(0)
  expect(model.certificate.stopReason).toBe('converged')
})

test('the larger the intercept scaling, the nearer to SVC', () => {
  const options = { loss: 'hinge', tol: 1e-7, maxIter: 1_000_000 } as const
  const free = new SVC({ kernel: linear(), tol: 1e-7 }).fitSync(data)
  const far = new LinearSVC(options).fitSync(data)
  const near = new LinearSVC({ ...options, interceptScaling: 100 }).fitSync(data)
  const distance = (value: number) => Math.abs(value + free.certificate.dual)
  expect(distance(-near.certificate.dual)).toBeLessThanOrEqual(distance(-far.certificate.dual))
  expectClose(near.coef, free.coef as Float64Array, 1e-3)
})

test.each(['sdca', 'pegasos', 'subgradient'] as const)('%s solves the hinge loss', (solver) => {
  const model = new LinearSVC({ loss: 'hinge', solver, C: 0.1, seed: 1 }).fitSync(data)
  const best = new LinearSVC({ loss: 'hinge', C: 0.1, tol: 1e-8, maxIter: 1e6 }).fitSync(data)
  expect(model.certificate.solver).toBe(solver)
  expect(model.certificate.primal).toBeLessThan(1.02 * best.certificate.primal)
  expect(objective(model.coef, model.bias, 0.1, false, 1)).toBeCloseTo(model.certificate.primal, 9)
})

test('sparse data, scalers, strings, JSON and fit', async () => {
  const labels = Array.from(y, (label) => (label > 0 ? 'yes' : 'no'))
  const sparse = { samples: toSparse(rows), labels }
  const model = await new LinearSVC({ scaler: 'standard' }).fit(sparse)
  const dense = new LinearSVC({ scaler: { kind: 'standard', mean: false } }).fitSync(
    makeDataset(rows, labels),
  )
  expect(model.classes).toEqual(['no', 'yes'])
  expectClose(model.coef, dense.coef, 1e-9)
  const back = parseJsonModel(JSON.stringify(model))
  expect(back.predict(rows)).toEqual(model.predict(rows))
  expect(back.decisionFunction(rows)).toEqual(model.decisionFunction(rows))
})

test('an epoch limit is honest', () => {
  const { certificate } = new LinearSVC({ C: 1e3, maxIter: 2, tol: 1e-12 }).fitSync(data)
  expect(certificate).toMatchObject({ stopReason: 'iteration-limit', iterations: 2 })
})

describe('parameters are checked by the constructor', () => {
  test.each([
    [{ C: 0 }, 'LinearSVC: C must be > 0, got 0'],
    [{ C: Number.POSITIVE_INFINITY }, 'LinearSVC: C must be finite and > 0, got Infinity'],
    [{ loss: 'log' }, 'LinearSVC: loss must be one of hinge, squared-hinge, got "log"'],
    [{ bias: 1 }, 'LinearSVC: bias must be one of regularised, free, none, got 1'],
    [{ interceptScaling: 0 }, 'LinearSVC: interceptScaling must be > 0, got 0'],
    [
      { solver: 'pegasos' },
      'LinearSVC: solver must be one of auto, dual-descent, newton, sdca for the squared-hinge loss, got "pegasos"',
    ],
    [
      { kernel: linear() },
      'LinearSVC: option must be one of C, loss, penalty, solver, classWeight, multiClass, bias, interceptScaling, tol, maxIter, keepDual, threads, scaler, timeLimit, seed, got "kernel": this machine has none; SVC, SVR, NuSVC, NuSVR and OneClassSVM do',
    ],
  ])('%o', (options, message) => {
    expect(() => new LinearSVC(options as LinearSvcOptions)).toThrow(ParameterError)
    expect(() => new LinearSVC(options as LinearSvcOptions)).toThrow(
      new RegExp(`^${message.replace(/[()[\].]/g, '\\$&')}$`),
    )
  })

  test('a hard margin is for the hinge loss', () => {
    const separable = makeDataset([[-1], [1]], [0, 1])
    const model = new LinearSVC({ C: Number.POSITIVE_INFINITY, loss: 'hinge', bias: 'none' }).fitSync(
      separable,
    )
    expectClose(model.coef, [1], 1e-3)
  })
})
