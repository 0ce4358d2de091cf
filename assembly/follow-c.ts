/**
 * From one C to the next along the solutions in between, where these are cheap to follow: while the same variables are
 * free, β and the bias are linear in C. With B at the bounds that grow, h = C' / C − 1 and F free,
 *
 *   K_FF d + λ' 1 = v_F − h R_F,   Σ d = −h Σ_B β,   R = K_B β_B
 *
 * leads to the solution for C' if nobody's part changes on the way. It is followed until the first that does: a free
 * variable at its end, or one at its end that gains by leaving it; then from there. Errors of v at the beginning are
 * taken along and die out. Wherever it stops, β is in the box of C': what comes of it is only a good beginning.
 */
import { removeRow, solvePair, finishRow, factorize } from './cholesky'
import { findFree, FIXED, FREE, FACTOR_COST, rememberFactor, turnCost, u32At, writeRow } from './free-step'
import { subtractRows } from './gradient'
import * as at from './path-layout'
import { f64At, pointer, spend } from './path-space'

/** For how many turns the work of the C before must have been enough. */
const FEW_TURNS: f64 = 16.0
/** Turns that lead nowhere, one after the other, until it is given up. */
const MOST_IDLE: i32 = 12

/** Whether the work of the C before says that it pays; `free` variables of `count`. */
export function mayFollow(space: usize, free: i32, count: i32): bool {
  const f = <f64>free
  const cost = (FACTOR_COST * f * f * f) / 6.0 + FEW_TURNS * turnCost(free, count)
  return free > 1 && load<f64>(space, at.SPACE_WORK) > cost
}

/** Moves the active samples from C towards `next`, for at most `budget` nanoseconds; β and A_G follow. */
export function followC(space: usize, count: i32, C: f64, next: f64, bias: f64, budget: f64): void {
  const kinds = pointer(space, at.SPACE_KINDS)
  const list = pointer(space, at.SPACE_LIST)
  const factor = pointer(space, at.SPACE_FACTOR)
  const bounded = pointer(space, at.SPACE_BOUNDED)
  let free = findFree(space, count, 0)
  const room = min(count, free + 64 + free / 2)
  const stride = (<usize>(room + 1) & ~1) << 3
  if (free < 2 || <u64>stride * <u64>(room + 4) > <u64>pointer(space, at.SPACE_FACTOR_BYTES)) return
  for (let i = 0; i < free; i++) writeRow(space, stride, i)
  factorize(free, factor, stride)
  let spent = (FACTOR_COST * <f64>free * <f64>free * <f64>free) / 6.0
  const beta = pointer(space, at.SPACE_A_BETA)
  memory.fill(bounded, 0, <usize>(count + 1) << 3)
  for (let k = 0; k < count; k++) {
    if (load<u8>(kinds + k) == FIXED && f64At(beta, k) != 0) addRow(space, count, bounded, k, f64At(beta, k))
  }
  let idle = 0
  while (spent < budget && idle < MOST_IDLE) {
    const growth = next / C - 1.0
    const target = solveTowards(space, stride, free, count, growth)
    if (!(Math.abs(target) < Infinity)) break
    const share = reach(space, count, free, growth, bias, target)
    const event = <i32>load<u32>(space, at.SPACE_EVENT)
    go(space, count, free, share, growth)
    bias += share * (target - bias)
    C *= 1.0 + share * growth
    spent += turnCost(free, count)
    if (event < 0) break
    idle = share > 0 ? 0 : idle + 1
    const k = event
    if (load<u8>(kinds + k) == FIXED) {
      if (free == room) break
      if (f64At(beta, k) != 0) addRow(space, count, bounded, k, -f64At(beta, k))
      store<u8>(kinds + k, <u8>FREE)
      store<u32>(list + (<usize>free << 2), k)
      writeRow(space, stride, free)
      finishRow(factor, stride, free, 0)
      free++
    } else {
      let place = 0
      while (u32At(list, place) != k) place++
      if (f64At(beta, k) != 0) addRow(space, count, bounded, k, f64At(beta, k))
      store<u8>(kinds + k, <u8>FIXED)
      removeRow(free, factor, stride, place, pointer(space, at.SPACE_TURNS))
      free--
      for (let i = place; i < free; i++) store<u32>(list + (<usize>i << 2), u32At(list, i + 1))
      if (free < 2) break
    }
  }
  rememberFactor(space, free, stride)
  spend(space, spent)
}

/** out += change · row k of the active samples. */
function addRow(space: usize, count: i32, out: usize, k: i32, change: f64): void {
  const row = pointer(space, at.SPACE_A_K) + <usize>k * pointer(space, at.SPACE_A_STRIDE)
  for (let a = 0; a < count; a++) {
    const to = out + (<usize>a << 3)
    store<f64>(to, load<f64>(to) + change * <f64>load<f32>(row + (<usize>a << 2)))
  }
}

/** The move of the free variables into P, what it does to g of everybody, with that of the bounds, into Q; returns λ'. */
function solveTowards(space: usize, stride: usize, free: i32, count: i32, growth: f64): f64 {
  const list = pointer(space, at.SPACE_LIST)
  const pairs = pointer(space, at.SPACE_PAIRS)
  const p = pointer(space, at.SPACE_P)
  const q = pointer(space, at.SPACE_Q)
  const bounded = pointer(space, at.SPACE_BOUNDED)
  const rows = pointer(space, at.SPACE_A_BEFORE)
  const coefficients = pointer(space, at.SPACE_COEFFICIENTS)
  const beta = pointer(space, at.SPACE_A_BETA)
  const kinds = pointer(space, at.SPACE_KINDS)
  const K = pointer(space, at.SPACE_A_K)
  const rowBytes = pointer(space, at.SPACE_A_STRIDE)
  for (let i = 0; i < free; i++) {
    const k = u32At(list, i)
    const v = f64At(pointer(space, at.SPACE_A_TARGET), k) - f64At(pointer(space, at.SPACE_A_G), k)
    store<f64>(pairs + (<usize>i << 4), v - growth * f64At(bounded, k))
    store<f64>(pairs + (<usize>i << 4), 1.0, 8)
  }
  solvePair(free, pointer(space, at.SPACE_FACTOR), stride, pairs)
  let sum = 0.0
  for (let k = 0; k < count; k++) if (load<u8>(kinds + k) == FIXED) sum += f64At(beta, k)
  sum *= growth
  let sumQ = 0.0
  for (let i = 0; i < free; i++) {
    sum += load<f64>(pairs + (<usize>i << 4))
    sumQ += load<f64>(pairs + (<usize>i << 4), 8)
  }
  const lambda = sum / sumQ
  for (let i = 0; i < free; i++) {
    const pair = pairs + (<usize>i << 4)
    const d = load<f64>(pair) - lambda * load<f64>(pair, 8)
    store<f64>(p + (<usize>i << 3), d)
    store<u32>(rows + (<usize>i << 2), <u32>(K + <usize>u32At(list, i) * rowBytes))
    store<f64>(coefficients + (<usize>i << 3), -d)
  }
  for (let k = 0; k < count; k++) store<f64>(q + (<usize>k << 3), growth * f64At(bounded, k))
  subtractRows(q, 0, <u32>count, rows, coefficients, free)
  return lambda
}

/** What share of the move can be made until somebody's part changes: that one's number into EVENT, −1 for nobody. */
function reach(space: usize, count: i32, free: i32, growth: f64, bias: f64, target: f64): f64 {
  const beta = pointer(space, at.SPACE_A_BETA)
  const lower = pointer(space, at.SPACE_A_LOWER)
  const upper = pointer(space, at.SPACE_A_UPPER)
  const list = pointer(space, at.SPACE_LIST)
  const kinds = pointer(space, at.SPACE_KINDS)
  const p = pointer(space, at.SPACE_P)
  const q = pointer(space, at.SPACE_Q)
  const g = pointer(space, at.SPACE_A_G)
  const t = pointer(space, at.SPACE_A_TARGET)
  let share = 1.0
  let event = -1
  for (let i = 0; i < free; i++) {
    const k = u32At(list, i)
    const d = f64At(p, i)
    const b = f64At(beta, k)
    const end = d > growth * b ? f64At(upper, k) : f64At(lower, k)
    // Both the variable and its end move.
    const approach = d - growth * end
    const far = (end - b) / approach
    if (approach != 0 && (end > b) == (approach > 0) && far < share) {
      share = max(0.0, far)
      event = k
    }
  }
  for (let k = 0; k < count; k++) {
    if (load<u8>(kinds + k) != FIXED || f64At(lower, k) == f64At(upper, k)) continue
    const sign = f64At(beta, k) == f64At(upper, k) ? 1.0 : -1.0
    const slack = sign * (f64At(t, k) - f64At(g, k) - bias)
    const falls = sign * (f64At(q, k) + (target - bias))
    if (!(falls > 0)) continue
    const far = max(0.0, slack) / falls
    if (far < share) {
      share = far
      event = k
    }
  }
  store<u32>(space, event, at.SPACE_EVENT)
  return share
}

/** Makes a share of the move; who is at an end, or has just come there, is exactly on it. */
function go(space: usize, count: i32, free: i32, share: f64, growth: f64): void {
  const beta = pointer(space, at.SPACE_A_BETA)
  const lower = pointer(space, at.SPACE_A_LOWER)
  const upper = pointer(space, at.SPACE_A_UPPER)
  const list = pointer(space, at.SPACE_LIST)
  const kinds = pointer(space, at.SPACE_KINDS)
  const p = pointer(space, at.SPACE_P)
  const g = pointer(space, at.SPACE_A_G)
  const q = pointer(space, at.SPACE_Q)
  const bounded = pointer(space, at.SPACE_BOUNDED)
  const event = <i32>load<u32>(space, at.SPACE_EVENT)
  const grown = 1.0 + share * growth
  for (let k = 0; k < count; k++) {
    const to = <usize>k << 3
    const isUpper = load<f64>(beta + to) == load<f64>(upper + to)
    store<f64>(lower + to, grown * load<f64>(lower + to))
    store<f64>(upper + to, grown * load<f64>(upper + to))
    store<f64>(g + to, load<f64>(g + to) + share * load<f64>(q + to))
    store<f64>(bounded + to, grown * load<f64>(bounded + to))
    if (load<u8>(kinds + k) == FIXED) store<f64>(beta + to, load<f64>((isUpper ? upper : lower) + to))
  }
  for (let i = 0; i < free; i++) {
    const k = u32At(list, i)
    const to = <usize>k << 3
    const moved = load<f64>(beta + to) + share * f64At(p, i)
    const middle = 0.5 * (load<f64>(lower + to) + load<f64>(upper + to))
    if (k == event) store<f64>(beta + to, load<f64>((moved > middle ? upper : lower) + to))
    else store<f64>(beta + to, min(load<f64>(upper + to), max(load<f64>(lower + to), moved)))
  }
}
