/**
 * The whole matrix of squared distances or products of all samples with each other, computed in f64 and kept as f32:
 * exact to half a unit in the last place, equal rows at distance 0, symmetric to the bit. Or what a kernel makes of these.
 */
import { exactProducts } from './products'
import { leastResolved, resolved } from './far'
import * as at from '../structures'
import { EXACT_QUERIES, RBF, TILE } from '../structures'
import { clearBlock, packBlock } from './queries'
import { sharedForm } from './integer-products'
import { normIn, unitSquare } from './integer-products-exact'
import { scatterTile } from './kernel-rows'
import { transformRow } from './transforms'

/** Bytes of a sample in a tile of f32: a value per query. */
const LINE: usize = (<usize>EXACT_QUERIES) << 2

/**
 * Fills the rows from <= i < from + 8 of the f32 matrix at `out` (`stride` bytes per row, whole cache lines) from their diagonal on, and
 * with the same values the columns below: all rows together fill the whole. `samples` are the numbers 0 … count − 1, `from` a multiple
 * of 8. A sample's line of a tile is what its own row holds at the columns of the queries, as in ./kernel-rows.ts.
 */
export function distanceRows(
  matrix: usize,
  kernel: usize,
  from: u32,
  count: u32,
  samples: usize,
  out: usize,
  stride: usize,
  transformed: bool,
  scratch: usize,
): void {
  const form = sharedForm(matrix, matrix)
  const distances = load<u32>(kernel, at.KERNEL_KIND) == RBF
  const queries = <i32>min<u32>(EXACT_QUERIES, count - from)
  const tile = scratch + at.SCRATCH_TILE
  const rows = scratch + at.SCRATCH_SUMS
  for (let q: usize = 0; q < <usize>queries; q++) store<u32>(rows + (q << 2), <u32>(out + (<usize>from + q) * stride))
  packBlock<f64>(matrix, samples + (<usize>from << 2), queries, matrix, kernel, form, scratch)
  for (let j = from; j < count; j += TILE) {
    const length = <i32>min<u32>(TILE, count - j)
    exactProducts(matrix, form, samples + (<usize>j << 2), length, scratch + at.SCRATCH_BLOCK, tile)
    narrowTile(matrix, form, distances, j, length, queries, scratch)
    if (j == from) mirrorCorner(tile, min(length, queries), distances)
    if (transformed) transformRow(kernel, tile, tile, (<usize>length * LINE + 63) & ~63)
    const own = out + <usize>j * stride + (<usize>from << 2)
    for (let s: usize = 0; s < <usize>length; s++) copyLine(own + s * stride, tile + s * LINE)
    scatterTile(tile, LINE, length, rows, queries, <usize>j << 2)
  }
  clearBlock<f64>(queries, form, scratch)
}

/** 32 bytes. */
// @ts-ignore: decorator
@inline
function copyLine(to: usize, from: usize): void {
  if (ASC_FEATURE_SIMD) {
    v128.store(to, v128.load(from))
    v128.store(to, v128.load(from, 16), 16)
  } else {
    memory.copy(to, from, LINE)
  }
}

/** A tile of products in f64 becomes one of distances, or of products, in f32. What is written in fours behind the last is 0. */
function narrowTile(
  matrix: usize,
  form: u32,
  distances: bool,
  first: u32,
  count: i32,
  queries: i32,
  scratch: usize,
): void {
  const tile = scratch + at.SCRATCH_TILE
  const norms = scratch + at.SCRATCH_NORMS
  const square = unitSquare(matrix, form)
  const share = leastResolved(matrix, form)
  for (let s: usize = 0; s < <usize>count; s++) {
    const sample = first + <u32>s
    const norm = distances ? normIn(matrix, form, sample, square) : 0
    const line = tile + (s << 6)
    const to = tile + s * LINE
    if (ASC_FEATURE_SIMD) {
      let a = v128.load(line)
      let b = v128.load(line, 16)
      let c = v128.load(line, 32)
      let d = v128.load(line, 48)
      if (distances) {
        const own = f64x2.splat(norm)
        const least = f64x2.splat(share)
        const sizeA = f64x2.add(v128.load(norms), own)
        const sizeB = f64x2.add(v128.load(norms, 16), own)
        const sizeC = f64x2.add(v128.load(norms, 32), own)
        const sizeD = f64x2.add(v128.load(norms, 48), own)
        a = f64x2.sub(sizeA, f64x2.add(a, a))
        b = f64x2.sub(sizeB, f64x2.add(b, b))
        c = f64x2.sub(sizeC, f64x2.add(c, c))
        d = f64x2.sub(sizeD, f64x2.add(d, d))
        const isResolved = v128.and(
          v128.and(f64x2.gt(a, f64x2.mul(least, sizeA)), f64x2.gt(b, f64x2.mul(least, sizeB))),
          v128.and(f64x2.gt(c, f64x2.mul(least, sizeC)), f64x2.gt(d, f64x2.mul(least, sizeD))),
        )
        if (!i64x2.all_true(isResolved)) {
          v128.store(line, a)
          v128.store(line, b, 16)
          v128.store(line, c, 32)
          v128.store(line, d, 48)
          resolveLine(matrix, form, line, norm, sample, queries, scratch)
          a = v128.load(line)
          b = v128.load(line, 16)
          c = v128.load(line, 32)
          d = v128.load(line, 48)
        }
      }
      const unit = f64x2.splat(square)
      v128.store(to, narrowed(f64x2.mul(a, unit), f64x2.mul(b, unit)))
      v128.store(to, narrowed(f64x2.mul(c, unit), f64x2.mul(d, unit)), 16)
    } else {
      if (distances) {
        for (let q: usize = 0; q < <usize>EXACT_QUERIES; q++) {
          const size = load<f64>(norms + (q << 3)) + norm
          store<f64>(line + (q << 3), size - 2.0 * load<f64>(line + (q << 3)))
        }
        resolveLine(matrix, form, line, norm, sample, queries, scratch)
      }
      for (let q: usize = 0; q < <usize>EXACT_QUERIES; q++) store<f32>(to + (q << 2), <f32>(load<f64>(line + (q << 3)) * square))
    }
  }
  memory.fill(tile + <usize>count * LINE, 0, <usize>(((count + 3) & ~3) - count) * LINE)
}

/** Squared distances of a sample to the queries, each resolved. */
function resolveLine(
  matrix: usize,
  form: u32,
  line: usize,
  norm: f64,
  sample: u32,
  queries: i32,
  scratch: usize,
): void {
  for (let q: usize = 0; q < <usize>queries; q++) {
    const size = load<f64>(scratch + at.SCRATCH_NORMS + (q << 3)) + norm
    const query = load<u32>(scratch + at.SCRATCH_ROWS + (q << 2))
    const place = line + (q << 3)
    store<f64>(place, resolved(matrix, form, load<f64>(place), size, query, sample))
  }
}

/** Four f64 as f32. */
// @ts-ignore: decorator
@inline
function narrowed(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(a), f32x4.demote_f64x2_zero(b), 0, 1, 4, 5)
}

/** The first samples are the queries: their values are those of the one that comes first, and 0 for a distance to itself. */
function mirrorCorner(tile: usize, count: i32, distances: bool): void {
  for (let s: usize = 0; s < <usize>count; s++) {
    const line = tile + s * LINE
    if (distances) store<f32>(line + (s << 2), 0)
    for (let q = s + 1; q < <usize>count; q++) store<f32>(line + (q << 2), load<f32>(tile + q * LINE + (s << 2)))
  }
}
