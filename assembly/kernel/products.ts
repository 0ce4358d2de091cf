/**
 * Products of samples with a query block, lanes over the queries: in f32 with 16 queries and consecutive samples, in f64 with 8
 * queries and samples of a list. A feature of the block is one cache line either way.
 *
 *   tile[s][q] = ⟨x_(from+s), query_q⟩   or   ⟨x_(list[s]), query_q⟩
 *
 * Each product is one chain of multiply-adds in column order, whatever the storage and however the samples are split
 * over threads, so dense and sparse forms, scalar and SIMD builds (without fused multiply-add) and any number of
 * threads give the same bits. ./integer-products.ts and ./integer-products-exact.ts do the same in whole numbers, where values
 * are such: without any rounding.
 */
import { multiplyAddIn } from './lanes'
import * as at from '../structures'
import { FLOATING, QUERY_BYTES } from '../structures'
import { integerTile } from './integer-products'
import { exactIntegerTile } from './integer-products-exact'

/** Features whose query lines stay in the first-level cache while the samples of a tile pass by: 16 KB of 32. */
const FEATURE_BLOCK: usize = 256

/** Fills `count` rows of a tile in f32. `form` is the one that the block was packed in; see ./queries.ts. */
export function tileProducts(matrix: usize, form: u32, from: u32, count: i32, block: usize, tile: usize): void {
  if (form != FLOATING) integerTile(matrix, form, from, count, block, tile)
  else floatingTile<f32>(matrix, from, count, block, tile)
}

/** Fills `count` rows of a tile in f64, for the samples of a list, in multiples of unitSquare(matrix, form). */
export function exactProducts(matrix: usize, form: u32, list: usize, count: i32, block: usize, tile: usize): void {
  if (form != FLOATING) exactIntegerTile(matrix, form, list, count, block, tile)
  else floatingTile<f64>(matrix, list, count, block, tile)
}

function floatingTile<T extends number>(matrix: usize, samples: usize, count: i32, block: usize, tile: usize): void {
  const field = sizeof<T>() == 4 ? at.MATRIX_VALUES : at.MATRIX_EXACT
  const values = <usize>load<u32>(matrix + field)
  if (load<u32>(matrix, at.MATRIX_DENSE)) denseTile<T>(matrix, values, samples, count, block, tile)
  else sparseTile<T>(matrix, values, samples, count, block, tile)
}

/** The number of row s of a tile: `samples` is the first of them (f32), or a list (f64). */
// @ts-ignore: decorator
@inline
function sampleAt<T extends number>(samples: usize, s: i32): usize {
  return sizeof<T>() == 4 ? samples + <usize>s : <usize>load<u32>(samples + (<usize>s << 2))
}

function sparseTile<T extends number>(
  matrix: usize,
  values: usize,
  samples: usize,
  count: i32,
  block: usize,
  tile: usize,
): void {
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR)
  const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
  for (let s = 0; s < count; s++) {
    const row = indptr + (sampleAt<T>(samples, s) << 2)
    const start = <usize>load<u32>(row)
    const end = offsets + (<usize>load<u32>(row, 4) << 2)
    let offset = offsets + (start << 2)
    let value = values + start * sizeof<T>()
    const out = tile + (<usize>s << 6)
    if (ASC_FEATURE_SIMD) {
      let a0 = v128.splat<T>(<T>0)
      let a1 = v128.splat<T>(<T>0)
      let a2 = v128.splat<T>(<T>0)
      let a3 = v128.splat<T>(<T>0)
      while (offset < end) {
        const q = block + <usize>load<u32>(offset)
        const v = v128.load_splat<T>(value)
        a0 = multiplyAddIn<T>(v, v128.load(q), a0)
        a1 = multiplyAddIn<T>(v, v128.load(q, 16), a1)
        a2 = multiplyAddIn<T>(v, v128.load(q, 32), a2)
        a3 = multiplyAddIn<T>(v, v128.load(q, 48), a3)
        offset += 4
        value += sizeof<T>()
      }
      v128.store(out, a0)
      v128.store(out, a1, 16)
      v128.store(out, a2, 32)
      v128.store(out, a3, 48)
    } else {
      memory.fill(out, 0, QUERY_BYTES)
      while (offset < end) {
        addScaled<T>(out, load<T>(value), block + <usize>load<u32>(offset))
        offset += 4
        value += sizeof<T>()
      }
    }
  }
}

/** Two samples at a time: 8 accumulators, 6 loads for 8 multiply-adds. */
function denseTile<T extends number>(
  matrix: usize,
  values: usize,
  samples: usize,
  count: i32,
  block: usize,
  tile: usize,
): void {
  const cols = <usize>load<u32>(matrix, at.MATRIX_COLS)
  const stride = cols * sizeof<T>()
  for (let first: usize = 0; first < cols; first += FEATURE_BLOCK) {
    const end = block + min(cols, first + FEATURE_BLOCK) * QUERY_BYTES
    const column = values + first * sizeof<T>()
    let s = 0
    if (ASC_FEATURE_SIMD) {
      for (; s + 2 <= count; s += 2) {
        let value = column + sampleAt<T>(samples, s) * stride
        let other = column + sampleAt<T>(samples, s + 1) * stride
        const out = tile + (<usize>s << 6)
        let a0 = v128.splat<T>(<T>0)
        let a1 = v128.splat<T>(<T>0)
        let a2 = v128.splat<T>(<T>0)
        let a3 = v128.splat<T>(<T>0)
        let b0 = v128.splat<T>(<T>0)
        let b1 = v128.splat<T>(<T>0)
        let b2 = v128.splat<T>(<T>0)
        let b3 = v128.splat<T>(<T>0)
        if (first) {
          a0 = v128.load(out)
          a1 = v128.load(out, 16)
          a2 = v128.load(out, 32)
          a3 = v128.load(out, 48)
          b0 = v128.load(out, 64)
          b1 = v128.load(out, 80)
          b2 = v128.load(out, 96)
          b3 = v128.load(out, 112)
        }
        for (let q = block + first * QUERY_BYTES; q < end; q += QUERY_BYTES) {
          const v = v128.load_splat<T>(value)
          const w = v128.load_splat<T>(other)
          const q0 = v128.load(q)
          a0 = multiplyAddIn<T>(v, q0, a0)
          b0 = multiplyAddIn<T>(w, q0, b0)
          const q1 = v128.load(q, 16)
          a1 = multiplyAddIn<T>(v, q1, a1)
          b1 = multiplyAddIn<T>(w, q1, b1)
          const q2 = v128.load(q, 32)
          a2 = multiplyAddIn<T>(v, q2, a2)
          b2 = multiplyAddIn<T>(w, q2, b2)
          const q3 = v128.load(q, 48)
          a3 = multiplyAddIn<T>(v, q3, a3)
          b3 = multiplyAddIn<T>(w, q3, b3)
          value += sizeof<T>()
          other += sizeof<T>()
        }
        v128.store(out, a0)
        v128.store(out, a1, 16)
        v128.store(out, a2, 32)
        v128.store(out, a3, 48)
        v128.store(out, b0, 64)
        v128.store(out, b1, 80)
        v128.store(out, b2, 96)
        v128.store(out, b3, 112)
      }
    }
    for (; s < count; s++) {
      let value = column + sampleAt<T>(samples, s) * stride
      const out = tile + (<usize>s << 6)
      if (!first) memory.fill(out, 0, QUERY_BYTES)
      for (let q = block + first * QUERY_BYTES; q < end; q += QUERY_BYTES) {
        addScaled<T>(out, load<T>(value), q)
        value += sizeof<T>()
      }
    }
  }
}

/** out[q] += value · query[q] for the queries of one feature. */
// @ts-ignore: decorator
@inline
function addScaled<T extends number>(out: usize, value: T, query: usize): void {
  if (ASC_FEATURE_SIMD) {
    const v = v128.splat<T>(value)
    v128.store(out, multiplyAddIn<T>(v, v128.load(query), v128.load(out)))
    v128.store(out, multiplyAddIn<T>(v, v128.load(query, 16), v128.load(out, 16)), 16)
    v128.store(out, multiplyAddIn<T>(v, v128.load(query, 32), v128.load(out, 32)), 32)
    v128.store(out, multiplyAddIn<T>(v, v128.load(query, 48), v128.load(out, 48)), 48)
  } else {
    for (let q: usize = 0; q < QUERY_BYTES; q += sizeof<T>()) {
      store<T>(out + q, <T>(load<T>(out + q) + <T>(value * load<T>(query + q))))
    }
  }
}
