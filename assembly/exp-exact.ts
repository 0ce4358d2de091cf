/**
 * 2^t for f64, good to an ulp: t = k + f with k whole and |f| <= ½; 2^f = 1 + f P(f) with P of degree 10 (Chebyshev
 * interpolation on [−½, ½], relative error of 2^f below 2e-17 before rounding), and k added to the exponent. Adding
 * 1.5 · 2^52 rounds t to a whole number and leaves it in the low bits. Results below 2^−900 are 0: no sum can feel them,
 * and denormals would make everything after them many times slower.
 *
 *   tanh(x) = (e^2x − 1) / (e^2x + 1)   from   2^t − 1 = 2^k f P(f) + (2^k − 1), which keeps its digits near 0
 */
import { multiplyAddDouble } from './lanes'

const ROUND: f64 = 6755399441055744.0
const LOWEST: f64 = -900.0
/** tanh is ±1 to the last bit where e^2x is 2^±64. */
const TANH_LIMIT: f64 = 64.0
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

/** 2^t for t <= 0, two lanes. What lies below LOWEST comes out as anything and is masked away. */
// @ts-ignore: decorator
@inline
export function exp2Double(t: v128): v128 {
  const shifted = f64x2.add(t, f64x2.splat(ROUND))
  const f = f64x2.sub(t, f64x2.sub(shifted, f64x2.splat(ROUND)))
  const value = multiplyAddDouble(f, fractionLanes(f), f64x2.splat(1))
  return v128.and(i64x2.add(value, i64x2.shl(shifted, 52)), f64x2.gt(t, f64x2.splat(LOWEST)))
}

/** The same, one value at a time. */
// @ts-ignore: decorator
@inline
export function exp2DoubleScalar(t: f64): f64 {
  if (!(t > LOWEST)) return 0
  const shifted = t + ROUND
  const f = t - (shifted - ROUND)
  return timesPower(f * fractionScalar(f) + 1.0, shifted)
}

/** tanh(x) of t = 2 log2(e) x, two lanes. */
// @ts-ignore: decorator
@inline
export function tanhDouble(t: v128): v128 {
  const x = f64x2.pmin(f64x2.splat(TANH_LIMIT), f64x2.pmax(f64x2.splat(-TANH_LIMIT), t))
  const shifted = f64x2.add(x, f64x2.splat(ROUND))
  const f = f64x2.sub(x, f64x2.sub(shifted, f64x2.splat(ROUND)))
  const power = i64x2.add(f64x2.splat(1), i64x2.shl(shifted, 52))
  const rest = f64x2.sub(power, f64x2.splat(1))
  const value = multiplyAddDouble(power, f64x2.mul(f, fractionLanes(f)), rest)
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
  const value = power * (f * fractionScalar(f)) + (power - 1.0)
  return value / (value + 2.0)
}

/** P(f), as two polynomials in f² that do not wait for each other. */
// @ts-ignore: decorator
@inline
function fractionLanes(f: v128): v128 {
  const g = f64x2.mul(f, f)
  let even = multiplyAddDouble(g, f64x2.splat(C11), f64x2.splat(C9))
  let odd = multiplyAddDouble(g, f64x2.splat(C10), f64x2.splat(C8))
  even = multiplyAddDouble(even, g, f64x2.splat(C7))
  odd = multiplyAddDouble(odd, g, f64x2.splat(C6))
  even = multiplyAddDouble(even, g, f64x2.splat(C5))
  odd = multiplyAddDouble(odd, g, f64x2.splat(C4))
  even = multiplyAddDouble(even, g, f64x2.splat(C3))
  odd = multiplyAddDouble(odd, g, f64x2.splat(C2))
  even = multiplyAddDouble(even, g, f64x2.splat(C1))
  return multiplyAddDouble(odd, f, even)
}

// @ts-ignore: decorator
@inline
function fractionScalar(f: f64): f64 {
  const g = f * f
  let even = g * C11 + C9
  let odd = g * C10 + C8
  even = even * g + C7
  odd = odd * g + C6
  even = even * g + C5
  odd = odd * g + C4
  even = even * g + C3
  odd = odd * g + C2
  even = even * g + C1
  return odd * f + even
}

/** value · 2^k */
// @ts-ignore: decorator
@inline
function timesPower(value: f64, shifted: f64): f64 {
  return reinterpret<f64>(reinterpret<i64>(value) + (reinterpret<i64>(shifted) << 52))
}
