/**
 * The quantile of split conformal prediction. If n scores and a new one are exchangeable, the new one is at most the
 * ⌈(n + 1) level⌉-th smallest of the n with probability at least `level`, whatever their distribution, and at most 1 / (n + 1)
 * more if there are no ties.
 *
 * Source    Vovk, Gammerman, Shafer 2005, "Algorithmic learning in a random world"; Lei and others 2018, "Distribution-free
 *           predictive inference for regression".
 */
import { checkNumber } from '../base/check.ts'
import { checkFiniteValues } from './labelled-values.ts'

/** The ⌈(n + 1) level⌉-th smallest of n scores: Infinity if there are too few for the level. */
export function conformalQuantile(scores: ArrayLike<number>, level: number): number {
  checkNumber('conformalQuantile', 'level', level, { above: 0, below: 1 })
  checkFiniteValues('conformalQuantile', 'score', scores)
  const rank = Math.ceil((scores.length + 1) * level)
  return Float64Array.from(scores).sort()[rank - 1] ?? Number.POSITIVE_INFINITY
}
