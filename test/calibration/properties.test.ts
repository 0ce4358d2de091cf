/** Laws of the calibrations, on random data from a coarse grid, so that values coincide. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coupleProbabilities } from '../../src/calibration/couple-probabilities.ts'
import { fitDensityMarks, oneClassProbability } from '../../src/calibration/density-marks.ts'
import { fitIsotonic, isotonicProbability } from '../../src/calibration/isotonic-calibration.ts'
import { fitSigmoid, sigmoidProbability } from '../../src/calibration/sigmoid-calibration.ts'
import { expectClose } from '../close.ts'
import { crossEntropyGradient } from './cross-entropy.ts'

fc.configureGlobal({ seed: 1 })

const samples = fc
  .array(
    fc.record({
      value: fc.integer({ min: -12, max: 12 }).map((k) => k / 4),
      positive: fc.boolean(),
      weight: fc.constantFrom<number>(0, 0.5, 1, 1, 2, 7),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .filter((list) => list.some(({ weight }) => weight > 0))
  .map((list) => ({
    values: list.map(({ value }) => value),
    positives: list.map(({ positive }) => positive),
    weights: list.map(({ weight }) => weight),
  }))

test('sigmoid: the gradient is 0', () => {
  fc.assert(
    fc.property(samples, fc.constantFrom(1e-9, 1, 1e9), ({ values, positives, weights }, unit) => {
      const scaled = values.map((value) => value * unit)
      const { a, b } = fitSigmoid(scaled, positives, weights)
      const [byA, byB] = crossEntropyGradient(scaled, positives, weights, a, b)
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      expect(Math.abs(byA)).toBeLessThanOrEqual(1e-10 * total * unit)
      expect(Math.abs(byB)).toBeLessThanOrEqual(1e-10 * total)
    }),
  )
})

test('sigmoid: a weight of 2 is the sample twice', () => {
  fc.assert(
    fc.property(samples, ({ values, positives, weights }) => {
      const whole = weights.map((weight) => Math.ceil(weight))
      const repeat = <T>(list: readonly T[]) =>
        list.flatMap((entry, i) => Array.from({ length: whole[i] }, () => entry))
      const weighted = fitSigmoid(values, positives, whole)
      const repeated = fitSigmoid(repeat(values), repeat(positives))
      const at = (fit: { a: number; b: number }) =>
        values.filter((_, i) => whole[i] > 0).map((value) => sigmoidProbability(value, fit.a, fit.b))
      expectClose(at(weighted), at(repeated), 1e-9)
    }),
  )
})

test('isotonic: monotone, and the weighted least-squares optimum', () => {
  fc.assert(
    fc.property(samples, ({ values, positives, weights }) => {
      const { x, y } = fitIsotonic(values, positives, weights)
      for (let k = 1; k < x.length; k++) {
        expect(x[k]).toBeGreaterThan(x[k - 1])
        expect(y[k]).toBeGreaterThanOrEqual(y[k - 1])
      }
      // Over the distinct values, ascending, with residuals r = Σ w (y − p): the multipliers of p_k <= p_{k+1} are the
      // sums of r up to k. They must not be negative, must be 0 where p rises, and 0 at the end.
      const distinct = [...new Set(values.filter((_, i) => weights[i] > 0))].sort((a, b) => a - b)
      let multiplier = 0
      distinct.forEach((value, k) => {
        const fitted = isotonicProbability(value, x, y)
        values.forEach((other, i) => {
          if (other === value) multiplier += weights[i] * (Number(positives[i]) - fitted)
        })
        const next = k + 1 < distinct.length ? isotonicProbability(distinct[k + 1], x, y) : Number.NaN
        expect(multiplier).toBeGreaterThanOrEqual(-1e-10)
        if (next !== fitted) expect(Math.abs(multiplier)).toBeLessThanOrEqual(1e-10)
      })
    }),
  )
})

const pairs = fc.integer({ min: 1, max: 12 }).chain((k) =>
  fc
    .array(
      fc.oneof(
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(0, 1),
      ),
      { minLength: k * k, maxLength: k * k },
    )
    .map((entries) => {
      const r = Float64Array.from(entries)
      for (let i = 0; i < k; i++) for (let j = 0; j < i; j++) r[i * k + j] = 1 - r[j * k + i]
      return { k, r }
    }),
)

test('coupling: sums to 1, is not negative, and solves its linear system', () => {
  fc.assert(
    fc.property(pairs, ({ k, r }) => {
      const p = coupleProbabilities(r, k)
      expectClose([p.reduce((sum, entry) => sum + entry, 0)], [1], 1e-14)
      expect(p.every((entry) => entry >= 0)).toBe(true)
      const clamped = r.map((entry) => Math.min(1 - 1e-7, Math.max(1e-7, entry)))
      const Qp = Array.from(p, (own, t) => {
        let sum = 0
        for (let s = 0; s < k; s++) {
          if (s !== t) sum += clamped[s * k + t] * (clamped[s * k + t] * own - clamped[t * k + s] * p[s])
        }
        return sum
      })
      expect(Math.max(...Qp) - Math.min(...Qp)).toBeLessThanOrEqual(1e-13)
    }),
  )
})

test('coupling: pairs that come from probabilities give them back', () => {
  const classes = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(classes, (parts) => {
      const k = parts.length
      const total = parts.reduce((sum, part) => sum + part, 0)
      const r = Float64Array.from(
        { length: k * k },
        (_, entry) => parts[Math.floor(entry / k)] / (parts[Math.floor(entry / k)] + parts[entry % k]),
      )
      expectClose(
        coupleProbabilities(r, k),
        parts.map((part) => part / total),
        1e-12,
      )
    }),
  )
})

test('density marks: ascending, 0 between the halves, and the probability never falls', () => {
  const values = fc.array(
    fc.integer({ min: -50, max: 50 }).map((k) => k / 8),
    { maxLength: 60, minLength: 1 },
  )
  fc.assert(
    fc.property(values, (list) => {
      const marks = fitDensityMarks(list)
      const negative = list.filter((value) => value < 0).length
      if (negative < 5 || list.length - negative < 5) {
        expect(marks).toBeUndefined()
        return
      }
      expect(marks).toHaveLength(10)
      const sorted = list.toSorted((a, b) => a - b)
      const found = sorted.map((value) => oneClassProbability(value, marks!))
      for (let i = 1; i < 10; i++) expect(marks![i]).toBeGreaterThanOrEqual(marks![i - 1])
      for (let i = 1; i < found.length; i++) expect(found[i]).toBeGreaterThanOrEqual(found[i - 1])
      expect(marks![4]).toBeLessThanOrEqual(0)
      expect(marks![5]).toBeGreaterThanOrEqual(0)
    }),
  )
})
