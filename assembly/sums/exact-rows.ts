/** Kernel rows in f64. */
import { sharedForm } from '../kernel/integer-products'
import { clearBlock, packBlock } from '../kernel/queries'
import { SCRATCH_TILE, TILE } from '../structures'
import { exactTile } from './exact'

/**
 * rows[q][j] = k(x_samples[j], x_queries[q]) for from <= j < to and up to 8 queries; both are numbers of rows of the matrix. `rows`
 * points to u32 pointers.
 */
export function exactRows(
  matrix: usize,
  kernel: usize,
  queries: usize,
  count: i32,
  samples: usize,
  from: i32,
  to: i32,
  rows: usize,
  scratch: usize,
): void {
  const form = sharedForm(matrix, matrix)
  const tile = scratch + SCRATCH_TILE
  packBlock<f64>(matrix, queries, count, matrix, kernel, form, scratch)
  for (let j = from; j < to; j += <i32>TILE) {
    const length = min(<i32>TILE, to - j)
    exactTile(matrix, kernel, form, samples + (<usize>j << 2), length, scratch)
    for (let q: usize = 0; q < <usize>count; q++) {
      const out = <usize>load<u32>(rows + (q << 2)) + (<usize>j << 3)
      for (let s: usize = 0; s < <usize>length; s++) {
        store<f64>(out + (s << 3), load<f64>(tile + (q << 3) + (s << 6)))
      }
    }
  }
  clearBlock<f64>(count, form, scratch)
}
