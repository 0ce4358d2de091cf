/** v[i] −= Σ_k coefficients[k] · rows[k][i]: f32 rows into an f64 vector, in a fixed order for every i. */

import { multiplyAddDouble } from '../kernel/lanes'

/** Elements of v that stay in the first-level cache while rows pass by, four at a time. */
const BLOCK: u32 = 1024

/** `from` must be even; an odd `to` is rounded up (v and the rows are padded). `rows` points to u32 pointers. */
export function subtractRows(
  v: usize,
  from: u32,
  to: u32,
  rows: usize,
  coefficients: usize,
  count: i32,
): void {
  for (let start = from; start < to; start += BLOCK) {
    const end = min(to, start + BLOCK)
    let k = 0
    for (; k + 4 <= count; k += 4)
      subtractFour(v, start, end, rows + ((<usize>k) << 2), coefficients + ((<usize>k) << 3))
    for (; k < count; k++)
      subtractOne(
        v,
        start,
        end,
        load<u32>(rows + ((<usize>k) << 2)),
        load<f64>(coefficients + ((<usize>k) << 3)),
      )
  }
}

function subtractFour(v: usize, from: u32, to: u32, rows: usize, coefficients: usize): void {
  const r0 = <usize>load<u32>(rows)
  const r1 = <usize>load<u32>(rows, 4)
  const r2 = <usize>load<u32>(rows, 8)
  const r3 = <usize>load<u32>(rows, 12)
  if (ASC_FEATURE_SIMD) {
    const c0 = f64x2.neg(v128.load_splat<f64>(coefficients))
    const c1 = f64x2.neg(v128.load_splat<f64>(coefficients, 8))
    const c2 = f64x2.neg(v128.load_splat<f64>(coefficients, 16))
    const c3 = f64x2.neg(v128.load_splat<f64>(coefficients, 24))
    for (let at = (<usize>from) << 2; at < (<usize>to) << 2; at += 8) {
      let x = v128.load(v + (at << 1))
      x = multiplyAddDouble(c0, f64x2.promote_low_f32x4(v128.load_zero<u64>(r0 + at)), x)
      x = multiplyAddDouble(c1, f64x2.promote_low_f32x4(v128.load_zero<u64>(r1 + at)), x)
      x = multiplyAddDouble(c2, f64x2.promote_low_f32x4(v128.load_zero<u64>(r2 + at)), x)
      x = multiplyAddDouble(c3, f64x2.promote_low_f32x4(v128.load_zero<u64>(r3 + at)), x)
      v128.store(v + (at << 1), x)
    }
  } else {
    for (let k: usize = 0; k < 4; k++) {
      subtractOne(v, from, to, load<u32>(rows + (k << 2)), load<f64>(coefficients + (k << 3)))
    }
  }
}

function subtractOne(v: usize, from: u32, to: u32, row: usize, coefficient: f64): void {
  if (ASC_FEATURE_SIMD) {
    const c = f64x2.splat(coefficient)
    for (let at = (<usize>from) << 2; at < (<usize>to) << 2; at += 8) {
      const x = f64x2.promote_low_f32x4(v128.load_zero<u64>(row + at))
      v128.store(v + (at << 1), f64x2.sub(v128.load(v + (at << 1)), f64x2.mul(c, x)))
    }
  } else {
    for (let at = (<usize>from) << 2; at < (<usize>to) << 2; at += 4) {
      store<f64>(v + (at << 1), load<f64>(v + (at << 1)) - coefficient * <f64>load<f32>(row + at))
    }
  }
}
