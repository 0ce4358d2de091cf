/**
 * The bias that fits a dual point. With f_i = Σ_j α_j y_j K_ij − y_i, the optimality conditions say
 *
 *   −bias <= f_i for i in I_up (y_i α_i may rise),   −bias >= f_i for i in I_low (y_i α_i may fall)
 *
 * so a free support vector, being in both sets, has f_i = −bias. The mean over all free ones is taken (seed 001 after
 * eq. 77, LIBSVM); when there is none, every value in [b_low, b_up] is optimal and the midpoint is taken.
 */

/** The ends of the interval for −bias: b_up = min f over I_up, b_low = max f over I_low; ±∞ where a set is empty. */
export interface BiasInterval {
  readonly bUp: number
  readonly bLow: number
  /** Where the ends are attained; −1 for an empty set. */
  readonly up: number
  readonly low: number
}

/** The interval for −bias and the samples at its ends: the pair that violates the optimality conditions most. */
export function biasInterval(
  alpha: Float64Array,
  y: Float64Array,
  C: Float64Array,
  f: Float64Array,
): BiasInterval {
  let up = -1
  let low = -1
  let bUp = Number.POSITIVE_INFINITY
  let bLow = Number.NEGATIVE_INFINITY
  for (let i = 0; i < f.length; i++) {
    const value = f[i]
    const canRise = alpha[i] < C[i]
    const canFall = alpha[i] > 0
    if (value < bUp && (y[i] > 0 ? canRise : canFall)) {
      bUp = value
      up = i
    }
    if (value > bLow && (y[i] > 0 ? canFall : canRise)) {
      bLow = value
      low = i
    }
  }
  return { bUp, bLow, up, low }
}

/**
 * The midpoint of an interval for −bias, with our sign: the finite end when the other is infinite, 0 without
 * any. (0 − x, so that there is no −0.)
 */
export function midpointBias({ bUp, bLow }: BiasInterval): number {
  if (bLow === Number.NEGATIVE_INFINITY) return bUp === Number.POSITIVE_INFINITY ? 0 : 0 - bUp
  return bUp === Number.POSITIVE_INFINITY ? 0 - bLow : 0 - (bLow + bUp) / 2
}

/** The bias of a dual point; see the header of this file. */
export function biasOf(alpha: Float64Array, y: Float64Array, C: Float64Array, f: Float64Array): number {
  let sum = 0
  let free = 0
  for (let i = 0; i < f.length; i++) {
    if (alpha[i] > 0 && alpha[i] < C[i]) {
      sum += f[i]
      free++
    }
  }
  return free > 0 ? 0 - sum / free : midpointBias(biasInterval(alpha, y, C, f))
}
