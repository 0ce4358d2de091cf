/**
 * v[j] −= Σ_q coefficients[q] · k(x_j, query_q) without storing any row: products and transform on a tile, then straight
 * into the vector. For kernels that are cheap to evaluate, writing a row to memory costs as much as making it.
 */
import { kernelTile } from '../kernel/kernel-tile'
import { QUERY_BYTES, SCRATCH_SUMS, SCRATCH_TILE, TILE } from '../structures'

/** The sums of the scratch hold the 16 coefficients, 0 for queries that are not there; `vector` points to v of sample 0. */
export function accumulate(
  matrix: usize,
  kernel: usize,
  form: u32,
  from: u32,
  to: u32,
  vector: usize,
  scratch: usize,
): void {
  for (let j = from; j < to; j += TILE) {
    const samples = <i32>min<u32>(TILE, to - j)
    kernelTile(matrix, kernel, form, j, samples, scratch)
    subtractTile(vector + (<usize>j << 3), scratch + SCRATCH_TILE, samples, scratch + SCRATCH_SUMS)
  }
}

/** v[s] −= Σ_q coefficients[q] · tile[s][q] */
function subtractTile(v: usize, tile: usize, count: i32, coefficients: usize): void {
  let s: usize = 0
  if (ASC_FEATURE_SIMD) {
    for (; s + 4 <= <usize>count; s += 4) {
      // Four samples at a time, so that a coefficient is loaded once for all of them.
      let sum0 = f64x2.splat(0)
      let sum1 = f64x2.splat(0)
      let sum2 = f64x2.splat(0)
      let sum3 = f64x2.splat(0)
      const values = tile + (s << 6)
      for (let q: usize = 0; q < QUERY_BYTES; q += 8) {
        const c = v128.load(coefficients + (q << 1))
        sum0 = f64x2.add(sum0, f64x2.mul(c, f64x2.promote_low_f32x4(v128.load_zero<u64>(values + q))))
        sum1 = f64x2.add(sum1, f64x2.mul(c, f64x2.promote_low_f32x4(v128.load_zero<u64>(values + q, 64))))
        sum2 = f64x2.add(sum2, f64x2.mul(c, f64x2.promote_low_f32x4(v128.load_zero<u64>(values + q, 128))))
        sum3 = f64x2.add(sum3, f64x2.mul(c, f64x2.promote_low_f32x4(v128.load_zero<u64>(values + q, 192))))
      }
      const at = v + (s << 3)
      v128.store(at, f64x2.sub(v128.load(at), sumOfLanes(sum0, sum1)))
      v128.store(at, f64x2.sub(v128.load(at, 16), sumOfLanes(sum2, sum3)), 16)
    }
  }
  for (; s < <usize>count; s++) {
    const at = v + (s << 3)
    store<f64>(at, load<f64>(at) - weighted(tile + (s << 6), coefficients))
  }
}

/** [a0 + a1, b0 + b1] */
// @ts-ignore: decorator
@inline
function sumOfLanes(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3))
}

/** Σ_q coefficients[q] · values[q]: even and odd q apart, then together. */
// @ts-ignore: decorator
@inline
function weighted(values: usize, coefficients: usize): f64 {
  let even = 0.0
  let odd = 0.0
  for (let q: usize = 0; q < QUERY_BYTES; q += 8) {
    even += <f64>load<f32>(values + q) * load<f64>(coefficients + (q << 1))
    odd += <f64>load<f32>(values + q, 4) * load<f64>(coefficients + (q << 1), 8)
  }
  return even + odd
}
