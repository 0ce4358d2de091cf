import { describe, expect, it } from 'vitest'
import { matthewsCorrelation } from '../../src/metrics/matthews-correlation.ts'

describe('matthewsCorrelation', () => {
  it('is (TP·TN − FP·FN) / √(…) for two classes', () => {
    const truth = [1, 1, 1, 1, 1, 1, -1, -1, -1, -1]
    const predicted = [1, 1, 1, 1, -1, -1, 1, -1, -1, -1]
    const [tp, tn, fp, fn] = [4, 3, 1, 2]
    const expected = (tp * tn - fp * fn) / Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    expect(matthewsCorrelation(truth, predicted)).toBeCloseTo(expected, 14)
    expect(matthewsCorrelation(truth, truth)).toBe(1)
    expect(
      matthewsCorrelation(
        truth,
        truth.map((label) => -label),
      ),
    ).toBe(-1)
  })

  it('is what scikit-learn 1.2.1 computes for three classes, weighted or not', () => {
    const truth = ['a', 'b', 'c', 'c', 'b', 'a']
    const predicted = ['a', 'b', 'c', 'b', 'a', 'a']
    expect(matthewsCorrelation(truth, predicted)).toBeCloseTo(0.5222329678670935, 14)
    expect(matthewsCorrelation(truth, predicted, { weights: [1, 2, 1, 3, 1, 2] })).toBeCloseTo(
      0.4687184332805461,
      14,
    )
  })

  it('is 0 where there is nothing to correlate', () => {
    expect(matthewsCorrelation([1, 1, 2], [1, 1, 1])).toBe(0)
    expect(matthewsCorrelation([1, 1], [1, 1])).toBe(0)
  })
})
