import { checkKnown, checkNumber, checkOneOf } from '../../base/check.ts'
import { availableThreads } from '../../engine/threads/thread-team.ts'

/** How predictions are computed. Labels do not depend on these options. */
export interface DecisionOptions {
  /** Number of threads for large batches, including the calling one. Default: all cores. The result does not depend on it. */
  readonly threads?: number
  /**
   * Of kernel values in large batches; small ones and linear models are always f64. By default every value that is read (of
   * the decision function, of a regression, and the values that probabilities are made of) is computed in f64, and labels in
   * f32, which is about three times as fast: rows whose class that would leave open are computed again in f64.
   *
   * Values differ from f(x) = Σ c_s k(x, v_s) + b by at most 2e-10 · κ · Σ |c_s|, and usually by 1e-14 of it: κ is 1 for rbf
   * and sigmoid kernels, and for polynomial ones (γ ‖x‖ ‖v‖ + |coef0|)^degree with the longest v. For each row a bound on the
   * rounding error is computed; if it is too large, plain code computes the row. With 'f32' the same
   * holds with 1e-4 and usually 1e-6 in place of these numbers, and signs are as in f64.
   */
  readonly precision?: 'f32' | 'f64'
}

/** Checks {@link DecisionOptions}, `others` being the names that may stand beside them, and fills in what is missing. */
export function checkDecisionOptions(
  who: string,
  options: DecisionOptions,
  others: readonly string[] = [],
  usualPrecision: 'f32' | 'f64' = 'f64',
): Required<DecisionOptions> {
  checkKnown(who, options, ['threads', 'precision', ...others])
  const { threads = availableThreads(), precision = usualPrecision } = options
  return {
    threads: checkNumber(who, 'threads', threads, { min: 1, integer: true }),
    precision: checkOneOf(who, 'precision', precision, ['f32', 'f64']),
  }
}
