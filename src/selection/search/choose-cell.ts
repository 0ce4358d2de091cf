/** Which cell to take: the best, of equally good ones the simplest, or the simplest that is as good as the best. */

import type { CellResult } from '../score/evaluate-cells.ts'
import { isBetter, type Scorer } from '../score/scoring.ts'
import type { Params } from './estimator-params.ts'

/** What makes a model less simple when it grows, the most important first: price of errors, then width and degree. */
const COMPLEXITY = ['C', 'nu', 'degree', 'gamma', 'coef0', 'epsilon']

/**
 * The chosen cell; undefined when no cell has a score. With `oneStandardError`, the simplest cell whose mean is within one
 * standard error of the best one's (Breiman et al. 1984).
 */
export function chooseCell(
  cells: readonly CellResult[],
  scorer: Scorer,
  oneStandardError = false,
): CellResult | undefined {
  const scored = cells.filter(({ mean }) => !Number.isNaN(mean))
  if (scored.length === 0) return undefined
  const best = scored.reduce((first, cell) => (isBetter(scorer, cell.mean, first.mean) ? cell : first))
  const allowance = oneStandardError ? best.standardError : 0
  const limit = scorer.greaterIsBetter ? best.mean - allowance : best.mean + allowance
  return scored
    .filter(({ mean }) => !isBetter(scorer, limit, mean))
    .reduce((first, cell) => (isSimpler(cell.params, first.params) ? cell : first))
}

/**
 * Smaller C, then a smaller gamma (a wider kernel) and so on, but a larger ε, and a larger ν where it stands for C: more
 * samples may err. Parameters that are not numbers do not count.
 */
function isSimpler(params: Params, than: Params): boolean {
  for (const name of COMPLEXITY) {
    const [a, b] = [params[name], than[name]]
    if (typeof a !== 'number' || typeof b !== 'number' || a === b) continue
    const falls = name === 'epsilon' || (name === 'nu' && params.C === undefined)
    return falls ? a > b : a < b
  }
  return false
}
