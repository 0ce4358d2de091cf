/**
 * Dual coordinate descent for linear machines, a stretch of an epoch at a time: a call per step would cost as much as the
 * step. What it does, and why, is said in src/solve/methods/dual-descent.ts; this is `sweep` of src/solve/rows/plain-rows.ts,
 * operation by operation, so that both give the same bits. Curvatures must be positive.
 */
import * as at from '../structures'
import { addRow, rowDot } from './rows'

/** The slopes of the dual for a rise and for a fall of a β_i whose own slope, without ε, is `gradient`. */
// @ts-ignore: decorator
@inline
function riseOf(gradient: f64, old: f64, epsilon: f64): f64 {
  return gradient + (old >= 0 ? epsilon : -epsilon)
}

// @ts-ignore: decorator
@inline
function fallOf(gradient: f64, old: f64, epsilon: f64): f64 {
  return gradient + (old > 0 ? epsilon : -epsilon)
}

/** Whether a β_i is held where it is by more than the thresholds of its side. */
// @ts-ignore: decorator
@inline
function isHeld(
  rise: f64,
  fall: f64,
  old: f64,
  low: f64,
  high: f64,
  heldAtZero: f64,
  heldAtBound: f64,
): bool {
  const isHeldDown = rise > (low == 0 ? heldAtZero : heldAtBound)
  const isHeldUp = -fall > (low == 0 ? heldAtBound : heldAtZero)
  return (old == low && isHeldDown) || (old == high && isHeldUp) || (old == 0 && isHeldDown && isHeldUp)
}

/** The projected gradient: what is left of the slope where β_i has room to move. */
// @ts-ignore: decorator
@inline
function projectedOf(rise: f64, fall: f64, old: f64, low: f64, high: f64): f64 {
  return old < high && rise < 0 ? rise : old > low && fall > 0 ? fall : 0.0
}

/** The same with the sign that classes give it, that of the label, as LIBLINEAR has it. */
// @ts-ignore: decorator
@inline
function signedOf(projected: f64, low: f64, high: f64): f64 {
  return low == 0 ? projected : high == 0 ? -projected : projected
}

/** In the order: a sample that has been left out in this epoch. */
const LEFT_OUT = u32.MAX_VALUE

/** Visits the next blocks of `block` samples each, `steps` samples or a few more. At the end of an epoch, those left out leave the order. */
export function sweep(state: usize, block: u32, steps: u32): void {
  const matrix = <usize>load<u32>(state, at.SWEEP_MATRIX)
  const order = <usize>load<u32>(state, at.SWEEP_ORDER)
  const turns = <usize>load<u32>(state, at.SWEEP_TURNS)
  const beta = <usize>load<u32>(state, at.SWEEP_BETA)
  const z = <usize>load<u32>(state, at.SWEEP_Z)
  const lower = <usize>load<u32>(state, at.SWEEP_LOWER)
  const upper = <usize>load<u32>(state, at.SWEEP_UPPER)
  const shift = <usize>load<u32>(state, at.SWEEP_SHIFT)
  const curvature = <usize>load<u32>(state, at.SWEEP_CURVATURE)
  const w = <usize>load<u32>(state, at.SWEEP_W)
  const carried = w + (<usize>load<u32>(matrix, at.MATRIX_COLS) << 3)
  const constant = load<f64>(state, at.SWEEP_CONSTANT)
  const epsilon = load<f64>(state, at.SWEEP_EPSILON)
  const heldAtZero = load<f64>(state, at.SWEEP_HELD_AT_ZERO)
  const heldAtBound = load<f64>(state, at.SWEEP_HELD_AT_BOUND)
  const active = load<u32>(state, at.SWEEP_ACTIVE)
  const blocks = (active + block - 1) / block
  let turn = load<u32>(state, at.SWEEP_TURN)
  let changes = load<u32>(state, at.SWEEP_CHANGES)
  let highest = load<f64>(state, at.SWEEP_HIGHEST)
  let lowest = load<f64>(state, at.SWEEP_LOWEST)
  let total = load<f64>(state, at.SWEEP_TOTAL)
  for (let visits: u32 = 0; visits < steps && turn < blocks; turn++) {
    const from = load<u32>(turns + (<usize>turn << 2)) * block
    const to = min(active, from + block)
    visits += to - from
    for (let place = from; place < to; place++) {
      const i = load<u32>(order + (<usize>place << 2))
      const at = <usize>i << 3
      const old = load<f64>(beta + at)
      const low = load<f64>(lower + at)
      const high = load<f64>(upper + at)
      const value = rowDot(matrix, i, w) + constant * load<f64>(carried)
      const gradient = value - load<f64>(z + at) + load<f64>(shift + at) * old
      const rise = riseOf(gradient, old, epsilon)
      const fall = fallOf(gradient, old, epsilon)
      if (isHeld(rise, fall, old, low, high, heldAtZero, heldAtBound)) {
        store<u32>(order + (<usize>place << 2), LEFT_OUT)
        continue
      }
      const projected = projectedOf(rise, fall, old, low, high)
      if (projected == 0) continue
      const signed = signedOf(projected, low, high)
      if (signed > highest) highest = signed
      if (signed < lowest) lowest = signed
      total += abs(projected)
      const H = load<f64>(curvature + at)
      const ifPositive = old - (gradient + epsilon) / H
      const ifNegative = old - (gradient - epsilon) / H
      const moved = ifPositive > 0 ? min(high, ifPositive) : ifNegative < 0 ? max(low, ifNegative) : 0.0
      if (moved == old) continue
      store<f64>(beta + at, moved)
      addRow(matrix, i, moved - old, w)
      store<f64>(carried, load<f64>(carried) + (moved - old) * constant)
      changes++
    }
  }
  store<u32>(state, turn, at.SWEEP_TURN)
  store<u32>(state, turn < blocks ? active : closeUp(order, active), at.SWEEP_ACTIVE)
  store<u32>(state, changes, at.SWEEP_CHANGES)
  store<f64>(state, highest, at.SWEEP_HIGHEST)
  store<f64>(state, lowest, at.SWEEP_LOWEST)
  store<f64>(state, total, at.SWEEP_TOTAL)
}

/** The extremes and the sum of the projected gradients of all `count` samples, those left out included, whose values of f are known. */
export function gradientSpread(state: usize, f: usize, count: u32): void {
  const beta = <usize>load<u32>(state, at.SWEEP_BETA)
  const z = <usize>load<u32>(state, at.SWEEP_Z)
  const lower = <usize>load<u32>(state, at.SWEEP_LOWER)
  const upper = <usize>load<u32>(state, at.SWEEP_UPPER)
  const shift = <usize>load<u32>(state, at.SWEEP_SHIFT)
  const epsilon = load<f64>(state, at.SWEEP_EPSILON)
  const bytes = <usize>count << 3
  let highest = 0.0
  let lowest = 0.0
  let total = 0.0
  for (let at: usize = 0; at < bytes; at += 8) {
    const old = load<f64>(beta + at)
    const low = load<f64>(lower + at)
    const high = load<f64>(upper + at)
    const gradient = load<f64>(f + at) - load<f64>(z + at) + load<f64>(shift + at) * old
    const projected = projectedOf(riseOf(gradient, old, epsilon), fallOf(gradient, old, epsilon), old, low, high)
    const signed = signedOf(projected, low, high)
    if (signed > highest) highest = signed
    if (signed < lowest) lowest = signed
    total += abs(projected)
  }
  store<f64>(state, highest, at.SWEEP_HIGHEST)
  store<f64>(state, lowest, at.SWEEP_LOWEST)
  store<f64>(state, total, at.SWEEP_TOTAL)
}

/** The order becomes the samples that have room to move and are not held where they are, ascending. */
export function relist(state: usize, f: usize, count: u32): void {
  const order = <usize>load<u32>(state, at.SWEEP_ORDER)
  const beta = <usize>load<u32>(state, at.SWEEP_BETA)
  const z = <usize>load<u32>(state, at.SWEEP_Z)
  const lower = <usize>load<u32>(state, at.SWEEP_LOWER)
  const upper = <usize>load<u32>(state, at.SWEEP_UPPER)
  const shift = <usize>load<u32>(state, at.SWEEP_SHIFT)
  const epsilon = load<f64>(state, at.SWEEP_EPSILON)
  const heldAtZero = load<f64>(state, at.SWEEP_HELD_AT_ZERO)
  const heldAtBound = load<f64>(state, at.SWEEP_HELD_AT_BOUND)
  let active: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const at = <usize>i << 3
    const old = load<f64>(beta + at)
    const low = load<f64>(lower + at)
    const high = load<f64>(upper + at)
    if (!(high > low)) continue
    const gradient = load<f64>(f + at) - load<f64>(z + at) + load<f64>(shift + at) * old
    const rise = riseOf(gradient, old, epsilon)
    const fall = fallOf(gradient, old, epsilon)
    if (isHeld(rise, fall, old, low, high, heldAtZero, heldAtBound)) continue
    store<u32>(order + (<usize>active << 2), i)
    active++
  }
  store<u32>(state, active, at.SWEEP_ACTIVE)
}

/** Takes those left out from the first `count` of the order; returns how many there are then. */
function closeUp(order: usize, count: u32): u32 {
  let kept: u32 = 0
  for (let place: u32 = 0; place < count; place++) {
    const i = load<u32>(order + (<usize>place << 2))
    if (i == LEFT_OUT) continue
    store<u32>(order + (<usize>kept << 2), i)
    kept++
  }
  return kept
}
