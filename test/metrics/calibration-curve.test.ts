import { describe, expect, it } from 'vitest'
import { brierScore, calibrationCurve } from '../../src/metrics/calibration-curve.ts'

const truth = [1, -1, 1, 1, -1, 1]
const probabilities = [0.05, 0.15, 0.19, 0.9, 1, 0.95]

describe('calibrationCurve', () => {
  it('compares the mean probability of each bin with the share of positives', () => {
    const bins = calibrationCurve(truth, probabilities, { bins: 10 })
    expect(bins.map(({ weight }) => weight)).toEqual([1, 2, 3])
    expect(bins.map(({ observed }) => observed)).toEqual([1, 0.5, 2 / 3])
    expect(bins[1].predicted).toBeCloseTo(0.17, 14)
    expect(bins[2].predicted).toBeCloseTo(0.95, 14)
    const weighted = calibrationCurve(truth, probabilities, {
      bins: 1,
      weights: [0, 0, 0, 1, 1, 2],
      positive: -1,
    })
    expect(weighted).toEqual([{ weight: 4, predicted: 0.95, observed: 0.25 }])
  })

  it('refuses what is no probability', () => {
    expect(() => calibrationCurve([1, -1], [0.5, 1.5])).toThrow(
      'probability of sample 1 must lie in [0, 1], got 1.5',
    )
    expect(() => calibrationCurve(truth, probabilities, { bins: 0 })).toThrow(
      'bins must be a whole number >= 1',
    )
  })
})

describe('brierScore', () => {
  it('is the mean squared distance from the outcome', () => {
    expect(brierScore([1, -1], [0.8, 0.4])).toBeCloseTo((0.04 + 0.16) / 2, 14)
    expect(brierScore([1, -1], [1, 0])).toBe(0)
    expect(brierScore([1, -1], [0.8, 0.4], { weights: [1, 3] })).toBeCloseTo((0.04 + 3 * 0.16) / 4, 14)
  })
})
