/**
 * A sweep of dual coordinate descent in plain code; what it does, and why, is said in ../methods/dual-descent.ts.
 * assembly/linear/sweep.ts does the same, operation by operation.
 */
import type { Matrix } from '../../data/matrix/matrix.ts'
import { addRow, rowDotInFour } from '../../data/matrix/products.ts'
import type { SweepState, SweepVectors } from './linear-rows.ts'

/** In the order: a sample that has been left out in this epoch. */
const LEFT_OUT = 2 ** 32 - 1

/** See {@link LinearRows.sweep}. */
export function sweep(
  matrix: Matrix,
  constant: number,
  { order, turns, block, beta, z, lower, upper, shift, curvature, w, epsilon }: SweepVectors,
  state: SweepState,
  steps: number,
): void {
  const { cols } = matrix
  const { active } = state
  let { turn, changes, highest, lowest, total } = state
  const blocks = Math.ceil(active / block)
  for (let visits = 0; visits < steps && turn < blocks; turn++) {
    const from = turns[turn] * block
    const to = Math.min(active, from + block)
    visits += to - from
    for (let place = from; place < to; place++) {
      const i = order[place]
      const old = beta[i]
      const low = lower[i]
      const high = upper[i]
      const gradient = rowDotInFour(matrix, i, w) + constant * w[cols] - z[i] + shift[i] * old
      const rise = riseOf(gradient, old, epsilon)
      const fall = fallOf(gradient, old, epsilon)
      if (isHeld(rise, fall, old, low, high, state)) {
        order[place] = LEFT_OUT
        continue
      }
      const projected = projectedOf(rise, fall, old, low, high)
      if (projected === 0) continue
      const signed = signedOf(projected, low, high)
      if (signed > highest) highest = signed
      if (signed < lowest) lowest = signed
      total += Math.abs(projected)
      const ifPositive = old - (gradient + epsilon) / curvature[i]
      const ifNegative = old - (gradient - epsilon) / curvature[i]
      const moved =
        ifPositive > 0 ? Math.min(high, ifPositive) : ifNegative < 0 ? Math.max(low, ifNegative) : 0
      if (moved === old) continue
      beta[i] = moved
      addRow(matrix, i, moved - old, w)
      w[cols] += (moved - old) * constant
      changes++
    }
  }
  const left = turn < blocks ? active : closeUp(order, active)
  Object.assign(state, { turn, active: left, changes, highest, lowest, total })
}

/** See {@link LinearRows.gradientSpread}. */
export function gradientSpread(
  { beta, z, lower, upper, shift, epsilon }: SweepVectors,
  state: SweepState,
  f: Float64Array,
): void {
  let highest = 0
  let lowest = 0
  let total = 0
  for (let i = 0; i < f.length; i++) {
    const old = beta[i]
    const gradient = f[i] - z[i] + shift[i] * old
    const rise = riseOf(gradient, old, epsilon)
    const fall = fallOf(gradient, old, epsilon)
    const projected = projectedOf(rise, fall, old, lower[i], upper[i])
    const signed = signedOf(projected, lower[i], upper[i])
    if (signed > highest) highest = signed
    if (signed < lowest) lowest = signed
    total += Math.abs(projected)
  }
  Object.assign(state, { highest, lowest, total })
}

/** See {@link LinearRows.relist}. */
export function relist(
  { order, beta, z, lower, upper, shift, epsilon }: SweepVectors,
  state: SweepState,
  f: Float64Array,
): void {
  let active = 0
  for (let i = 0; i < f.length; i++) {
    const old = beta[i]
    const low = lower[i]
    const high = upper[i]
    if (!(high > low)) continue
    const gradient = f[i] - z[i] + shift[i] * old
    const rise = riseOf(gradient, old, epsilon)
    const fall = fallOf(gradient, old, epsilon)
    if (!isHeld(rise, fall, old, low, high, state)) order[active++] = i
  }
  state.active = active
}

/** The slopes of the dual for a rise and for a fall of a β_i whose own slope, without ε, is `gradient`. */
function riseOf(gradient: number, old: number, epsilon: number): number {
  return gradient + (old >= 0 ? epsilon : -epsilon)
}

function fallOf(gradient: number, old: number, epsilon: number): number {
  return gradient + (old > 0 ? epsilon : -epsilon)
}

/** Whether a β_i is held where it is by more than the thresholds of its side. */
function isHeld(
  rise: number,
  fall: number,
  old: number,
  low: number,
  high: number,
  { heldAtZero, heldAtBound }: SweepState,
): boolean {
  const isHeldDown = rise > (low === 0 ? heldAtZero : heldAtBound)
  const isHeldUp = -fall > (low === 0 ? heldAtBound : heldAtZero)
  return (old === low && isHeldDown) || (old === high && isHeldUp) || (old === 0 && isHeldDown && isHeldUp)
}

/** The projected gradient: what is left of the slope where β_i has room to move. */
function projectedOf(rise: number, fall: number, old: number, low: number, high: number): number {
  return old < high && rise < 0 ? rise : old > low && fall > 0 ? fall : 0
}

/** The same with the sign that classes give it, that of the label, as LIBLINEAR has it. */
function signedOf(projected: number, low: number, high: number): number {
  return low === 0 ? projected : high === 0 ? -projected : projected
}

/** Takes those left out from the first `count` of the order; returns how many there are then. */
function closeUp(order: Uint32Array, count: number): number {
  let kept = 0
  for (let place = 0; place < count; place++) {
    if (order[place] !== LEFT_OUT) order[kept++] = order[place]
  }
  return kept
}
