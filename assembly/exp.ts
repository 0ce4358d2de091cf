/**
 * 2^t for f32: t = i + f with i whole and |f| <= ½; a polynomial of degree 6 for 2^f (Chebyshev interpolation on
 * [−½, ½], relative error 2.6e-9 before rounding), and i added to the exponent. Adding 1.5 · 2^23 rounds t to a whole
 * number and leaves it in the low bits. Results below 2^−100 are 0: no f32 or f64 sum can feel them, and denormals
 * would make everything after them many times slower. t must be below 128.
 */
import { multiplyAdd } from './lanes'

const ROUND: f32 = 12582912.0
const LOWEST: f32 = -126.0
const SMALLEST: f32 = 7.888609052210118e-31
const C1: f32 = 0.6931472067028321
const C2: f32 = 0.24022650922288802
const C3: f32 = 0.05550327226670956
const C4: f32 = 0.009618056678528164
const C5: f32 = 0.0013400428177416795
const C6: f32 = 0.00015461444695978927

/** The same numbers in memory. Written into the code, they would be made again in every turn of a loop. */
const TABLE = memory.data<f32>([ROUND, LOWEST, SMALLEST, 1.0, C1, C2, C3, C4, C5, C6])

/** log2(e) */
export const LOG2E: f64 = 1.4426950408889634

/** Replaces 16 values t at `at` by 2^t. Four vectors go side by side: a constant is loaded once for all of them. */
// @ts-ignore: decorator
@inline
export function exp2Row(at: usize): void {
  if (!ASC_FEATURE_SIMD) {
    for (let k: usize = 0; k < 64; k += 4) store<f32>(at + k, exp2(load<f32>(at + k)))
    return
  }
  const lowest = constant(1)
  const t0 = f32x4.pmax(lowest, v128.load(at))
  const t1 = f32x4.pmax(lowest, v128.load(at, 16))
  const t2 = f32x4.pmax(lowest, v128.load(at, 32))
  const t3 = f32x4.pmax(lowest, v128.load(at, 48))
  const round = constant(0)
  const i0 = f32x4.add(t0, round)
  const i1 = f32x4.add(t1, round)
  const i2 = f32x4.add(t2, round)
  const i3 = f32x4.add(t3, round)
  const f0 = f32x4.sub(t0, f32x4.sub(i0, round))
  const f1 = f32x4.sub(t1, f32x4.sub(i1, round))
  const f2 = f32x4.sub(t2, f32x4.sub(i2, round))
  const f3 = f32x4.sub(t3, f32x4.sub(i3, round))
  let c = constant(9)
  let d = constant(8)
  let p0 = multiplyAdd(f0, c, d)
  let p1 = multiplyAdd(f1, c, d)
  let p2 = multiplyAdd(f2, c, d)
  let p3 = multiplyAdd(f3, c, d)
  for (let k: usize = 7; k >= 3; k--) {
    d = constant(k)
    p0 = multiplyAdd(p0, f0, d)
    p1 = multiplyAdd(p1, f1, d)
    p2 = multiplyAdd(p2, f2, d)
    p3 = multiplyAdd(p3, f3, d)
  }
  c = constant(2)
  v128.store(at, scaled(p0, i0, c))
  v128.store(at, scaled(p1, i1, c), 16)
  v128.store(at, scaled(p2, i2, c), 32)
  v128.store(at, scaled(p3, i3, c), 48)
}

/** Entry k of the table in all lanes. */
// @ts-ignore: decorator
@inline
function constant(k: usize): v128 {
  return v128.load_splat<f32>(TABLE + (k << 2))
}

/** p · 2^i, or 0 where that is below `smallest`. */
// @ts-ignore: decorator
@inline
function scaled(p: v128, i: v128, smallest: v128): v128 {
  const value = i32x4.add(p, i32x4.shl(i, 23))
  return v128.and(value, f32x4.gt(value, smallest))
}

/** One value at a time. */
// @ts-ignore: decorator
@inline
function exp2(t: f32): f32 {
  const clamped: f32 = t > LOWEST ? t : LOWEST
  const shifted: f32 = clamped + ROUND
  const f: f32 = clamped - (shifted - ROUND)
  let p: f32 = f * C6 + C5
  p = p * f + C4
  p = p * f + C3
  p = p * f + C2
  p = p * f + C1
  p = p * f + <f32>1.0
  const value = reinterpret<f32>(reinterpret<i32>(p) + (reinterpret<i32>(shifted) << 23))
  return value > SMALLEST ? value : 0
}
