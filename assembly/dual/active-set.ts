/**
 * The dual of src/problems/general-dual.ts by an active-set method, from any feasible point: for training, with kernel rows in
 * f64, and for the paths of tuning (../paths/path.ts), with rows in f32.
 *
 * With F the free variables and all others where they are, the best move d of β_F and the multiplier λ of each fixed sum (the
 * bias) solve one linear system. E has a column of ones for each fixed sum, and r is v = t − Kβ of the free variables, less
 * the tube:
 *
 *   K_FF d + E λ = r,   Eᵀ d = 0:    K_FF = L Lᵀ,  y = L⁻¹ r,  Z = L⁻¹ E,  ZᵀZ λ = Zᵀ y,  Lᵀ d = w = y − Z λ
 *
 * A turn follows d to the first bound, whose variable is then free no longer. r has become r − t (r − Eλ), so y − t w is the
 * new y: all there is to do is to take a row out of L (./cholesky.ts). Turns continue until a move ends inside the box.
 * Then v of all variables follows, and the variables that most want to leave their bounds become free, unless those that
 * did so before them have changed their mind: the sign of d for a last row is known once it is in L. The dual
 * falls with every move. Where C is large and K ill-conditioned, some thousand turns replace millions of pair steps.
 *
 * K_FF may be singular (duplicates, kernels of low rank). L is that of K_FF + ρ: a proximal step, exact but for ρ d. Along a
 * direction without curvature that would be too short a step, so d is followed to the least dual value or a bound.
 *
 * With a tube, a free variable is on its positive or on its negative piece; both end at 0.
 *
 * The whole is a machine that pauses: {@link advanceSet} works until it needs kernel rows, has done so much, or is through a cycle.
 *
 * Sources   Scheinberg 2006 (active sets for support vector machines); Gill, Golub, Murray, Saunders 1974 (updates of L).
 */
import { subtractRows } from '../sums/gradient'
import {
  eliminate,
  finishRow,
  product,
  removeRow,
  rowOf,
  solveForward,
  solveTransposed,
  turnSide,
} from './cholesky'
import { CYCLE_ENDED, MOST_NEEDED, OUT_OF_TURNS, ROWS_NEEDED, WORK_DONE } from '../structures'
import { ActiveSet, FOUR, mostFreed, mostWanted, State } from './active-set-memory'
import { f64At, setF64, setU32, u32At } from './memory'
import { fallLanes, fallOf, riseLanes, riseOf } from './rates'

/** Kinds of variables: not free; free on the piece where v − ε counts (without a tube: on all); where v + ε counts. */
const FIXED: u8 = 0
const ABOVE: u8 = 1
const BELOW: u8 = 2

/**
 * ρ as a share of the diagonal and of what is usual there, above what rounding makes of a pivot. With f64 rows that is the
 * rounding of sums, 2^−53 times some thousand terms and to spare. With f32 rows it is that of the values, 2^−24 each: a matrix of
 * such errors has eigenvalues of about √F of them, and twice that is taken.
 */
const RIDGE: f64 = 1e-11
const SINGLE_RIDGE: f64 = 1.2e-7
/** A pivot below this share of the same, a hundredth of ρ, is no longer that of a positive matrix. */
const LEAST_PIVOT: f64 = 1e-13
/**
 * What is worth freeing a variable for, of tol: half of what the violation of all variables should come down to. Tried
 * (./active-set-memory.ts): 0.1 and 0.5 took 15 and 5 % longer.
 */
const WORTH_FREEING: f64 = 0.25
/**
 * d is followed further than the step of K_FF + ρ when the dual falls for this much longer: a shorter way would not pay for
 * itself. Tried (./active-set-memory.ts): 1.2 and 8 took 5 and 15 % longer.
 */
const MUCH_LONGER: f64 = 2.0
/** A column of Z whose square is below this share of what it was, once it is orthogonal to the other, is rounding of it. */
const TINY: f64 = 1e-20
/** Rows that are requested where not all may be needed: kernel rows in f64 come in eights. */
const EIGHT: i32 = 8

/** Phases of a cycle. */
const TAKE_IN: u32 = 0
const LIST: u32 = 1
const TRY: u32 = 2
const MOVE: u32 = 3
const FOLLOW: u32 = 4

/**
 * Begins: free are the variables strictly inside their box (with a tube, inside a piece of it). Returns how many; when these
 * are more than there is room for, nothing can be done.
 */
export function beginSet(set: ActiveSet): i32 {
  const state = set.state
  memory.fill(changetype<usize>(state), 0, offsetof<State>())
  const n = set.count
  const room = set.room
  const kinds = set.kinds
  const free = set.free
  const tube = set.tube
  let count = 0
  for (let i = 0; i < n; i++) {
    const b = f64At(set.beta, i)
    store<u8>(kinds + i, FIXED)
    const isInside = b > f64At(set.lower, i) && b < f64At(set.upper, i)
    if (!isInside || (tube > 0 && b == 0)) continue
    if (count < room) setU32(free, count, i)
    count++
  }
  state.pending = count
  state.size = <f64>count
  state.violation = NaN
  state.value = NaN
  return count
}

/**
 * After {@link beginSet}: L is that of the free variables already, listed in its order at `free`. Only v has changed since.
 */
export function resumeSet(set: ActiveSet, free: usize, count: i32): void {
  const state = set.state
  memory.copy(set.free, free, <usize>count << 2)
  for (let a = 0; a < count; a++) store<u8>(set.kinds + u32At(free, a), kindOf(set, u32At(free, a)))
  state.freeCount = count
  state.pending = 0
  makeSide(set)
  state.phase = MOVE
}

/** y = L⁻¹ r anew, from v as it is now. */
function makeSide(set: ActiveSet): void {
  const size = set.state.freeCount
  const y = sideOf(set, 0)
  for (let a = 0; a < size; a++) setF64(y, a, rateOf(set, u32At(set.free, a)))
  solveForward(size, set.L, y)
  set.state.work += 0.5 * <f64>size * <f64>size
}

/** The kind of a variable that is inside a piece of its box. */
// @ts-ignore: decorator
@inline
function kindOf(set: ActiveSet, i: i32): u8 {
  return set.tube > 0 && f64At(set.beta, i) < 0 ? BELOW : ABOVE
}

/** Where rows that are needed are listed: how many, and of which variables. */
export function neededRows(set: ActiveSet): usize {
  return set.needed
}

/**
 * Goes on with a cycle: those that most want to leave their bounds become free, turns (at most `turns` of them) lead to a move
 * that ends inside the box, and v follows. Returns why it stops, after about `work` multiply-adds at the latest.
 */
export function advanceSet(set: ActiveSet, turns: f64, work: f64): i32 {
  const state = set.state
  const workAtMost = state.work + work
  const turnsAtMost = state.turns + turns
  while (state.work <= workAtMost) {
    const phase = state.phase
    if (phase == TAKE_IN) {
      if (!takeIn(set)) return ROWS_NEEDED
    } else if (phase == LIST) listWants(set)
    else if (phase == TRY) {
      if (!tryWants(set)) return ROWS_NEEDED
    } else if (phase == MOVE) {
      if (state.freeCount == 0) state.phase = FOLLOW
      else if (!(state.turns < turnsAtMost)) return OUT_OF_TURNS
      else if (!turn(set)) state.phase = FOLLOW
      if (state.phase == FOLLOW) {
        const idle = state.movedCount > 0 ? 0 : state.idle + 1
        state.idle = idle
      }
    } else {
      if (!follow(set)) return ROWS_NEEDED
      if (state.movedCount == 0) {
        measure(set)
        state.phase = LIST
        return CYCLE_ENDED
      }
    }
    state.size = <f64>(state.freeCount + state.pending)
  }
  return WORK_DONE
}

/** Ends a cycle where it is, between two turns: v follows. All rows must be there. */
export function settleSet(set: ActiveSet): void {
  const state = set.state
  while (state.movedCount > 0) follow(set)
  measure(set)
  state.phase = LIST
}

/** y for 0, and each column of Z from 1 on. */
// @ts-ignore: decorator
@inline
function sideOf(set: ActiveSet, side: i32): usize {
  return set.sides + ((<usize>side * <usize>set.room) << 3)
}

// @ts-ignore: decorator
@inline
function groupOf(set: ActiveSet, i: i32): i32 {
  const groups = set.groups
  return groups ? <i32>load<u8>(groups + i) : 0
}

/** Whether the rows of these variables are there; if not, they are listed as needed. */
function haveRows(set: ActiveSet, list: usize, count: i32): bool {
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

/** Takes in the next variables that are free from the start: those before them are in L. False when rows are missing. */
function takeIn(set: ActiveSet): bool {
  const state = set.state
  const pending = state.pending
  const count = min(pending, MOST_NEEDED)
  const next = set.free + (state.freeCount << 2)
  if (!haveRows(set, next, count)) return false
  for (let first = 0; first < count; first += FOUR) {
    const some = min(FOUR, count - first)
    const from = beginRows(set, next + (<usize>first << 2), some)
    for (let a = 0; a < some; a++) {
      const i = u32At(next, first + a)
      release(set, i, kindOf(set, i), from)
    }
  }
  state.pending = pending - count
  if (count == pending) state.phase = MOVE
  return true
}

/** The value at a column of a kernel row. */
// @ts-ignore: decorator
@inline
function valueAt(set: ActiveSet, row: usize, column: i32): f64 {
  return set.single ? set.shift + <f64>load<f32>(row + (<usize>column << 2)) : f64At(row, column)
}

/** Writes K_FF of up to four variables to be, and what can be done of L for all of them; returns from which column on it is not. */
function beginRows(set: ActiveSet, list: usize, count: i32): i32 {
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
function release(set: ActiveSet, i: i32, kind: u8, from: i32): void {
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

/** r of a free variable. */
// @ts-ignore: decorator
@inline
function rateOf(set: ActiveSet, i: i32): f64 {
  const tube = set.tube
  return f64At(set.v, i) - (load<u8>(set.kinds + i) == ABOVE ? tube : -tube)
}

/** The end of a free variable's piece, upwards or downwards. */
// @ts-ignore: decorator
@inline
function endOf(set: ActiveSet, i: i32, upwards: bool): f64 {
  const kind = load<u8>(set.kinds + i)
  if (upwards) return kind == BELOW ? 0 : f64At(set.upper, i)
  return kind == ABOVE && set.tube > 0 ? 0 : f64At(set.lower, i)
}

/**
 * λ of ZᵀZ λ = Zᵀ y and w = y − Z λ: y without its part along the columns of Z, the second of them made orthogonal to the first.
 */
function projectOut(set: ActiveSet): void {
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
function subtract(n: i32, a: usize, b: usize, factor: f64): void {
  for (let k = 0; k < n; k++) setF64(a, k, f64At(a, k) - factor * f64At(b, k))
}

/** Follows the best move to the first bound, and the variable that has reached it is free no longer; false at the end of a move. */
function turn(set: ActiveSet): bool {
  const state = set.state
  const n = state.freeCount
  const free = set.free
  const d = set.d
  const w = set.w
  state.turns++
  let reach = findMove(set, n)
  let blocking = -1
  for (let a = 0; a < n; a++) {
    const move = f64At(d, a)
    if (move == 0) continue
    const i = u32At(free, a)
    const far = (endOf(set, i, move > 0) - f64At(set.beta, i)) / move
    if (far < reach) {
      reach = far
      blocking = a
    }
  }
  set.state.work += 0.5 * <f64>n * <f64>n
  if (reach > 0) step(set, n, reach, blocking)
  if (blocking < 0) return false
  subtract(n, sideOf(set, 0), w, reach)
  const rotations = set.rotations
  store<u8>(set.kinds + u32At(free, blocking), FIXED)
  removeRow(n, set.L, blocking, rotations)
  for (let side = 0; side <= set.sums; side++) turnSide(n, blocking, rotations, sideOf(set, side))
  const after = <usize>(n - 1 - blocking)
  const at = <usize>blocking
  memory.copy(free + (at << 2), free + (at << 2) + 4, after << 2)
  memory.copy(set.ridges + (at << 3), set.ridges + (at << 3) + 8, after << 3)
  state.freeCount = n - 1
  set.state.work += 3.0 * <f64>after * <f64>after
  // Beyond the step of K_FF + ρ, y − t w is no longer the new y.
  return reach <= 1
}

/** w and d of the header of the file; returns how far to follow d at most. */
function findMove(set: ActiveSet, n: i32): f64 {
  const d = set.d
  const w = set.w
  const ridges = set.ridges
  projectOut(set)
  memory.copy(d, w, <usize>n << 3)
  solveTransposed(n, set.L, d)
  balance(set, n)
  // wᵀw = dᵀ(K + ρ)d is the slope of the dual, and what is left of it without ρ its curvature.
  const slope = product(n, w, w)
  let curvature = slope
  for (let k = 0; k < n; k++) curvature -= f64At(ridges, k) * f64At(d, k) * f64At(d, k)
  const least = curvature > 0 ? slope / curvature : Infinity
  return least > MUCH_LONGER ? least : 1
}

/** Takes from a move what rounding has made of its sums: Eᵀ d = 0. */
function balance(set: ActiveSet, n: i32): void {
  const free = set.free
  const d = set.d
  for (let g = 0; g < set.sums; g++) {
    let sum = 0.0
    let count = 0
    for (let a = 0; a < n; a++) {
      if (groupOf(set, u32At(free, a)) != g) continue
      sum += f64At(d, a)
      count++
    }
    const share = sum / <f64>count
    for (let a = 0; a < n; a++) if (groupOf(set, u32At(free, a)) == g) setF64(d, a, f64At(d, a) - share)
  }
}

/** β follows d for a share t of it, and the blocking variable to its bound. */
function step(set: ActiveSet, n: i32, t: f64, blocking: i32): void {
  const state = set.state
  const free = set.free
  const beta = set.beta
  const d = set.d
  const hasMoved = set.hasMoved
  let moved = state.movedCount
  for (let a = 0; a < n; a++) {
    const move = f64At(d, a)
    if (move == 0) continue
    const i = u32At(free, a)
    const b = f64At(beta, i)
    if (load<u8>(hasMoved + i) == 0) {
      store<u8>(hasMoved + i, 1)
      setF64(set.synced, i, b)
      setU32(set.moved, moved++, i)
    }
    const end = endOf(set, i, move > 0)
    const there = b + t * move
    // Rounding must not lead beyond the bound.
    setF64(beta, i, a == blocking || (move > 0 ? there > end : there < end) ? end : there)
  }
  state.movedCount = moved
}

/** v of all variables follows some of the variables that have moved: the last ones. False when rows are missing. */
function follow(set: ActiveSet): bool {
  const state = set.state
  const moved = state.movedCount
  const count = min(moved, MOST_NEEDED)
  const list = set.moved + (<usize>(moved - count) << 2)
  const n = set.count
  if (!haveRows(set, list, count)) return false
  for (let a = 0; a < count; a++) {
    const i = u32At(list, a)
    setU32(set.pointers, a, u32At(set.rows, i))
    setF64(set.coefficients, a, f64At(set.beta, i) - f64At(set.synced, i))
    store<u8>(set.hasMoved + i, 0)
  }
  if (set.single) {
    subtractRows<f32>(set.v, 0, n, set.pointers, set.coefficients, count)
  } else {
    subtractRows<f64>(set.v, 0, n, set.pointers, set.coefficients, count)
  }
  state.movedCount = moved - count
  set.state.work += <f64>count * <f64>n
  return true
}

/** Dual value, violation, and λ of groups without a free variable: the middle between their extremes. */
function measure(set: ActiveSet): void {
  const state = set.state
  const n = set.count
  const tube = set.tube
  const free = set.free
  // Stores could change the fields of the set, for all that the compiler knows: it would load each of them for every variable.
  const target = set.target
  const lower = set.lower
  const upper = set.upper
  const beta = set.beta
  const allV = set.v
  const groups = set.groups
  // Even and odd ones apart, as lanes have them.
  let value = 0.0
  let others = 0.0
  let violation = 0.0
  for (let g = 0; g < set.sums; g++) {
    let highest = -Infinity
    let lowest = Infinity
    let i = 0
    if (ASC_FEATURE_SIMD) {
      if (groups == 0) {
        let values = f64x2.splat(0)
        let largest = f64x2.splat(-Infinity)
        let smallest = f64x2.splat(Infinity)
        for (; i + 2 <= n; i += 2) {
          const at = <usize>i << 3
          const b = v128.load(beta + at)
          const v = v128.load(allV + at)
          const slope = f64x2.mul(f64x2.mul(f64x2.splat(0.5), b), f64x2.add(v128.load(target + at), v))
          values = f64x2.add(values, f64x2.sub(f64x2.mul(f64x2.splat(tube), f64x2.abs(b)), slope))
          largest = f64x2.pmax(largest, f64x2.add(v, riseLanes(b, v128.load(upper + at), tube)))
          smallest = f64x2.pmin(smallest, f64x2.add(v, fallLanes(b, v128.load(lower + at), tube)))
        }
        value = f64x2.extract_lane(values, 0)
        others = f64x2.extract_lane(values, 1)
        highest = max(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1))
        lowest = min(f64x2.extract_lane(smallest, 0), f64x2.extract_lane(smallest, 1))
      }
    }
    for (; i < n; i++) {
      if (groups && <i32>load<u8>(groups + i) != g) continue
      const b = f64At(beta, i)
      const v = f64At(allV, i)
      const own = tube * abs(b) - 0.5 * b * (f64At(target, i) + v)
      if (i & 1) others += own
      else value += own
      highest = max(highest, v + riseOf(b, f64At(upper, i), tube))
      lowest = min(lowest, v + fallOf(b, f64At(lower, i), tube))
    }
    violation = max(violation, highest - lowest)
    let isFree = false
    for (let a = 0; a < state.freeCount; a++) isFree = isFree || groupOf(set, u32At(free, a)) == g
    if (isFree) continue
    if (g == 0) state.lambda = middle(highest, lowest)
    else state.otherLambda = middle(highest, lowest)
  }
  state.value = value + others
  state.violation = violation
}

/** Between the largest rate and the smallest cost: the finite one when the other is infinite, 0 without any. */
export function middle(highest: f64, lowest: f64): f64 {
  if (highest == -Infinity) return lowest == Infinity ? 0 : lowest
  return lowest == Infinity ? highest : 0.5 * (highest + lowest)
}

/**
 * y anew, from v as it is now; and a list of who at a bound most wants to leave it, those first that want to most. Where two are
 * alike, the earlier one comes first.
 */
function listWants(set: ActiveSet): void {
  const state = set.state
  const n = set.count
  const size = state.freeCount
  makeSide(set)
  set.state.work += 8.0 * <f64>n
  const tube = set.tube
  const wants = set.wants
  const wishes = set.wishes
  const kinds = set.kinds
  const lower = set.lower
  const upper = set.upper
  const beta = set.beta
  const v = set.v
  const groups = set.groups
  const lambda = state.lambda
  const otherLambda = state.otherLambda
  const most = mostWanted(size)
  let limit = WORTH_FREEING * set.tol
  let found = 0
  for (let i = 0; i < n; i++) {
    if (ASC_FEATURE_SIMD) {
      // Most want nothing: these are passed over.
      while (groups == 0 && i + 2 <= n) {
        const at = <usize>i << 3
        const b = v128.load(beta + at)
        const excess = f64x2.sub(v128.load(v + at), f64x2.splat(lambda))
        const rise = f64x2.add(excess, riseLanes(b, v128.load(upper + at), tube))
        const fall = f64x2.neg(f64x2.add(excess, fallLanes(b, v128.load(lower + at), tube)))
        if (v128.any_true(f64x2.gt(f64x2.pmax(rise, fall), f64x2.splat(limit)))) break
        i += 2
      }
      if (i >= n) break
    }
    if (load<u8>(kinds + i) != FIXED) continue
    const b = f64At(beta, i)
    const excess = f64At(v, i) - (groups && load<u8>(groups + i) != 0 ? otherLambda : lambda)
    const rise = excess + riseOf(b, f64At(upper, i), tube)
    const fall = -(excess + fallOf(b, f64At(lower, i), tube))
    const wish = max(rise, fall)
    if (!(wish > limit)) continue
    if (found < most) found++
    // The last one makes room, and the new one goes up to its place.
    let place = found - 1
    for (; place > 0 && abs(f64At(wishes, place - 1)) < wish; place--) {
      setU32(wants, place, u32At(wants, place - 1))
      setF64(wishes, place, f64At(wishes, place - 1))
    }
    setU32(wants, place, i)
    setF64(wishes, place, rise > fall ? rise : -fall)
    if (found == most) limit = abs(f64At(wishes, most - 1))
  }
  state.wantCount = found
  state.tried = 0
  state.freed = 0
  state.phase = TRY
}

/** Frees the next ones of the list that would move as they want to. False when rows are missing. */
function tryWants(set: ActiveSet): bool {
  const state = set.state
  const tube = set.tube
  const wants = set.wants
  const wishes = set.wishes
  const all = state.wantCount
  const n = state.freeCount
  const freed = state.freed
  const most = min(mostFreed(n - freed), set.room - n + freed)
  let tried = state.tried
  if (tried == all || freed >= most) {
    state.phase = MOVE
    return true
  }
  const list = wants + (<usize>tried << 2)
  if (!haveRows(set, list, min(all - tried, EIGHT))) return false
  const some = min(all - tried, FOUR)
  const from = beginRows(set, list, some)
  const L = set.L
  for (let a = 0; a < some && state.freed < most; a++) {
    const i = u32At(list, a)
    const upwards = f64At(wishes, tried++) > 0
    const last = state.freeCount
    if (last < n + a) memory.copy(rowOf(L, last), rowOf(L, n + a), <usize>from << 3)
    const b = f64At(set.beta, i)
    // Alone in its group it cannot move yet.
    const isAlone = !hasFree(set, groupOf(set, i))
    release(set, i, tube > 0 && (upwards ? b < 0 : b <= 0) ? BELOW : ABOVE, from)
    if (isAlone || wouldMove(set, last, upwards)) {
      state.freed++
    } else {
      store<u8>(set.kinds + i, FIXED)
      state.freeCount = last
    }
  }
  state.tried = tried
  return true
}

function hasFree(set: ActiveSet, group: i32): bool {
  const free = set.free
  for (let a = 0; a < set.state.freeCount; a++) {
    if (groupOf(set, u32At(free, a)) == group) return true
  }
  return false
}

/** Whether d of the last free variable has the right sign: the last row of Lᵀ d = w says. */
function wouldMove(set: ActiveSet, last: i32, upwards: bool): bool {
  projectOut(set)
  const w = f64At(set.w, last)
  return upwards ? w > 0 : w < 0
}
