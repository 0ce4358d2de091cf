/**
 * Query blocks: packing rows of a matrix into the interleaved layouts of src/engine/memory/structures.ts (f32) and
 * ../sums/exact.ts (f64), with what else there is to know of them, and clearing them again.
 */
import { farFrom } from './far'
import { packIntegers } from './integer-products'
import { normIn, unitSquare } from './integer-products-exact'
import * as at from '../structures'
import { FLOATING, QUERY_BYTES } from '../structures'

/**
 * Makes rows of `source` (u32 at `rows`), 16 in f32 or 8 in f64 at most, the queries of a scratch whose block is clear, or puts
 * them into the `form` of ./integer-products.ts that they share with the samples of `matrix`.
 */
export function packBlock<T>(
  source: usize,
  rows: usize,
  count: i32,
  matrix: usize,
  kernel: usize,
  form: u32,
  scratch: usize,
): void {
  const single = sizeof<T>() == 4
  const halves = <usize>load<u32>(source, at.MATRIX_NORMS)
  const square = unitSquare(source, form)
  const limit = farFrom(matrix, kernel, form, single)
  let far: u32 = 0
  memory.fill(scratch + at.SCRATCH_NORMS, 0, QUERY_BYTES)
  for (let q = 0; q < count; q++) {
    const row = load<u32>(rows + (<usize>q << 2))
    packQuery<T>(source, form, row, scratch + at.SCRATCH_BLOCK, q, true)
    if (single) {
      const half = load<f32>(halves + (<usize>row << 2))
      store<f32>(scratch + at.SCRATCH_NORMS + (<usize>q << 2), half)
      far |= u32(2.0 * <f64>half > limit) << q
    } else {
      const norm = normIn(source, form, row, square)
      store<f64>(scratch + at.SCRATCH_NORMS + (<usize>q << 3), norm)
      far |= u32(norm > limit) << q
    }
  }
  // What ./far.ts needs to know of the queries.
  store<u32>(scratch, <u32>source, at.SCRATCH_SOURCE)
  store<u32>(scratch, far, at.SCRATCH_FAR)
  memory.copy(scratch + at.SCRATCH_ROWS, rows, <usize>count << 2)
}

/** Clears the block again. */
export function clearBlock<T>(count: i32, form: u32, scratch: usize): void {
  const source = <usize>load<u32>(scratch, at.SCRATCH_SOURCE)
  for (let q = 0; q < count; q++) {
    const row = load<u32>(scratch + at.SCRATCH_ROWS + (<usize>q << 2))
    packQuery<T>(source, form, row, scratch + at.SCRATCH_BLOCK, q, false)
  }
}

/** Puts row `row` of a matrix into lane `lane` of a block that is clear there, or (keep = false) clears it again. */
function packQuery<T>(matrix: usize, form: u32, row: u32, block: usize, lane: usize, keep: bool): void {
  if (form != FLOATING) packIntegers(matrix, form, row, block, lane, keep)
  else if (keep) scatterQuery<T>(matrix, row, block + lane * sizeof<T>(), true)
  else scatterQuery<T>(matrix, row, block + lane * sizeof<T>(), false)
}

// @ts-ignore: decorator
@inline
function scatterQuery<T>(matrix: usize, row: u32, target: usize, keep: bool): void {
  const values = <usize>load<u32>(matrix, sizeof<T>() == 4 ? at.MATRIX_VALUES : at.MATRIX_EXACT)
  if (load<u32>(matrix, at.MATRIX_DENSE)) {
    const cols = <usize>load<u32>(matrix, at.MATRIX_COLS)
    const start = values + <usize>row * cols * sizeof<T>()
    for (let c: usize = 0; c < cols; c++) {
      store<T>(target + c * QUERY_BYTES, keep ? load<T>(start + c * sizeof<T>()) : <T>0)
    }
  } else {
    const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>row << 2)
    const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
    const end = <usize>load<u32>(indptr, 4)
    for (let k = <usize>load<u32>(indptr); k < end; k++) {
      store<T>(target + <usize>load<u32>(offsets + (k << 2)), keep ? load<T>(values + k * sizeof<T>()) : <T>0)
    }
  }
}
