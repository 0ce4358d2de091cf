/** Cells that are given up after a few folds, and those that continue. */

import { type CellResult, meanOf } from '../score/evaluate-cells.ts'
import type { Scorer } from '../score/scoring.ts'
import { chooseCell } from './choose-cell.ts'

/** How many standard errors of the difference make a cell hopeless: one in a thousand of normal ones, were folds independent. */
const HOPELESS = 3

/** Whether a cell is worse than the best on the same folds by more than chance would explain. */
export function isHopeless(cell: CellResult, all: readonly CellResult[], scorer: Scorer): boolean {
  const best = chooseCell(all, scorer)
  if (!best || best === cell) return false
  const sign = scorer.greaterIsBetter ? 1 : -1
  const { mean, standardError } = meanOf(best.scores.map((score, f) => sign * (score - cell.scores[f])))
  return mean > HOPELESS * Math.max(standardError, best.standardError)
}

/** One cell on some folds and on those that follow. */
export function joinFolds(first: CellResult, second: CellResult): CellResult {
  const scores = [...first.scores, ...second.scores]
  const moved = (second.failures ?? []).map(({ fold, message }) => ({
    fold: fold + first.scores.length,
    message,
  }))
  const failures = [...(first.failures ?? []), ...moved]
  return {
    params: first.params,
    scores,
    ...meanOf(scores),
    seconds: first.seconds + second.seconds,
    ...(failures.length > 0 && { failures }),
  }
}
