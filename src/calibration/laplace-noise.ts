/**
 * Noise of a regression as a Laplace distribution: target = prediction + z, with density exp(−|z|/σ) / (2σ). σ is fitted to
 * residuals of predictions that did not see their samples (cross-validation): the mean of |z|, which maximises the
 * likelihood, taken twice: residuals beyond five standard deviations (σ√2) of the first fit are left out of the second.
 *
 * Source    Lin, Weng 2004, "Simple probabilistic predictions for support vector regression", as in LIBSVM.
 */
import { checkNumber } from '../base/check.ts'
import { checkFiniteValues } from './labelled-values.ts'

/** Standard deviations beyond which a residual is left out, as in LIBSVM. */
const MOST_DEVIATIONS = 5

/** σ of the Laplace distribution behind residuals (target − prediction). */
export function fitLaplaceNoise(residuals: ArrayLike<number>): number {
  checkFiniteValues('fitLaplaceNoise', 'residual', residuals)
  const limit = MOST_DEVIATIONS * Math.SQRT2 * meanAbsolute(residuals, Number.POSITIVE_INFINITY)
  return meanAbsolute(residuals, limit)
}

/** h such that the target lies within prediction ± h with probability `level`: 1 − exp(−h/σ) = level. */
export function laplaceInterval(sigma: number, level: number): number {
  checkNumber('laplaceInterval', 'sigma', sigma, { min: 0 })
  checkNumber('laplaceInterval', 'level', level, { min: 0, below: 1 })
  return -sigma * Math.log1p(-level)
}

/** The mean of |z| over those up to `limit`; the smallest of them always is. */
function meanAbsolute(residuals: ArrayLike<number>, limit: number): number {
  let sum = 0
  let count = 0
  for (let i = 0; i < residuals.length; i++) {
    const size = Math.abs(residuals[i])
    if (size > limit) continue
    sum += size
    count++
  }
  return sum / count
}
