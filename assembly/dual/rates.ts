/**
 * What the box and the tube make of a variable β of the dual (src/problems/general-dual.ts): with v = t − Kβ, raising it gains
 * v + rise, lowering it costs v + fall. All methods of the engine take these from here; src/solve/dual/rates.ts is the same in
 * plain code.
 */

/** ∓ε of the tube, −∞ at the upper bound. */
// @ts-ignore: decorator
@inline
export function riseOf(beta: f64, upper: f64, tube: f64): f64 {
  if (!(beta < upper)) return -Infinity
  return beta >= 0 ? -tube : tube
}

/** ∓ε of the tube, +∞ at the lower bound. */
// @ts-ignore: decorator
@inline
export function fallOf(beta: f64, lower: f64, tube: f64): f64 {
  if (!(beta > lower)) return Infinity
  return beta > 0 ? -tube : tube
}

/** {@link riseOf} of two variables. */
// @ts-ignore: decorator
@inline
export function riseLanes(beta: v128, upper: v128, tube: f64): v128 {
  const within = v128.bitselect(f64x2.splat(-tube), f64x2.splat(tube), f64x2.ge(beta, f64x2.splat(0)))
  return v128.bitselect(within, f64x2.splat(-Infinity), f64x2.lt(beta, upper))
}

/** {@link fallOf} of two variables. */
// @ts-ignore: decorator
@inline
export function fallLanes(beta: v128, lower: v128, tube: f64): v128 {
  const within = v128.bitselect(f64x2.splat(-tube), f64x2.splat(tube), f64x2.gt(beta, f64x2.splat(0)))
  return v128.bitselect(within, f64x2.splat(Infinity), f64x2.gt(beta, lower))
}

/**
 * A variable this close to a bound or to 0 is put there, relative to the numbers that it was made of: thousands of roundings
 * of 2^−53 = 1.1e-16, which is what sums of steps make of a value that should be on the bound.
 */
const SNAP: f64 = 1e-12

/**
 * old + step, put on a bound or on 0 when only rounding keeps it away: a share of the numbers it was made of, not of the box,
 * which may be wider than all β together; what is cut off is missing in the sum of the group.
 */
// @ts-ignore: decorator
@inline
export function snapped(old: f64, step: f64, lower: f64, upper: f64): f64 {
  const beta = old + step
  const size = abs(old) + abs(step)
  if (abs(beta) < SNAP * size) return 0
  if (beta < lower + SNAP * max(size, abs(lower))) return lower
  return beta > upper - SNAP * max(size, abs(upper)) ? upper : beta
}
