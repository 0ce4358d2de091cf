/**
 * Cholesky's factorisation A = L Lᵀ of a symmetric positive definite matrix that gains and loses rows, in f64.
 *
 * L is packed: row i has i + 1 values and follows row i − 1, its start on a multiple of 16 bytes. So L takes half the memory of
 * a square, and a new row never moves the others.
 *
 *   eliminate   columns of four new rows at a time: n² / 2 multiply-adds per row, and L is read once for the four
 *   finishRow   the columns that are left of one new row, and its pivot
 *   removeRow   the rows below move up, and rotations of neighbouring columns make them triangular again: 2 n² at most,
 *               little for a row near the end
 *   solve…      x of L x = b or of Lᵀ x = b: n² / 2
 */
import { multiplyAddDouble } from '../kernel/lanes'
import { f64At, setF64 } from './memory'

/**
 * Stands for a pivot that rounding has made, or that is no pivot of a positive matrix: the variable does not move then. Its
 * square is still a double.
 */
const HUGE: f64 = 1e150

/** Where row i of L starts: rows 0 and 1 take two values, rows 2 and 3 take four, and so on. */
// @ts-ignore: decorator
@inline
export function rowOf(L: usize, i: i32): usize {
  const half = <usize>(i >> 1)
  return L + ((i & 1 ? (half + 1) * (half + 1) : half * (half + 1)) << 4)
}

/** Bytes of n rows. */
// @ts-ignore: decorator
@inline
export function factorBytes(n: i32): usize {
  return rowOf(0, n)
}

/** Columns below `columns` (even) of rows i to i + 3: four rows and two columns at a time, so that loads are shared. */
export function eliminate(L: usize, i: i32, columns: i32): void {
  const r0 = rowOf(L, i)
  const r1 = rowOf(L, i + 1)
  const r2 = rowOf(L, i + 2)
  const r3 = rowOf(L, i + 3)
  for (let j = 0; j < columns; j += 2) {
    const first = rowOf(L, j)
    const second = rowOf(L, j + 1)
    const at = <usize>j << 3
    let a0: f64, a1: f64, a2: f64, a3: f64, b0: f64, b1: f64, b2: f64, b3: f64
    if (ASC_FEATURE_SIMD) {
      let s0 = f64x2.splat(0)
      let s1 = f64x2.splat(0)
      let s2 = f64x2.splat(0)
      let s3 = f64x2.splat(0)
      let t0 = f64x2.splat(0)
      let t1 = f64x2.splat(0)
      let t2 = f64x2.splat(0)
      let t3 = f64x2.splat(0)
      for (let k: usize = 0; k < at; k += 16) {
        const x = v128.load(first + k)
        const z = v128.load(second + k)
        const y0 = v128.load(r0 + k)
        s0 = multiplyAddDouble(x, y0, s0)
        t0 = multiplyAddDouble(z, y0, t0)
        const y1 = v128.load(r1 + k)
        s1 = multiplyAddDouble(x, y1, s1)
        t1 = multiplyAddDouble(z, y1, t1)
        const y2 = v128.load(r2 + k)
        s2 = multiplyAddDouble(x, y2, s2)
        t2 = multiplyAddDouble(z, y2, t2)
        const y3 = v128.load(r3 + k)
        s3 = multiplyAddDouble(x, y3, s3)
        t3 = multiplyAddDouble(z, y3, t3)
      }
      a0 = laneSum(s0)
      a1 = laneSum(s1)
      a2 = laneSum(s2)
      a3 = laneSum(s3)
      b0 = laneSum(t0)
      b1 = laneSum(t1)
      b2 = laneSum(t2)
      b3 = laneSum(t3)
    } else {
      a0 = pairProduct(r0, first, at)
      a1 = pairProduct(r1, first, at)
      a2 = pairProduct(r2, first, at)
      a3 = pairProduct(r3, first, at)
      b0 = pairProduct(r0, second, at)
      b1 = pairProduct(r1, second, at)
      b2 = pairProduct(r2, second, at)
      b3 = pairProduct(r3, second, at)
    }
    eliminatePair(r0 + at, first + at, second + at, a0, b0)
    eliminatePair(r1 + at, first + at, second + at, a1, b1)
    eliminatePair(r2 + at, first + at, second + at, a2, b2)
    eliminatePair(r3 + at, first + at, second + at, a3, b3)
  }
}

// @ts-ignore: decorator
@inline
function eliminatePair(row: usize, first: usize, second: usize, a: f64, b: f64): void {
  const x = (load<f64>(row) - a) / load<f64>(first)
  store<f64>(row, x)
  store<f64>(row, (load<f64>(row, 8) - b - x * load<f64>(second)) / load<f64>(second, 8), 8)
}

// @ts-ignore: decorator
@inline
function laneSum(lanes: v128): f64 {
  return f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1)
}

/** The sum of a lane pair without lanes. */
function pairProduct(a: usize, b: usize, bytes: usize): f64 {
  let even = 0.0
  let odd = 0.0
  for (let k: usize = 0; k < bytes; k += 16) {
    even += load<f64>(a + k) * load<f64>(b + k)
    odd += load<f64>(a + k, 8) * load<f64>(b + k, 8)
  }
  return even + odd
}

/** Columns from <= j < i of row i, those before being done, and its pivot; false where that is below `least`: it is HUGE then. */
export function finishRow(L: usize, i: i32, from: i32, least: f64): bool {
  const row = rowOf(L, i)
  for (let j = from; j < i; j++) {
    const other = rowOf(L, j)
    setF64(row, j, (f64At(row, j) - product(j, row, other)) / f64At(other, j))
  }
  const pivot = f64At(row, i) - product(i, row, row)
  const isPositive = pivot > least
  setF64(row, i, isPositive ? Math.sqrt(pivot) : HUGE)
  return isPositive
}

/**
 * Takes row and column r out of the factor of n rows. `turns` has room for n pairs of f64: the cosines and sines, which
 * {@link turnSide} applies to right-hand sides. Two rows at a time: each is one long chain of dependent operations.
 */
export function removeRow(n: i32, L: usize, r: i32, turns: usize): void {
  const last = n - 1
  let i = r
  for (; i + 1 < last; i += 2) {
    const to = rowOf(L, i)
    const from = rowOf(L, i + 1)
    const next = rowOf(L, i + 2)
    memory.copy(to, from, <usize>r << 3)
    memory.copy(from, next, <usize>r << 3)
    let x = f64At(from, r)
    let z = f64At(next, r)
    for (let at = <usize>r << 3; at < <usize>i << 3; at += 8) {
      const c = load<f64>(turns + (at << 1))
      const s = load<f64>(turns + (at << 1), 8)
      const a = load<f64>(from + at, 8)
      const b = load<f64>(next + at, 8)
      store<f64>(to + at, c * x + s * a)
      x = c * a - s * x
      store<f64>(from + at, c * z + s * b)
      z = c * b - s * z
    }
    setF64(to, i, turn(turns, i, x, f64At(from, i + 1)))
    const c = f64At(turns, 2 * i)
    const s = f64At(turns, 2 * i + 1)
    const b = f64At(next, i + 1)
    setF64(from, i, c * z + s * b)
    setF64(from, i + 1, turn(turns, i + 1, c * b - s * z, f64At(next, i + 2)))
  }
  if (i == last) return
  const to = rowOf(L, i)
  const from = rowOf(L, i + 1)
  memory.copy(to, from, <usize>r << 3)
  let x = f64At(from, r)
  for (let j = r; j < i; j++) x = rotate(turns, j, x, from, to)
  setF64(to, i, turn(turns, i, x, f64At(from, i + 1)))
}

/** y of L y = b after {@link removeRow}: as b = L y stays true of the rows that are left, y turns with the columns. */
export function turnSide(n: i32, r: i32, turns: usize, y: usize): void {
  let x = f64At(y, r)
  for (let j = r; j < n - 1; j++) x = rotate(turns, j, x, y, y)
}

/** Column j of a row whose remainder so far is x; returns the next remainder. */
// @ts-ignore: decorator
@inline
function rotate(turns: usize, j: i32, x: f64, from: usize, to: usize): f64 {
  const c = f64At(turns, 2 * j)
  const s = f64At(turns, 2 * j + 1)
  const next = f64At(from, j + 1)
  setF64(to, j, c * x + s * next)
  return c * next - s * x
}

/** The rotation that makes (x, diagonal) one number, which it returns. */
// @ts-ignore: decorator
@inline
function turn(turns: usize, j: i32, x: f64, diagonal: f64): f64 {
  const length = Math.sqrt(x * x + diagonal * diagonal)
  setF64(turns, 2 * j, x / length)
  setF64(turns, 2 * j + 1, diagonal / length)
  return length
}

/** Replaces b by x of L x = b. */
export function solveForward(n: i32, L: usize, b: usize): void {
  for (let i = 0; i < n; i++) {
    const row = rowOf(L, i)
    setF64(b, i, (f64At(b, i) - product(i, row, b)) / f64At(row, i))
  }
}

/** Replaces b by x of Lᵀ x = b: four rows at a time, so that b is read and written less often. */
export function solveTransposed(n: i32, L: usize, b: usize): void {
  let i = n - 1
  for (; i >= 3; i -= 4) {
    const p = rowOf(L, i)
    const q = rowOf(L, i - 1)
    const r = rowOf(L, i - 2)
    const s = rowOf(L, i - 3)
    const w = f64At(b, i) / f64At(p, i)
    const x = (f64At(b, i - 1) - w * f64At(p, i - 1)) / f64At(q, i - 1)
    const y = (f64At(b, i - 2) - w * f64At(p, i - 2) - x * f64At(q, i - 2)) / f64At(r, i - 2)
    const sum = w * f64At(p, i - 3) + x * f64At(q, i - 3) + y * f64At(r, i - 3)
    const z = (f64At(b, i - 3) - sum) / f64At(s, i - 3)
    subtractFour(i - 3, b, p, q, r, s, w, x, y, z)
    setF64(b, i, w)
    setF64(b, i - 1, x)
    setF64(b, i - 2, y)
    setF64(b, i - 3, z)
  }
  for (; i >= 0; i--) {
    const row = rowOf(L, i)
    const x = f64At(b, i) / f64At(row, i)
    setF64(b, i, x)
    for (let j = 0; j < i; j++) setF64(b, j, f64At(b, j) - x * f64At(row, j))
  }
}

/** b −= w p + x q + y r + z s over n entries. */
function subtractFour(
  n: i32,
  b: usize,
  p: usize,
  q: usize,
  r: usize,
  s: usize,
  w: f64,
  x: f64,
  y: f64,
  z: f64,
): void {
  let at: usize = 0
  if (ASC_FEATURE_SIMD) {
    const ws = f64x2.splat(-w)
    const xs = f64x2.splat(-x)
    const ys = f64x2.splat(-y)
    const zs = f64x2.splat(-z)
    for (const end = <usize>(n & ~1) << 3; at < end; at += 16) {
      let value = multiplyAddDouble(ws, v128.load(p + at), v128.load(b + at))
      value = multiplyAddDouble(xs, v128.load(q + at), value)
      value = multiplyAddDouble(ys, v128.load(r + at), value)
      v128.store(b + at, multiplyAddDouble(zs, v128.load(s + at), value))
    }
  }
  for (; at < <usize>n << 3; at += 8) {
    let value = load<f64>(b + at) - w * load<f64>(p + at)
    value -= x * load<f64>(q + at)
    value -= y * load<f64>(r + at)
    store<f64>(b + at, value - z * load<f64>(s + at))
  }
}

/** Σ_k a[k] b[k] over k < n: even and odd k in a lane each, two pairs side by side. */
export function product(n: i32, a: usize, b: usize): f64 {
  const end = (<usize>n >> 2) << 5
  let sum: f64
  if (ASC_FEATURE_SIMD) {
    let s = f64x2.splat(0)
    let t = f64x2.splat(0)
    for (let at: usize = 0; at < end; at += 32) {
      s = multiplyAddDouble(v128.load(a + at), v128.load(b + at), s)
      t = multiplyAddDouble(v128.load(a + at, 16), v128.load(b + at, 16), t)
    }
    sum = laneSum(f64x2.add(s, t))
  } else {
    let s0 = 0.0
    let s1 = 0.0
    let t0 = 0.0
    let t1 = 0.0
    for (let at: usize = 0; at < end; at += 32) {
      s0 += load<f64>(a + at) * load<f64>(b + at)
      s1 += load<f64>(a + at, 8) * load<f64>(b + at, 8)
      t0 += load<f64>(a + at, 16) * load<f64>(b + at, 16)
      t1 += load<f64>(a + at, 24) * load<f64>(b + at, 24)
    }
    sum = s0 + t0 + (s1 + t1)
  }
  for (let at = end; at < <usize>n << 3; at += 8) sum += load<f64>(a + at) * load<f64>(b + at)
  return sum
}
