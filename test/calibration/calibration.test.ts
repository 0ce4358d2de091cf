import { describe, expect, test } from 'vitest'
import { DataError, ParameterError } from '../../src/base/errors.ts'
import { Random } from '../../src/base/random.ts'
import { coupleProbabilities } from '../../src/calibration/couple-probabilities.ts'
import { fitDensityMarks, oneClassProbability } from '../../src/calibration/density-marks.ts'
import { fitIsotonic, isotonicProbability } from '../../src/calibration/isotonic-calibration.ts'
import { fitLaplaceNoise, laplaceInterval } from '../../src/calibration/laplace-noise.ts'
import { fitSigmoid, sigmoidProbability } from '../../src/calibration/sigmoid-calibration.ts'
import { expectClose } from '../close.ts'

describe('sigmoid', () => {
  test('finds the parameters that made the classes', () => {
    const random = new Random(1)
    const values = Float64Array.from({ length: 20_000 }, () => 2 * random.normal())
    const positives = Array.from(values, (value) => random.uniform() < sigmoidProbability(value, -1.5, 0.5))
    const { a, b } = fitSigmoid(values, positives)
    // Five standard errors of an estimate from this many samples.
    expect(Math.abs(a + 1.5)).toBeLessThan(0.12)
    expect(Math.abs(b - 0.5)).toBeLessThan(0.12)
  })

  test('stays finite for classes that are told apart, and for values of any size', () => {
    for (const unit of [1e-200, 1, 1e200]) {
      const { a, b } = fitSigmoid([-2 * unit, -unit, unit, 3 * unit], [0, 0, 1, 1])
      expect(a).toBeLessThan(0)
      expect(Number.isFinite(a) && Number.isFinite(b)).toBe(true)
      // The targets are 1/4 and 3/4.
      expect(sigmoidProbability(unit, a, b)).toBeLessThan(0.76)
    }
  })

  test('a probability does not overflow', () => {
    expect(sigmoidProbability(1e4, -1, 0)).toBe(1)
    expect(sigmoidProbability(1e4, 1, 0)).toBe(0)
    expect(sigmoidProbability(700, 1, 0)).toBeGreaterThan(0)
    expect(sigmoidProbability(3, 0, 0)).toBe(0.5)
  })

  test('values that say nothing give the share of the positive class, smoothed', () => {
    for (const constant of [0, 5]) {
      const { a, b } = fitSigmoid([constant, constant, constant], [1, 1, 0])
      // Targets 3/4, 3/4, 1/3.
      expectClose([sigmoidProbability(constant, a, b)], [(0.75 + 0.75 + 1 / 3) / 3], 1e-9)
    }
  })
})

describe('isotonic', () => {
  test('pools ties and violators, interpolates, and is constant beyond the ends', () => {
    const { x, y } = fitIsotonic([0, 1, 1, 2, 3, 4], [0, 1, 0, 0, 1, 1])
    expectClose(x, [0, 1, 2, 3, 4])
    expectClose(y, [0, 1 / 3, 1 / 3, 1, 1])
    const found = [-9, 0.5, 1.7, 2.5, 9].map((f) => isotonicProbability(f, x, y))
    expectClose(found, [0, 1 / 6, 1 / 3, 2 / 3, 1])
  })

  test('a single value', () => {
    const { x, y } = fitIsotonic([2, 2], [true, false], [3, 1])
    expect([1, 2, 3].map((f) => isotonicProbability(f, x, y))).toEqual([0.75, 0.75, 0.75])
  })
})

describe('coupling', () => {
  test('of two classes is the pair, of one class is 1', () => {
    expectClose(coupleProbabilities([0, 0.3, 0.7, 0], 2), [0.3, 0.7], 1e-15)
    expect(coupleProbabilities([0], 1)).toEqual(Float64Array.of(1))
    expectClose(coupleProbabilities([0, 1, 0, 0], 2), [1 - 1e-7, 1e-7], 1e-13)
  })

  test('a winner of all pairs is the likeliest, whatever the others say', () => {
    const r = [0, 1, 1, 0, 0, 0.5, 0, 0.5, 0]
    expectClose(coupleProbabilities(r, 3), [1, 0, 0], 1e-6)
    expectClose(coupleProbabilities(r, 3, { rule: 'libsvm' }), [1, 0, 0], 1e-6)
  })
})

describe('Laplace noise', () => {
  test('leaves out what lies beyond five standard deviations', () => {
    const residuals = [...Array(99).fill(1), -1000]
    // The mean is 10.99, five deviations are 77.7.
    expect(fitLaplaceNoise(residuals)).toBe(1)
    expect(fitLaplaceNoise([0, 0])).toBe(0)
  })

  test('an interval holds the share it says', () => {
    const h = laplaceInterval(2, 0.9)
    const steps = 100_000
    let mass = 0
    for (let i = 0; i < steps; i++) {
      const z = -h + (2 * h * (i + 0.5)) / steps
      mass += (Math.exp(-Math.abs(z) / 2) / 4) * ((2 * h) / steps)
    }
    expect(mass).toBeCloseTo(0.9, 8)
    expect(laplaceInterval(2, 0)).toBe(0)
  })
})

describe('density marks', () => {
  /** −10 … −1 and 0 … 9 in some order. */
  const values = new Random(2).shuffle(Float64Array.from({ length: 20 }, (_, i) => i - 10))

  test('are the middles of fifths', () => {
    const marks = fitDensityMarks(values)
    // Edges −10 −8 −6 −4 −2 | 0 | 1 3 5 7 9
    expect(marks).toEqual(Float64Array.of(-9, -7, -5, -3, -1, 0.5, 2, 4, 6, 8))
    const probabilities = [-9.5, -9, -8, -1, 0, 7.9, 8, 8.1].map((f) => oneClassProbability(f, marks!))
    expect(probabilities).toEqual([0.001, 0.1, 0.1, 0.5, 0.5, 0.9, 0.999, 0.999])
  })

  test('need five values on each side of 0', () => {
    expect(fitDensityMarks([-1, -2, -3, -4, 1, 2, 3, 4, 5])).toBeUndefined()
    expect(fitDensityMarks([-1, -2, -3, -4, -5, 1, 2, 3, 4])).toBeUndefined()
    expect(fitDensityMarks([-1, -2, -3, -4, -5, 0, 0, 0, 0, 0])).toHaveLength(10)
    expect(fitDensityMarks([-1, -2, -3, -4, -5, -6])).toBeUndefined()
  })
})

describe('what cannot be used is refused', () => {
  test.each([
    [() => fitSigmoid([], []), DataError, 'fitSigmoid: there are no samples'],
    [() => fitSigmoid([1], []), DataError, 'fitSigmoid: 1 values but 0 classes'],
    [
      () => fitIsotonic([1, Number.NaN], [0, 1]),
      DataError,
      'fitIsotonic: value of sample 1 is NaN; it must be finite',
    ],
    [() => fitIsotonic([1], [1], [1, 2]), DataError, 'fitIsotonic: 1 samples but 2 weights'],
    [() => fitSigmoid([1, 2], [0, 1], [0, 0]), DataError, 'fitSigmoid: all weights are 0'],
    [
      () => fitSigmoid([1, 2], [0, 1], [1, -1]),
      DataError,
      'fitSigmoid: weight of sample 1 must be finite and >= 0, got -1',
    ],
    [() => fitLaplaceNoise([]), DataError, 'fitLaplaceNoise: there are no samples'],
    [
      () => fitLaplaceNoise([0, Number.POSITIVE_INFINITY]),
      DataError,
      'fitLaplaceNoise: residual of sample 1 is Infinity; it must be finite',
    ],
    [() => laplaceInterval(1, 1), ParameterError, 'laplaceInterval: level must be >= 0 and < 1, got 1'],
    [
      () => coupleProbabilities([], 0),
      ParameterError,
      'coupleProbabilities: k must be a whole number >= 1, got 0',
    ],
    [
      () => coupleProbabilities([0, 1, 2], 2),
      DataError,
      'coupleProbabilities: 2 classes need 4 pairs, got 3',
    ],
    [
      () => coupleProbabilities([0, Number.NaN, 0.5, 0], 2),
      DataError,
      'coupleProbabilities: the pair of classes 0 and 1 is not a number',
    ],
    [
      () => coupleProbabilities([0], 1, { floor: 0 }),
      ParameterError,
      'coupleProbabilities: floor must be > 0 and < 0.5, got 0',
    ],
  ])('%#', (call, kind, message) => {
    expect(call).toThrow(kind)
    expect(call).toThrow(message)
  })
})
