/**
 * The whole matrix of squared distances or products of all samples with each other, computed in f64 and kept as f32:
 * exact to half a unit in the last place, equal rows at distance 0, symmetric to the bit.
 */
import { exactProducts, packExactQuery } from './exact'
import {
  EXACT_QUERIES,
  KERNEL_KIND,
  MATRIX_EXACT_NORMS,
  RBF,
  SCRATCH_BLOCK,
  SCRATCH_TILE,
  TILE,
} from './layout'

/**
 * Fills the rows from <= i < from + 8 of the f32 matrix at `out` (`stride` bytes a row) from their diagonal on, and
 * with the same values the columns below: all rows together fill the whole. `samples` are the numbers 0 … count − 1.
 */
export function distanceRows(
  matrix: usize,
  kernel: usize,
  from: u32,
  count: u32,
  samples: usize,
  out: usize,
  stride: usize,
  scratch: usize,
): void {
  const norms = <usize>load<u32>(matrix, MATRIX_EXACT_NORMS)
  const distances = load<u32>(kernel, KERNEL_KIND) == RBF
  const queries = min<u32>(EXACT_QUERIES, count - from)
  const block = scratch + SCRATCH_BLOCK
  const tile = scratch + SCRATCH_TILE
  for (let q: u32 = 0; q < queries; q++) packExactQuery(matrix, from + q, block, q, true)
  for (let j = from; j < count; j += TILE) {
    const length = <i32>min<u32>(TILE, count - j)
    exactProducts(matrix, samples + (<usize>j << 2), length, block, tile)
    for (let q: usize = 0; q < <usize>queries; q++) {
      const i = <usize>from + q
      const own = load<f64>(norms + (i << 3))
      for (let s: usize = 0; s < <usize>length; s++) {
        const k = <usize>j + s
        if (k < i) continue
        let value = load<f64>(tile + (s << 6) + (q << 3))
        if (distances) value = k == i ? 0 : max(0.0, own + load<f64>(norms + (k << 3)) - 2.0 * value)
        store<f32>(out + i * stride + (k << 2), <f32>value)
        store<f32>(out + k * stride + (i << 2), <f32>value)
      }
    }
  }
  for (let q: u32 = 0; q < queries; q++) packExactQuery(matrix, from + q, block, q, false)
}
