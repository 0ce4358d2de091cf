/** Votes and scores of pairs of classes, against their definitions. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import {
  defaultLabelOrder,
  groupStarts,
  PairVotes,
  pairCoefficients,
  pairCount,
  pairIndex,
  pairLayout,
  setPairCoefficients,
} from '../../src/models/pairs.ts'

const sizes = [1, 2, 3, 4, 7]

/** All pairs in their order. */
function pairsOf(k: number): [number, number][] {
  return Array.from({ length: k }, (_, i) => i).flatMap((i) =>
    Array.from({ length: k - i - 1 }, (_, d): [number, number] => [i, i + 1 + d]),
  )
}

describe.each(sizes)('%i classes', (k) => {
  const pairs = pairsOf(k)
  const random = new Random(k)
  const counts = Uint32Array.from({ length: k }, (_, c) => (c === 2 ? 0 : 1 + random.int(3)))
  const total = counts.reduce((sum, count) => sum + count, 0)

  test('pairs are counted in order', () => {
    expect(pairCount(k)).toBe(pairs.length)
    pairs.forEach(([i, j], p) => {
      expect(pairIndex(i, j, k)).toBe(p)
    })
  })

  test('the layout sends each coefficient to the pair that it belongs to', () => {
    const { rows, groupEnds, targets, outputs } = pairLayout(counts)
    expect([rows, outputs]).toEqual([k - 1, pairs.length])
    expect(groupEnds).toEqual(groupStarts(counts).subarray(1))
    pairs.forEach(([i, j], p) => {
      expect(targets[i * rows + j - 1]).toBe(p)
      expect(targets[j * rows + i]).toBe(p)
    })
  })

  test('coefficients of pairs are taken out and put back', () => {
    const dualCoef = Float64Array.from({ length: (k - 1) * total }, () => random.normal())
    const copy = new Float64Array(dualCoef.length)
    const starts = groupStarts(counts)
    for (const [i, j] of pairs) {
      const own = pairCoefficients(dualCoef, starts, i, j)
      expect(own.length).toBe(counts[i] + counts[j])
      setPairCoefficients(copy, starts, i, j, own)
    }
    expect(copy).toEqual(dualCoef)
  })

  const orders = [
    defaultLabelOrder(k),
    Array.from(random.shuffle(Uint32Array.from({ length: k }, (_, i) => i))),
  ]
  test.each(orders.map((order) => [order]))(
    'votes as LIBSVM counts them, labels in the order %o',
    (order) => {
      const votes = new PairVotes(k, order)
      for (let trial = 0; trial < 200; trial++) {
        // Small whole numbers: zeros and equal votes abound.
        const values = Float64Array.from(pairs, () => random.int(3) - 1)
        // By the book of LIBSVM: pairs p < q of its own order, f > 0 votes for p, the first largest wins.
        const counted = new Array(k).fill(0)
        for (let p = 0; p < k; p++) {
          for (let q = p + 1; q < k; q++) {
            const [i, j] = [Math.min(order[p], order[q]), Math.max(order[p], order[q])]
            const meansFirst = k === 2 ? order[p] === j : order[p] === i
            const f = values[pairIndex(i, j, k)] * (meansFirst ? 1 : -1)
            counted[f > 0 ? p : q]++
          }
        }
        expect(votes.winner(values, 0)).toBe(order[counted.indexOf(Math.max(...counted))])
        // Scores by the book of scikit-learn.
        const scores = new Float64Array(k)
        votes.score(values, 0, scores, 0)
        scores.forEach((score, c) => {
          let sum = 0
          pairs.forEach(([i, j], p) => {
            const positive = k === 2 ? j : i
            if (c === i || c === j) sum += c === positive ? values[p] : -values[p]
          })
          expect(score).toBeCloseTo(counted[order.indexOf(c)] + sum / (3 * (Math.abs(sum) + 1)), 14)
        })
        const best = votes.best(values, 0)
        expect(scores[best]).toBe(Math.max(...scores))
      }
    },
  )

  test('a winner is settled just when no value within the errors makes another one', () => {
    const votes = new PairVotes(k, defaultLabelOrder(k))
    let open = 0
    for (let trial = 0; trial < 300; trial++) {
      const values = Float64Array.from(pairs, () => random.normal())
      const errors = Float64Array.from(pairs, () => (random.uniform() < 0.7 ? 0 : 0.5 * random.uniform()))
      if (!votes.settled(values, errors, 0)) {
        open++
        continue
      }
      const winner = votes.winner(values, 0)
      for (let draw = 0; draw < 20; draw++) {
        const moved = values.map((value, p) => value + errors[p] * (2 * random.uniform() - 1))
        expect(votes.winner(moved, 0)).toBe(winner)
        expect(votes.best(moved, 0)).toBe(winner)
      }
    }
    expect(open).toBeLessThan(250)
    if (k > 1) expect(open).toBeGreaterThan(0)
    const infinite = new Float64Array(pairs.length).fill(Number.POSITIVE_INFINITY)
    expect(votes.settled(new Float64Array(pairs.length).fill(9), infinite, 0)).toBe(k === 1)
  })
})
