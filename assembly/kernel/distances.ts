/**
 * The whole matrix of squared distances or products of all samples with each other, computed in f64 and kept as f32:
 * exact to half a unit in the last place, equal rows at distance 0, symmetric to the bit.
 */
import { exactProducts } from './products'
import { resolved } from './far'
import * as at from '../structures'
import { EXACT_QUERIES, RBF, TILE } from '../structures'
import { clearBlock, packBlock } from './queries'
import { sharedForm } from './integer-products'
import { normIn, unitSquare } from './integer-products-exact'

/**
 * Fills the rows from <= i < from + 8 of the f32 matrix at `out` (`stride` bytes per row) from their diagonal on, and
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
  const form = sharedForm(matrix, matrix)
  const square = unitSquare(matrix, form)
  const distances = load<u32>(kernel, at.KERNEL_KIND) == RBF
  const queries = min<u32>(EXACT_QUERIES, count - from)
  const tile = scratch + at.SCRATCH_TILE
  packBlock<f64>(matrix, samples + (<usize>from << 2), queries, matrix, kernel, form, scratch)
  for (let j = from; j < count; j += TILE) {
    const length = <i32>min<u32>(TILE, count - j)
    exactProducts(matrix, form, samples + (<usize>j << 2), length, scratch + at.SCRATCH_BLOCK, tile)
    for (let q: usize = 0; q < <usize>queries; q++) {
      const i = <usize>from + q
      const own = normIn(matrix, form, <u32>i, square)
      for (let s: usize = 0; s < <usize>length; s++) {
        const k = <usize>j + s
        if (k < i) continue
        let value = load<f64>(tile + (s << 6) + (q << 3))
        if (distances) {
          const size = own + normIn(matrix, form, <u32>k, square)
          value = k == i ? 0 : resolved(matrix, form, size - 2.0 * value, size, <u32>i, <u32>k)
        }
        const rounded = <f32>(value * square)
        store<f32>(out + i * stride + (k << 2), rounded)
        store<f32>(out + k * stride + (i << 2), rounded)
      }
    }
  }
  clearBlock<f64>(queries, form, scratch)
}
