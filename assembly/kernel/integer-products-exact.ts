/**
 * Products in whole numbers for ../sums/exact.ts: blocks and entries are those of ./integer-products.ts, of whose 16 lanes the first 8 are
 * used, and the products, exact as they are, become f64.
 *
 * The unit's square is left to the users of the products: sums and differences of products and norms are whole numbers
 * too, below 2^53, so that distances lose nothing, however much of them cancels.
 */
import * as at from '../structures'
import { COUNTS, FLOATING, QUERY_BYTES } from '../structures'

/** What products of this form are multiples of: the unit's square, rounded once; 1 where they are not whole numbers. */
export function unitSquare(matrix: usize, form: u32): f64 {
  if (form == FLOATING) return 1.0
  const unit = load<f64>(matrix, at.MATRIX_UNIT)
  if (form == COUNTS) return unit * unit
  const parts = nearest(1.0 / unit)
  return 1.0 / (parts * parts)
}

/** ‖x‖² of a row in multiples of `square`. The f64 norm is a rounded one: the whole number it stands for is next to it. */
// @ts-ignore: decorator
@inline
export function normIn(matrix: usize, form: u32, row: u32, square: f64): f64 {
  if (form == COUNTS) {
    const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>row << 2)
    return <f64>(load<u32>(indptr, 4) - load<u32>(indptr))
  }
  const norm = load<f64>(<usize>load<u32>(matrix, at.MATRIX_EXACT_NORMS) + (<usize>row << 3))
  return form == FLOATING ? norm : nearest(norm / square)
}

/** tile[s][q] = ⟨x_(rows[s]), query_q⟩ in multiples of the unit's square for s < count. */
export function exactIntegerTile(matrix: usize, form: u32, rows: usize, count: i32, block: usize, tile: usize): void {
  const ends = <usize>load<u32>(matrix, at.MATRIX_ENTRY_ENDS)
  for (let s: usize = 0; s < <usize>count; s++) {
    const row = ends + (<usize>load<u32>(rows + (s << 2)) << 2)
    const from = <usize>load<u32>(row)
    const to = <usize>load<u32>(row, 4)
    if (form == COUNTS) countsRow(from, to, block, tile + (s << 6))
    else pairsRow(from, to, block, tile + (s << 6))
  }
}

// @ts-ignore: decorator
@inline
function countsRow(from: usize, to: usize, block: usize, out: usize): void {
  if (ASC_FEATURE_SIMD) {
    let sum = i32x4.splat(0)
    for (let at = from; at < to; at += 16) {
      sum = i8x16.add(sum, v128.load(block + <usize>load<u32>(at)))
      sum = i8x16.add(sum, v128.load(block + <usize>load<u32>(at, 4)))
      sum = i8x16.add(sum, v128.load(block + <usize>load<u32>(at, 8)))
      sum = i8x16.add(sum, v128.load(block + <usize>load<u32>(at, 12)))
    }
    const counts = i16x8.extend_low_i8x16_u(sum)
    storeFour(out, i32x4.extend_low_i16x8_u(counts))
    storeFour(out + 32, i32x4.extend_high_i16x8_u(counts))
  } else {
    for (let q: usize = 0; q < QUERY_BYTES; q += 8) {
      let sum = 0
      for (let at = from; at < to; at += 4) sum += load<u8>(block + <usize>load<u32>(at) + (q >> 3))
      store<f64>(out + q, <f64>sum)
    }
  }
}

// @ts-ignore: decorator
@inline
function pairsRow(from: usize, to: usize, block: usize, out: usize): void {
  if (ASC_FEATURE_SIMD) {
    let low = i32x4.splat(0)
    let high = i32x4.splat(0)
    for (let at = from; at < to; at += 16) {
      let q = block + <usize>load<u32>(at)
      let v = v128.load_splat<u32>(at, 4)
      low = i32x4.add(low, i32x4.dot_i16x8_s(v, v128.load(q)))
      high = i32x4.add(high, i32x4.dot_i16x8_s(v, v128.load(q, 16)))
      q = block + <usize>load<u32>(at, 8)
      v = v128.load_splat<u32>(at, 12)
      low = i32x4.add(low, i32x4.dot_i16x8_s(v, v128.load(q)))
      high = i32x4.add(high, i32x4.dot_i16x8_s(v, v128.load(q, 16)))
    }
    storeFour(out, low)
    storeFour(out + 32, high)
  } else {
    for (let q: usize = 0; q < QUERY_BYTES; q += 8) {
      let sum = 0
      for (let at = from; at < to; at += 8) {
        const query = block + <usize>load<u32>(at) + (q >> 1)
        sum += <i32>load<i16>(at, 4) * <i32>load<i16>(query) + <i32>load<i16>(at, 6) * <i32>load<i16>(query, 2)
      }
      store<f64>(out + q, <f64>sum)
    }
  }
}

/** Four whole numbers as f64. */
// @ts-ignore: decorator
@inline
function storeFour(out: usize, whole: v128): void {
  v128.store(out, f64x2.convert_low_i32x4_s(whole))
  v128.store(out, f64x2.convert_low_i32x4_s(v128.shuffle<i64>(whole, whole, 1, 1)), 16)
}
