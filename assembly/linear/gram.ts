/**
 * Gram matrices Σ_i c_i x̃_i x̃_iᵀ of a linear machine's samples, and systems with them. Matrices are lower triangles, packed as in
 * ../dual/cholesky.ts; the constant feature is the last row.
 */
import { eliminate, finishRow, rowOf, solveForward, solveTransposed } from '../dual/cholesky'
import { multiplyAddDouble } from '../kernel/lanes'
import * as at from '../structures'
import { rowDot } from './rows'

/** A pivot smaller than this part of its diagonal, a hundred roundings, is rounding: its variable stays where it is. The same in
 * src/solve/linear/plain-rows.ts. */
const LEAST_PIVOT: f64 = 1e-14

/** target += Σ factors[i] x̃_i x̃_iᵀ over rows from <= i < to, those of factor 0 left out. */
export function addGram(matrix: usize, constant: f64, factors: usize, from: u32, to: u32, target: usize): void {
  if (load<u32>(matrix, at.MATRIX_DENSE)) addDenseGram(matrix, constant, factors, from, to, target)
  else addSparseGram(matrix, constant, factors, from, to, target)
}

function addSparseGram(matrix: usize, constant: f64, factors: usize, from: u32, to: u32, target: usize): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const offsets = <usize>load<u32>(matrix, at.MATRIX_OFFSETS)
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR)
  const last = rowOf(target, load<u32>(matrix, at.MATRIX_COLS))
  let total = 0.0
  for (let i = from; i < to; i++) {
    const factor = load<f64>(factors + (<usize>i << 3))
    if (factor == 0) continue
    total += factor
    const start = <usize>load<u32>(indptr + (<usize>i << 2))
    const end = <usize>load<u32>(indptr + (<usize>i << 2), 4)
    for (let k = start; k < end; k++) {
      const scaled = factor * load<f64>(values + (k << 3))
      const column = load<u32>(offsets + (k << 2)) >> 6
      const row = rowOf(target, column)
      for (let m = start; m <= k; m++) {
        const place = row + (<usize>load<u32>(offsets + (m << 2)) >> 3)
        store<f64>(place, load<f64>(place) + scaled * load<f64>(values + (m << 3)))
      }
      const carried = last + (<usize>column << 3)
      store<f64>(carried, load<f64>(carried) + constant * scaled)
    }
  }
  const corner = last + (<usize>load<u32>(matrix, at.MATRIX_COLS) << 3)
  store<f64>(corner, load<f64>(corner) + constant * constant * total)
}

/** Four rows at a time, so that the target is read and written less often. */
function addDenseGram(matrix: usize, constant: f64, factors: usize, from: u32, to: u32, target: usize): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  const cols = load<u32>(matrix, at.MATRIX_COLS)
  const bytes = <usize>cols << 3
  let i = from
  while (i < to) {
    let count = 0
    let p: usize = values
    let q: usize = values
    let r: usize = values
    let s: usize = values
    let a = 0.0
    let b = 0.0
    let c = 0.0
    let d = 0.0
    for (; i < to && count < 4; i++) {
      const factor = load<f64>(factors + (<usize>i << 3))
      if (factor == 0) continue
      const row = values + <usize>i * bytes
      if (count == 0) {
        p = row
        a = factor
      } else if (count == 1) {
        q = row
        b = factor
      } else if (count == 2) {
        r = row
        c = factor
      } else {
        s = row
        d = factor
      }
      count++
    }
    if (count == 0) return
    for (let j: u32 = 0; j < cols; j++) {
      const at = <usize>j << 3
      const w = a * load<f64>(p + at)
      const x = b * load<f64>(q + at)
      const y = c * load<f64>(r + at)
      const z = d * load<f64>(s + at)
      if (w == 0 && x == 0 && y == 0 && z == 0) continue
      addFour(j + 1, rowOf(target, j), p, q, r, s, w, x, y, z)
    }
    const last = rowOf(target, cols)
    addFour(cols, last, p, q, r, s, constant * a, constant * b, constant * c, constant * d)
    store<f64>(last + bytes, load<f64>(last + bytes) + constant * constant * (a + b + c + d))
  }
}

/** out += w p + x q + y r + z s over n entries. */
function addFour(n: u32, out: usize, p: usize, q: usize, r: usize, s: usize, w: f64, x: f64, y: f64, z: f64): void {
  let at: usize = 0
  if (ASC_FEATURE_SIMD) {
    const ws = f64x2.splat(w)
    const xs = f64x2.splat(x)
    const ys = f64x2.splat(y)
    const zs = f64x2.splat(z)
    for (const end = <usize>(n & ~1) << 3; at < end; at += 16) {
      let value = multiplyAddDouble(ws, v128.load(p + at), v128.load(out + at))
      value = multiplyAddDouble(xs, v128.load(q + at), value)
      value = multiplyAddDouble(ys, v128.load(r + at), value)
      v128.store(out + at, multiplyAddDouble(zs, v128.load(s + at), value))
    }
  }
  for (; at < <usize>n << 3; at += 8) {
    let value = load<f64>(out + at) + w * load<f64>(p + at)
    value += x * load<f64>(q + at)
    value += y * load<f64>(r + at)
    store<f64>(out + at, value + z * load<f64>(s + at))
  }
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
