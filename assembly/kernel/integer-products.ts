/**
 * Products in whole numbers. Where all values of a sparse matrix are multiples of one unit, products are whole numbers
 * times its square, and small whole numbers take less room: one instruction does more of them, and sums are exact.
 *
 * COUNTS: every value is the unit itself, and rows have at most 255. Block: 16 one-byte counters per feature, behind a
 * line of zeros for padding; entries of a sample: (feature + 1) · 16.
 *
 *     zeros        feature 0       feature 1       …
 *     [0 … 0] u8   [q0 … q15] u8   [q0 … q15] u8   …
 *
 * PAIRS: multiples within ±32,767, and squared norms below 2^31, so that no product of two rows overflows. Block: the
 * multiples of two features next to each other, 64 bytes per pair; entries of a sample: offset of a pair, its two multiples.
 *
 *     features 0, 1                  features 2, 3                  …
 *     [q0 q0' q1 q1' … q15 q15'] i16 [q0 q0' q1 q1' … q15 q15'] i16 …
 *
 * Rows of entries are padded to four, with entries that add nothing.
 */
import * as at from '../structures'
import { COUNTS, FLOATING, QUERY_BYTES } from '../structures'

/** The form in which products of two matrices are computed: COUNTS or PAIRS if both have it with the same unit. */
export function sharedForm(matrix: usize, other: usize): u32 {
  const form = load<u32>(matrix, at.MATRIX_FORM)
  const same = load<u32>(other, at.MATRIX_FORM) == form && load<f64>(other, at.MATRIX_UNIT) == load<f64>(matrix, at.MATRIX_UNIT)
  return same ? form : FLOATING
}

/** Puts row `row` into lane `lane` of a block that is clear there, or (keep = false) clears it again. */
export function packIntegers(matrix: usize, form: u32, row: u32, block: usize, lane: usize, keep: bool): void {
  if (form == COUNTS) {
    const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>row << 2)
    const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
    const end = offsets + (<usize>load<u32>(indptr, 4) << 2)
    for (let at = offsets + (<usize>load<u32>(indptr) << 2); at < end; at += 4) {
      store<u8>(block + 16 + (<usize>load<u32>(at) >> 2) + lane, keep ? 1 : 0)
    }
  } else {
    const ends = <usize>load<u32>(matrix, at.MATRIX_ENTRY_ENDS) + (<usize>row << 2)
    const end = <usize>load<u32>(ends, 4)
    for (let at = <usize>load<u32>(ends); at < end; at += 8) {
      const pair = load<u32>(at, 4)
      if (pair) store<u32>(block + <usize>load<u32>(at) + (lane << 2), keep ? pair : 0)
    }
  }
}

/** Fills `count` rows of a tile; see ./products.ts. */
export function integerTile(matrix: usize, form: u32, from: u32, count: i32, block: usize, tile: usize): void {
  const unit = load<f64>(matrix, at.MATRIX_UNIT)
  const ends = <usize>load<u32>(matrix, at.MATRIX_ENTRY_ENDS) + (<usize>from << 2)
  if (form == COUNTS) countsTile(ends, count, block, tile, <f32>(unit * unit))
  else pairsTile(ends, count, block, tile, <f32>(unit * unit))
}

function countsTile(ends: usize, count: i32, block: usize, tile: usize, square: f32): void {
  for (let s: usize = 0; s < <usize>count; s++) {
    let at = <usize>load<u32>(ends + (s << 2))
    const end = <usize>load<u32>(ends + (s << 2), 4)
    const out = tile + (s << 6)
    if (ASC_FEATURE_SIMD) {
      let sum = i32x4.splat(0)
      for (; at < end; at += 16) {
        sum = i8x16.add(sum, v128.load(block + <usize>load<u32>(at)))
        sum = i8x16.add(sum, v128.load(block + <usize>load<u32>(at, 4)))
        sum = i8x16.add(sum, v128.load(block + <usize>load<u32>(at, 8)))
        sum = i8x16.add(sum, v128.load(block + <usize>load<u32>(at, 12)))
      }
      const low = i16x8.extend_low_i8x16_u(sum)
      const high = i16x8.extend_high_i8x16_u(sum)
      storeFour(out, i32x4.extend_low_i16x8_u(low), square)
      storeFour(out + 16, i32x4.extend_high_i16x8_u(low), square)
      storeFour(out + 32, i32x4.extend_low_i16x8_u(high), square)
      storeFour(out + 48, i32x4.extend_high_i16x8_u(high), square)
    } else {
      for (let q: usize = 0; q < 16; q++) {
        let sum = 0
        for (let e = at; e < end; e += 4) sum += load<u8>(block + <usize>load<u32>(e) + q)
        store<f32>(out + (q << 2), <f32>sum * square)
      }
    }
  }
}

function pairsTile(ends: usize, count: i32, block: usize, tile: usize, square: f32): void {
  for (let s: usize = 0; s < <usize>count; s++) {
    let at = <usize>load<u32>(ends + (s << 2))
    const end = <usize>load<u32>(ends + (s << 2), 4)
    const out = tile + (s << 6)
    if (ASC_FEATURE_SIMD) {
      let a0 = i32x4.splat(0)
      let a1 = i32x4.splat(0)
      let a2 = i32x4.splat(0)
      let a3 = i32x4.splat(0)
      for (; at < end; at += 16) {
        let q = block + <usize>load<u32>(at)
        let v = v128.load_splat<u32>(at, 4)
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(v, v128.load(q)))
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(v, v128.load(q, 16)))
        a2 = i32x4.add(a2, i32x4.dot_i16x8_s(v, v128.load(q, 32)))
        a3 = i32x4.add(a3, i32x4.dot_i16x8_s(v, v128.load(q, 48)))
        q = block + <usize>load<u32>(at, 8)
        v = v128.load_splat<u32>(at, 12)
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(v, v128.load(q)))
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(v, v128.load(q, 16)))
        a2 = i32x4.add(a2, i32x4.dot_i16x8_s(v, v128.load(q, 32)))
        a3 = i32x4.add(a3, i32x4.dot_i16x8_s(v, v128.load(q, 48)))
      }
      storeFour(out, a0, square)
      storeFour(out + 16, a1, square)
      storeFour(out + 32, a2, square)
      storeFour(out + 48, a3, square)
    } else {
      for (let q: usize = 0; q < QUERY_BYTES; q += 4) {
        let sum = 0
        for (let e = at; e < end; e += 8) {
          const query = block + <usize>load<u32>(e) + q
          sum += <i32>load<i16>(e, 4) * <i32>load<i16>(query) + <i32>load<i16>(e, 6) * <i32>load<i16>(query, 2)
        }
        store<f32>(out + q, <f32>sum * square)
      }
    }
  }
}

/** Four whole numbers as multiples of the unit's square. */
// @ts-ignore: decorator
@inline
function storeFour(out: usize, whole: v128, square: f32): void {
  v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(whole), f32x4.splat(square)))
}
