/** The active samples of a path by the active-set method (../dual/active-set.ts), as far as there is credit for it. */
import { advanceSet, beginSet, resumeSet, settleSet } from '../dual/active-set'
import { ActiveSet, makeSet } from '../dual/active-set-memory'
import { f64At, pointer, setF64, setU32, u32At } from '../dual/memory'
import * as at from '../structures'
import { MULTIPLY_ADD, spend } from './path-space'

/**
 * For how many turns beyond the first there must be credit to begin with: a system that is dropped half-way was for nothing. Tried
 * (./path.ts): with 20 and 180 searches took 20 and 28 % longer, fits as long.
 */
const FEW_TURNS: f64 = 60.0
/**
 * Of tol: what the violation of the active samples should come down to, as their rows are f32. Tried (./path.ts): with 0.25 and 0.8
 * searches took 12 and 15 % longer.
 */
const AIM: f64 = 0.5

/** Goes on until all of them are where they should be or the credit is used up; returns whether β has moved. */
export function turnActive(space: usize, count: i32, tube: f64, tol: f64): bool {
  const set = changetype<ActiveSet>(pointer(space, at.SPACE_SET))
  const room = <i32>load<u32>(space, at.SPACE_SET_ROOM)
  const target = pointer(space, at.SPACE_A_TARGET)
  const g = pointer(space, at.SPACE_A_G)
  const v = pointer(space, at.SPACE_P)
  const diagonal = pointer(space, at.SPACE_Q)
  const rows = pointer(space, at.SPACE_LIST)
  // One class has nobody on the other side.
  const isSided = load<u32>(space, at.SPACE_SIDED) != 0 && <i32>load<u32>(space, at.SPACE_SPLIT) < count
  const spread = load<f64>(space, at.SPACE_SPREAD)
  const shift = spread > 0 ? 1.0 : 0.0
  for (let k = 0; k < count; k++) {
    const row = pointer(space, at.SPACE_A_K) + <usize>k * pointer(space, at.SPACE_A_STRIDE)
    setF64(v, k, f64At(target, k) - f64At(g, k))
    setF64(diagonal, k, shift + <f64>load<f32>(row + (<usize>k << 2)))
    setU32(rows, k, <u32>row)
  }
  const state = makeSet(
    set,
    load<u32>(space, at.SPACE_SET_CAPACITY),
    count,
    room,
    true,
    target,
    pointer(space, at.SPACE_A_LOWER),
    pointer(space, at.SPACE_A_UPPER),
    diagonal,
    pointer(space, at.SPACE_A_BETA),
    v,
    isSided ? pointer(space, at.SPACE_GROUPS) : 0,
    rows,
    tube,
    tol,
  )
  if (spread > 0) {
    set.shift = shift
    set.spread = spread
  }
  const free = beginSet(set)
  if (free < 2 || free > room) return false
  const f = <f64>free
  const isKnown = resumeKnown(space, set, count, free)
  const first = isKnown ? 0 : MULTIPLY_ADD * f * f * (f / 6 + 1)
  const credit = load<f64>(space, at.SPACE_CREDIT)
  if (credit < first + FEW_TURNS * turnCost(free, count)) return false
  for (;;) {
    const left = (credit - MULTIPLY_ADD * state.work) / turnCost(set.state.freeCount, count)
    if (advanceSet(set, max(1.0, left), Infinity) != at.CYCLE_ENDED) {
      settleSet(set)
      break
    }
    if (left < 1 || state.violation <= AIM * tol) break
    if (state.idle > 0 || state.indefinite != 0) break
  }
  const cost = MULTIPLY_ADD * state.work
  store<f64>(space, max(0.0, credit - cost), at.SPACE_CREDIT)
  spend(space, cost)
  for (let k = 0; k < count; k++) setF64(g, k, f64At(target, k) - f64At(v, k))
  rememberFactor(space, set)
  return state.turns > 0
}

/**
 * Cost of a turn, in nanoseconds: ½ f² multiply-adds for its direction, f² on average for taking a row out of L (3 (f − k)² where k
 * is any of them), its share in v of all of them, and about 4 ns per variable for listing who wants to move.
 */
// @ts-ignore: decorator
@inline
function turnCost(free: i32, count: i32): f64 {
  return MULTIPLY_ADD * <f64>free * (1.5 * <f64>free + <f64>count) + 4.0 * <f64>count
}

/** L stays for the next time: of which samples it is, in its order. */
function rememberFactor(space: usize, set: ActiveSet): void {
  const active = pointer(space, at.SPACE_ACTIVE)
  const factored = pointer(space, at.SPACE_FACTORED)
  const free = set.state.freeCount
  for (let i = 0; i < free; i++) setU32(factored, i, u32At(active, u32At(set.free, i)))
  store<u32>(space, free, at.SPACE_FACTORED_COUNT)
}

/** Goes on with the L of the last time where that is the one of the free variables; false where it is not. */
function resumeKnown(space: usize, set: ActiveSet, count: i32, free: i32): bool {
  if (<i32>load<u32>(space, at.SPACE_FACTORED_COUNT) != free) return false
  const active = pointer(space, at.SPACE_ACTIVE)
  const factored = pointer(space, at.SPACE_FACTORED)
  const ranks = pointer(space, at.SPACE_RANKS)
  const list = ranks + (<usize>load<u32>(pointer(space, at.SPACE_PATH), at.PATH_TRAINING) << 2)
  memory.fill(ranks, 0xff, list - ranks)
  for (let i = 0; i < free; i++) setU32(ranks, u32At(factored, i), i)
  for (let i = 0; i < free; i++) {
    const k = u32At(set.free, i)
    const rank = u32At(ranks, u32At(active, k))
    if (rank < 0) return false
    setU32(list, rank, k)
  }
  resumeSet(set, list, free)
  return true
}
