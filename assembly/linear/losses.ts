/**
 * The losses of linear machines over all samples: sums, slopes and curvatures. What they are is said in
 * src/problems/linear-loss.ts, whose functions these are, operation by operation, except for the logistic loss: its powers and
 * logarithms are computed here, to within some ulp.
 *
 * `losses` points to a LOSSES structure. Lanes take two samples at a time, and their terms are added one after the other: sums are the same to the
 * bit. What a sample does not have, a loss or a curvature, is 0 in its lane.
 */
import { LOG2E } from '../kernel/exp'
import { exp2, exp2Double } from '../kernel/exp-exact'
import { log, logDouble, logOneMinus, logOneMinusDouble, logOnePlus, logOnePlusDouble } from '../kernel/log'
import * as at from '../structures'

/** e^−x for x >= 0. */
// @ts-ignore: decorator
@inline
export function expOfMinus(x: f64): f64 {
  return exp2(-LOG2E * x)
}

/** Fills bounds and D_i of `count` samples with prices C and targets z; a price of 0 leaves a sample out. */
export function lossTerms(
  count: u32,
  isSquared: u32,
  isTube: u32,
  prices: usize,
  z: usize,
  lower: usize,
  upper: usize,
  shift: usize,
): void {
  for (let i: usize = 0; i < <usize>count << 3; i += 8) {
    const price = load<f64>(prices + i)
    const isIn = price != 0
    const bound = isSquared ? Infinity : price
    const isNegative = load<f64>(z + i) < 0
    store<f64>(lower + i, isIn && (isTube || isNegative) ? -bound : 0)
    store<f64>(upper + i, isIn && (isTube || !isNegative) ? bound : 0)
    store<f64>(shift + i, isIn && isSquared ? 1 / (2 * price) : 0)
  }
}

/** Fills β̂_i and h_i at f for from <= i < to, and returns Σ L_i(f_i) of these. */
export function lossSlopes(losses: usize, f: usize, beta: usize, curvature: usize, from: u32, to: u32): f64 {
  const bytes = <usize>to << 3
  const isLogistic = load<u32>(losses, at.LOSSES_IS_LOGISTIC) != 0
  const epsilon = load<f64>(losses, at.LOSSES_EPSILON)
  const z = <usize>load<u32>(losses, at.LOSSES_Z)
  const lower = <usize>load<u32>(losses, at.LOSSES_LOWER)
  const upper = <usize>load<u32>(losses, at.LOSSES_UPPER)
  const shift = <usize>load<u32>(losses, at.LOSSES_SHIFT)
  let sum: f64 = 0
  let i = <usize>from << 3
  if (isLogistic) {
    if (ASC_FEATURE_SIMD) {
      for (; i + 16 <= bytes; i += 16) {
        const price = f64x2.sub(v128.load(upper + i), v128.load(lower + i))
        const target = v128.load(z + i)
        const margin = f64x2.mul(target, v128.load(f + i))
        const tail = tails(margin)
        const part = f64x2.div(f64x2.splat(1), f64x2.add(f64x2.splat(1), tail))
        v128.store(beta + i, logisticBetas(price, target, margin, tail, part))
        v128.store(curvature + i, logisticBends(price, tail, part))
        const own = logisticLosses(price, margin, tail)
        sum += f64x2.extract_lane(own, 0)
        sum += f64x2.extract_lane(own, 1)
      }
    }
    for (; i < bytes; i += 8) {
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
  if (ASC_FEATURE_SIMD) {
    for (; i + 16 <= bytes; i += 16) {
      const residual = f64x2.sub(v128.load(z + i), v128.load(f + i))
      const outside = f64x2.sub(f64x2.abs(residual), f64x2.splat(epsilon))
      const isAbove = f64x2.gt(residual, f64x2.splat(0))
      const bound = v128.bitselect(v128.load(upper + i), f64x2.neg(v128.load(lower + i)), isAbove)
      const D = v128.load(shift + i)
      const isOutside = v128.and(f64x2.gt(outside, f64x2.splat(0)), f64x2.gt(bound, f64x2.splat(0)))
      const free = v128.bitselect(f64x2.div(outside, D), bound, f64x2.gt(D, f64x2.splat(0)))
      const isFree = v128.and(isOutside, f64x2.lt(free, bound))
      const own = v128.and(isOutside, v128.bitselect(free, bound, isFree))
      const loss = f64x2.mul(own, f64x2.sub(outside, f64x2.mul(f64x2.mul(f64x2.splat(0.5), D), own)))
      v128.store(beta + i, v128.bitselect(own, f64x2.neg(own), isAbove))
      v128.store(curvature + i, v128.and(isFree, f64x2.div(f64x2.splat(1), D)))
      const kept = v128.and(isOutside, loss)
      sum += f64x2.extract_lane(kept, 0)
      sum += f64x2.extract_lane(kept, 1)
    }
  }
  for (; i < bytes; i += 8) {
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

/** Σ L_i(f_i) for from <= i < to */
export function lossSum(losses: usize, f: usize, from: u32, to: u32): f64 {
  const bytes = <usize>to << 3
  const isLogistic = load<u32>(losses, at.LOSSES_IS_LOGISTIC) != 0
  const epsilon = load<f64>(losses, at.LOSSES_EPSILON)
  const z = <usize>load<u32>(losses, at.LOSSES_Z)
  const lower = <usize>load<u32>(losses, at.LOSSES_LOWER)
  const upper = <usize>load<u32>(losses, at.LOSSES_UPPER)
  const shift = <usize>load<u32>(losses, at.LOSSES_SHIFT)
  let sum: f64 = 0
  let i = <usize>from << 3
  if (ASC_FEATURE_SIMD) {
    for (; i + 16 <= bytes; i += 16) {
      const target = v128.load(z + i)
      const value = v128.load(f + i)
      let own: v128
      if (isLogistic) {
        const price = f64x2.sub(v128.load(upper + i), v128.load(lower + i))
        const margin = f64x2.mul(target, value)
        own = logisticLosses(price, margin, tails(margin))
      } else {
        const residual = f64x2.sub(target, value)
        const outside = f64x2.sub(f64x2.abs(residual), f64x2.splat(epsilon))
        const isAbove = f64x2.gt(residual, f64x2.splat(0))
        const bound = v128.bitselect(v128.load(upper + i), f64x2.neg(v128.load(lower + i)), isAbove)
        const D = v128.load(shift + i)
        const free = v128.bitselect(f64x2.div(outside, D), bound, f64x2.gt(D, f64x2.splat(0)))
        const beta = f64x2.pmin(bound, free)
        const isOutside = v128.and(f64x2.gt(outside, f64x2.splat(0)), f64x2.gt(beta, f64x2.splat(0)))
        const loss = f64x2.mul(beta, f64x2.sub(outside, f64x2.mul(f64x2.mul(f64x2.splat(0.5), D), beta)))
        own = v128.and(isOutside, loss)
      }
      sum += f64x2.extract_lane(own, 0)
      sum += f64x2.extract_lane(own, 1)
    }
  }
  for (; i < bytes; i += 8) {
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
  if (load<u32>(losses, at.LOSSES_IS_LOGISTIC)) return entropySum(bytes, z, lower, upper, beta)
  for (let i: usize = 0; i < bytes; i += 8) {
    const own = load<f64>(beta + i)
    if (own < load<f64>(lower + i) || own > load<f64>(upper + i)) return Infinity
    if (own == 0) continue
    sum += own * (0.5 * load<f64>(shift + i) * own - load<f64>(z + i)) + epsilon * abs(own)
  }
  return sum
}

/** The conjugates of the logistic loss. */
function entropySum(bytes: usize, z: usize, lower: usize, upper: usize, beta: usize): f64 {
  let sum: f64 = 0
  let i: usize = 0
  if (ASC_FEATURE_SIMD) {
    const zero = f64x2.splat(0)
    const one = f64x2.splat(1)
    for (; i + 16 <= bytes; i += 16) {
      const own = v128.load(beta + i)
      const least = v128.load(lower + i)
      const most = v128.load(upper + i)
      if (v128.any_true(v128.or(f64x2.lt(own, least), f64x2.gt(own, most)))) return Infinity
      const price = f64x2.sub(most, least)
      const a = f64x2.div(f64x2.mul(v128.load(z + i), own), price)
      const rest = f64x2.sub(one, a)
      const first = v128.and(f64x2.mul(a, logDouble(a)), f64x2.gt(a, zero))
      const second = v128.and(f64x2.mul(rest, logOneMinusDouble(a)), f64x2.lt(a, one))
      const all = v128.and(f64x2.mul(price, f64x2.add(first, second)), f64x2.gt(price, zero))
      sum += f64x2.extract_lane(all, 0)
      sum += f64x2.extract_lane(all, 1)
    }
  }
  for (; i < bytes; i += 8) {
    const own = load<f64>(beta + i)
    const least = load<f64>(lower + i)
    const most = load<f64>(upper + i)
    if (own < least || own > most) return Infinity
    const price = most - least
    if (!(price > 0)) continue
    const a = (load<f64>(z + i) * own) / price
    sum += price * ((a > 0 ? a * log(a) : 0) + (a < 1 ? (1 - a) * logOneMinus(a) : 0))
  }
  return sum
}

/** The slope of t ↦ Σ L_i(f_i + t q_i) over from <= i < to; its own slope goes to `bend`. */
export function slopeAlong(losses: usize, f: usize, q: usize, t: f64, from: u32, to: u32, bend: usize): f64 {
  const bytes = <usize>to << 3
  const isLogistic = load<u32>(losses, at.LOSSES_IS_LOGISTIC) != 0
  const epsilon = load<f64>(losses, at.LOSSES_EPSILON)
  const z = <usize>load<u32>(losses, at.LOSSES_Z)
  const lower = <usize>load<u32>(losses, at.LOSSES_LOWER)
  const upper = <usize>load<u32>(losses, at.LOSSES_UPPER)
  const shift = <usize>load<u32>(losses, at.LOSSES_SHIFT)
  let slope: f64 = 0
  let curve: f64 = 0
  let i = <usize>from << 3
  if (ASC_FEATURE_SIMD) {
    for (; i + 16 <= bytes; i += 16) {
      const step = v128.load(q + i)
      const value = f64x2.add(v128.load(f + i), f64x2.mul(f64x2.splat(t), step))
      const target = v128.load(z + i)
      let beta: v128
      let bent: v128
      if (isLogistic) {
        const price = f64x2.sub(v128.load(upper + i), v128.load(lower + i))
        const margin = f64x2.mul(target, value)
        const tail = tails(margin)
        const part = f64x2.div(f64x2.splat(1), f64x2.add(f64x2.splat(1), tail))
        beta = logisticBetas(price, target, margin, tail, part)
        bent = f64x2.mul(f64x2.mul(logisticBends(price, tail, part), step), step)
      } else {
        const residual = f64x2.sub(target, value)
        const isAbove = f64x2.gt(residual, f64x2.splat(0))
        const isOutside = f64x2.gt(f64x2.abs(residual), f64x2.splat(epsilon))
        const bound = v128.bitselect(v128.load(upper + i), v128.load(lower + i), isAbove)
        const D = v128.load(shift + i)
        const outside = f64x2.add(residual, v128.bitselect(f64x2.splat(-epsilon), f64x2.splat(epsilon), isAbove))
        const free = v128.bitselect(f64x2.div(outside, D), bound, f64x2.gt(D, f64x2.splat(0)))
        const isFree = v128.bitselect(f64x2.lt(free, bound), f64x2.gt(free, bound), isAbove)
        beta = v128.and(isOutside, v128.bitselect(free, bound, isFree))
        bent = v128.and(v128.and(isOutside, isFree), f64x2.div(f64x2.mul(step, step), D))
      }
      const fall = f64x2.mul(beta, step)
      slope -= f64x2.extract_lane(fall, 0)
      slope -= f64x2.extract_lane(fall, 1)
      curve += f64x2.extract_lane(bent, 0)
      curve += f64x2.extract_lane(bent, 1)
    }
  }
  for (; i < bytes; i += 8) {
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

/** e^−|margin| */
// @ts-ignore: decorator
@inline
function tails(margin: v128): v128 {
  return exp2Double(f64x2.mul(f64x2.splat(-LOG2E), f64x2.abs(margin)))
}

/** Logistic: C log(1 + e^−margin). */
// @ts-ignore: decorator
@inline
function logisticLosses(price: v128, margin: v128, tail: v128): v128 {
  const beyond = v128.and(f64x2.neg(margin), f64x2.lt(margin, f64x2.splat(0)))
  return v128.and(f64x2.mul(price, f64x2.add(beyond, logOnePlusDouble(tail))), f64x2.gt(price, f64x2.splat(0)))
}

/** Logistic: β̂ = C y a, where tail = e^−|margin| and part = 1 / (1 + tail). */
// @ts-ignore: decorator
@inline
function logisticBetas(price: v128, target: v128, margin: v128, tail: v128, part: v128): v128 {
  const a = v128.bitselect(f64x2.mul(tail, part), part, f64x2.gt(margin, f64x2.splat(0)))
  return f64x2.mul(f64x2.mul(price, target), a)
}

/** Logistic: h = C a (1 − a). */
// @ts-ignore: decorator
@inline
function logisticBends(price: v128, tail: v128, part: v128): v128 {
  return f64x2.mul(f64x2.mul(f64x2.mul(price, tail), part), part)
}
