/**
 * What follows from the f64 values and the columns of a matrix that was copied into the memory, rows from <= i < to at a
 * time: one task per range, which none of the results depends on.
 */
import * as at from '../structures'
import { COUNTS } from '../structures'

/** Adding it and taking it away rounds to a whole number. */
const ROUND: f64 = 6755399441055744 // 1.5 · 2^52
/** The bits of a double that say how large it is; rows that tell how the values of a column are spread; steps of its centre per spread. */
const EXPONENT: u64 = 0x7ff0000000000000
const SPREAD_ROWS: u32 = 63
const CENTRE_SHARE: f64 = 1.0 / 8
/** What an i16 holds on both sides of 0. */
const LARGEST_MULTIPLE: f64 = 32767

/**
 * Norms, and f32 copies of the values where they are `rounded`. Of dense rows, `means` (f64, `width` of them) are taken away
 * from the first columns before. Of sparse rows, offsets are made of columns, and it is counted in how many pairs of columns
 * they have values: u32 at `pairs`, unless that is 0.
 */
export function prepareRows(
  matrix: usize,
  from: u32,
  to: u32,
  rounded: bool,
  means: usize,
  width: usize,
  pairs: usize,
): void {
  const dense = load<u32>(matrix, at.MATRIX_DENSE) != 0
  const cols = <usize>load<u32>(matrix, at.MATRIX_COLS)
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR)
  const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
  const exact = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const values = <usize>load<u32>(matrix, at.MATRIX_VALUES)
  const norms = <usize>load<u32>(matrix, at.MATRIX_NORMS)
  const exactNorms = <usize>load<u32>(matrix, at.MATRIX_EXACT_NORMS)
  for (let i = <usize>from; i < <usize>to; i++) {
    const start = dense ? i * cols : <usize>load<u32>(indptr + (i << 2))
    const end = dense ? start + cols : <usize>load<u32>(indptr + (i << 2), 4)
    if (dense) subtractMeans(exact + (start << 3), means, width)
    else {
      const count = makeOffsets(offsets + (start << 2), offsets + (end << 2))
      if (pairs) store<u32>(pairs + (i << 2), count)
    }
    const norm = squaredNorm(exact + (start << 3), exact + (end << 3))
    store<f64>(exactNorms + (i << 3), norm)
    store<f32>(norms + (i << 2), <f32>(norm / 2))
    if (rounded) roundValues(exact + (start << 3), exact + (end << 3), values + (start << 2))
  }
}

function subtractMeans(at: usize, means: usize, width: usize): void {
  for (let j: usize = 0; j < width << 3; j += 8) {
    store<f64>(at + j, load<f64>(at + j) - load<f64>(means + j))
  }
}

/** Returns how many pairs of columns there are. */
function makeOffsets(at: usize, end: usize): u32 {
  let count: u32 = 0
  let last: u32 = -1
  for (; at < end; at += 4) {
    const column = load<u32>(at)
    store<u32>(at, column << 6)
    count += u32(column >> 1 != last)
    last = column >> 1
  }
  return count
}

function squaredNorm(at: usize, end: usize): f64 {
  let sum: f64 = 0
  for (; at < end; at += 8) sum += load<f64>(at) * load<f64>(at)
  return sum
}

function roundValues(at: usize, end: usize, to: usize): void {
  for (; at < end; at += 8, to += 4) store<f32>(to, <f32>load<f64>(at))
}

/**
 * About the mean of columns from <= j < to of a dense matrix of `rows` rows, rounded so that hardly a digit is lost when it is taken away,
 * even from values that are much larger; and never outside the middle half of the values (of some rows), where a few huge ones would put
 * it. `room` is for SPREAD_ROWS f64.
 */
export function centreColumns(matrix: usize, from: u32, to: u32, rows: u32, means: usize, room: usize): void {
  const stride = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
  const first = <usize>from << 3
  const end = <usize>to << 3
  const exact = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  memory.fill(means + first, 0, end - first)
  let row = exact
  for (let i: u32 = 0; i < rows; i++, row += stride) {
    for (let j = first; j < end; j += 8) store<f64>(means + j, load<f64>(means + j) + load<f64>(row + j))
  }
  const looked = min(rows, SPREAD_ROWS)
  for (let j = first; j < end; j += 8) {
    for (let i: u32 = 0; i < looked; i++) {
      const value = load<f64>(exact + j + <usize>((<u64>i * rows) / looked) * stride)
      let place = room + (<usize>i << 3)
      for (; place > room && load<f64>(place - 8) > value; place -= 8) store<f64>(place, load<f64>(place - 8))
      store<f64>(place, value)
    }
    const lower = load<f64>(room + (<usize>(looked >> 2) << 3))
    const upper = load<f64>(room + (<usize>(looked - 1 - (looked >> 2)) << 3))
    const mean = max(lower, min(upper, load<f64>(means + j) / <f64>rows))
    // A power of two: the digits of the spread are cleared. Without a spread, or one beyond numbers, the step is none.
    const step = reinterpret<f64>(reinterpret<u64>(upper - lower) & EXPONENT) * CENTRE_SHARE
    store<f64>(means + j, step > 0 && step < Infinity ? step * nearest(mean / step) : mean)
  }
}

/**
 * Fills in the entries of sparse rows (./integer-products.ts), in the form, with the unit and between the ends that the matrix tells. Of
 * PAIRS, values must be whole numbers / `parts`. False when a value is not a multiple of the unit.
 */
export function fillEntries(matrix: usize, from: u32, to: u32, parts: f64): bool {
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR)
  const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
  const exact = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const ends = <usize>load<u32>(matrix, at.MATRIX_ENTRY_ENDS)
  const counts = load<u32>(matrix, at.MATRIX_FORM) == COUNTS
  const unit = load<f64>(matrix, at.MATRIX_UNIT)
  for (let i = <usize>from << 2; i < <usize>to << 2; i += 4) {
    const start = <usize>load<u32>(indptr + i)
    const count = <usize>load<u32>(indptr + i, 4) - start
    const entries = <usize>load<u32>(ends + i)
    const at = offsets + (start << 2)
    const value = exact + (start << 3)
    const end = counts ? fillCounts(at, value, count, entries, unit) : fillPairs(at, value, count, entries, parts)
    if (!end) return false
    memory.fill(end, 0, <usize>load<u32>(ends + i, 4) - end)
  }
  return true
}

/** Returns where the entries end, 0 when a value is not the unit. */
function fillCounts(offsets: usize, values: usize, count: usize, to: usize, unit: f64): usize {
  for (let k: usize = 0; k < count; k++, to += 4) {
    if (load<f64>(values + (k << 3)) != unit) return 0
    store<u32>(to, (load<u32>(offsets + (k << 2)) >> 2) + 16)
  }
  return to
}

/** Returns where the entries end, 0 when a value is not a whole number of parts. */
function fillPairs(offsets: usize, values: usize, count: usize, to: usize, parts: f64): usize {
  let both: u32 = 0
  for (let k: usize = 0; k < count; k++) {
    const value = load<f64>(values + (k << 3))
    const multiple = value * parts + ROUND - ROUND
    if (multiple / parts != value || abs(multiple) > LARGEST_MULTIPLE) return 0
    const offset = load<u32>(offsets + (k << 2))
    both |= (<u32>(<i32>multiple) & 0xffff) << ((offset & 64) >> 2)
    if (k + 1 < count && load<u32>(offsets + (k << 2), 4) >> 7 == offset >> 7) continue
    store<u32>(to, (offset >> 7) << 6)
    store<u32>(to, both, 4)
    to += 8
    both = 0
  }
  return to
}
