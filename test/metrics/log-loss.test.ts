import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logLoss } from '../../src/metrics/log-loss.ts'
import { expectClose } from '../close.ts'
import golden from '../golden/metrics.json' with { type: 'json' }

fc.configureGlobal({ seed: 1 })

describe('logLoss', () => {
  it('is the mean of -ln P(truth)', () => {
    expect(logLoss([1, -1], [0.8, 0.4])).toBeCloseTo(-(Math.log(0.8) + Math.log(0.6)) / 2, 15)
    const rows = [
      [0.2, 0.5, 0.3],
      [0.1, 0.1, 0.8],
    ]
    expect(logLoss(['b', 'c'], rows, { labels: ['a', 'b', 'c'] })).toBeCloseTo(
      -(Math.log(0.5) + Math.log(0.8)) / 2,
      15,
    )
  })

  it('stays finite for a sure mistake', () => {
    expect(logLoss([1], [0])).toBeCloseTo(52 * Math.log(2), 12)
    expect(logLoss([1], [1])).toBeLessThan(1e-15)
  })

  it.each(golden.logLoss)(
    'agrees with scikit-learn: $name',
    ({ truth, probabilities, weights, labels, ...expected }) => {
      const options = { ...(weights && { weights }), ...(labels && { labels }) }
      expectClose([logLoss(truth, probabilities as number[], options)], [expected.logLoss])
    },
  )

  it('is the same for one probability and for rows of two, and least for the true share', () => {
    const probability = fc.double({ min: 0.001, max: 0.999, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(0, 1), probability), { minLength: 1 }),
        probability,
        (list, guess) => {
          const truth = [0, 1, ...list.map((pair) => pair[0])]
          const chances = [0.5, 0.5, ...list.map((pair) => pair[1])]
          const rows = chances.map((p) => [1 - p, p])
          expect(logLoss(truth, rows)).toBeCloseTo(logLoss(truth, chances), 12)
          const share = truth.reduce((sum, label) => sum + label, 0) / truth.length
          const constant = (p: number): number => logLoss(truth, new Array<number>(truth.length).fill(p))
          expect(constant(guess)).toBeGreaterThanOrEqual(constant(share) - 1e-12)
        },
      ),
    )
  })

  it('refuses what is no probability', () => {
    expect(() => logLoss([0, 1], [0.5, 1.5])).toThrow(
      'logLoss: probability of sample 1 must lie in [0, 1], got 1.5',
    )
    expect(() => logLoss([0, 1], [0.5, Number.NaN])).toThrow(
      'probability of sample 1 must lie in [0, 1], got NaN',
    )
    expect(() => logLoss([0, 1], [[0.5, 0.4]])).toThrow('2 true values but 1 probabilities')
    expect(() => logLoss([0, 1], [[0.5, 0.4], [1]])).toThrow(
      'probabilities of sample 0 add up to 0.9, not to 1',
    )
    expect(() => logLoss([0, 1], [[0.5, 0.5], [1]])).toThrow('row 1 has 1 probabilities for 2 classes')
    expect(() => logLoss([0], [[1.5, -0.5]], { labels: [0, 1] })).toThrow('must lie in [0, 1], got -0.5')
    expect(() => logLoss([0], [[1, 0]], { labels: [1, 2] })).toThrow('0 is not one of the given labels')
    expect(() => logLoss([0], [[1, 0]], { labels: [0, 0] })).toThrow('a class is named twice')
  })
})
