/**
 * 2^t for f32: t = i + f with i whole and |f| <= ½; a polynomial of degree 6 for 2^f (Chebyshev interpolation on
 * [−½, ½], relative error 2.6e-9 before rounding), and i added to the exponent. Adding 1.5 · 2^23 rounds t to a whole
 * number and leaves it in the low bits. Below t = −100 the result stays 2^−100: no f32 or f64 sum can feel it, and
 * denormals would make everything after them many times slower. t must be below 128.
 */
import { multiplyAdd } from './lanes'

/** 1.5 · 2^23, and where t is cut off. */
const ROUND: f32 = 12582912.0
const LOWEST: f32 = -100.0
/** Coefficients of the polynomial. */
const C1: f32 = 0.6931472067028321
const C2: f32 = 0.24022650922288802
const C3: f32 = 0.05550327226670956
const C4: f32 = 0.009618056678528164
const C5: f32 = 0.0013400428177416795
const C6: f32 = 0.00015461444695978927

/** The same numbers in memory. Written into the code, they would be made again in every turn of a loop. */
const TABLE = memory.data<f32>([ROUND, LOWEST, 1.0, C1, C2, C3, C4, C5, C6])

/** log2(e) */
export const LOG2E: f64 = 1.4426950408889634

/**
 * Writes 2^t of four vectors to `at`. They go side by side, so that none waits for its own results and a constant is
 * loaded once for all of them.
 */
// @ts-ignore: decorator
@inline
export function exp2Row(at: usize, t0: v128, t1: v128, t2: v128, t3: v128): void {
  let c = constant(1)
  t0 = f32x4.pmax(c, t0)
  t1 = f32x4.pmax(c, t1)
  t2 = f32x4.pmax(c, t2)
  t3 = f32x4.pmax(c, t3)
  c = constant(0)
  const i0 = f32x4.add(t0, c)
  const i1 = f32x4.add(t1, c)
  const i2 = f32x4.add(t2, c)
  const i3 = f32x4.add(t3, c)
  const f0 = f32x4.sub(t0, f32x4.sub(i0, c))
  const f1 = f32x4.sub(t1, f32x4.sub(i1, c))
  const f2 = f32x4.sub(t2, f32x4.sub(i2, c))
  const f3 = f32x4.sub(t3, f32x4.sub(i3, c))
  let p0 = constant(8)
  let p1 = p0
  let p2 = p0
  let p3 = p0
  c = constant(7)
  p0 = multiplyAdd(p0, f0, c)
  p1 = multiplyAdd(p1, f1, c)
  p2 = multiplyAdd(p2, f2, c)
  p3 = multiplyAdd(p3, f3, c)
  c = constant(6)
  p0 = multiplyAdd(p0, f0, c)
  p1 = multiplyAdd(p1, f1, c)
  p2 = multiplyAdd(p2, f2, c)
  p3 = multiplyAdd(p3, f3, c)
  c = constant(5)
  p0 = multiplyAdd(p0, f0, c)
  p1 = multiplyAdd(p1, f1, c)
  p2 = multiplyAdd(p2, f2, c)
  p3 = multiplyAdd(p3, f3, c)
  c = constant(4)
  p0 = multiplyAdd(p0, f0, c)
  p1 = multiplyAdd(p1, f1, c)
  p2 = multiplyAdd(p2, f2, c)
  p3 = multiplyAdd(p3, f3, c)
  c = constant(3)
  p0 = multiplyAdd(p0, f0, c)
  p1 = multiplyAdd(p1, f1, c)
  p2 = multiplyAdd(p2, f2, c)
  p3 = multiplyAdd(p3, f3, c)
  c = constant(2)
  p0 = multiplyAdd(p0, f0, c)
  p1 = multiplyAdd(p1, f1, c)
  p2 = multiplyAdd(p2, f2, c)
  p3 = multiplyAdd(p3, f3, c)
  v128.store(at, scaled(p0, i0))
  v128.store(at, scaled(p1, i1), 16)
  v128.store(at, scaled(p2, i2), 32)
  v128.store(at, scaled(p3, i3), 48)
}

/** Entry k of the table in all lanes. */
// @ts-ignore: decorator
@inline
function constant(k: usize): v128 {
  return v128.load_splat<f32>(TABLE + (k << 2))
}

/** p · 2^i */
// @ts-ignore: decorator
@inline
function scaled(p: v128, i: v128): v128 {
  return i32x4.add(p, i32x4.shl(i, 23))
}

/** One value at a time. */
// @ts-ignore: decorator
@inline
export function exp2(t: f32): f32 {
  const clamped: f32 = t > LOWEST ? t : LOWEST
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
