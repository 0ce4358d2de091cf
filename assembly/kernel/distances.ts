/**
 * The whole matrix of squared distances or products of all samples with each other, computed in f64 and kept as f32:
 * exact to half a unit in the last place, equal rows at distance 0, symmetric to the bit. Or what a kernel makes of these.
 */
import { exactProducts } from './products'
import { resolved } from './far'
import * as at from '../structures'
import { EXACT_QUERIES, RBF, TILE } from '../structures'
import { clearBlock, packBlock } from './queries'
import { sharedForm } from './integer-products'
import { normIn, unitSquare } from './integer-products-exact'
import { transformRow } from './transforms'

/**
 * Fills the rows from <= i < from + 8 of the f32 matrix at `out` (`stride` bytes per row) from their diagonal on, and
 * with the same values the columns below: all rows together fill the whole. `samples` are the numbers 0 … count − 1.
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
  const square = unitSquare(matrix, form)
  const distances = load<u32>(kernel, at.KERNEL_KIND) == RBF
  const queries = min<u32>(EXACT_QUERIES, count - from)
  const tile = scratch + at.SCRATCH_TILE
  packBlock<f64>(matrix, samples + (<usize>from << 2), queries, matrix, kernel, form, scratch)
  for (let j = from; j < count; j += TILE) {
    const length = <i32>min<u32>(TILE, count - j)
    exactProducts(matrix, form, samples + (<usize>j << 2), length, scratch + at.SCRATCH_BLOCK, tile)
    for (let q: usize = 0; q < <usize>queries; q++) {
      const i = <usize>from + q
      const own = normIn(matrix, form, <u32>i, square)
      for (let s: usize = 0; s < <usize>length; s++) {
        const k = <usize>j + s
        if (k < i) continue
        let value = load<f64>(tile + (s << 6) + (q << 3))
        if (distances) {
          const size = own + normIn(matrix, form, <u32>k, square)
          value = k == i ? 0 : resolved(matrix, form, size - 2.0 * value, size, <u32>i, <u32>k)
        }
        store<f32>(out + i * stride + (k << 2), <f32>(value * square))
      }
      const first = max(<usize>j, i)
      const end = <usize>j + <usize>length
      const row = out + i * stride + (first << 2)
      if (transformed && first < end) transformPart(kernel, row, (end - first) << 2, scratch + at.SCRATCH_SUMS)
      for (let k = first; k < end; k++) {
        store<f32>(out + k * stride + (i << 2), load<f32>(out + i * stride + (k << 2)))
      }
    }
  }
  clearBlock<f64>(queries, form, scratch)
}

/** Transforms some bytes of a row in place, the last of them by way of a cache line at `line`: others write what follows. */
function transformPart(kernel: usize, row: usize, bytes: usize, line: usize): void {
  const whole = bytes & ~63
  transformRow(kernel, row, row, whole)
  if (whole == bytes) return
  memory.copy(line, row + whole, bytes - whole)
  transformRow(kernel, line, line, 64)
  memory.copy(row + whole, line, bytes - whole)
}
