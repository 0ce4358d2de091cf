/**
 * Query blocks: packing rows of a matrix into the interleaved layouts of ../layout.ts and ../sums/exact.ts, with what else there is to
 * know of them, and clearing them again.
 */
import { farFrom } from './far'
import {
  MATRIX_COLS,
  MATRIX_DENSE,
  MATRIX_EXACT,
  MATRIX_INDPTR,
  MATRIX_NORMS,
  MATRIX_OFFSETS,
  MATRIX_VALUES,
  NOT_WHOLE,
  QUERY_BYTES,
  SCRATCH_BLOCK,
  SCRATCH_FAR,
  SCRATCH_NORMS,
  SCRATCH_ROWS,
  SCRATCH_SOURCE,
} from '../layout'
import { packWhole } from './integer-products'
import { normIn, unitSquare } from './integer-products-exact'

/**
 * Makes `count` <= 16 rows of `source` (u32 at `rows`) the queries of a scratch whose block is clear, in f32 or in the `form`
 * of ./integer-products.ts that they share with the samples of `matrix`.
 */
export function packBlock(
  source: usize,
  rows: usize,
  count: i32,
  matrix: usize,
  kernel: usize,
  form: u32,
  scratch: usize,
): void {
  const norms = <usize>load<u32>(source, MATRIX_NORMS)
  const limit = 0.5 * farFrom(matrix, kernel, form, true)
  let far: u32 = 0
  for (let q = 0; q < count; q++) {
    const row = load<u32>(rows + (<usize>q << 2))
    const norm = load<f32>(norms + (<usize>row << 2))
    packQuery(source, form, row, scratch + SCRATCH_BLOCK, q, true)
    store<f32>(scratch + SCRATCH_NORMS + (<usize>q << 2), norm)
    far |= u32(<f64>norm > limit) << q
  }
  note(source, rows, count, far, scratch)
}

/** Clears the block again. */
export function clearBlock(count: i32, form: u32, scratch: usize): void {
  const source = <usize>load<u32>(scratch, SCRATCH_SOURCE)
  for (let q = 0; q < count; q++) {
    packQuery(source, form, load<u32>(scratch + SCRATCH_ROWS + (<usize>q << 2)), scratch + SCRATCH_BLOCK, q, false)
  }
}

/** As {@link packBlock}, for `count` <= 8 queries in f64. */
export function packExactBlock(
  source: usize,
  rows: usize,
  count: i32,
  matrix: usize,
  kernel: usize,
  form: u32,
  scratch: usize,
): void {
  const square = unitSquare(source, form)
  const limit = farFrom(matrix, kernel, form, false)
  let far: u32 = 0
  memory.fill(scratch + SCRATCH_NORMS, 0, 64)
  for (let q = 0; q < count; q++) {
    const row = load<u32>(rows + (<usize>q << 2))
    const norm = normIn(source, form, row, square)
    packExactQuery(source, form, row, scratch + SCRATCH_BLOCK, q, true)
    store<f64>(scratch + SCRATCH_NORMS + (<usize>q << 3), norm)
    far |= u32(norm > limit) << q
  }
  note(source, rows, count, far, scratch)
}

/** As {@link clearBlock}, in f64. */
export function clearExactBlock(count: i32, form: u32, scratch: usize): void {
  const source = <usize>load<u32>(scratch, SCRATCH_SOURCE)
  for (let q = 0; q < count; q++) {
    packExactQuery(source, form, load<u32>(scratch + SCRATCH_ROWS + (<usize>q << 2)), scratch + SCRATCH_BLOCK, q, false)
  }
}

/** What ./far.ts needs to know of the queries. */
function note(source: usize, rows: usize, count: i32, far: u32, scratch: usize): void {
  store<u32>(scratch, <u32>source, SCRATCH_SOURCE)
  store<u32>(scratch, far, SCRATCH_FAR)
  memory.copy(scratch + SCRATCH_ROWS, rows, <usize>count << 2)
}

/** Puts row `row` of a matrix into lane `lane` of a block that is clear there, or (keep = false) clears it again. */
function packQuery(matrix: usize, form: u32, row: u32, block: usize, lane: usize, keep: bool): void {
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

/** The same in f64. */
function packExactQuery(matrix: usize, form: u32, row: u32, block: usize, lane: usize, keep: bool): void {
  if (form != NOT_WHOLE) {
    packWhole(matrix, form, row, block, lane, keep)
    return
  }
  const target = block + (lane << 3)
  const values = <usize>load<u32>(matrix, MATRIX_EXACT)
  if (load<u32>(matrix, MATRIX_DENSE)) {
    const cols = <usize>load<u32>(matrix, MATRIX_COLS)
    const start = values + ((<usize>row * cols) << 3)
    for (let c: usize = 0; c < cols; c++) {
      store<f64>(target + c * QUERY_BYTES, keep ? load<f64>(start + (c << 3)) : 0)
    }
  } else {
    const indptr = <usize>load<u32>(matrix, MATRIX_INDPTR) + (<usize>row << 2)
    const offsets = <usize>load<u32>(matrix, MATRIX_OFFSETS)
    const end = <usize>load<u32>(indptr, 4)
    for (let k = <usize>load<u32>(indptr); k < end; k++) {
      store<f64>(target + <usize>load<u32>(offsets + (k << 2)), keep ? load<f64>(values + (k << 3)) : 0)
    }
  }
}
