/** Products of the rows of a matrix in f64 with vectors of one value per column: what linear machines are made of. */
import * as at from '../structures'
import { dot } from './vectors'

/**
 * ⟨x_i, w⟩ in four sums, of every fourth value each, added up in pairs: one sum alone would wait for every addition. This is
 * `rowDotInFour` of src/data/matrix/products.ts, operation by operation.
 */
// @ts-ignore: decorator
@inline
export function rowDot(matrix: usize, i: u32, w: usize): f64 {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  if (load<u32>(matrix, at.MATRIX_DENSE)) {
    const cols = load<u32>(matrix, at.MATRIX_COLS)
    return dot(cols, values + ((<usize>i * cols) << 3), w)
  }
  let a = 0.0
  let b = 0.0
  let c = 0.0
  let d = 0.0
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>i << 2)
  const start = <usize>load<u32>(indptr)
  const count = <usize>load<u32>(indptr, 4) - start
  let offset = <usize>load<u32>(matrix, at.MATRIX_OFFSETS) + (start << 2)
  let value = values + (start << 3)
  const whole = value + ((count & ~3) << 3)
  const end = value + (count << 3)
  for (; value < whole; value += 32) {
    a += load<f64>(value) * load<f64>(w + (<usize>load<u32>(offset) >> 3))
    b += load<f64>(value, 8) * load<f64>(w + (<usize>load<u32>(offset, 4) >> 3))
    c += load<f64>(value, 16) * load<f64>(w + (<usize>load<u32>(offset, 8) >> 3))
    d += load<f64>(value, 24) * load<f64>(w + (<usize>load<u32>(offset, 12) >> 3))
    offset += 16
  }
  for (; value < end; value += 8) {
    a += load<f64>(value) * load<f64>(w + (<usize>load<u32>(offset) >> 3))
    offset += 4
  }
  return a + b + (c + d)
}

/** w += factor · x_i */
// @ts-ignore: decorator
@inline
export function addRow(matrix: usize, i: u32, factor: f64, w: usize): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  if (load<u32>(matrix, at.MATRIX_DENSE)) {
    const bytes = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
    const row = values + <usize>i * bytes
    let j: usize = 0
    if (ASC_FEATURE_SIMD) {
      const factors = f64x2.splat(factor)
      for (; j + 16 <= bytes; j += 16) {
        v128.store(w + j, f64x2.add(v128.load(w + j), f64x2.mul(factors, v128.load(row + j))))
      }
    }
    for (; j < bytes; j += 8) store<f64>(w + j, load<f64>(w + j) + factor * load<f64>(row + j))
  } else {
    const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>i << 2)
    const start = <usize>load<u32>(indptr)
    const end = values + (<usize>load<u32>(indptr, 4) << 3)
    let offset = <usize>load<u32>(matrix, at.MATRIX_OFFSETS) + (start << 2)
    for (let value = values + (start << 3); value < end; value += 8) {
      const weight = w + (<usize>load<u32>(offset) >> 3)
      store<f64>(weight, load<f64>(weight) + factor * load<f64>(value))
      offset += 4
    }
  }
}

/** out[i] = ⟨x̃_i, w⟩ for rows from <= i < to; the constant feature is the last. */
export function rowValues(matrix: usize, constant: f64, w: usize, from: u32, to: u32, out: usize): void {
  const carried = constant * load<f64>(w + (<usize>load<u32>(matrix, at.MATRIX_COLS) << 3))
  for (let i = from; i < to; i++) store<f64>(out + (<usize>i << 3), rowDot(matrix, i, w) + carried)
}

/** out += Σ factors[i] x̃_i over rows from <= i < to, those of factor 0 left out. */
export function addRows(matrix: usize, constant: f64, factors: usize, from: u32, to: u32, out: usize): void {
  let total = 0.0
  for (let i = from; i < to; i++) {
    const factor = load<f64>(factors + (<usize>i << 3))
    if (factor == 0) continue
    addRow(matrix, i, factor, out)
    total += factor
  }
  const carried = out + (<usize>load<u32>(matrix, at.MATRIX_COLS) << 3)
  store<f64>(carried, load<f64>(carried) + constant * total)
}

/** out += Σ factors[i] ⟨x̃_i, x⟩ x̃_i over rows from <= i < to, those of factor 0 left out. */
export function addProducts(
  matrix: usize,
  constant: f64,
  factors: usize,
  from: u32,
  to: u32,
  x: usize,
  out: usize,
): void {
  const last = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
  const carried = constant * load<f64>(x + last)
  let total = 0.0
  for (let i = from; i < to; i++) {
    let factor = load<f64>(factors + (<usize>i << 3))
    if (factor == 0) continue
    factor *= rowDot(matrix, i, x) + carried
    addRow(matrix, i, factor, out)
    total += factor
  }
  store<f64>(out + last, load<f64>(out + last) + constant * total)
}

/** out[j] += Σ factors[i] x̃_ij² over rows from <= i < to. */
export function addSquares(matrix: usize, constant: f64, factors: usize, from: u32, to: u32, out: usize): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const bytes = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
  let total = 0.0
  for (let i = from; i < to; i++) {
    const factor = load<f64>(factors + (<usize>i << 3))
    if (factor == 0) continue
    total += factor
    if (load<u32>(matrix, at.MATRIX_DENSE)) {
      const row = values + <usize>i * bytes
      for (let j: usize = 0; j < bytes; j += 8) {
        const value = load<f64>(row + j)
        store<f64>(out + j, load<f64>(out + j) + factor * value * value)
      }
      continue
    }
    const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>i << 2)
    const start = <usize>load<u32>(indptr)
    const end = values + (<usize>load<u32>(indptr, 4) << 3)
    let offset = <usize>load<u32>(matrix, at.MATRIX_OFFSETS) + (start << 2)
    for (let at = values + (start << 3); at < end; at += 8) {
      const value = load<f64>(at)
      const place = out + (<usize>load<u32>(offset) >> 3)
      store<f64>(place, load<f64>(place) + factor * value * value)
      offset += 4
    }
  }
  store<f64>(out + bytes, load<f64>(out + bytes) + constant * constant * total)
}
