/** LinearSVC with more than two classes, and Crammer–Singer. */
import { describe, expect, test } from 'vitest'
import { ParameterError } from '../../src/base/errors.ts'
import { Random } from '../../src/base/random.ts'
import { toMatrix, toSparse } from '../../src/data/matrix/matrix.ts'
import { makeDataset } from '../../src/data/table/dataset.ts'
import { LinearSVC, type LinearSvcOptions } from '../../src/estimators/linear-svc.ts'
import { parseJsonModel } from '../../src/models/files/parse-json-model.ts'
import type { Loss } from '../../src/problems/problem.ts'
import { expectClose } from '../close.ts'
import golden from '../golden/linear-machines.json' with { type: 'json' }

const tight = { tol: 1e-9, maxIter: 1_000_000 }

describe.each(golden.classifications)(
  'scikit-learn finds the same: $name',
  ({ rows, labels, results, rest }) => {
    test.each(rest)('one against the rest, $loss, bias $bias, weights of samples and a class', (entry) => {
      const model = new LinearSVC({
        ...tight,
        C: 0.5,
        loss: entry.loss as Loss,
        classWeight: { 1: 3 },
        bias: entry.bias > 0 ? 'regularised' : 'none',
        ...(entry.bias > 0 && { interceptScaling: entry.bias }),
      }).fitSync(makeDataset(rows, labels, { weights: entry.weights }))
      expect(model.certificates?.map(({ stopReason }) => stopReason)).toEqual(
        entry.coef.map(() => 'converged'),
      )
      expectClose(model.coef, entry.coef.flat(), 1e-5)
      expectClose(model.biases, entry.intercept, 1e-5)
    })

    test.each(results.filter(({ by }) => by === 'scikit-learn'))('Crammer–Singer, bias $bias', (entry) => {
      const model = new LinearSVC({
        // ‖w − w*‖² is at most twice the gap.
        tol: 1e-12,
        multiClass: 'crammer-singer',
        bias: entry.bias > 0 ? 'regularised' : 'none',
        ...(entry.bias > 0 && { interceptScaling: entry.bias }),
      }).fitSync(makeDataset(rows, labels, { weights: entry.costs }))
      const features = rows[0].length
      const { gap, primal, evidence } = model.certificate
      expect(gap + (evidence?.gapError ?? Number.NaN)).toBeLessThanOrEqual(1e-11 * primal)
      expectClose(
        model.coef,
        entry.weights.flatMap((vector) => vector.slice(0, features)),
        1e-5,
      )
      expectClose(
        model.biases,
        entry.weights.map((vector) => entry.bias * (vector[features] ?? 0)),
        1e-5,
      )
    })
  },
)

const random = new Random(6)
const names = ['ant', 'bee', 'cat', 'dog']
const labels = Array.from({ length: 120 }, (_, i) => names[i % 4])
const rows = labels.map((name) =>
  Array.from({ length: 5 }, (_, j) => random.normal() + (names.indexOf(name) === j ? 2.5 : 0)),
)
const data = makeDataset(rows, labels)

describe.each(['ovr', 'crammer-singer'] as const)('%s', (multiClass) => {
  test('the largest value wins, sparse as dense, in slices as at once, through JSON', async () => {
    const model = await new LinearSVC({ multiClass }).fit(data)
    expect(model.classes).toEqual(names)
    expect(model.coef.length).toBe(4 * 5)
    const values = model.decisionFunction(rows)
    const chosen = rows.map((_, i) => {
      const own = values.subarray(4 * i, 4 * i + 4)
      return names[own.indexOf(Math.max(...own))]
    })
    expect(model.predict(rows)).toEqual(chosen)
    rows.forEach((row, i) => {
      for (let c = 0; c < 4; c++) {
        const f = row.reduce((sum, x, j) => sum + x * model.coef[c * 5 + j], model.biases[c])
        expect(values[4 * i + c]).toBeCloseTo(f, 12)
      }
    })
    const sparse = new LinearSVC({ multiClass }).fitSync({ ...data, samples: toSparse(toMatrix(rows)) })
    expectClose(sparse.coef, model.coef, 1e-12)
    const back = parseJsonModel(JSON.stringify(model))
    expect(back.predict(rows)).toEqual(chosen)
    expect(back).toMatchObject({ multiClass, certificates: model.certificates })
  })

  test('a weight of 2 is the sample twice', () => {
    const weights = labels.map((_, i) => 1 + (i % 2))
    const weighted = new LinearSVC({ multiClass, ...tight }).fitSync(makeDataset(rows, labels, { weights }))
    const twice = labels.flatMap((_, i) => (weights[i] === 2 ? [i, i] : [i]))
    const repeated = new LinearSVC({ multiClass, ...tight }).fitSync(
      makeDataset(
        twice.map((i) => rows[i]),
        twice.map((i) => labels[i]),
      ),
    )
    expectClose(weighted.coef, repeated.coef, 1e-6)
  })

  test('limits and traces', () => {
    const model = new LinearSVC({ multiClass, maxIter: 2, tol: 1e-14 }).fitSync(data, { trace: { every: 1 } })
    const parts = multiClass === 'ovr' ? 4 : 1
    expect(model.certificates).toHaveLength(parts)
    expect(model.certificates?.every(({ stopReason }) => stopReason === 'iteration-limit')).toBe(true)
    expect(model.trace.map(({ iteration }) => iteration)).toEqual(Array(parts).fill([0, 1, 2]).flat())
  })
})

test('one against the rest is what two-class machines say of each class', () => {
  const model = new LinearSVC({ ...tight, loss: 'hinge', C: 0.3 }).fitSync(data)
  names.forEach((name, c) => {
    const own = makeDataset(
      rows,
      labels.map((label) => (label === name ? 1 : 0)),
    )
    const single = new LinearSVC({ ...tight, loss: 'hinge', C: 0.3 }).fitSync(own)
    expect(model.coef.subarray(c * 5, c * 5 + 5)).toEqual(single.coef)
    expect(model.biases[c]).toBe(single.biases[0])
  })
})

test('Crammer–Singer of two classes decides by the difference, as scikit-learn', () => {
  const two = makeDataset(
    rows,
    labels.map((label) => (label < 'c' ? 3 : 7)),
  )
  const model = new LinearSVC({ multiClass: 'crammer-singer', ...tight }).fitSync(two)
  const values = model.decisionFunction(rows)
  expect(values.length).toBe(rows.length)
  rows.forEach((row, i) => {
    const f = row.reduce(
      (sum, x, j) => sum + x * (model.coef[5 + j] - model.coef[j]),
      model.biases[1] - model.biases[0],
    )
    expect(values[i]).toBeCloseTo(f, 12)
  })
  expect(model.predict(rows)).toEqual(values.map((value) => (value > 0 ? 7 : 3)))
})

test.each([
  [{ multiClass: 'ovo' }, 'LinearSVC: multiClass must be one of ovr, crammer-singer, got "ovo"'],
  [
    { multiClass: 'crammer-singer', loss: 'hinge' },
    `LinearSVC: loss does not apply to multiClass 'crammer-singer'`,
  ],
  [
    { multiClass: 'crammer-singer', solver: 'sdca' },
    `LinearSVC: solver does not apply to multiClass 'crammer-singer'`,
  ],
  [
    { multiClass: 'crammer-singer', C: Number.POSITIVE_INFINITY },
    'LinearSVC: C must be finite and > 0, got Infinity',
  ],
])('%o is refused', (options, message) => {
  expect(() => new LinearSVC(options as LinearSvcOptions)).toThrow(ParameterError)
  expect(() => new LinearSVC(options as LinearSvcOptions)).toThrow(message)
})
