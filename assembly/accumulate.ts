/**
 * v[j] −= Σ_q coefficients[q] · k(x_j, query_q) without storing any row: products and transform on a tile, then straight
 * into the vector. For kernels that are cheap to evaluate, writing a row to memory costs as much as making it.
 */
import { MATRIX_NORMS, QUERY_BYTES, TILE } from './layout'
import { tileProducts } from './products'
import { transformTile } from './transforms'

/** `coefficients` are 16 f64, 0 for queries that are not there; `vector` points to v of sample 0. */
export function accumulate(
  matrix: usize,
  kernel: usize,
  form: u32,
  from: u32,
  to: u32,
  block: usize,
  queryNorms: usize,
  coefficients: usize,
  vector: usize,
  tile: usize,
): void {
  const norms = <usize>load<u32>(matrix, MATRIX_NORMS)
  for (let j = from; j < to; j += TILE) {
    const samples = <i32>min<u32>(TILE, to - j)
    tileProducts(matrix, form, j, samples, block, tile)
    transformTile(kernel, tile, samples, norms + (<usize>j << 2), queryNorms)
    subtractTile(vector + (<usize>j << 3), tile, samples, coefficients)
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
