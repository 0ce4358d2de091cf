/**
 * Dual coordinate descent for linear machines, a stretch of an epoch at a time: a call per step would cost as much as the
 * step. What it does, and why, is said in src/solve/methods/dual-descent.ts; this is `sweep` of src/solve/linear/plain-rows.ts,
 * operation by operation, so that both give the same bits. Curvatures must be positive.
 */
import * as at from '../structures'
import { addRow, rowDot } from './rows'

/** Visits up to `steps` further samples. */
export function sweep(state: usize, steps: i32): void {
  const matrix = <usize>load<u32>(state, at.SWEEP_MATRIX)
  const order = <usize>load<u32>(state, at.SWEEP_ORDER)
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
  let position = load<u32>(state, at.SWEEP_POSITION)
  let active = load<u32>(state, at.SWEEP_ACTIVE)
  let changes = load<u32>(state, at.SWEEP_CHANGES)
  let highest = load<f64>(state, at.SWEEP_HIGHEST)
  let lowest = load<f64>(state, at.SWEEP_LOWEST)
  let total = load<f64>(state, at.SWEEP_TOTAL)
  for (let step = 0; step < steps && position < active; step++) {
    const i = load<u32>(order + (<usize>position << 2))
    const at = <usize>i << 3
    const old = load<f64>(beta + at)
    const low = load<f64>(lower + at)
    const high = load<f64>(upper + at)
    const value = rowDot(matrix, i, w) + constant * load<f64>(carried)
    const gradient = value - load<f64>(z + at) + load<f64>(shift + at) * old
    // The slopes of the dual for a rise and for a fall of β_i.
    const rise = gradient + (old >= 0 ? epsilon : -epsilon)
    const fall = gradient + (old > 0 ? epsilon : -epsilon)
    const isHeldDown = rise > (low == 0 ? heldAtZero : heldAtBound)
    const isHeldUp = -fall > (low == 0 ? heldAtBound : heldAtZero)
    if ((old == low && isHeldDown) || (old == high && isHeldUp) || (old == 0 && isHeldDown && isHeldUp)) {
      active--
      store<u32>(order + (<usize>position << 2), load<u32>(order + (<usize>active << 2)))
      store<u32>(order + (<usize>active << 2), i)
      continue
    }
    position++
    const projected = old < high && rise < 0 ? rise : old > low && fall > 0 ? fall : 0.0
    if (projected == 0) continue
    // Of classes, the sign is that of the label, as LIBLINEAR has it.
    const signed = low == 0 ? projected : high == 0 ? -projected : projected
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
  store<u32>(state, position, at.SWEEP_POSITION)
  store<u32>(state, active, at.SWEEP_ACTIVE)
  store<u32>(state, changes, at.SWEEP_CHANGES)
  store<f64>(state, highest, at.SWEEP_HIGHEST)
  store<f64>(state, lowest, at.SWEEP_LOWEST)
  store<f64>(state, total, at.SWEEP_TOTAL)
}
