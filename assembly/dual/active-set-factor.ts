/**
 * The factor of ./active-set.ts, and the right-hand sides that go with it: L of the free variables, y and the columns of Z. What makes a
 * variable free is here, because it is a row of L.
 */
import { eliminate, finishRow, product, rowOf, solveForward } from './cholesky'
import { ActiveSet, FOUR } from './active-set-memory'
import { f64At, setF64, setU32, u32At } from './memory'

/** Kinds of variables: not free; free on the piece where v − ε counts (without a tube: on all); where v + ε counts. */
export const FIXED: u8 = 0
export const ABOVE: u8 = 1
export const BELOW: u8 = 2

/**
 * ρ as a share of the diagonal and of what is usual there, above what rounding makes of a pivot. With f64 rows that is the
 * rounding of sums, 2^−53 times some thousand terms and to spare. With f32 rows it is that of the values, 2^−24 each: a matrix of
 * such errors has eigenvalues of about √F of them, and twice that is taken.
 */
const RIDGE: f64 = 1e-11
const SINGLE_RIDGE: f64 = 1.2e-7
/** A pivot below this share of the same, a hundredth of ρ, is no longer that of a positive matrix. */
const LEAST_PIVOT: f64 = 1e-13
/** A column of Z whose square is below this share of what it was, once it is orthogonal to the other, is rounding of it. */
const TINY: f64 = 1e-20

/** y for 0, and each column of Z from 1 on. */
// @ts-ignore: decorator
@inline
export function sideOf(set: ActiveSet, side: i32): usize {
  return set.sides + ((<usize>side * <usize>set.room) << 3)
}

// @ts-ignore: decorator
@inline
export function groupOf(set: ActiveSet, i: i32): i32 {
  const groups = set.groups
  return groups ? <i32>load<u8>(groups + i) : 0
}

/** The kind of a variable that is inside a piece of its box. */
// @ts-ignore: decorator
@inline
export function kindOf(set: ActiveSet, i: i32): u8 {
  return set.tube > 0 && f64At(set.beta, i) < 0 ? BELOW : ABOVE
}

/** r of a free variable. */
// @ts-ignore: decorator
@inline
function rateOf(set: ActiveSet, i: i32): f64 {
  const tube = set.tube
  return f64At(set.v, i) - (load<u8>(set.kinds + i) == ABOVE ? tube : -tube)
}

/** The value at a column of a kernel row. */
// @ts-ignore: decorator
@inline
function valueAt(set: ActiveSet, row: usize, column: i32): f64 {
  return set.single ? set.shift + <f64>load<f32>(row + (<usize>column << 2)) : f64At(row, column)
}

/** Whether the rows of these variables are there; if not, they are listed as needed. */
export function haveRows(set: ActiveSet, list: usize, count: i32): bool {
  const rows = set.rows
  const needed = set.needed
  let missing = 0
  for (let a = 0; a < count; a++) {
    const i = u32At(list, a)
    if (u32At(rows, i) == 0) setU32(needed, ++missing, i)
  }
  setU32(needed, 0, missing)
  return missing == 0
}

/** y = L⁻¹ r anew, from v as it is now. */
export function makeSide(set: ActiveSet): void {
  const size = set.state.freeCount
  const y = sideOf(set, 0)
  for (let a = 0; a < size; a++) setF64(y, a, rateOf(set, u32At(set.free, a)))
  solveForward(size, set.L, y)
  set.state.work += 0.5 * <f64>size * <f64>size
}

/** Writes K_FF of up to four variables to be, and what can be done of L for all of them; returns from which column on it is not. */
export function beginRows(set: ActiveSet, list: usize, count: i32): i32 {
  const n = set.state.freeCount
  const free = set.free
  const L = set.L
  for (let a = 0; a < count; a++) {
    const row = u32At(set.rows, u32At(list, a))
    const out = rowOf(L, n + a)
    for (let j = 0; j < n; j++) setF64(out, j, valueAt(set, row, u32At(free, j)))
  }
  if (count < FOUR) return 0
  const columns = n & ~1
  eliminate(L, n, columns)
  set.state.work += <f64>(2 * n) * <f64>n
  return columns
}

/**
 * Makes variable i free: its row of L is started as that of the last variable is to be, `from` which column on it is not
 * done.
 */
export function release(set: ActiveSet, i: i32, kind: u8, from: i32): void {
  const state = set.state
  const n = state.freeCount
  const free = set.free
  const L = set.L
  const row = rowOf(L, n)
  const values = u32At(set.rows, i)
  for (let j = from; j < n; j++) setF64(row, j, valueAt(set, values, u32At(free, j)))
  const diagonal = f64At(set.diagonal, i)
  const weight = abs(diagonal) + set.scale
  const ridge = (set.single ? max(RIDGE, set.spread * SINGLE_RIDGE * Math.sqrt(<f64>(n + 1))) : RIDGE) * weight
  setF64(row, n, diagonal + ridge)
  if (!finishRow(L, n, from, LEAST_PIVOT * weight)) state.indefinite = 1
  const root = f64At(row, n)
  store<u8>(set.kinds + i, kind)
  setU32(free, n, i)
  setF64(set.ridges, n, ridge)
  const group = groupOf(set, i)
  for (let side = 0; side <= set.sums; side++) {
    const y = sideOf(set, side)
    const entry = side == 0 ? rateOf(set, i) : side - 1 == group ? 1.0 : 0.0
    setF64(y, n, (entry - product(n, row, y)) / root)
  }
  state.freeCount = n + 1
  set.state.work += (0.5 * <f64>n + 2) * <f64>(n - from)
}

/**
 * λ of ZᵀZ λ = Zᵀ y and w = y − Z λ: y without its part along the columns of Z, the second of them made orthogonal to the first.
 */
export function projectOut(set: ActiveSet): void {
  const state = set.state
  const n = state.freeCount
  const w = set.w
  const across = set.across
  const first = sideOf(set, 1)
  const second = sideOf(set, 2)
  const square = product(n, first, first)
  let slant = 0.0
  let crossing = 0.0
  if (set.sums == 2) {
    // Without a free variable of a group its column is 0, and its λ does not matter.
    if (square > 0) slant = product(n, first, second) / square
    for (let k = 0; k < n; k++) setF64(across, k, f64At(second, k) - slant * f64At(first, k))
    const left = product(n, across, across)
    if (left > TINY * product(n, second, second)) crossing = left
  }
  memory.copy(w, sideOf(set, 0), <usize>n << 3)
  let lambda = 0.0
  let other = 0.0
  // Twice, as rounding leaves something where Z is large.
  for (let pass = 0; pass < 2; pass++) {
    if (crossing > 0) {
      const share = product(n, across, w) / crossing
      other += share
      lambda -= share * slant
      subtract(n, w, across, share)
    }
    if (square > 0) {
      const share = product(n, first, w) / square
      lambda += share
      subtract(n, w, first, share)
    }
  }
  state.lambda = lambda
  state.otherLambda = other
}

/** a −= factor · b */
// @ts-ignore: decorator
@inline
export function subtract(n: i32, a: usize, b: usize, factor: f64): void {
  for (let k = 0; k < n; k++) setF64(a, k, f64At(a, k) - factor * f64At(b, k))
}
