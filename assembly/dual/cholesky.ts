/**
 * Symmetric positive definite systems in f64 by Cholesky's method, for the free variables of a dual: A = L Lᵀ, row by
 * row. L is lower triangular, its rows `stride` bytes apart (a multiple of 16), and takes the place of A's lower half.
 *
 * A pivot that rounding could have made is replaced by a huge one: the variable then does not move, and a matrix that is
 * not quite definite does no harm.
 */

import { multiplyAddDouble } from '../kernel/lanes'

/** A pivot below this share of the diagonal is rounding. */
const PIVOT: f64 = 1e-13
const HUGE: f64 = 1e150

/**
 * Replaces the lower half of A by L: four rows at a time, columns in pairs, so that a value that was loaded is used
 * several times. `n` rows must have room for whole fours.
 */
export function factorize(n: i32, A: usize, stride: usize): void {
  for (let i = 0; i < n; i += 4) {
    const rows = A + <usize>i * stride
    const height = min(4, n - i)
    if (height == 4) for (let j = 0; j < i; j += 2) fourByTwo(rows, A + <usize>j * stride, stride, j)
    for (let r = 0; r < height; r++) finishRow(A, stride, i + r, height == 4 ? i : 0)
  }
}

/** Columns from <= j <= i of row i, those before being done: with `from` = 0, a row that is new. */
export function finishRow(A: usize, stride: usize, i: i32, from: i32): void {
  const row = A + <usize>i * stride
  for (let j = from; j < i; j++) {
    const other = A + <usize>j * stride
    const at = <usize>j << 3
    store<f64>(row + at, (load<f64>(row + at) - product(j, row, other)) / load<f64>(other + at))
  }
  const at = <usize>i << 3
  const diagonal = load<f64>(row + at)
  const pivot = diagonal - product(i, row, row)
  store<f64>(row + at, pivot > PIVOT * diagonal ? Math.sqrt(pivot) : HUGE)
}

/** Columns j and j + 1 (j even) of four rows; `first` is row j. */
function fourByTwo(rows: usize, first: usize, stride: usize, j: i32): void {
  const second = first + stride
  const r1 = rows + stride
  const r2 = r1 + stride
  const r3 = r2 + stride
  const at = <usize>j << 3
  if (!ASC_FEATURE_SIMD) {
    finishPair(rows, first, second, at, pairProduct(rows, first, at), pairProduct(rows, second, at))
    finishPair(r1, first, second, at, pairProduct(r1, first, at), pairProduct(r1, second, at))
    finishPair(r2, first, second, at, pairProduct(r2, first, at), pairProduct(r2, second, at))
    finishPair(r3, first, second, at, pairProduct(r3, first, at), pairProduct(r3, second, at))
    return
  }
  let a0 = f64x2.splat(0)
  let a1 = f64x2.splat(0)
  let a2 = f64x2.splat(0)
  let a3 = f64x2.splat(0)
  let b0 = f64x2.splat(0)
  let b1 = f64x2.splat(0)
  let b2 = f64x2.splat(0)
  let b3 = f64x2.splat(0)
  for (let k: usize = 0; k < at; k += 16) {
    const x = v128.load(first + k)
    const z = v128.load(second + k)
    const y0 = v128.load(rows + k)
    a0 = multiplyAddDouble(x, y0, a0)
    b0 = multiplyAddDouble(z, y0, b0)
    const y1 = v128.load(r1 + k)
    a1 = multiplyAddDouble(x, y1, a1)
    b1 = multiplyAddDouble(z, y1, b1)
    const y2 = v128.load(r2 + k)
    a2 = multiplyAddDouble(x, y2, a2)
    b2 = multiplyAddDouble(z, y2, b2)
    const y3 = v128.load(r3 + k)
    a3 = multiplyAddDouble(x, y3, a3)
    b3 = multiplyAddDouble(z, y3, b3)
  }
  finishPair(rows, first, second, at, laneSum(a0), laneSum(b0))
  finishPair(r1, first, second, at, laneSum(a1), laneSum(b1))
  finishPair(r2, first, second, at, laneSum(a2), laneSum(b2))
  finishPair(r3, first, second, at, laneSum(a3), laneSum(b3))
}

// @ts-ignore: decorator
@inline
function laneSum(lanes: v128): f64 {
  return f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1)
}

/** The same sum without lanes. */
function pairProduct(a: usize, b: usize, bytes: usize): f64 {
  let even = 0.0
  let odd = 0.0
  for (let k: usize = 0; k < bytes; k += 16) {
    even += load<f64>(a + k) * load<f64>(b + k)
    odd += load<f64>(a + k, 8) * load<f64>(b + k, 8)
  }
  return even + odd
}

// @ts-ignore: decorator
@inline
function finishPair(row: usize, first: usize, second: usize, at: usize, a: f64, b: f64): void {
  const x = (load<f64>(row + at) - a) / load<f64>(first + at)
  store<f64>(row + at, x)
  store<f64>(row + at, (load<f64>(row + at, 8) - b - x * load<f64>(second + at)) / load<f64>(second + at, 8), 8)
}

/**
 * Takes row and column r out of the factorised matrix of n: the rows below move up, and rotations of neighbouring columns
 * make them triangular again. `turns` has room for n pairs of f64.
 */
export function removeRow(n: i32, L: usize, stride: usize, r: i32, turns: usize): void {
  for (let i = r; i < n - 1; i++) {
    const from = L + <usize>(i + 1) * stride
    const to = L + <usize>i * stride
    for (let j = 0; j < r; j++) store<f64>(to + (<usize>j << 3), load<f64>(from + (<usize>j << 3)))
    let x = load<f64>(from + (<usize>r << 3))
    for (let j = r; j < i; j++) {
      const next = load<f64>(from + (<usize>(j + 1) << 3))
      const c = load<f64>(turns + (<usize>j << 4))
      const s = load<f64>(turns + (<usize>j << 4), 8)
      store<f64>(to + (<usize>j << 3), c * x + s * next)
      x = c * next - s * x
    }
    const last = load<f64>(from + (<usize>(i + 1) << 3))
    const length = Math.sqrt(x * x + last * last)
    store<f64>(turns + (<usize>i << 4), x / length)
    store<f64>(turns + (<usize>i << 4), last / length, 8)
    store<f64>(to + (<usize>i << 3), length)
  }
}

/** Replaces n pairs at b by the two solutions of L Lᵀ x = b: lane 0 holds one right-hand side, lane 1 the other. */
export function solvePair(n: i32, L: usize, stride: usize, b: usize): void {
  if (ASC_FEATURE_SIMD) {
    for (let i = 0; i < n; i++) {
      const row = L + <usize>i * stride
      let even = v128.load(b + (<usize>i << 4))
      let odd = f64x2.splat(0)
      let j = 0
      for (; j + 2 <= i; j += 2) {
        const at = <usize>j << 3
        even = f64x2.sub(even, f64x2.mul(v128.load_splat<f64>(row + at), v128.load(b + (at << 1))))
        odd = f64x2.sub(odd, f64x2.mul(v128.load_splat<f64>(row + at, 8), v128.load(b + (at << 1), 16)))
      }
      if (j < i) {
        const at = <usize>j << 3
        even = f64x2.sub(even, f64x2.mul(v128.load_splat<f64>(row + at), v128.load(b + (at << 1))))
      }
      const pivot = v128.load_splat<f64>(row + (<usize>i << 3))
      v128.store(b + (<usize>i << 4), f64x2.div(f64x2.add(even, odd), pivot))
    }
    for (let i = n - 1; i >= 0; i--) {
      const row = L + <usize>i * stride
      const x = f64x2.div(v128.load(b + (<usize>i << 4)), v128.load_splat<f64>(row + (<usize>i << 3)))
      v128.store(b + (<usize>i << 4), x)
      for (let at: usize = 0; at < <usize>i << 3; at += 8) {
        const to = b + (at << 1)
        v128.store(to, f64x2.sub(v128.load(to), f64x2.mul(v128.load_splat<f64>(row + at), x)))
      }
    }
    return
  }
  for (let lane: usize = 0; lane < 16; lane += 8) {
    for (let i = 0; i < n; i++) {
      const row = L + <usize>i * stride
      let even = load<f64>(b + (<usize>i << 4) + lane)
      let odd = 0.0
      let j = 0
      for (; j + 2 <= i; j += 2) {
        const at = <usize>j << 3
        even -= load<f64>(row + at) * load<f64>(b + (at << 1) + lane)
        odd -= load<f64>(row + at, 8) * load<f64>(b + (at << 1) + lane, 16)
      }
      if (j < i) even -= load<f64>(row + (<usize>j << 3)) * load<f64>(b + (<usize>j << 4) + lane)
      store<f64>(b + (<usize>i << 4) + lane, (even + odd) / load<f64>(row + (<usize>i << 3)))
    }
    for (let i = n - 1; i >= 0; i--) {
      const row = L + <usize>i * stride
      const x = load<f64>(b + (<usize>i << 4) + lane) / load<f64>(row + (<usize>i << 3))
      store<f64>(b + (<usize>i << 4) + lane, x)
      for (let at: usize = 0; at < <usize>i << 3; at += 8) {
        const to = b + (at << 1) + lane
        store<f64>(to, load<f64>(to) - load<f64>(row + at) * x)
      }
    }
  }
}

/** Σ_k a[k] b[k] over k < n: even and odd k in a lane each, two pairs side by side. */
// @ts-ignore: decorator
@inline
function product(n: i32, a: usize, b: usize): f64 {
  const end = (<usize>n >> 2) << 5
  let sum: f64
  if (ASC_FEATURE_SIMD) {
    let s = f64x2.splat(0)
    let t = f64x2.splat(0)
    for (let at: usize = 0; at < end; at += 32) {
      s = f64x2.add(s, f64x2.mul(v128.load(a + at), v128.load(b + at)))
      t = f64x2.add(t, f64x2.mul(v128.load(a + at, 16), v128.load(b + at, 16)))
    }
    s = f64x2.add(s, t)
    sum = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1)
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
