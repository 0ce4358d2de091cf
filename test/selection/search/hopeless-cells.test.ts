import { expect, test } from 'vitest'
import { type CellResult, meanOf } from '../../../src/selection/score/evaluate-cells.ts'
import { makeScorer } from '../../../src/selection/score/scoring.ts'
import { isHopeless, joinFolds } from '../../../src/selection/search/hopeless-cells.ts'

const cellOf = (...scores: number[]): CellResult => ({ params: {}, scores, ...meanOf(scores), seconds: 1 })

test('hopeless is what is worse on the same folds by more than three standard errors', () => {
  const best = cellOf(0.9, 0.92, 0.94)
  // The standard error of the best is 0.0115: differences of 0.03 and 0.04 are on either side of three of them.
  const [near, far] = [best.scores.map((s) => s - 0.03), best.scores.map((s) => s - 0.04)].map((s) =>
    cellOf(...s),
  )
  const all = [best, near, far]
  const accuracy = makeScorer('accuracy')
  expect(all.map((cell) => isHopeless(cell, all, accuracy))).toEqual([false, false, true])
  // Where less is better, the order is the other way round.
  expect(all.map((cell) => isHopeless(cell, all, makeScorer('mse')))).toEqual([true, false, false])
})

test('a difference that varies from fold to fold proves less', () => {
  const best = cellOf(0.9, 0.9, 0.9)
  const other = cellOf(0.6, 0.9, 0.85)
  expect(isHopeless(other, [best, other], makeScorer('accuracy'))).toBe(false)
  expect(isHopeless(cellOf(0.8, 0.8, 0.8), [best], makeScorer('accuracy'))).toBe(true)
})

test('folds that follow are joined, with the places of their failures', () => {
  const first = { ...cellOf(1, 2), failures: [{ fold: 1, message: 'a' }] }
  const second = { ...cellOf(6), failures: [{ fold: 0, message: 'b' }] }
  const { mean, standardError } = meanOf([1, 2, 6])
  const failures = [
    { fold: 1, message: 'a' },
    { fold: 2, message: 'b' },
  ]
  expect(joinFolds(first, second)).toEqual({
    ...{ params: {}, scores: [1, 2, 6], mean, standardError, seconds: 2 },
    failures,
  })
  expect(joinFolds(cellOf(1), cellOf(2))).not.toHaveProperty('failures')
})
