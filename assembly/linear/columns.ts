/** The columns of a sparse matrix as rows: for descent on one weight after the other (./coordinates.ts). */
import * as at from '../structures'

/**
 * Fills `indices` and `values` with the columns of a sparse matrix, one after the other, and `starts` (cols + 2 entries of 0) with
 * where they begin; the last entry stays free for whoever adds a column. What is stored stays stored.
 */
export function transpose(matrix: usize, rows: u32, starts: usize, indices: usize, values: usize): void {
  const cols = load<u32>(matrix, at.MATRIX_COLS)
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR)
  const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
  const exact = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const next = starts + 4
  const end = offsets + (<usize>load<u32>(indptr + (<usize>rows << 2)) << 2)
  // Offsets are columns times 64: how many of each, then the sums of those before.
  for (let offset = offsets; offset < end; offset += 4) {
    const count = next + (<usize>load<u32>(offset) >> 4) + 4
    store<u32>(count, load<u32>(count) + 1)
  }
  let sum: u32 = 0
  for (let j: u32 = 0; j <= cols; j++) {
    const own = starts + (<usize>j << 2)
    sum += load<u32>(own, 4)
    store<u32>(own, sum, 4)
  }
  for (let i: u32 = 0; i < rows; i++) {
    const to = load<u32>(indptr + (<usize>i << 2), 4)
    for (let k = load<u32>(indptr + (<usize>i << 2)); k < to; k++) {
      const place = next + (<usize>load<u32>(offsets + (<usize>k << 2)) >> 4)
      const free = load<u32>(place)
      store<u32>(place, free + 1)
      store<u32>(indices + (<usize>free << 2), i)
      store<f64>(values + (<usize>free << 3), load<f64>(exact + (<usize>k << 3)))
    }
  }
}
