/** Query blocks: packing rows of a matrix into the interleaved layout of ./layout.ts, and clearing them again. */
import {
  MATRIX_COLS,
  MATRIX_DENSE,
  MATRIX_INDPTR,
  MATRIX_OFFSETS,
  MATRIX_VALUES,
  NOT_WHOLE,
  QUERY_BYTES,
} from './layout'
import { packWhole } from './whole'

/**
 * Puts row `row` of a matrix into lane `lane` of a block that is clear there, or (keep = false) clears it again: as f32,
 * or in the form of ./whole.ts that it shares with the samples.
 */
export function packQuery(matrix: usize, form: u32, row: u32, block: usize, lane: usize, keep: bool): void {
  if (form != NOT_WHOLE) packWhole(matrix, form, row, block, lane, keep)
  else if (keep) scatterQuery(matrix, row, block + (lane << 2), true)
  else scatterQuery(matrix, row, block + (lane << 2), false)
}

// @ts-ignore: decorator
@inline
function scatterQuery(matrix: usize, row: u32, target: usize, keep: bool): void {
  let value = <usize>load<u32>(matrix, MATRIX_VALUES)
  if (load<u32>(matrix, MATRIX_DENSE)) {
    const cols = <usize>load<u32>(matrix, MATRIX_COLS)
    value += <usize>row * (cols << 2)
    for (let c: usize = 0; c < cols; c++) {
      store<f32>(target + c * QUERY_BYTES, keep ? load<f32>(value + (c << 2)) : 0)
    }
  } else {
    const indptr = <usize>load<u32>(matrix, MATRIX_INDPTR) + (<usize>row << 2)
    const offsets = <usize>load<u32>(matrix, MATRIX_OFFSETS)
    const end = <usize>load<u32>(indptr, 4)
    for (let k = <usize>load<u32>(indptr); k < end; k++) {
      store<f32>(target + <usize>load<u32>(offsets + (k << 2)), keep ? load<f32>(value + (k << 2)) : 0)
    }
  }
}
