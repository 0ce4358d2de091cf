/**
 * Gram matrices Σ_i c_i x̃_i x̃_iᵀ of a linear machine's samples, and systems with them. Matrices are lower triangles, packed as in
 * ../dual/cholesky.ts; the constant feature is the last row.
 */
import { eliminate, finishRow, rowOf, solveForward, solveTransposed } from '../dual/cholesky'
import { multiplyAddDouble } from '../kernel/lanes'
import * as at from '../structures'
import { rowDot } from './rows'

/** A pivot smaller than this part of its diagonal, a hundred roundings, is rounding: its variable stays where it is. The same in
 * src/solve/rows/plain-rows.ts. */
const LEAST_PIVOT: f64 = 1e-14
/** Of the target, what a block of rows may take: half of a second-level cache of 512 KB. */
const BLOCK_BYTES: usize = 256 << 10

/** target += Σ factors[i] x̃_i x̃_iᵀ over the rows i listed at places from <= a < to. */
export function addGram(
  matrix: usize,
  constant: f64,
  factors: usize,
  list: usize,
  from: u32,
  to: u32,
  target: usize,
): void {
  if (load<u32>(matrix, at.MATRIX_DENSE)) addDenseGram(matrix, constant, factors, list, from, to, target)
  else addSparseGram(matrix, constant, factors, list, from, to, target)
}

/**
 * A block of the target's rows at a time, which stays in the cache while all samples are added to it: one sample touches rows all
 * over the target. Each entry gets its terms in the order of the list, whatever the blocks.
 */
function addSparseGram(
  matrix: usize,
  constant: f64,
  factors: usize,
  list: usize,
  from: u32,
  to: u32,
  target: usize,
): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR)
  const cols = load<u32>(matrix, at.MATRIX_COLS)
  const last = rowOf(target, cols)
  for (let top: u32 = 0; top < cols; ) {
    let bottom = top + 1
    while (bottom < cols && rowOf(target, bottom + 1) - rowOf(target, top) <= BLOCK_BYTES) bottom++
    for (let a = from; a < to; a++) {
      const i = <usize>load<u32>(list + (<usize>a << 2))
      const factor = load<f64>(factors + (i << 3))
      const start = <usize>load<u32>(indptr + (i << 2))
      const end = <usize>load<u32>(indptr + (i << 2), 4)
      let k = top == 0 ? start : firstAtLeast(offsets, start, end, top)
      const stop = bottom == cols ? end : firstAtLeast(offsets, k, end, bottom)
      for (; k + 2 <= stop; k += 2) addTwoRows(values, offsets, start, k, factor, constant, target, last)
      if (k < stop) addLastRow(values, offsets, start, k, factor, constant, target, last)
    }
    top = bottom
  }
  addCorner(constant, factors, list, from, to, last + (<usize>cols << 3))
}

/** Adds one sample to the rows of its values k and k + 1: they share the way to their columns. */
// @ts-ignore: decorator
@inline
function addTwoRows(
  values: usize,
  offsets: usize,
  start: usize,
  k: usize,
  factor: f64,
  constant: f64,
  target: usize,
  last: usize,
): void {
  const first = load<u32>(offsets + (k << 2)) >> 6
  const second = load<u32>(offsets + (k << 2), 4) >> 6
  const scaled = factor * load<f64>(values + (k << 3))
  const own = load<f64>(values + (k << 3), 8)
  const alsoScaled = factor * own
  const row = rowOf(target, first)
  const alsoRow = rowOf(target, second)
  for (let m = start; m <= k; m++) {
    const value = load<f64>(values + (m << 3))
    const column = <usize>load<u32>(offsets + (m << 2)) >> 3
    store<f64>(row + column, load<f64>(row + column) + scaled * value)
    store<f64>(alsoRow + column, load<f64>(alsoRow + column) + alsoScaled * value)
  }
  const diagonal = alsoRow + (<usize>second << 3)
  store<f64>(diagonal, load<f64>(diagonal) + alsoScaled * own)
  addTo(last, first, constant * scaled)
  addTo(last, second, constant * alsoScaled)
}

/** Adds one sample to the row of its value k. */
// @ts-ignore: decorator
@inline
function addLastRow(
  values: usize,
  offsets: usize,
  start: usize,
  k: usize,
  factor: f64,
  constant: f64,
  target: usize,
  last: usize,
): void {
  const column = load<u32>(offsets + (k << 2)) >> 6
  const scaled = factor * load<f64>(values + (k << 3))
  const row = rowOf(target, column)
  for (let m = start; m <= k; m++) {
    const place = row + (<usize>load<u32>(offsets + (m << 2)) >> 3)
    store<f64>(place, load<f64>(place) + scaled * load<f64>(values + (m << 3)))
  }
  addTo(last, column, constant * scaled)
}

// @ts-ignore: decorator
@inline
function addTo(row: usize, column: u32, value: f64): void {
  const place = row + (<usize>column << 3)
  store<f64>(place, load<f64>(place) + value)
}

/** The first place from start on whose column is `column` or a later one; `end` where there is none. */
function firstAtLeast(offsets: usize, start: usize, end: usize, column: u32): usize {
  let low = start
  let high = end
  while (low < high) {
    const middle = (low + high) >> 1
    if (load<u32>(offsets + (middle << 2)) >> 6 < column) low = middle + 1
    else high = middle
  }
  return low
}

/** The constant feature with itself. */
function addCorner(constant: f64, factors: usize, list: usize, from: u32, to: u32, corner: usize): void {
  let total = 0.0
  for (let a = from; a < to; a++) total += load<f64>(factors + (<usize>load<u32>(list + (<usize>a << 2)) << 3))
  store<f64>(corner, load<f64>(corner) + constant * constant * total)
}

/**
 * Four rows and four columns of the target at a time, in registers while all samples are added to them, and so the corner that is left over;
 * the rest of these rows, and that of the constant feature, one sample at a time.
 */
function addDenseGram(
  matrix: usize,
  constant: f64,
  factors: usize,
  list: usize,
  from: u32,
  to: u32,
  target: usize,
): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const cols = load<u32>(matrix, at.MATRIX_COLS)
  const bytes = <usize>cols << 3
  let top: u32 = 0
  if (ASC_FEATURE_SIMD) {
    for (; top + 4 <= cols; top += 4) {
      for (let left: u32 = 0; left <= top; left += 4) addTile(values, bytes, factors, list, from, to, target, top, left)
    }
  }
  const last = rowOf(target, cols)
  const isCorner = cols - top < 4
  for (let a = from; a < to && (constant != 0 || top > 0 || !isCorner); a++) {
    const i = <usize>load<u32>(list + (<usize>a << 2))
    const factor = load<f64>(factors + (i << 3))
    const row = values + i * bytes
    for (let j = top; j < cols; j++) {
      addMultiple(isCorner ? top : j + 1, rowOf(target, j), row, factor * load<f64>(row + (<usize>j << 3)))
    }
    if (constant != 0) addMultiple(cols, last, row, constant * factor)
  }
  if (isCorner && top < cols) addRest(values, bytes, factors, list, from, to, target, top, cols)
  addCorner(constant, factors, list, from, to, last + bytes)
}

/** Up to three rows and columns that are left over, from `top` on, in registers. */
function addRest(
  values: usize,
  bytes: usize,
  factors: usize,
  list: usize,
  from: u32,
  to: u32,
  target: usize,
  top: u32,
  cols: u32,
): void {
  const down = <usize>top << 3
  const hasSecond = top + 1 < cols
  const hasThird = top + 2 < cols
  let first = 0.0
  let second0 = 0.0
  let second1 = 0.0
  let third0 = 0.0
  let third1 = 0.0
  let third2 = 0.0
  for (let a = from; a < to; a++) {
    const i = <usize>load<u32>(list + (<usize>a << 2))
    const factor = load<f64>(factors + (i << 3))
    const row = values + i * bytes + down
    const x0 = load<f64>(row)
    first += factor * x0 * x0
    if (!hasSecond) continue
    const x1 = load<f64>(row, 8)
    const scaled = factor * x1
    second0 += scaled * x0
    second1 += scaled * x1
    if (!hasThird) continue
    const x2 = load<f64>(row, 16)
    const alsoScaled = factor * x2
    third0 += alsoScaled * x0
    third1 += alsoScaled * x1
    third2 += alsoScaled * x2
  }
  addTo(rowOf(target, top), top, first)
  if (hasSecond) {
    addTo(rowOf(target, top + 1), top, second0)
    addTo(rowOf(target, top + 1), top + 1, second1)
  }
  if (hasThird) {
    addTo(rowOf(target, top + 2), top, third0)
    addTo(rowOf(target, top + 2), top + 1, third1)
    addTo(rowOf(target, top + 2), top + 2, third2)
  }
}

/** Rows top to top + 3 and columns left to left + 3 of a Gram matrix; of a tile on the diagonal the part below it. */
function addTile(
  values: usize,
  bytes: usize,
  factors: usize,
  list: usize,
  from: u32,
  to: u32,
  target: usize,
  top: u32,
  left: u32,
): void {
  let a0 = f64x2.splat(0)
  let a1 = f64x2.splat(0)
  let b0 = f64x2.splat(0)
  let b1 = f64x2.splat(0)
  let c0 = f64x2.splat(0)
  let c1 = f64x2.splat(0)
  let d0 = f64x2.splat(0)
  let d1 = f64x2.splat(0)
  const down = <usize>top << 3
  const across = <usize>left << 3
  for (let a = from; a < to; a++) {
    const i = <usize>load<u32>(list + (<usize>a << 2))
    const factor = v128.load64_splat(factors + (i << 3))
    const row = values + i * bytes
    const x0 = f64x2.mul(factor, v128.load(row + across))
    const x1 = f64x2.mul(factor, v128.load(row + across, 16))
    const p = v128.load64_splat(row + down)
    a0 = multiplyAddDouble(p, x0, a0)
    a1 = multiplyAddDouble(p, x1, a1)
    const q = v128.load64_splat(row + down, 8)
    b0 = multiplyAddDouble(q, x0, b0)
    b1 = multiplyAddDouble(q, x1, b1)
    const r = v128.load64_splat(row + down, 16)
    c0 = multiplyAddDouble(r, x0, c0)
    c1 = multiplyAddDouble(r, x1, c1)
    const s = v128.load64_splat(row + down, 24)
    d0 = multiplyAddDouble(s, x0, d0)
    d1 = multiplyAddDouble(s, x1, d1)
  }
  const isDiagonal = top == left
  addFour(rowOf(target, top) + across, a0, a1, isDiagonal ? 1 : 4)
  addFour(rowOf(target, top + 1) + across, b0, b1, isDiagonal ? 2 : 4)
  addFour(rowOf(target, top + 2) + across, c0, c1, isDiagonal ? 3 : 4)
  addFour(rowOf(target, top + 3) + across, d0, d1, 4)
}

/** Adds the first `count` of four numbers. */
// @ts-ignore: decorator
@inline
function addFour(out: usize, low: v128, high: v128, count: i32): void {
  if (count == 1) {
    store<f64>(out, load<f64>(out) + f64x2.extract_lane(low, 0))
    return
  }
  v128.store(out, f64x2.add(v128.load(out), low))
  if (count == 4) v128.store(out, f64x2.add(v128.load(out, 16), high), 16)
  else if (count == 3) store<f64>(out, load<f64>(out, 16) + f64x2.extract_lane(high, 0), 16)
}

/** out += factor · p over n entries. */
function addMultiple(n: u32, out: usize, p: usize, factor: f64): void {
  let at: usize = 0
  if (ASC_FEATURE_SIMD) {
    const factors = f64x2.splat(factor)
    for (const end = <usize>(n & ~1) << 3; at < end; at += 16) {
      v128.store(out + at, multiplyAddDouble(factors, v128.load(p + at), v128.load(out + at)))
    }
  }
  for (; at < <usize>n << 3; at += 8) store<f64>(out + at, load<f64>(out + at) + factor * load<f64>(p + at))
}

/**
 * target[a][b] = ⟨x̃_i, x̃_k⟩ for the rows i, k listed at places a >= b < count, from <= a < to; `dense` has a zero per column, which
 * it has afterwards, too.
 */
export function rowGram(
  matrix: usize,
  constant: f64,
  list: usize,
  from: u32,
  to: u32,
  dense: usize,
  target: usize,
): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const isDense = load<u32>(matrix, at.MATRIX_DENSE) != 0
  const bytes = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
  for (let a = from; a < to; a++) {
    const i = load<u32>(list + (<usize>a << 2))
    const out = rowOf(target, a)
    const own = isDense ? values + <usize>i * bytes : dense
    if (!isDense) spread(matrix, i, dense, false)
    for (let b: u32 = 0; b <= a; b++) {
      const k = load<u32>(list + (<usize>b << 2))
      store<f64>(out + (<usize>b << 3), constant * constant + rowDot(matrix, k, own))
    }
    if (!isDense) spread(matrix, i, dense, true)
  }
}

/** Writes a sparse row to a dense vector, or zeros in its place. */
function spread(matrix: usize, i: u32, dense: usize, clear: bool): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>i << 2)
  const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
  for (let k = <usize>load<u32>(indptr); k < <usize>load<u32>(indptr, 4); k++) {
    const place = dense + (<usize>load<u32>(offsets + (k << 2)) >> 3)
    store<f64>(place, clear ? 0.0 : load<f64>(values + (k << 3)))
  }
}

/** Bytes of a packed triangle of n rows. */
export function triangleBytes(n: i32): usize {
  return rowOf(0, n)
}

/** Factors the rows from <= i < to of a packed triangle in place, those before being done; `from` is a multiple of 4. */
export function factorRows(L: usize, n: i32, from: i32, to: i32): void {
  for (let i = from; i < to; i += 4) {
    const columns = i & ~1
    if (i + 4 <= n) eliminate(L, i, columns)
    for (let k = i; k < min(i + 4, n); k++) {
      const diagonal = load<f64>(rowOf(L, k) + (<usize>k << 3))
      finishRow(L, k, i + 4 <= n ? columns : 0, LEAST_PIVOT * diagonal)
    }
  }
}

/** Replaces b by x of L Lᵀ x = b. */
export function solveFactored(L: usize, n: i32, b: usize): void {
  solveForward(n, L, b)
  solveTransposed(n, L, b)
}
