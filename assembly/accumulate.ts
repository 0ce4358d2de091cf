/**
 * v[j] −= Σ_q coefficients[q] · k(x_j, query_q) without storing any row: products and transform on a tile, then straight
 * into the vector. For kernels that are cheap to evaluate, writing a row to memory costs as much as making it.
 */
import { MATRIX_NORMS, QUERIES, TILE } from './layout'
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
    for (let s = 0; s < samples; s++) {
      const at = vector + ((<usize>j + s) << 3)
      store<f64>(at, load<f64>(at) - weighted(tile + (<usize>s << 6), coefficients))
    }
  }
}

/** Σ_q coefficients[q] · values[q]: even and odd q apart, then together. */
// @ts-ignore: decorator
@inline
function weighted(values: usize, coefficients: usize): f64 {
  if (ASC_FEATURE_SIMD) {
    let sum = f64x2.splat(0)
    for (let q: usize = 0; q < <usize>QUERIES << 2; q += 8) {
      const x = f64x2.promote_low_f32x4(v128.load_zero<u64>(values + q))
      sum = f64x2.add(sum, f64x2.mul(x, v128.load(coefficients + (q << 1))))
    }
    return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
  }
  let even = 0.0
  let odd = 0.0
  for (let q: usize = 0; q < <usize>QUERIES << 2; q += 8) {
    even += <f64>load<f32>(values + q) * load<f64>(coefficients + (q << 1))
    odd += <f64>load<f32>(values + q, 4) * load<f64>(coefficients + (q << 1), 8)
  }
  return even + odd
}
