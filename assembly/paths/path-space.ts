/** What the parts of ./path.ts have in common: fields of a workspace, extremes of v, and g that follows β. */
import { middle } from '../dual/active-set'
import { f64At, pointer } from '../dual/memory'
import { BLOCK, listBytes, subtractBlocks } from '../dual/sparse-rows'
import { fallOf, riseOf } from '../dual/rates'
import { subtractRows } from '../sums/gradient'
import * as at from '../structures'

/**
 * Costs are rough nanoseconds: of a multiply-add, and of a kernel value. They only weigh kinds of work against each other: they say when
 * a thread has worked long enough, and how much the active-set method may spend. Solutions are within tol whatever they are. Tried
 * (./path.ts): half and twice as much of the first took 5 % less to 18 % longer in searches and 18 to 32 % longer in fits, of the
 * second 6 to 13 % longer.
 */
export const MULTIPLY_ADD: f64 = 0.4
export const VALUE_COST: f64 = 1.5

/** Adds to the work of this C; returns the same. */
// @ts-ignore: decorator
@inline
export function spend(space: usize, cost: f64): f64 {
  store<f64>(space, load<f64>(space, at.SPACE_WORK) + cost, at.SPACE_WORK)
  return cost
}

/** Whether a path is over some of the samples, which it has stretches of in the K of all. */
// @ts-ignore: decorator
@inline
export function isPart(space: usize): bool {
  return load<u32>(space, at.SPACE_RUN_COUNT) != 0
}

/** Whether such a path has no copy of its rows. */
// @ts-ignore: decorator
@inline
export function isBorrowed(space: usize): bool {
  return load<u32>(space, at.SPACE_BORROWS) != 0
}

/** The column from which on rows have a second piece (./pair-rows.ts); 0 where they are whole. */
// @ts-ignore: decorator
@inline
export function secondPiece(space: usize): u32 {
  return load<u32>(space, at.SPACE_SECOND_PIECE)
}

/**
 * Where column 0 of the row of K of a variable is, as the first piece of it (0) or the second (1) would have it: the same where rows are
 * whole.
 */
// @ts-ignore: decorator
@inline
export function rowOf(space: usize, k: usize, piece: usize): usize {
  if (secondPiece(space)) return <usize>load<u32>(pointer(space, at.SPACE_PIECES) + (k << 3) + (piece << 2))
  return pointer(space, at.SPACE_K) + columnOf(space, k) * pointer(space, at.SPACE_STRIDE)
}

/** Where in a row of K the value of a variable is. */
// @ts-ignore: decorator
@inline
export function columnOf(space: usize, k: usize): usize {
  if (!isBorrowed(space)) return k
  return <usize>load<u32>(pointer(pointer(space, at.SPACE_PATH), at.PATH_SAMPLES) + (k << 2))
}

/** Whether a sample may be on either side of 0. */
export function hasTwoSides(path: usize, m: i32): bool {
  const lower = pointer(path, at.PATH_LOWER)
  const upper = pointer(path, at.PATH_UPPER)
  for (let k = 0; k < m; k++) if (f64At(lower, k) < 0 && f64At(upper, k) > 0) return true
  return false
}

/** λ of a side: the mean over its free variables; without any, the middle between its extremes. */
export function sideValue(
  space: usize,
  side: i32,
  count: i32,
  target: usize,
  g: usize,
  beta: usize,
  lower: usize,
  upper: usize,
): f64 {
  let sum = 0.0
  let free = 0
  for (let k = 0; k < count; k++) {
    const b = f64At(beta, k)
    const isFree = side == 0 ? b > 0 && b < f64At(upper, k) : b < 0 && b > f64At(lower, k)
    if (!isFree) continue
    sum += f64At(target, k) - f64At(g, k)
    free++
  }
  if (free > 0) return sum / <f64>free
  if (side == 0) return middle(load<f64>(space, at.SPACE_HIGHEST), load<f64>(space, at.SPACE_LOWEST))
  return middle(load<f64>(space, at.SPACE_OTHER_HIGHEST), load<f64>(space, at.SPACE_OTHER_LOWEST))
}

/** Whether anybody may move below 0; after the extremes were found. */
// @ts-ignore: decorator
@inline
export function hasBelow(space: usize): bool {
  return load<f64>(space, at.SPACE_OTHER_HIGHEST) > -Infinity || load<f64>(space, at.SPACE_OTHER_LOWEST) < Infinity
}

/**
 * The bias as the free variables see it, their mean; without any, the middle between the extremes. Where sides have sums of
 * their own, the middle between them.
 */
export function freeMean(
  space: usize,
  count: i32,
  target: usize,
  g: usize,
  beta: usize,
  lower: usize,
  upper: usize,
  tube: f64,
): f64 {
  if (load<u32>(space, at.SPACE_SIDED)) {
    const first = sideValue(space, 0, count, target, g, beta, lower, upper)
    if (!hasBelow(space)) return first
    return 0.5 * (first + sideValue(space, 1, count, target, g, beta, lower, upper))
  }
  let sum = 0.0
  let free = 0
  for (let k = 0; k < count; k++) {
    const b = f64At(beta, k)
    if (!(b > f64At(lower, k) && b < f64At(upper, k)) || (tube > 0 && b == 0)) continue
    sum += f64At(target, k) - f64At(g, k) - (b > 0 ? tube : -tube)
    free++
  }
  if (free > 0) return sum / <f64>free
  return middle(load<f64>(space, at.SPACE_HIGHEST), load<f64>(space, at.SPACE_LOWEST))
}

/** max of v + up, min of v + low and their difference; where sides have sums of their own, of each. */
export function extremes(
  space: usize,
  count: i32,
  target: usize,
  g: usize,
  beta: usize,
  lower: usize,
  upper: usize,
  tube: f64,
): void {
  let highest = -Infinity
  let lowest = Infinity
  if (load<u32>(space, at.SPACE_SIDED)) {
    let otherHighest = -Infinity
    let otherLowest = Infinity
    for (let k = 0; k < count; k++) {
      const b = f64At(beta, k)
      const v = f64At(target, k) - f64At(g, k)
      const rise = v + riseOf(b, f64At(upper, k), 0)
      const fall = v + fallOf(b, f64At(lower, k), 0)
      if (b < 0) otherHighest = max(otherHighest, rise)
      else highest = max(highest, rise)
      if (b > 0) lowest = min(lowest, fall)
      else otherLowest = min(otherLowest, fall)
    }
    store<f64>(space, highest, at.SPACE_HIGHEST)
    store<f64>(space, lowest, at.SPACE_LOWEST)
    store<f64>(space, otherHighest, at.SPACE_OTHER_HIGHEST)
    store<f64>(space, otherLowest, at.SPACE_OTHER_LOWEST)
    store<f64>(space, max(0.0, max(highest - lowest, otherHighest - otherLowest)), at.SPACE_VIOLATION)
    return
  }
  for (let k: usize = 0; k < <usize>count << 3; k += 8) {
    const b = load<f64>(beta + k)
    const v = load<f64>(target + k) - load<f64>(g + k)
    const rise = v + riseOf(b, load<f64>(upper + k), tube)
    const fall = v + fallOf(b, load<f64>(lower + k), tube)
    if (rise > highest) highest = rise
    if (fall < lowest) lowest = fall
  }
  store<f64>(space, highest, at.SPACE_HIGHEST)
  store<f64>(space, lowest, at.SPACE_LOWEST)
  store<f64>(space, max(0.0, highest - lowest), at.SPACE_VIOLATION)
}

/** At a bound, and no partner that would make it leave. */
// @ts-ignore: decorator
@inline
export function isIdle(
  space: usize,
  target: usize,
  g: usize,
  beta: usize,
  lower: usize,
  upper: usize,
  tube: f64,
  k: i32,
): bool {
  const b = f64At(beta, k)
  const v = f64At(target, k) - f64At(g, k)
  const rise = v + riseOf(b, f64At(upper, k), tube)
  const fall = v + fallOf(b, f64At(lower, k), tube)
  const isSided = load<u32>(space, at.SPACE_SIDED) != 0
  const lowest = load<f64>(space + (isSided && b < 0 ? at.SPACE_OTHER_LOWEST : at.SPACE_LOWEST))
  const highest = load<f64>(space + (isSided && !(b > 0) ? at.SPACE_OTHER_HIGHEST : at.SPACE_HIGHEST))
  return rise < lowest && fall > highest
}

/** g of the samples of a path follows its β from `then` to `now`, by the rows of K; not yet that of columns held out apart. */
export function followAll(space: usize, path: usize, then: usize, now: usize): void {
  const m = <i32>load<u32>(path, at.PATH_TRAINING)
  const g = pointer(space, at.SPACE_G)
  if (isBorrowed(space)) {
    followRuns(space, path, m, then, now, g, 0, <i32>load<u32>(space, at.SPACE_RUN_COUNT))
    return
  }
  if (secondPiece(space)) {
    followPieces(space, m, then, now, g)
    return
  }
  const K = pointer(space, at.SPACE_K)
  const columns = isPart(space) ? m : <i32>load<u32>(path, at.PATH_COLUMNS)
  followRows(space, g, columns, m, then, now, K, pointer(space, at.SPACE_STRIDE), pointer(space, at.SPACE_LISTS))
}

/** The same by rows in two pieces. */
function followPieces(space: usize, m: i32, then: usize, now: usize, g: usize): void {
  const list = pointer(space, at.SPACE_LIST)
  const coefficients = pointer(space, at.SPACE_COEFFICIENTS)
  const second = secondPiece(space)
  let found = 0
  for (let piece: usize = 0; piece < 2; piece++) {
    const from = <usize>(piece == 0 ? 0 : second)
    found = 0
    for (let k = 0; k < m; k++) {
      const change = f64At(then, k) - f64At(now, k)
      if (change == 0) continue
      store<u32>(list + (<usize>found << 2), <u32>(rowOf(space, k, piece) + (from << 2)))
      store<f64>(coefficients + (<usize>found << 3), change)
      found++
    }
    subtractStretch<f32>(g + (from << 3), piece == 0 ? second : <u32>m - second, list, coefficients, found)
  }
  spend(space, MULTIPLY_ADD * <f64>found * <f64>m)
}

/** g of columns that are held out apart follows β: nobody has to know it before the end of a C. */
export function followHeldOut(space: usize, path: usize): void {
  const heldOut = <i32>load<u32>(space, at.SPACE_HELD_OUT_RUNS)
  if (heldOut == 0) return
  const m = <i32>load<u32>(path, at.PATH_TRAINING)
  const beta = pointer(space, at.SPACE_BETA)
  const told = pointer(space, at.SPACE_TOLD)
  const g = pointer(space, at.SPACE_G) + (<usize>m << 3)
  followRuns(space, path, m, told, beta, g, <i32>load<u32>(space, at.SPACE_RUN_COUNT), heldOut)
  memory.copy(told, beta, <usize>m << 3)
}

/** g of the columns in some of the runs follows β of m from `then` to `now`, by the rows of the K of all samples. */
function followRuns(
  space: usize,
  path: usize,
  m: i32,
  then: usize,
  now: usize,
  g: usize,
  first: i32,
  runs: i32,
): void {
  const samples = pointer(path, at.PATH_SAMPLES)
  const list = pointer(space, at.SPACE_LIST)
  const coefficients = pointer(space, at.SPACE_COEFFICIENTS)
  let found = 0
  for (let k = 0; k < m; k++) {
    const change = f64At(then, k) - f64At(now, k)
    if (change == 0) continue
    store<u32>(list + (<usize>found << 2), load<u32>(samples + (<usize>k << 2)))
    store<f64>(coefficients + (<usize>found << 3), change)
    found++
  }
  subtractSamples(space, g, first, runs, found)
}

/** Takes the rows of the `count` samples in LIST out of g of the variables of a path, times COEFFICIENTS. */
export function subtractChanges(space: usize, g: usize, count: i32): void {
  subtractSamples(space, g, 0, <i32>load<u32>(space, at.SPACE_RUN_COUNT), count)
}

/** The same of the columns in some of the runs, by the rows of the K of all samples. */
function subtractSamples(space: usize, g: usize, first: i32, runs: i32, count: i32): void {
  if (count == 0) return
  const K = pointer(pointer(space, at.SPACE_SLOT), at.SLOT_K)
  const rowBytes = pointer(pointer(space, at.SPACE_SLOTS), at.SLOTS_STRIDE)
  const list = pointer(space, at.SPACE_LIST)
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    store<u32>(list + i, <u32>(K + <usize>load<u32>(list + i) * rowBytes))
  }
  const columns = subtractRuns<f32>(space, g, first, runs, list, pointer(space, at.SPACE_COEFFICIENTS), count)
  spend(space, MULTIPLY_ADD * <f64>count * <f64>columns)
}

/**
 * v[i] −= Σ_k coefficients[k] · rows[k][c], where c is column number i of those in `runs` runs from the first on. Returns how many these
 * are. `rows` is a list of u32 pointers, which it changes.
 */
export function subtractRuns<T extends number>(
  space: usize,
  v: usize,
  first: i32,
  runs: i32,
  rows: usize,
  coefficients: usize,
  count: i32,
): i32 {
  const begin = pointer(space, at.SPACE_RUNS) + (<usize>first << 3)
  const end = begin + (<usize>runs << 3)
  let into = v
  let shifted: usize = 0
  for (let run = begin; run < end; run += 8) {
    const start = (<usize>load<u32>(run) >> 2) * sizeof<T>()
    const length = load<u32>(run, 4) >> 2
    for (let i: usize = 0; i < <usize>count << 2; i += 4) {
      store<u32>(rows + i, <u32>(<usize>load<u32>(rows + i) + start - shifted))
    }
    shifted = start
    subtractStretch<T>(into, length, rows, coefficients, count)
    into += <usize>length << 3
  }
  return <i32>((into - v) >> 3)
}

/** v[i] −= Σ_k coefficients[k] · rows[k][i] for so many i; what follows an odd number of them belongs to somebody else. */
function subtractStretch<T extends number>(v: usize, length: u32, rows: usize, coefficients: usize, count: i32): void {
  const even = length & ~1
  subtractRows<T>(v, 0, even, rows, coefficients, count)
  if (even == length) return
  const last = <usize>even * sizeof<T>()
  let sum = f64At(v, even)
  for (let i = 0; i < count; i++) {
    sum -= f64At(coefficients, i) * <f64>load<T>(<usize>load<u32>(rows + (<usize>i << 2)) + last)
  }
  store<f64>(v + (<usize>even << 3), sum)
}

/**
 * g of `columns` samples follows β of m from `then` to `now`: a row of K for each that has changed, or the blocks of it that
 * are not zero, where there are lists of them.
 */
export function followRows(
  space: usize,
  g: usize,
  columns: i32,
  m: i32,
  then: usize,
  now: usize,
  K: usize,
  stride: usize,
  lists: usize,
): void {
  const list = pointer(space, at.SPACE_LIST)
  const coefficients = pointer(space, at.SPACE_COEFFICIENTS)
  let found = 0
  let blocks = 0
  for (let k = 0; k < m; k++) {
    const change = f64At(then, k) - f64At(now, k)
    if (change == 0) continue
    const row = K + <usize>k * stride
    if (lists) {
      const own = lists + <usize>k * listBytes(stride)
      subtractBlocks(g, row, own, change)
      blocks += <i32>load<u16>(own)
      continue
    }
    store<u32>(list + (<usize>found << 2), <u32>row)
    store<f64>(coefficients + (<usize>found << 3), change)
    found++
  }
  subtractRows<f32>(g, 0, <u32>columns, list, coefficients, found)
  spend(space, MULTIPLY_ADD * (<f64>found * <f64>columns + <f64>(blocks * BLOCK)))
}
