/** Thresholds, against trying every one with the plain metrics. */
import { describe, expect, test } from 'vitest'
import { DataError, ParameterError } from '../../src/base/errors.ts'
import { Random } from '../../src/base/random.ts'
import { accuracy, balancedAccuracy, f1, precision, recall } from '../../src/metrics/classification.ts'
import { decisionThreshold, type ThresholdGoal } from '../../src/metrics/decision-threshold.ts'
import { matthewsCorrelation } from '../../src/metrics/matthews-correlation.ts'

const random = new Random(5)

/** Some samples with overlapping scores, many of them equal, and weights. */
function someScores(n: number) {
  const truth = Float64Array.from({ length: n }, (_, i) => (i < 2 ? i : random.uniform() < 0.3 ? 1 : 0))
  const scores = truth.map((label) => Math.round(8 * (label + 2 * random.uniform())) / 8)
  const weights = truth.map(() => 1 + Math.floor(3 * random.uniform()))
  return { truth, scores, weights }
}

const called = (scores: Float64Array, threshold: number) =>
  scores.map((score) => (score >= threshold ? 1 : 0))

type Say = (truth: Float64Array, predicted: Float64Array, options: object) => number

const named: readonly (readonly [ThresholdGoal & { maximise: string }, Say])[] = [
  [
    { maximise: 'f1' },
    (truth, said, options) => f1(truth, said, { ...options, average: 'binary', positive: 1 }),
  ],
  [{ maximise: 'accuracy' }, accuracy],
  [{ maximise: 'balanced-accuracy' }, balancedAccuracy],
  [{ maximise: 'mcc' }, matthewsCorrelation],
]

describe('the best of all thresholds', () => {
  test.each(named)('%o', (goal, metric) => {
    for (let round = 0; round < 30; round++) {
      const { truth, scores, weights } = someScores(5 + round)
      const found = decisionThreshold(truth, scores, goal, { weights })
      const worth = (threshold: number) => metric(truth, called(scores, threshold), { weights })
      const best = Math.max(...[...scores, Number.POSITIVE_INFINITY].map(worth))
      expect(worth(found.threshold)).toBeCloseTo(best, 12)
    }
  })

  test('cost: no other threshold makes cheaper mistakes', () => {
    for (let round = 0; round < 30; round++) {
      const { truth, scores } = someScores(20)
      const [falsePositive, falseNegative] = [
        1 + Math.floor(5 * random.uniform()),
        1 + Math.floor(5 * random.uniform()),
      ]
      const cost = (threshold: number) =>
        called(scores, threshold).reduce(
          (sum, said, i) => sum + (said > truth[i] ? falsePositive : said < truth[i] ? falseNegative : 0),
          0,
        )
      const { threshold } = decisionThreshold(truth, scores, { cost: { falsePositive, falseNegative } })
      const costs = [...scores, Number.POSITIVE_INFINITY].map(cost)
      expect(cost(threshold)).toBe(Math.min(...costs))
    }
  })

  test('precision: the largest recall that has it; recall: the largest precision', () => {
    const options = { average: 'binary', positive: 1 } as const
    let reached = 0
    for (let round = 0; round < 40; round++) {
      const { truth, scores } = someScores(40)
      const points = [...scores].map((threshold) => {
        const said = called(scores, threshold)
        return { precision: precision(truth, said, options), recall: recall(truth, said, options) }
      })
      const enough = points.filter((point) => point.precision >= 0.7)
      if (enough.length === 0) {
        expect(() => decisionThreshold(truth, scores, { precision: 0.7 })).toThrow(
          /no threshold reaches a precision of 0.7 on these samples; the best has 0\.\d+/,
        )
      } else {
        reached++
        const found = decisionThreshold(truth, scores, { precision: 0.7 })
        const said = called(scores, found.threshold)
        expect(found.precision).toBe(precision(truth, said, options))
        expect(found.precision).toBeGreaterThanOrEqual(0.7)
        expect(found.recall).toBe(Math.max(...enough.map((point) => point.recall)))
        expect(found.f1).toBeCloseTo(f1(truth, said, options), 12)
        expect(found.accuracy).toBeCloseTo(accuracy(truth, said), 12)
      }
      const other = decisionThreshold(truth, scores, { recall: 0.8 })
      const found = points.filter((point) => point.recall >= 0.8).map((point) => point.precision)
      expect(other.precision).toBe(Math.max(...found))
      expect(other.recall).toBeGreaterThanOrEqual(0.8)
    }
    expect(reached).toBeGreaterThan(5)
  })
})

describe('where it lies', () => {
  test('halfway between scores; at the lowest one, at neighbours, and above all', () => {
    expect(decisionThreshold([0, 0, 1, 1], [-3, -1, 2, 5], { maximise: 'f1' }).threshold).toBe(0.5)
    expect(decisionThreshold([1, 1, 0], [-3, 2, 1], { recall: 1 }).threshold).toBe(-3)
    const next = 1 + Number.EPSILON
    const { threshold } = decisionThreshold([0, 1], [1, next], { maximise: 'accuracy' })
    expect(threshold).toBe(next)
    const nothing = decisionThreshold([1, 0], [1, 2], { cost: { falsePositive: 9, falseNegative: 1 } })
    expect(nothing).toMatchObject({ threshold: Number.POSITIVE_INFINITY, precision: 1, recall: 0, f1: 0 })
    const wide = decisionThreshold([0, 1], [-1.7e308, 1.7e308], { maximise: 'f1' })
    expect(wide.threshold).toBe(0)
  })

  test('the positive class may be named', () => {
    const found = decisionThreshold(['a', 'a', 'b'], [3, 2, 1], { maximise: 'f1' }, { positive: 'a' })
    expect(found).toEqual({ threshold: 1.5, precision: 1, recall: 1, f1: 1, accuracy: 1 })
  })
})

test('goals that are none are refused', () => {
  const choose = (goal: unknown) => () => decisionThreshold([0, 1], [0, 1], goal as ThresholdGoal)
  expect(choose({})).toThrow(ParameterError)
  expect(choose({ precision: 0.9, recall: 0.9 })).toThrow(
    /goal must be one of .*, got .*precision and recall/,
  )
  expect(choose({ maximise: 'recall' })).toThrow(
    /maximise must be one of f1, accuracy, balanced-accuracy, mcc/,
  )
  expect(choose({ precision: 1.5 })).toThrow(ParameterError)
  expect(choose({ cost: { falsePositive: -1, falseNegative: 1 } })).toThrow(/cost.falsePositive/)
  expect(choose({ minimise: 'f1' })).toThrow(ParameterError)
  expect(() => decisionThreshold([1, 1], [0, 1], { maximise: 'f1' })).toThrow(DataError)
})
