/** Whole kernel rows, 16 at a time: products and transform on a tile, then the tile turned into rows. */
import { kernelTile } from './kernel-tile'
import * as at from '../structures'
import { QUERIES, QUERY_BYTES, TILE } from '../structures'

/**
 * rows[q][j] = k(x_j, query_q) for from <= j < to and q < count. `rows` points to u32 pointers, each to where sample
 * 0 of that row is (or would be). Writes whole groups of 4 samples: rows must be padded to a multiple of 4, and
 * `from` must be one.
 */
export function kernelRows(
  matrix: usize,
  kernel: usize,
  form: u32,
  from: u32,
  to: u32,
  rows: usize,
  count: i32,
  scratch: usize,
): void {
  for (let j = from; j < to; j += TILE) {
    const samples = <i32>min<u32>(TILE, to - j)
    kernelTile(matrix, kernel, form, j, samples, scratch)
    scatterTile(scratch + at.SCRATCH_TILE, QUERY_BYTES, samples, rows, count, (<usize>j) << 2)
  }
}

/**
 * The rows first <= i < first + 16 of a whole kernel matrix from their diagonal on, and the same values below it: all
 * such blocks together fill the matrix, each value computed once. Values of the first `known` samples with each other are there
 * already: of them, the blocks make what they have with the others. A sample's line of a tile is what its own row holds at the
 * columns of the queries:
 *
 *     tile [sample j][q0 … q15]  →  row j [first … first + 15]
 *
 * `rows` points to u32 pointers to all `count` rows, which must be padded to a multiple of 16; `first` and `known` must be one.
 */
export function kernelTriangle(
  matrix: usize,
  kernel: usize,
  form: u32,
  known: u32,
  first: u32,
  count: u32,
  rows: usize,
  scratch: usize,
): void {
  const tile = scratch + at.SCRATCH_TILE
  const queries = <i32>min<u32>(QUERIES, count - first)
  const own = <usize>first << 2
  let samples: i32
  for (let j: u32 = known > 0 ? 0 : first; j < count; ) {
    samples = <i32>min<u32>(TILE, (j < known ? known : count) - j)
    const at = <usize>j << 2
    kernelTile(matrix, kernel, form, j, samples, scratch)
    for (let s: usize = 0; s < <usize>samples; s++) {
      copyLine(<usize>load<u32>(rows + at + (s << 2)) + own, tile + (s << 6))
    }
    scatterTile(tile, QUERY_BYTES, samples, rows + own, queries, at)
    j += samples
    if (j == known) j = first
  }
}

/** 64 bytes. */
// @ts-ignore: decorator
@inline
function copyLine(to: usize, from: usize): void {
  if (ASC_FEATURE_SIMD) {
    v128.store(to, v128.load(from))
    v128.store(to, v128.load(from, 16), 16)
    v128.store(to, v128.load(from, 32), 32)
    v128.store(to, v128.load(from, 48), 48)
  } else {
    memory.copy(to, from, QUERY_BYTES)
  }
}

/** Transposes a tile of f32, `line` bytes per sample, into `count` rows at byte `at`; samples are written in fours. */
export function scatterTile(tile: usize, line: usize, samples: i32, rows: usize, count: i32, at: usize): void {
  if (!ASC_FEATURE_SIMD) {
    for (let q = 0; q < count; q++) {
      const row = <usize>load<u32>(rows + ((<usize>q) << 2)) + at
      for (let s = 0; s < samples; s++) {
        store<f32>(row + ((<usize>s) << 2), load<f32>(tile + <usize>s * line + ((<usize>q) << 2)))
      }
    }
    return
  }
  for (let q = 0; q < count; q += 4) {
    const pointers = rows + ((<usize>q) << 2)
    const row0 = <usize>load<u32>(pointers) + at
    const row1 = q + 1 < count ? <usize>load<u32>(pointers, 4) + at : 0
    const row2 = q + 2 < count ? <usize>load<u32>(pointers, 8) + at : 0
    const row3 = q + 3 < count ? <usize>load<u32>(pointers, 12) + at : 0
    for (let s = 0; s < samples; s += 4) {
      const from = tile + <usize>s * line + ((<usize>q) << 2)
      const a = v128.load(from)
      const b = v128.load(from + line)
      const c = v128.load(from + 2 * line)
      const d = v128.load(from + 3 * line)
      const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5)
      const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5)
      const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7)
      const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7)
      const to = (<usize>s) << 2
      v128.store(row0 + to, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5))
      if (row1) v128.store(row1 + to, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7))
      if (row2) v128.store(row2 + to, v128.shuffle<f32>(abHigh, cdHigh, 0, 1, 4, 5))
      if (row3) v128.store(row3 + to, v128.shuffle<f32>(abHigh, cdHigh, 2, 3, 6, 7))
    }
  }
}
