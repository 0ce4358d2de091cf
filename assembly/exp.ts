/**
 * 2^t for f32: t = i + f with i whole and |f| <= ½; a polynomial of degree 6 for 2^f (Chebyshev interpolation on
 * [−½, ½], relative error 2.6e-9 before rounding), and i added to the exponent. Adding 1.5 · 2^23 rounds t to a whole
 * number and leaves it in the low bits. Results below 2^−100 are 0: no f32 or f64 sum can feel them, and denormals
 * would make everything after them many times slower.
 */
import { multiplyAdd } from './lanes'

const ROUND: f32 = 12582912.0
const LOWEST: f32 = -100.0
const HIGHEST: f32 = 127.0
const C1: f32 = 0.6931472067028321
const C2: f32 = 0.24022650922288802
const C3: f32 = 0.05550327226670956
const C4: f32 = 0.009618056678528164
const C5: f32 = 0.0013400428177416795
const C6: f32 = 0.00015461444695978927

/** log2(e) */
export const LOG2E: f64 = 1.4426950408889634

// @ts-ignore: decorator
@inline
export function exp2Lanes(t: v128): v128 {
  const clamped = f32x4.pmin(f32x4.splat(HIGHEST), f32x4.pmax(f32x4.splat(-126.0), t))
  const shifted = f32x4.add(clamped, f32x4.splat(ROUND))
  const f = f32x4.sub(clamped, f32x4.sub(shifted, f32x4.splat(ROUND)))
  let p = multiplyAdd(f, f32x4.splat(C6), f32x4.splat(C5))
  p = multiplyAdd(p, f, f32x4.splat(C4))
  p = multiplyAdd(p, f, f32x4.splat(C3))
  p = multiplyAdd(p, f, f32x4.splat(C2))
  p = multiplyAdd(p, f, f32x4.splat(C1))
  p = multiplyAdd(p, f, f32x4.splat(1.0))
  const scaled = i32x4.add(p, i32x4.shl(shifted, 23))
  return v128.and(scaled, f32x4.gt(t, f32x4.splat(LOWEST)))
}

/** The same, one value at a time. */
// @ts-ignore: decorator
@inline
export function exp2Scalar(t: f32): f32 {
  if (!(t > LOWEST)) return 0
  const clamped: f32 = t < HIGHEST ? t : HIGHEST
  const shifted: f32 = clamped + ROUND
  const f: f32 = clamped - (shifted - ROUND)
  let p: f32 = f * C6 + C5
  p = p * f + C4
  p = p * f + C3
  p = p * f + C2
  p = p * f + C1
  p = p * f + <f32>1.0
  return reinterpret<f32>(reinterpret<i32>(p) + (reinterpret<i32>(shifted) << 23))
}
