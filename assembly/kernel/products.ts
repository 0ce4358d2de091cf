/**
 * Products of samples with a query block: tile[s][q] = ⟨x_(from+s), query_q⟩, lanes over the queries.
 *
 * Each product is one chain of multiply-adds in column order, whatever the storage and however the samples are split
 * over threads, so dense and sparse forms, scalar and SIMD builds (without fused multiply-add) and any number of
 * threads give the same bits. A sample's value is read once for 16 queries; a feature of the block is one cache line.
 * ./integer-products.ts does the same in whole numbers, where values are such: without any rounding.
 */
import { multiplyAdd } from './lanes'
import * as at from '../structures'
import { FLOATING, QUERIES, QUERY_BYTES } from '../structures'
import { integerTile } from './integer-products'

/** Features whose query lines stay in the first-level cache while the samples of a tile pass by: 16 KB of 32. */
const FEATURE_BLOCK: usize = 256

/** Fills `count` rows of a tile. `form` is the one that the block was packed in; see ./queries.ts. */
export function tileProducts(matrix: usize, form: u32, from: u32, count: i32, block: usize, tile: usize): void {
  if (form != FLOATING) integerTile(matrix, form, from, count, block, tile)
  else if (load<u32>(matrix, at.MATRIX_DENSE)) denseTile(matrix, from, count, block, tile)
  else sparseTile(matrix, from, count, block, tile)
}

function sparseTile(matrix: usize, from: u32, count: i32, block: usize, tile: usize): void {
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>from << 2)
  const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
  const values = <usize>load<u32>(matrix, at.MATRIX_VALUES)
  for (let s = 0; s < count; s++) {
    const start = <usize>load<u32>(indptr + (<usize>s << 2)) << 2
    const end = offsets + (<usize>load<u32>(indptr + (<usize>s << 2), 4) << 2)
    let offset = offsets + start
    let value = values + start
    const out = tile + (<usize>s << 6)
    if (ASC_FEATURE_SIMD) {
      let a0 = f32x4.splat(0)
      let a1 = f32x4.splat(0)
      let a2 = f32x4.splat(0)
      let a3 = f32x4.splat(0)
      while (offset < end) {
        const q = block + <usize>load<u32>(offset)
        const v = v128.load_splat<f32>(value)
        a0 = multiplyAdd(v, v128.load(q), a0)
        a1 = multiplyAdd(v, v128.load(q, 16), a1)
        a2 = multiplyAdd(v, v128.load(q, 32), a2)
        a3 = multiplyAdd(v, v128.load(q, 48), a3)
        offset += 4
        value += 4
      }
      v128.store(out, a0)
      v128.store(out, a1, 16)
      v128.store(out, a2, 32)
      v128.store(out, a3, 48)
    } else {
      memory.fill(out, 0, QUERY_BYTES)
      while (offset < end) {
        addScaled(out, load<f32>(value), block + <usize>load<u32>(offset))
        offset += 4
        value += 4
      }
    }
  }
}

/** Two samples at a time: 8 accumulators, 6 loads for 8 multiply-adds. */
function denseTile(matrix: usize, from: u32, count: i32, block: usize, tile: usize): void {
  const cols = <usize>load<u32>(matrix, at.MATRIX_COLS)
  const stride = cols << 2
  const values = <usize>load<u32>(matrix, at.MATRIX_VALUES) + <usize>from * stride
  for (let first: usize = 0; first < cols; first += FEATURE_BLOCK) {
    const last = min(cols, first + FEATURE_BLOCK)
    let s = 0
    if (ASC_FEATURE_SIMD) {
      for (; s + 2 <= count; s += 2) {
        let value = values + <usize>s * stride + (first << 2)
        const out = tile + (<usize>s << 6)
        let a0 = f32x4.splat(0)
        let a1 = f32x4.splat(0)
        let a2 = f32x4.splat(0)
        let a3 = f32x4.splat(0)
        let b0 = f32x4.splat(0)
        let b1 = f32x4.splat(0)
        let b2 = f32x4.splat(0)
        let b3 = f32x4.splat(0)
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
        let q = block + first * QUERY_BYTES
        const end = block + last * QUERY_BYTES
        while (q < end) {
          const v = v128.load_splat<f32>(value)
          const w = v128.load_splat<f32>(value + stride)
          const q0 = v128.load(q)
          a0 = multiplyAdd(v, q0, a0)
          b0 = multiplyAdd(w, q0, b0)
          const q1 = v128.load(q, 16)
          a1 = multiplyAdd(v, q1, a1)
          b1 = multiplyAdd(w, q1, b1)
          const q2 = v128.load(q, 32)
          a2 = multiplyAdd(v, q2, a2)
          b2 = multiplyAdd(w, q2, b2)
          const q3 = v128.load(q, 48)
          a3 = multiplyAdd(v, q3, a3)
          b3 = multiplyAdd(w, q3, b3)
          q += QUERY_BYTES
          value += 4
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
      const row = values + <usize>s * stride
      const out = tile + (<usize>s << 6)
      if (!first) memory.fill(out, 0, QUERY_BYTES)
      for (let c = first; c < last; c++) addScaled(out, load<f32>(row + (c << 2)), block + c * QUERY_BYTES)
    }
  }
}

/** out[q] += value · query[q] for the 16 queries of one feature. */
// @ts-ignore: decorator
@inline
function addScaled(out: usize, value: f32, query: usize): void {
  if (ASC_FEATURE_SIMD) {
    const v = f32x4.splat(value)
    v128.store(out, multiplyAdd(v, v128.load(query), v128.load(out)))
    v128.store(out, multiplyAdd(v, v128.load(query, 16), v128.load(out, 16)), 16)
    v128.store(out, multiplyAdd(v, v128.load(query, 32), v128.load(out, 32)), 32)
    v128.store(out, multiplyAdd(v, v128.load(query, 48), v128.load(out, 48)), 48)
  } else {
    for (let q: usize = 0; q < <usize>QUERIES << 2; q += 4) {
      store<f32>(out + q, load<f32>(out + q) + value * load<f32>(query + q))
    }
  }
}
