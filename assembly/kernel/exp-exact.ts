/**
 * 2^t for f64, good to an ulp: t = k + f with k whole and |f| <= ½; 2^f = 1 + f P(f) with P of degree 10 (Chebyshev
 * interpolation on [−½, ½], relative error of 2^f below 2e-17 before rounding), and k added to the exponent. Adding
 * 1.5 · 2^52 rounds t to a whole number and leaves it in the low bits. Results below 2^−900 are 0: no sum can feel them,
 * and denormals would make everything after them many times slower.
 *
 *   tanh(x) = (e^2x − 1) / (e^2x + 1)   from   2^t − 1 = 2^k f P(f) + (2^k − 1), which keeps its digits near 0
 */
import { multiplyAddDouble } from './lanes'

/** 1.5 · 2^52. */
const ROUND: f64 = 6755399441055744.0
/** Where t is cut off, below −900 and above the −1022 of denormals; and 2^−900. */
const LOWEST: f64 = -1000.0
const SMALLEST: f64 = 1.1830521861667747e-271
/** tanh is ±1 to the last bit where e^2x is 2^±64. */
const TANH_LIMIT: f64 = 64.0
/** Coefficients of P. */
const C1: f64 = 0.6931471805599453
const C2: f64 = 0.24022650695910097
const C3: f64 = 0.0555041086648216
const C4: f64 = 0.009618129107606887
const C5: f64 = 0.0013333558146416933
const C6: f64 = 0.00015403530441738953
const C7: f64 = 1.5252733829837666e-5
const C8: f64 = 1.3215442586152225e-6
const C9: f64 = 1.01780624449026e-7
const C10: f64 = 7.072586303165937e-9
const C11: f64 = 4.454960786822665e-10

/** P in memory: written into the code, constants would be made again in every turn of a loop. */
const TABLE = memory.data<f64>([C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11])

/** Replaces 8 values t <= 0 at `at` by 2^t. Four vectors go side by side: a constant is loaded once for all of them. */
// @ts-ignore: decorator
@inline
export function exp2RowDouble(at: usize): void {
  if (!ASC_FEATURE_SIMD) {
    for (let k: usize = 0; k < 64; k += 8) store<f64>(at + k, exp2(load<f64>(at + k)))
    return
  }
  const lowest = f64x2.splat(LOWEST)
  const t0 = f64x2.pmax(lowest, v128.load(at))
  const t1 = f64x2.pmax(lowest, v128.load(at, 16))
  const t2 = f64x2.pmax(lowest, v128.load(at, 32))
  const t3 = f64x2.pmax(lowest, v128.load(at, 48))
  const round = f64x2.splat(ROUND)
  const k0 = f64x2.add(t0, round)
  const k1 = f64x2.add(t1, round)
  const k2 = f64x2.add(t2, round)
  const k3 = f64x2.add(t3, round)
  const f0 = f64x2.sub(t0, f64x2.sub(k0, round))
  const f1 = f64x2.sub(t1, f64x2.sub(k1, round))
  const f2 = f64x2.sub(t2, f64x2.sub(k2, round))
  const f3 = f64x2.sub(t3, f64x2.sub(k3, round))
  let c = constant(10)
  let d = constant(9)
  let p0 = multiplyAddDouble(f0, c, d)
  let p1 = multiplyAddDouble(f1, c, d)
  let p2 = multiplyAddDouble(f2, c, d)
  let p3 = multiplyAddDouble(f3, c, d)
  for (let k: isize = 8; k >= 0; k--) {
    d = constant(k)
    p0 = multiplyAddDouble(p0, f0, d)
    p1 = multiplyAddDouble(p1, f1, d)
    p2 = multiplyAddDouble(p2, f2, d)
    p3 = multiplyAddDouble(p3, f3, d)
  }
  c = f64x2.splat(1)
  d = f64x2.splat(SMALLEST)
  v128.store(at, scaled(multiplyAddDouble(p0, f0, c), k0, d))
  v128.store(at, scaled(multiplyAddDouble(p1, f1, c), k1, d), 16)
  v128.store(at, scaled(multiplyAddDouble(p2, f2, c), k2, d), 32)
  v128.store(at, scaled(multiplyAddDouble(p3, f3, c), k3, d), 48)
}

/** 2^t of two values t <= 0. A loop over the table would cost as much as the polynomial. */
// @ts-ignore: decorator
@inline
export function exp2Double(t: v128): v128 {
  const clamped = f64x2.pmax(f64x2.splat(LOWEST), t)
  const k = f64x2.add(clamped, f64x2.splat(ROUND))
  const f = f64x2.sub(clamped, f64x2.sub(k, f64x2.splat(ROUND)))
  let p = multiplyAddDouble(f, constant(10), constant(9))
  p = multiplyAddDouble(p, f, constant(8))
  p = multiplyAddDouble(p, f, constant(7))
  p = multiplyAddDouble(p, f, constant(6))
  p = multiplyAddDouble(p, f, constant(5))
  p = multiplyAddDouble(p, f, constant(4))
  p = multiplyAddDouble(p, f, constant(3))
  p = multiplyAddDouble(p, f, constant(2))
  p = multiplyAddDouble(p, f, constant(1))
  p = multiplyAddDouble(p, f, constant(0))
  return scaled(multiplyAddDouble(p, f, f64x2.splat(1)), k, f64x2.splat(SMALLEST))
}

/** tanh(x) of t = 2 log2(e) x, two lanes. */
// @ts-ignore: decorator
@inline
export function tanhDouble(t: v128): v128 {
  const x = f64x2.pmin(f64x2.splat(TANH_LIMIT), f64x2.pmax(f64x2.splat(-TANH_LIMIT), t))
  const k = f64x2.add(x, f64x2.splat(ROUND))
  const f = f64x2.sub(x, f64x2.sub(k, f64x2.splat(ROUND)))
  let p = multiplyAddDouble(f, constant(10), constant(9))
  for (let j: isize = 8; j >= 0; j--) p = multiplyAddDouble(p, f, constant(j))
  const power = i64x2.add(f64x2.splat(1), i64x2.shl(k, 52))
  const value = multiplyAddDouble(power, f64x2.mul(f, p), f64x2.sub(power, f64x2.splat(1)))
  return f64x2.div(value, f64x2.add(value, f64x2.splat(2)))
}

/** The same, one value at a time. */
// @ts-ignore: decorator
@inline
export function tanhDoubleScalar(t: f64): f64 {
  let x = t > -TANH_LIMIT ? t : -TANH_LIMIT
  x = x < TANH_LIMIT ? x : TANH_LIMIT
  const shifted = x + ROUND
  const f = x - (shifted - ROUND)
  const power = timesPower(1.0, shifted)
  const value = power * (f * polynomial(f)) + (power - 1.0)
  return value / (value + 2.0)
}

/** Entry k of the table in both lanes. */
// @ts-ignore: decorator
@inline
function constant(k: isize): v128 {
  return v128.load_splat<f64>(TABLE + (k << 3))
}

/** value · 2^k, or 0 where that is below `smallest`. */
// @ts-ignore: decorator
@inline
function scaled(value: v128, k: v128, smallest: v128): v128 {
  const power = i64x2.add(value, i64x2.shl(k, 52))
  return v128.and(power, f64x2.gt(power, smallest))
}

/** 2^t of one value t <= 0. */
// @ts-ignore: decorator
@inline
export function exp2(t: f64): f64 {
  const clamped = t > LOWEST ? t : LOWEST
  const shifted = clamped + ROUND
  const f = clamped - (shifted - ROUND)
  const value = timesPower(polynomial(f) * f + 1.0, shifted)
  return value > SMALLEST ? value : 0
}

/** P(f) */
// @ts-ignore: decorator
@inline
function polynomial(f: f64): f64 {
  let p = f * C11 + C10
  p = p * f + C9
  p = p * f + C8
  p = p * f + C7
  p = p * f + C6
  p = p * f + C5
  p = p * f + C4
  p = p * f + C3
  p = p * f + C2
  return p * f + C1
}

/** value · 2^k */
// @ts-ignore: decorator
@inline
function timesPower(value: f64, shifted: f64): f64 {
  return reinterpret<f64>(reinterpret<i64>(value) + (reinterpret<i64>(shifted) << 52))
}
