import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meanAbsoluteError, meanSquaredError, r2, squaredCorrelation } from '../../src/metrics/regression.ts'
import { expectClose } from '../close.ts'
import golden from '../golden/metrics.json' with { type: 'json' }

fc.configureGlobal({ seed: 1 })

describe('by hand', () => {
  const truth = [1, 2, 3, 4]
  const predicted = [1, 2, 5, 2]

  it('errors', () => {
    expect(meanSquaredError(truth, predicted)).toBe(2)
    expect(meanAbsoluteError(truth, predicted)).toBe(1)
    expect(meanAbsoluteError(truth, predicted, { weights: [1, 0, 0, 3] })).toBe(1.5)
  })

  it('r2', () => {
    expect(r2(truth, predicted)).toBeCloseTo(1 - 8 / 5, 15)
    expect(r2(truth, truth)).toBe(1)
    expect(r2(truth, [2.5, 2.5, 2.5, 2.5])).toBe(0)
  })

  it('r2 of a constant truth', () => {
    const constant = [0.1, 0.1, 0.1]
    expect(r2(constant, constant)).toBe(1)
    expect(r2(constant, [0.1, 0.1, 0.2])).toBe(0)
  })

  it("squared correlation is LIBSVM's formula", () => {
    let [p, t, pp, tt, pt] = [0, 0, 0, 0, 0]
    truth.forEach((value, i) => {
      p += predicted[i]
      t += value
      pp += predicted[i] ** 2
      tt += value ** 2
      pt += predicted[i] * value
    })
    const n = truth.length
    const libsvm = (n * pt - p * t) ** 2 / ((n * pp - p * p) * (n * tt - t * t))
    expect(squaredCorrelation(truth, predicted)).toBeCloseTo(libsvm, 14)
    expect(squaredCorrelation(truth, [0.1, 0.1, 0.1, 0.1])).toBeNaN()
  })

  it('keeps its digits far from the origin, where raw sums lose them all', () => {
    const far = (values: number[]): number[] => values.map((value) => value + 1e9)
    expect(squaredCorrelation(far(truth), far(predicted))).toBe(squaredCorrelation(truth, predicted))
    expect(r2(far(truth), far(predicted))).toBe(r2(truth, predicted))
  })

  it('refuses what is no number', () => {
    expect(() => r2([], [])).toThrow('r2: there are no samples')
    expect(() => meanSquaredError([1], [1, 2])).toThrow('meanSquaredError: 1 true values but 2 predictions')
    expect(() => meanSquaredError([1], [Number.NaN])).toThrow(
      'meanSquaredError: prediction of sample 0 is NaN',
    )
    expect(() => meanAbsoluteError([Number.POSITIVE_INFINITY], [1])).toThrow(
      'true value of sample 0 is Infinity',
    )
  })
})

describe('as scikit-learn', () => {
  it.each(golden.regression)('$name', ({ truth, predicted, weights, ...expected }) => {
    const options = weights ? { weights } : {}
    expectClose([meanSquaredError(truth, predicted, options)], [expected.meanSquaredError])
    expectClose([meanAbsoluteError(truth, predicted, options)], [expected.meanAbsoluteError])
    expectClose([r2(truth, predicted, options)], [expected.r2])
    if (expected.squaredCorrelation !== null) {
      expectClose([squaredCorrelation(truth, predicted)], [expected.squaredCorrelation])
    }
  })
})

describe('properties', () => {
  const value = fc.integer({ min: -100, max: 100 })
  const pairs = fc.array(fc.tuple(value, value), { minLength: 2 })

  it('mean error² <= MSE, and r2 <= squared correlation <= 1', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const truth = list.map((pair) => pair[0])
        const predicted = list.map((pair) => pair[1])
        const square = meanSquaredError(truth, predicted)
        expect(meanAbsoluteError(truth, predicted) ** 2).toBeLessThanOrEqual(square * (1 + 1e-12))
        expect(meanSquaredError(predicted, truth)).toBe(square)
        const correlation = squaredCorrelation(truth, predicted)
        const constant = (values: number[]): boolean => values.every((other) => other === values[0])
        if (constant(truth) || constant(predicted)) expect(correlation).toBeNaN()
        else {
          expect(correlation).toBeGreaterThanOrEqual(0)
          expect(correlation).toBeLessThanOrEqual(1 + 1e-12)
          expect(r2(truth, predicted)).toBeLessThanOrEqual(correlation + 1e-12)
        }
      }),
    )
  })

  it('correlation does not see shift and scale, r2 does not see a common one', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const truth = list.map((pair) => pair[0])
        const predicted = list.map((pair) => pair[1])
        const moved = (values: number[]): number[] => values.map((other) => 7 - 3 * other)
        const before = squaredCorrelation(truth, predicted)
        if (!Number.isNaN(before)) expect(squaredCorrelation(truth, moved(predicted))).toBeCloseTo(before, 10)
        expect(r2(moved(truth), moved(predicted))).toBeCloseTo(r2(truth, predicted), 6)
      }),
    )
  })
})
