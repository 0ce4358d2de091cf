/** v[i] −= Σ_k coefficients[k] · rows[k][i]: f32 or f64 rows into an f64 vector, in a fixed order for every i. */

import { multiplyAddDouble } from '../kernel/lanes'

/** Elements of v that stay in the first-level cache while rows pass by, four at a time: 8 KB of 32. */
const BLOCK: u32 = 1024

/** Rows are of T, f32 or f64. `from` must be even; an odd `to` is rounded up (v and the rows are padded). `rows` points to u32 pointers. */
export function subtractRows<T extends number>(
  v: usize,
  from: u32,
  to: u32,
  rows: usize,
  coefficients: usize,
  count: i32,
): void {
  for (let start = from; start < to; start += BLOCK) {
    const end = (min(to, start + BLOCK) + 1) & ~1
    let k = 0
    for (; k + 4 <= count; k += 4)
      subtractFour<T>(v, start, end, rows + ((<usize>k) << 2), coefficients + ((<usize>k) << 3))
    for (; k < count; k++)
      subtractOne<T>(
        v,
        start,
        end,
        load<u32>(rows + ((<usize>k) << 2)),
        load<f64>(coefficients + ((<usize>k) << 3)),
      )
  }
}

/** Entries i and i + 1 of a row, as f64. */
// @ts-ignore: decorator
@inline
function pairAt<T extends number>(row: usize, i: usize): v128 {
  if (sizeof<T>() == 4) return f64x2.promote_low_f32x4(v128.load_zero<u64>(row + (i << 2)))
  return v128.load(row + (i << 3))
}

function subtractFour<T extends number>(v: usize, from: u32, to: u32, rows: usize, coefficients: usize): void {
  const r0 = <usize>load<u32>(rows)
  const r1 = <usize>load<u32>(rows, 4)
  const r2 = <usize>load<u32>(rows, 8)
  const r3 = <usize>load<u32>(rows, 12)
  if (ASC_FEATURE_SIMD) {
    const c0 = f64x2.neg(v128.load_splat<f64>(coefficients))
    const c1 = f64x2.neg(v128.load_splat<f64>(coefficients, 8))
    const c2 = f64x2.neg(v128.load_splat<f64>(coefficients, 16))
    const c3 = f64x2.neg(v128.load_splat<f64>(coefficients, 24))
    for (let i = <usize>from; i < <usize>to; i += 2) {
      let x = v128.load(v + (i << 3))
      x = multiplyAddDouble(c0, pairAt<T>(r0, i), x)
      x = multiplyAddDouble(c1, pairAt<T>(r1, i), x)
      x = multiplyAddDouble(c2, pairAt<T>(r2, i), x)
      x = multiplyAddDouble(c3, pairAt<T>(r3, i), x)
      v128.store(v + (i << 3), x)
    }
  } else {
    for (let k: usize = 0; k < 4; k++) {
      subtractOne<T>(v, from, to, load<u32>(rows + (k << 2)), load<f64>(coefficients + (k << 3)))
    }
  }
}

function subtractOne<T extends number>(v: usize, from: u32, to: u32, row: usize, coefficient: f64): void {
  if (ASC_FEATURE_SIMD) {
    const c = f64x2.splat(coefficient)
    for (let i = <usize>from; i < <usize>to; i += 2) {
      v128.store(v + (i << 3), f64x2.sub(v128.load(v + (i << 3)), f64x2.mul(c, pairAt<T>(row, i))))
    }
  } else {
    for (let i = <usize>from; i < <usize>to; i++) {
      store<f64>(v + (i << 3), load<f64>(v + (i << 3)) - coefficient * <f64>load<T>(row + i * sizeof<T>()))
    }
  }
}
