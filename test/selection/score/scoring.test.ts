import { describe, expect, it } from 'vitest'
import { f1, precision } from '../../../src/metrics/classification.ts'
import { matthewsCorrelation } from '../../../src/metrics/matthews-correlation.ts'
import { rocAuc } from '../../../src/metrics/ranking.ts'
import { meanSquaredError } from '../../../src/metrics/regression.ts'
import { isBetter, makeScorer, scoringNames } from '../../../src/selection/score/scoring.ts'

const truth = Float64Array.of(1, 1, 2, 2, 2, 1)
const predicted = Float64Array.of(1, 2, 2, 2, 1, 1)
const decisions = Float64Array.of(-1, 0.5, 2, 1, -0.2, -3)
const classes = [1, 2]

describe('makeScorer', () => {
  it('computes what the metric of that name computes', () => {
    const judged = { truth, predicted, decisions, classes }
    expect(makeScorer('accuracy').score(judged)).toBe(4 / 6)
    expect(makeScorer('precision').score(judged)).toBe(precision(truth, predicted, { positive: 2 }))
    expect(makeScorer('f1-macro').score(judged)).toBe(f1(truth, predicted, { average: 'macro' }))
    expect(makeScorer('roc-auc').score(judged)).toBe(rocAuc(truth, decisions, { positive: 2 }))
    expect(makeScorer('mcc').score(judged)).toBe(matthewsCorrelation(truth, predicted))
    expect(makeScorer('mse').score(judged)).toBe(meanSquaredError(truth, predicted))
    expect(makeScorer('rmse').score(judged)).toBe(Math.sqrt(meanSquaredError(truth, predicted)))
  })

  it('knows the positive class where a part lacks it', () => {
    const none = Float64Array.of(1, 1)
    expect(makeScorer('f1').score({ truth: none, predicted: none, classes })).toBe(0)
    expect(makeScorer('f1').score({ truth: none, predicted: none, classes: [0, 1] })).toBe(1)
  })

  it('averages over more than two classes', () => {
    const three = { truth: ['a', 'b', 'c'], predicted: ['a', 'c', 'c'], classes: ['a', 'b', 'c'] }
    expect(makeScorer('recall').score(three)).toBeCloseTo(2 / 3, 14)
  })

  it('weighs samples', () => {
    expect(makeScorer('accuracy').score({ truth, predicted, weights: [1, 0, 1, 1, 0, 1] })).toBe(1)
  })

  it('computes log loss from one probability or from one for each class', () => {
    const scorer = makeScorer('log-loss')
    const flat = scorer.score({ truth, predicted, classes, probabilities: [0.1, 0.2, 0.7, 0.8, 0.6, 0.3] })
    const rows = [0.1, 0.2, 0.7, 0.8, 0.6, 0.3].map((p) => [1 - p, p])
    expect(scorer.score({ truth, predicted, classes, probabilities: rows })).toBeCloseTo(flat, 14)
    expect(scorer.greaterIsBetter).toBe(false)
  })

  it('takes functions and scorers of the user', () => {
    const share = makeScorer((t, p) => t.filter((label, i) => label === p[i]).length / t.length)
    expect(share.score({ truth, predicted })).toBe(4 / 6)
    expect(share.greaterIsBetter).toBe(true)
    const own = { name: 'own', greaterIsBetter: false, needs: 'predictions', score: () => 7 } as const
    expect(makeScorer(own)).toBe(own)
  })

  it('says what is missing', () => {
    expect(() => makeScorer('roc-auc').score({ truth, predicted })).toThrow(
      'scoring: roc-auc needs decisions, which this model does not have',
    )
    expect(() => makeScorer('r2').score({ truth: ['a'], predicted: ['a'] })).toThrow('numeric labels')
    expect(() => makeScorer('acc' as 'accuracy')).toThrow(
      `scoring: name must be one of ${scoringNames.join(', ')}, got "acc"`,
    )
    expect(() => makeScorer({ name: 'x' } as never)).toThrow('scoring: a scorer must be')
  })
})

describe('isBetter', () => {
  it('follows the direction of the score, and prefers anything to NaN', () => {
    expect(isBetter(makeScorer('accuracy'), 0.9, 0.8)).toBe(true)
    expect(isBetter(makeScorer('mse'), 0.9, 0.8)).toBe(false)
    expect(isBetter(makeScorer('mse'), 0.8, Number.NaN)).toBe(true)
    expect(isBetter(makeScorer('mse'), Number.NaN, 5)).toBe(false)
    expect(isBetter(makeScorer('accuracy'), 0.9, 0.9)).toBe(false)
  })
})
