/**
 * The losses of linear machines over all samples: sums, slopes and curvatures. What they are is said in
 * src/problems/linear-loss.ts, whose functions these are, operation by operation, except for the logistic loss: its powers and
 * logarithms are computed here, to within some ulp.
 *
 * `losses` points to a LOSSES structure.
 */
import { LOG2E } from '../kernel/exp'
import { exp2 } from '../kernel/exp-exact'
import * as at from '../structures'

/** log(2) */
const LN_2: f64 = 0.6931471805599453
/** √2 − 1: beyond it log(1 + x) is taken of (1 + x) / 2. */
const HALVED_FROM: f64 = 0.41421356237309503

/** e^−x for x >= 0. */
// @ts-ignore: decorator
@inline
export function expOfMinus(x: f64): f64 {
  return exp2(-LOG2E * x)
}

/** log(1 + x) for 0 <= x <= 1: 2 artanh s with |s| <= 0.172, whose series beyond s^21 is less than 1e-18 of it. */
// @ts-ignore: decorator
@inline
function logOnePlus(x: f64): f64 {
  const isSmall = x <= HALVED_FROM
  const s = (isSmall ? x : x - 1) / (isSmall ? x + 2 : x + 3)
  const square = s * s
  let sum: f64 = square * (1.0 / 21.0) + 1.0 / 19.0
  sum = sum * square + 1.0 / 17.0
  sum = sum * square + 1.0 / 15.0
  sum = sum * square + 1.0 / 13.0
  sum = sum * square + 1.0 / 11.0
  sum = sum * square + 1.0 / 9.0
  sum = sum * square + 1.0 / 7.0
  sum = sum * square + 1.0 / 5.0
  sum = sum * square + 1.0 / 3.0
  sum = sum * square * s + s
  return (isSmall ? 0 : LN_2) + 2 * sum
}

/** Fills β̂_i and h_i at f, and returns Σ L_i(f_i). */
export function lossSlopes(losses: usize, f: usize, beta: usize, curvature: usize): f64 {
  const bytes = <usize>load<u32>(losses, at.LOSSES_COUNT) << 3
  const isLogistic = load<u32>(losses, at.LOSSES_IS_LOGISTIC) != 0
  const epsilon = load<f64>(losses, at.LOSSES_EPSILON)
  const z = <usize>load<u32>(losses, at.LOSSES_Z)
  const lower = <usize>load<u32>(losses, at.LOSSES_LOWER)
  const upper = <usize>load<u32>(losses, at.LOSSES_UPPER)
  const shift = <usize>load<u32>(losses, at.LOSSES_SHIFT)
  let sum: f64 = 0
  if (isLogistic) {
    for (let i: usize = 0; i < bytes; i += 8) {
      const price = load<f64>(upper + i) - load<f64>(lower + i)
      const target = load<f64>(z + i)
      const margin = target * load<f64>(f + i)
      const tail = expOfMinus(abs(margin))
      const part = 1 / (1 + tail)
      store<f64>(beta + i, price * target * (margin > 0 ? tail * part : part))
      store<f64>(curvature + i, price * tail * part * part)
      if (price > 0) sum += price * ((margin < 0 ? -margin : 0) + logOnePlus(tail))
    }
    return sum
  }
  for (let i: usize = 0; i < bytes; i += 8) {
    const residual = load<f64>(z + i) - load<f64>(f + i)
    const outside = abs(residual) - epsilon
    const isAbove = residual > 0
    const bound = isAbove ? load<f64>(upper + i) : -load<f64>(lower + i)
    let own: f64 = 0
    let bend: f64 = 0
    if (outside > 0 && bound > 0) {
      const D = load<f64>(shift + i)
      const free = D > 0 ? outside / D : bound
      if (free < bound) {
        own = free
        bend = 1 / D
      } else own = bound
      sum += own * (outside - 0.5 * D * own)
    }
    store<f64>(beta + i, isAbove ? own : -own)
    store<f64>(curvature + i, bend)
  }
  return sum
}

/** Σ L_i(f_i) */
export function lossSum(losses: usize, f: usize): f64 {
  const bytes = <usize>load<u32>(losses, at.LOSSES_COUNT) << 3
  const isLogistic = load<u32>(losses, at.LOSSES_IS_LOGISTIC) != 0
  const epsilon = load<f64>(losses, at.LOSSES_EPSILON)
  const z = <usize>load<u32>(losses, at.LOSSES_Z)
  const lower = <usize>load<u32>(losses, at.LOSSES_LOWER)
  const upper = <usize>load<u32>(losses, at.LOSSES_UPPER)
  const shift = <usize>load<u32>(losses, at.LOSSES_SHIFT)
  let sum: f64 = 0
  for (let i: usize = 0; i < bytes; i += 8) {
    const target = load<f64>(z + i)
    const value = load<f64>(f + i)
    if (isLogistic) {
      const price = load<f64>(upper + i) - load<f64>(lower + i)
      const margin = target * value
      if (price > 0) sum += price * ((margin < 0 ? -margin : 0) + logOnePlus(expOfMinus(abs(margin))))
      continue
    }
    const residual = target - value
    const outside = abs(residual) - epsilon
    if (!(outside > 0)) continue
    const bound = residual > 0 ? load<f64>(upper + i) : -load<f64>(lower + i)
    const D = load<f64>(shift + i)
    const own = D > 0 ? min(bound, outside / D) : bound
    if (own > 0) sum += own * (outside - 0.5 * D * own)
  }
  return sum
}

/** Σ L_i*(β_i) of losses that are not logistic; Infinity where a β_i is outside its bounds. */
export function conjugateSum(losses: usize, beta: usize): f64 {
  const bytes = <usize>load<u32>(losses, at.LOSSES_COUNT) << 3
  const epsilon = load<f64>(losses, at.LOSSES_EPSILON)
  const z = <usize>load<u32>(losses, at.LOSSES_Z)
  const lower = <usize>load<u32>(losses, at.LOSSES_LOWER)
  const upper = <usize>load<u32>(losses, at.LOSSES_UPPER)
  const shift = <usize>load<u32>(losses, at.LOSSES_SHIFT)
  let sum: f64 = 0
  for (let i: usize = 0; i < bytes; i += 8) {
    const own = load<f64>(beta + i)
    if (own < load<f64>(lower + i) || own > load<f64>(upper + i)) return Infinity
    if (own == 0) continue
    sum += own * (0.5 * load<f64>(shift + i) * own - load<f64>(z + i)) + epsilon * abs(own)
  }
  return sum
}

/** The slope of t ↦ Σ L_i(f_i + t q_i); its own slope goes to `bend`. */
export function slopeAlong(losses: usize, f: usize, q: usize, t: f64, bend: usize): f64 {
  const bytes = <usize>load<u32>(losses, at.LOSSES_COUNT) << 3
  const isLogistic = load<u32>(losses, at.LOSSES_IS_LOGISTIC) != 0
  const epsilon = load<f64>(losses, at.LOSSES_EPSILON)
  const z = <usize>load<u32>(losses, at.LOSSES_Z)
  const lower = <usize>load<u32>(losses, at.LOSSES_LOWER)
  const upper = <usize>load<u32>(losses, at.LOSSES_UPPER)
  const shift = <usize>load<u32>(losses, at.LOSSES_SHIFT)
  let slope: f64 = 0
  let curve: f64 = 0
  for (let i: usize = 0; i < bytes; i += 8) {
    const step = load<f64>(q + i)
    const value = load<f64>(f + i) + t * step
    const target = load<f64>(z + i)
    if (isLogistic) {
      const price = load<f64>(upper + i) - load<f64>(lower + i)
      const margin = target * value
      const tail = expOfMinus(abs(margin))
      const part = 1 / (1 + tail)
      slope -= price * target * (margin > 0 ? tail * part : part) * step
      curve += price * tail * part * part * step * step
      continue
    }
    const residual = target - value
    if (!(abs(residual) > epsilon)) continue
    const isAbove = residual > 0
    const bound = isAbove ? load<f64>(upper + i) : load<f64>(lower + i)
    const D = load<f64>(shift + i)
    const free = D > 0 ? (isAbove ? residual - epsilon : residual + epsilon) / D : bound
    if (isAbove ? free < bound : free > bound) {
      slope -= free * step
      curve += (step * step) / D
    } else slope -= bound * step
  }
  store<f64>(bend, curve)
  return slope
}
