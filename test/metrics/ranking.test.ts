import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  areaUnderCurve,
  averagePrecision,
  precisionRecallAuc,
  precisionRecallCurve,
  rocAuc,
  rocCurve,
} from '../../src/metrics/ranking.ts'
import { expectClose } from '../close.ts'
import golden from '../golden/metrics.json' with { type: 'json' }

fc.configureGlobal({ seed: 1 })

describe('by hand', () => {
  // Falling scores: + (0.9), then + and - tied (0.5), then - (0.1).
  const truth = [-1, 1, 1, -1]
  const scores = [0.5, 0.9, 0.5, 0.1]

  it('ROC takes tied samples in one step', () => {
    expect(rocCurve(truth, scores)).toEqual({
      falsePositiveRate: Float64Array.of(0, 0, 0.5, 1),
      truePositiveRate: Float64Array.of(0, 0.5, 1, 1),
      thresholds: Float64Array.of(Number.POSITIVE_INFINITY, 0.9, 0.5, 0.1),
    })
    expect(rocAuc(truth, scores)).toBe(3.5 / 4)
  })

  it('precision and recall take tied samples in one step', () => {
    expect(precisionRecallCurve(truth, scores)).toEqual({
      precision: Float64Array.of(1, 1, 2 / 3, 0.5),
      recall: Float64Array.of(0, 0.5, 1, 1),
      thresholds: Float64Array.of(Number.POSITIVE_INFINITY, 0.9, 0.5, 0.1),
    })
    expect(averagePrecision(truth, scores)).toBeCloseTo(0.5 + 0.5 * (2 / 3), 15)
    expect(precisionRecallAuc(truth, scores)).toBeCloseTo(0.5 + 0.5 * (1 + 2 / 3) * 0.5, 15)
  })

  it('a constant score knows nothing', () => {
    expect(rocAuc([1, -1, -1, -1], [2, 2, 2, 2])).toBe(0.5)
    expect(averagePrecision([1, -1, -1, -1], [2, 2, 2, 2])).toBe(0.25)
  })

  it('area of a staircase', () => {
    expect(areaUnderCurve([0, 1, 1, 3], [0, 2, 4, 4])).toBe(9)
    expect(() => areaUnderCurve([0, 1, 0.5], [1, 1, 1])).toThrow(
      'areaUnderCurve: x must be in ascending order, got 0.5',
    )
    expect(() => areaUnderCurve([0], [1])).toThrow('needs at least 2 points, got 1')
    expect(() => areaUnderCurve([0, 1], [1])).toThrow('2 values of x but 1 of y')
  })

  it('refuses what has no curve', () => {
    expect(() => rocAuc([1, 1], [1, 2])).toThrow('rocAuc: all samples are in the positive class')
    expect(() => rocAuc([-1, -1], [1, 2])).toThrow('rocAuc: no sample of the positive class 1')
    expect(() => averagePrecision([0, 0], [1, 2])).toThrow(
      'averagePrecision: no sample of the positive class 1',
    )
    expect(averagePrecision([1, 1], [1, 2])).toBe(1)
    expect(() => rocCurve([0, 1], [1, Number.NaN])).toThrow('rocCurve: score of sample 1 is NaN')
    expect(() => rocCurve([0, 1], [1])).toThrow('rocCurve: 2 true values but 1 scores')
    expect(() => rocCurve([1, 2, 3], [1, 2, 3])).toThrow('positive is required for the classes 1, 2, 3')
    expect(() => rocCurve([1, 2], [1, 2], { positive: 3 })).toThrow('no sample of the positive class 3')
  })
})

describe('as scikit-learn', () => {
  it.each(golden.ranking)('$name', ({ truth, scores, positive, weights, ...expected }) => {
    const options = { positive, ...(weights && { weights }) }
    const roc = rocCurve(truth, scores, options)
    expectClose(roc.falsePositiveRate, expected.roc.fpr)
    expectClose(roc.truePositiveRate, expected.roc.tpr)
    expectClose(roc.thresholds.subarray(1), expected.roc.thresholds)
    expectClose([rocAuc(truth, scores, options)], [expected.rocAuc])
    const curve = precisionRecallCurve(truth, scores, options)
    // There thresholds rise, and the point without one comes last.
    expectClose(curve.precision.toReversed(), expected.precisionRecall.precision)
    expectClose(curve.recall.toReversed(), expected.precisionRecall.recall)
    expectClose(curve.thresholds.subarray(1).toReversed(), expected.precisionRecall.thresholds)
    expectClose([averagePrecision(truth, scores, options)], [expected.averagePrecision])
    expectClose([precisionRecallAuc(truth, scores, options)], [expected.precisionRecallAuc])
  })
})

describe('properties', () => {
  const sample = fc
    .array(fc.tuple(fc.constantFrom(-1, 1), fc.integer({ min: -8, max: 8 })), { minLength: 2, maxLength: 40 })
    .map((list) => [...list, [1, 0], [-1, 1]] as [number, number][])
    .map((list) => ({ truth: list.map((pair) => pair[0]), scores: list.map((pair) => pair[1]) }))

  it('the ROC area is the share of pairs in the right order, ties counting half', () => {
    fc.assert(
      fc.property(sample, ({ truth, scores }) => {
        let right = 0
        let pairs = 0
        truth.forEach((a, i) => {
          truth.forEach((b, j) => {
            if (a < b) {
              pairs++
              right += scores[j] > scores[i] ? 1 : scores[j] === scores[i] ? 0.5 : 0
            }
          })
        })
        expect(rocAuc(truth, scores)).toBe(right / pairs)
      }),
    )
  })

  it('rising transforms of the scores change no area', () => {
    fc.assert(
      fc.property(sample, ({ truth, scores }) => {
        for (const transform of [Math.exp, (s: number) => s ** 3, (s: number) => 5 * s - 100]) {
          const changed = scores.map(transform)
          expect(rocAuc(truth, changed)).toBe(rocAuc(truth, scores))
          expect(averagePrecision(truth, changed)).toBe(averagePrecision(truth, scores))
          expect(precisionRecallAuc(truth, changed)).toBe(precisionRecallAuc(truth, scores))
        }
      }),
    )
  })

  it('negated scores, or the other class as positive, give 1 - area', () => {
    fc.assert(
      fc.property(sample, ({ truth, scores }) => {
        const area = rocAuc(truth, scores)
        const negated = scores.map((score) => -score)
        expect(rocAuc(truth, negated)).toBeCloseTo(1 - area, 12)
        expect(rocAuc(truth, scores, { positive: -1 })).toBeCloseTo(1 - area, 12)
        expect(rocAuc(truth, negated, { positive: -1 })).toBeCloseTo(area, 12)
      }),
    )
  })

  it('curves rise from (0, 0) to (1, 1), and the area under the ROC points is the ROC area', () => {
    fc.assert(
      fc.property(sample, ({ truth, scores }) => {
        const { falsePositiveRate, truePositiveRate, thresholds } = rocCurve(truth, scores)
        expect([falsePositiveRate[0], truePositiveRate[0]]).toEqual([0, 0])
        expect([falsePositiveRate.at(-1), truePositiveRate.at(-1)]).toEqual([1, 1])
        expect(thresholds.length).toBe(new Set(scores).size + 1)
        for (let k = 1; k < thresholds.length; k++) {
          expect(thresholds[k]).toBeLessThan(thresholds[k - 1])
          expect(truePositiveRate[k]).toBeGreaterThanOrEqual(truePositiveRate[k - 1])
        }
        expect(areaUnderCurve(falsePositiveRate, truePositiveRate)).toBeCloseTo(rocAuc(truth, scores), 12)
        expect(precisionRecallCurve(truth, scores).recall).toEqual(truePositiveRate)
      }),
    )
  })

  it('the order of samples does not matter, and a weight of 2 is a sample twice', () => {
    fc.assert(
      fc.property(sample, ({ truth, scores }) => {
        expect(rocCurve(truth.toReversed(), scores.toReversed())).toEqual(rocCurve(truth, scores))
        const weights = truth.map((_, i) => 1 + (i % 2))
        const twice = truth.flatMap((_, i) => (i % 2 ? [i, i] : [i]))
        expect(rocCurve(truth, scores, { weights })).toEqual(
          rocCurve(
            twice.map((i) => truth[i]),
            twice.map((i) => scores[i]),
          ),
        )
      }),
    )
  })
})
