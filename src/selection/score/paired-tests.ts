/**
 * Is one model really better than another? Scores of both on the same folds depend on each other, because training sets
 * overlap; a plain paired t-test takes them for independent and finds differences that are not there. Three tests that
 * do not. p_r^(j) is the difference of the scores in fold j of repetition r.
 */
import { checkNumber } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import { fisherUpper, studentTwoSided } from './distributions.ts'

/** The result of a test. */
export interface PairedTest {
  /** Mean of (score of a − score of b). */
  readonly difference: number
  readonly statistic: number
  /** Degrees of freedom of the statistic: of t, or of both sides of F. */
  readonly freedom: readonly number[]
  /** The probability of a statistic at least as large if both models are equally good. */
  readonly pValue: number
}

/**
 * Dietterich's 5x2 test: t = p_1^(1) / √(Σ_r s_r² / 5) with 5 degrees of freedom, s_r² the variance within repetition r.
 * The ten scores are those of `fiveByTwo`, in its order.
 *
 * Source    Dietterich 1998, "Approximate statistical tests for comparing supervised classification learning algorithms".
 */
export function fiveByTwoTTest(a: ArrayLike<number>, b: ArrayLike<number>): PairedTest {
  const { differences, variances, mean } = fiveByTwoDifferences('fiveByTwoTTest', a, b)
  const spread = Math.sqrt(variances.reduce((sum, one) => sum + one, 0) / 5)
  const statistic = ratio(differences[0], spread)
  return { difference: mean, statistic, freedom: [5], pValue: studentTwoSided(statistic, 5) }
}

/**
 * Alpaydin's combination of all ten 5x2 statistics, which does not depend on the order of the folds and finds more:
 * F = Σ_r Σ_j (p_r^(j))² / (2 Σ_r s_r²) with 10 and 5 degrees of freedom.
 *
 * Source    Alpaydin 1999, "Combined 5x2 cv F test for comparing supervised classification learning algorithms".
 */
export function fiveByTwoFTest(a: ArrayLike<number>, b: ArrayLike<number>): PairedTest {
  const { differences, variances, mean } = fiveByTwoDifferences('fiveByTwoFTest', a, b)
  const squares = differences.reduce((sum, one) => sum + one * one, 0)
  const statistic = ratio(squares, 2 * variances.reduce((sum, one) => sum + one, 0))
  return { difference: mean, statistic, freedom: [10, 5], pValue: fisherUpper(statistic, 10, 5) }
}

/**
 * The resampled t-test with the variance that overlapping training sets really have:
 * t = mean / √((1/k + n_test / n_train) σ²) with k − 1 degrees of freedom, for k scores of hold-out, k-fold or repeated
 * k-fold.
 *
 * Source    Nadeau, Bengio 2003, "Inference for the generalization error".
 */
export function correctedTTest(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  sizes: { readonly train: number; readonly test: number },
): PairedTest {
  const who = 'correctedTTest'
  const differences = differencesOf(who, a, b)
  const count = differences.length
  if (count < 2) throw new DataError(`${who}: needs at least 2 scores of each model, got ${count}`)
  checkNumber(who, 'sizes.train', sizes.train, { above: 0 })
  checkNumber(who, 'sizes.test', sizes.test, { above: 0 })
  const mean = differences.reduce((sum, one) => sum + one, 0) / count
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (count - 1)
  const statistic = ratio(mean, Math.sqrt((1 / count + sizes.test / sizes.train) * variance))
  return { difference: mean, statistic, freedom: [count - 1], pValue: studentTwoSided(statistic, count - 1) }
}

/** Equal scores everywhere are no difference at all, not 0/0. */
function ratio(value: number, spread: number): number {
  return value === 0 ? 0 : value / spread
}

function fiveByTwoDifferences(who: string, a: ArrayLike<number>, b: ArrayLike<number>) {
  const differences = differencesOf(who, a, b)
  if (differences.length !== 10) {
    throw new DataError(`${who}: needs the 10 scores of 5x2 folds, got ${differences.length}`)
  }
  const variances = [0, 2, 4, 6, 8].map((r) => {
    const middle = (differences[r] + differences[r + 1]) / 2
    return (differences[r] - middle) ** 2 + (differences[r + 1] - middle) ** 2
  })
  return { differences, variances, mean: differences.reduce((sum, one) => sum + one, 0) / 10 }
}

function differencesOf(who: string, a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  if (a.length !== b.length)
    throw new DataError(`${who}: ${a.length} scores of one model but ${b.length} of the other`)
  return Array.from(a, (score, k) => {
    const difference = score - b[k]
    if (!Number.isFinite(difference))
      throw new DataError(`${who}: score ${k} of a model is not a finite number`)
    return difference
  })
}
