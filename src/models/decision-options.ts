import { checkKnown, checkNumber, checkOneOf } from '../base/check.ts'
import { availableThreads } from '../compute/thread-team.ts'

/** How predictions are computed; what comes out does not depend on it, but for the last digits of f. */
export interface DecisionOptions {
  /** Threads to use for large batches, the calling one included. Default all cores. The result is the same. */
  readonly threads?: number
  /**
   * Of kernel values in large batches. Default 'f32': f is good to a few 1e-7 of the sum of all |coefficients|, and rows
   * whose class that would leave open are computed in f64. With 'f64' all of f is good to rounding, in three times the
   * time; probabilities are made of it by default. Small batches and linear models are always f64.
   */
  readonly precision?: 'f32' | 'f64'
}

/** Checks {@link DecisionOptions}, `others` being the names that may stand beside them, and fills in what is missing. */
export function checkDecisionOptions(
  who: string,
  options: DecisionOptions,
  others: readonly string[] = [],
): Required<DecisionOptions> {
  checkKnown(who, options, ['threads', 'precision', ...others])
  const { threads = availableThreads(), precision = 'f32' } = options
  return {
    threads: checkNumber(who, 'threads', threads, { min: 1, integer: true }),
    precision: checkOneOf(who, 'precision', precision, ['f32', 'f64']),
  }
}
