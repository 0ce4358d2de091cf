/** Kernel expansions: Σ_j coefficients[j] · k(x_j, q) for the queries of a block, without storing any row. */
import { kernelTile } from '../kernel/kernel-tile'
import { addExactListed, addExactTile, exactTile, placeInTile } from './exact'
import * as at from '../structures'
import { QUERY_BYTES, TILE } from '../structures'

/**
 * Several sums of the same kernel values: sums[p][q] += Σ_j c_pj k(x_j, query_q), where `layout` says which coefficients
 * are those of sum p; see SUMS in src/engine/memory/structures.ts. With kernel values in f32 these are all samples, 16 queries at
 * a time; in f64 those of a list, whose groups are meant, and 8 queries.
 */
export function expandAll<T extends number>(
  matrix: usize,
  kernel: usize,
  form: u32,
  list: usize,
  count: u32,
  coefficients: usize,
  sums: usize,
  layout: usize,
  scratch: usize,
): void {
  const tile = scratch + at.SCRATCH_TILE
  const rows = load<u32>(layout, at.SUMS_ROWS)
  const stride = <usize>load<u32>(layout, at.SUMS_STRIDE) << 3
  let end = <usize>load<u32>(layout, at.SUMS_ENDS)
  let targets = <usize>load<u32>(layout, at.SUMS_TARGETS)
  let listEnd = <usize>load<u32>(layout, at.SUMS_LIST_ENDS)
  const isListed = listEnd != 0
  const listed = <usize>load<u32>(layout, at.SUMS_LISTED)
  let entry: usize = 0
  for (let j: u32 = 0; j < count; j += TILE) {
    const samples = min<u32>(TILE, count - j)
    if (sizeof<T>() == 4) kernelTile(matrix, kernel, form, j, samples, scratch)
    else exactTile(matrix, kernel, form, list + (<usize>j << 2), samples, scratch)
    for (let s: u32 = 0; s < samples; ) {
      while (load<u32>(end) <= j + s) {
        end += 4
        targets += <usize>rows << 2
      }
      const length = min<u32>(load<u32>(end) - j, samples) - s
      const values = tile + (<usize>s << 6)
      let row = coefficients + (<usize>(j + s) << 3)
      for (let r: u32 = 0; r < rows; r++) {
        const target = <usize>load<u32>(targets + (<usize>r << 2))
        if (isListed) {
          const to = <usize>load<u32>(listEnd)
          const places = listed + (entry << 2)
          const own = coefficients + (entry << 3)
          if (to == entry) {
            // Nobody of this group and tile is in it.
          } else if (sizeof<T>() == 4) addListed(tile, places, own, to - entry, sums + (target << 7))
          else addExactListed(tile, places, own, to - entry, sums + (target << 6))
          entry = to
          listEnd += 4
        } else if (sizeof<T>() == 4) addTile(values, length, row, sums + (target << 7))
        else addExactTile(values, length, row, sums + (target << 6))
        row += stride
      }
      s += length
    }
  }
}

/** sums[q] += Σ_s coefficients[s] · tile[s][q] over all samples of a tile. */
function addTile(tile: usize, count: i32, coefficients: usize, sums: usize): void {
  addSamples(tile, false, 0, count, coefficients, sums)
}

/** The same for the samples of a list alone: `places` has u32, where in the tile the products of each are. */
function addListed(tile: usize, places: usize, coefficients: usize, count: usize, sums: usize): void {
  addSamples(tile, true, places, count, coefficients, sums)
}

/** 8 queries at a time, whose sums stay in registers. */
// @ts-ignore: decorator
@inline
function addSamples(
  tile: usize,
  isListed: bool,
  places: usize,
  count: usize,
  coefficients: usize,
  sums: usize,
): void {
  for (let q: usize = 0; q < QUERY_BYTES; q += 32) {
    const out = sums + (q << 1)
    if (ASC_FEATURE_SIMD) {
      let sum0 = v128.load(out)
      let sum1 = v128.load(out, 16)
      let sum2 = v128.load(out, 32)
      let sum3 = v128.load(out, 48)
      for (let s: usize = 0; s < count; s++) {
        const values = tile + placeInTile(isListed, places, s) + q
        const c = v128.load_splat<f64>(coefficients + (s << 3))
        sum0 = f64x2.add(f64x2.mul(c, f64x2.promote_low_f32x4(v128.load_zero<u64>(values))), sum0)
        sum1 = f64x2.add(f64x2.mul(c, f64x2.promote_low_f32x4(v128.load_zero<u64>(values, 8))), sum1)
        sum2 = f64x2.add(f64x2.mul(c, f64x2.promote_low_f32x4(v128.load_zero<u64>(values, 16))), sum2)
        sum3 = f64x2.add(f64x2.mul(c, f64x2.promote_low_f32x4(v128.load_zero<u64>(values, 24))), sum3)
      }
      v128.store(out, sum0)
      v128.store(out, sum1, 16)
      v128.store(out, sum2, 32)
      v128.store(out, sum3, 48)
    } else {
      for (let lane: usize = 0; lane < 32; lane += 4) {
        let sum = load<f64>(out + (lane << 1))
        for (let s: usize = 0; s < count; s++) {
          sum += load<f64>(coefficients + (s << 3)) * <f64>load<f32>(tile + placeInTile(isListed, places, s) + q + lane)
        }
        store<f64>(out + (lane << 1), sum)
      }
    }
  }
}
