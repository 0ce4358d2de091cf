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
 * ./active-set-factor.ts has L and what goes with it, ./active-set-wants.ts who becomes free.
 *
 * The whole is a machine that pauses: {@link advanceSet} works until it needs kernel rows, has done so much, or is through a cycle.
 *
 * Sources   Scheinberg 2006 (active sets for support vector machines); Gill, Golub, Murray, Saunders 1974 (updates of L).
 */
import { subtractRows } from '../sums/gradient'
import { product, removeRow, solveTransposed, turnSide } from './cholesky'
import { CYCLE_ENDED, MOST_NEEDED, OUT_OF_TURNS, ROWS_NEEDED, WORK_DONE } from '../structures'
import {
  ABOVE,
  BELOW,
  beginRows,
  FIXED,
  groupOf,
  haveRows,
  kindOf,
  makeSide,
  projectOut,
  release,
  sideOf,
  subtract,
} from './active-set-factor'
import { ActiveSet, FOUR, State } from './active-set-memory'
import { hasTried, listWants, tryWants } from './active-set-wants'
import { f64At, setF64, setU32, u32At } from './memory'
import { fallLanes, fallOf, riseLanes, riseOf } from './rates'

/**
 * d is followed further than the step of K_FF + ρ when the dual falls for this much longer: a shorter way would not pay for
 * itself. Tried (./active-set-memory.ts): 1.2 and 8 took 5 and 15 % longer.
 */
const MUCH_LONGER: f64 = 2.0

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
    } else if (phase == LIST) {
      listWants(set)
      state.phase = TRY
    } else if (phase == TRY) {
      if (hasTried(set)) state.phase = MOVE
      else if (!tryWants(set)) return ROWS_NEEDED
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

/** The end of a free variable's piece, upwards or downwards. */
// @ts-ignore: decorator
@inline
function endOf(set: ActiveSet, i: i32, upwards: bool): f64 {
  const kind = load<u8>(set.kinds + i)
  if (upwards) return kind == BELOW ? 0 : f64At(set.upper, i)
  return kind == ABOVE && set.tube > 0 ? 0 : f64At(set.lower, i)
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
