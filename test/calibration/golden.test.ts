import { describe, expect, test } from 'vitest'
import { coupleProbabilities } from '../../src/calibration/couple-probabilities.ts'
import { fitIsotonic, isotonicProbability } from '../../src/calibration/isotonic-calibration.ts'
import type { Positives } from '../../src/calibration/labelled-values.ts'
import { fitLaplaceNoise } from '../../src/calibration/laplace-noise.ts'
import { fitSigmoid, sigmoidProbability } from '../../src/calibration/sigmoid-calibration.ts'
import { expectClose } from '../close.ts'
import golden from '../golden/calibration.json' with { type: 'json' }
import { crossEntropy } from './cross-entropy.ts'

describe('scikit-learn calibrates the same', () => {
  const cases = golden.calibrations.map((entry) => ({
    ...entry,
    positives: entry.positives as unknown as Positives,
    weights: entry.weights ?? undefined,
  }))

  test.each(cases)('sigmoid: $name', ({ values, positives, weights, sigmoid, calibrated }) => {
    const { a, b } = fitSigmoid(values, positives, weights)
    const theirs = crossEntropy(values, positives, weights, sigmoid.a, sigmoid.b)
    expect(crossEntropy(values, positives, weights, a, b)).toBeLessThanOrEqual(theirs * (1 + 1e-14))
    // It stops at a gradient of 1e-5.
    expectClose([a, b], [sigmoid.a, sigmoid.b], 1e-4)
    expectClose(
      values.map((value) => sigmoidProbability(value, a, b)),
      calibrated.sigmoid,
      1e-5,
    )
  })

  test.each(cases)(
    'isotonic: $name',
    ({ values, positives, weights, isotonic, queries, isotonicAtQueries, calibrated }) => {
      const { x, y } = fitIsotonic(values, positives, weights)
      expectClose(x, isotonic.x, 1e-15)
      expectClose(y, isotonic.y, 1e-14)
      expectClose(
        queries.map((query) => isotonicProbability(query, x, y)),
        isotonicAtQueries,
        1e-13,
      )
      expectClose(
        values.map((value) => isotonicProbability(value, x, y)),
        calibrated.isotonic,
        1e-13,
      )
    },
  )
})

describe('LIBSVM finds the same', () => {
  test.each(golden.platt)('sigmoid of svm-train -b 1: a = $a', ({ values, positives, a, b }) => {
    const found = fitSigmoid(values, positives as unknown as Positives)
    // It stops at a gradient of 1e-5; the values come from models that were solved to 1e-6.
    expectClose([found.a, found.b], [a, b], 1e-5)
  })

  test.each(golden.laplace)('Laplace noise of svm-train -s 3 -b 1: $sigma', ({ residuals, sigma }) => {
    expectClose([fitLaplaceNoise(residuals)], [sigma], 1e-5)
  })

  test('leaves out outliers in one of them', () => {
    const means = golden.laplace.map(
      ({ residuals }) => residuals.reduce((sum, z) => sum + Math.abs(z), 0) / residuals.length,
    )
    expect(means[0]).toBeCloseTo(golden.laplace[0].sigma, 4)
    expect(means[1]).toBeGreaterThan(1.1 * golden.laplace[1].sigma)
  })

  describe.each(golden.couplings)('coupling of $classes classes', (entry) => {
    const { classes, probA, probB, decisions, probabilities } = entry

    function pairwise(decision: readonly number[]): Float64Array {
      const r = new Float64Array(classes * classes)
      for (let i = 0, pair = 0; i < classes; i++) {
        for (let j = i + 1; j < classes; j++, pair++) {
          r[i * classes + j] = sigmoidProbability(decision[pair], probA[pair], probB[pair])
          r[j * classes + i] = 1 - r[i * classes + j]
        }
      }
      return r
    }

    test('by its rule the same digits, and the exact solution near by', () => {
      decisions.forEach((decision, row) => {
        const r = pairwise(decision)
        expectClose(coupleProbabilities(r, classes, { rule: 'libsvm' }), probabilities[row], 1e-12)
        expectClose(coupleProbabilities(r, classes), probabilities[row], 0.01)
      })
    })
  })
})
