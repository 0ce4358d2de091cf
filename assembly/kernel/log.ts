/**
 * Natural logarithms in f64, good to two ulp: 2 artanh s with |s| <= 0.172, whose series beyond s^21 is less than 1e-18 of it.
 */

/** log(2), and the same in two parts: products of the first with exponents are exact. */
const LN_2: f64 = 0.6931471805599453
const LN_2_HIGH: f64 = 0.693147180369123816490
const LN_2_LOW: f64 = 1.90821492927058770002e-10
/** √2 − 1 */
const HALVED_FROM: f64 = 0.41421356237309503
/** The bits of √½. */
const ROOT_OF_HALF: i64 = 0x3fe6a09e667f3bcd
/** The least number with 53 bits, and what brings smaller ones there. */
const LEAST_NORMAL: f64 = 2.2250738585072014e-308
const RAISED: f64 = 18014398509481984.0
const RAISED_BY: i64 = 54
/** 1.5 · 2^52 */
const WHOLE: f64 = 6755399441055744.0
/** Up to here log(1 − x) is taken from x: the digits of 1 − x are not those of x. */
const NEAR_ZERO: f64 = 0.25
/** 1/21, 1/19 … 1/3 in memory: written into the code, constants would be made again in every turn of a loop. */
const SERIES = memory.data<f64>([
  1.0 / 21.0,
  1.0 / 19.0,
  1.0 / 17.0,
  1.0 / 15.0,
  1.0 / 13.0,
  1.0 / 11.0,
  1.0 / 9.0,
  1.0 / 7.0,
  1.0 / 5.0,
  1.0 / 3.0,
])

/** 2 artanh s */
// @ts-ignore: decorator
@inline
function twiceArtanh(s: f64): f64 {
  const square = s * s
  let sum: f64 = load<f64>(SERIES)
  sum = sum * square + load<f64>(SERIES, 8)
  sum = sum * square + load<f64>(SERIES, 16)
  sum = sum * square + load<f64>(SERIES, 24)
  sum = sum * square + load<f64>(SERIES, 32)
  sum = sum * square + load<f64>(SERIES, 40)
  sum = sum * square + load<f64>(SERIES, 48)
  sum = sum * square + load<f64>(SERIES, 56)
  sum = sum * square + load<f64>(SERIES, 64)
  sum = sum * square + load<f64>(SERIES, 72)
  return 2 * (sum * square * s + s)
}

/** log(x) for x > 0: x = 2^k m with m from √½ to √2. */
// @ts-ignore: decorator
@inline
export function log(x: f64): f64 {
  const isTiny = x < LEAST_NORMAL
  const bits = reinterpret<i64>(isTiny ? x * RAISED : x)
  const k = (bits - ROOT_OF_HALF) >> 52
  const m = reinterpret<f64>(bits - (k << 52))
  const power = <f64>(isTiny ? k - RAISED_BY : k)
  return power * LN_2_HIGH + (power * LN_2_LOW + twiceArtanh((m - 1) / (m + 1)))
}

/** log(1 − x) for 0 <= x < 1. */
// @ts-ignore: decorator
@inline
export function logOneMinus(x: f64): f64 {
  return x <= NEAR_ZERO ? twiceArtanh(-x / (2 - x)) : log(1 - x)
}

/** log(1 + x) for 0 <= x <= 1: beyond √2 − 1 it is log(2) and that of (1 + x) / 2. */
// @ts-ignore: decorator
@inline
export function logOnePlus(x: f64): f64 {
  const isSmall = x <= HALVED_FROM
  return (isSmall ? 0 : LN_2) + twiceArtanh((isSmall ? x : x - 1) / (isSmall ? x + 2 : x + 3))
}

/** Two numbers side by side, to the same bits: 2 artanh s, log(1 + x), log(x) and log(1 − x). */
// @ts-ignore: decorator
@inline
function twiceArtanhDouble(s: v128): v128 {
  const square = f64x2.mul(s, s)
  let sum = v128.load64_splat(SERIES)
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 8))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 16))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 24))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 32))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 40))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 48))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 56))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 64))
  sum = f64x2.add(f64x2.mul(sum, square), v128.load64_splat(SERIES, 72))
  return f64x2.mul(f64x2.splat(2), f64x2.add(f64x2.mul(f64x2.mul(sum, square), s), s))
}

// @ts-ignore: decorator
@inline
export function logOnePlusDouble(x: v128): v128 {
  const isSmall = f64x2.le(x, f64x2.splat(HALVED_FROM))
  const above = v128.bitselect(x, f64x2.sub(x, f64x2.splat(1)), isSmall)
  const s = f64x2.div(above, f64x2.add(x, v128.bitselect(f64x2.splat(2), f64x2.splat(3), isSmall)))
  return f64x2.add(v128.andnot(f64x2.splat(LN_2), isSmall), twiceArtanhDouble(s))
}

// @ts-ignore: decorator
@inline
export function logDouble(x: v128): v128 {
  return logOrNear(x, x, f64x2.splat(0))
}

// @ts-ignore: decorator
@inline
export function logOneMinusDouble(x: v128): v128 {
  return logOrNear(f64x2.sub(f64x2.splat(1), x), x, f64x2.le(x, f64x2.splat(NEAR_ZERO)))
}

/** log(x), or log(1 − near) by `near` itself where `isNear`. */
// @ts-ignore: decorator
@inline
function logOrNear(x: v128, near: v128, isNear: v128): v128 {
  const one = f64x2.splat(1)
  const isTiny = f64x2.lt(x, f64x2.splat(LEAST_NORMAL))
  const bits = v128.bitselect(f64x2.mul(x, f64x2.splat(RAISED)), x, isTiny)
  const k = i64x2.shr_s(i64x2.sub(bits, i64x2.splat(ROOT_OF_HALF)), 52)
  const m = i64x2.sub(bits, i64x2.shl(k, 52))
  const raised = v128.and(isTiny, i64x2.splat(RAISED_BY))
  // A whole number added to the bits of 1.5 · 2^52 is added to its value.
  const shifted = i64x2.add(i64x2.sub(k, raised), f64x2.splat(WHOLE))
  const power = v128.andnot(f64x2.sub(shifted, f64x2.splat(WHOLE)), isNear)
  const above = v128.bitselect(f64x2.neg(near), f64x2.sub(m, one), isNear)
  const below = v128.bitselect(f64x2.sub(f64x2.splat(2), near), f64x2.add(m, one), isNear)
  const rest = f64x2.add(f64x2.mul(power, f64x2.splat(LN_2_LOW)), twiceArtanhDouble(f64x2.div(above, below)))
  return f64x2.add(f64x2.mul(power, f64x2.splat(LN_2_HIGH)), rest)
}
