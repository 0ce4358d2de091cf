/**
 * Dual coordinate descent with the logistic loss, some blocks of an epoch at a time. What it does, and why, is said in
 * src/solve/logistic/logistic-sweep.ts, whose function this is, operation by operation, so that both give the same bits.
 */
import * as at from '../structures'
import { expOfMinus } from './losses'
import { addRow, rowDot } from './rows'

/** As in src/solve/logistic/logistic-sweep.ts. */
const ACCURATE: f64 = 0.1
const MOST_STEPS: u32 = 50

/** Visits the blocks turns[from] … turns[to − 1] of `block` samples each; adds to `sums` what they leave of the gap, and the largest violation. */
export function logisticSweep(
  matrix: usize,
  constant: f64,
  order: usize,
  count: u32,
  turns: usize,
  block: u32,
  from: u32,
  to: u32,
  z: usize,
  price: usize,
  squares: usize,
  beta: usize,
  wanted: usize,
  w: usize,
  least: f64,
  sums: usize,
): void {
  const carried = w + (<usize>load<u32>(matrix, at.MATRIX_COLS) << 3)
  let gap = load<f64>(sums)
  let largest = load<f64>(sums, 8)
  for (let turn = from; turn < to; turn++) {
    const start = load<u32>(turns + (<usize>turn << 2)) * block
    const end = min(count, start + block)
    for (let place = start; place < end; place++) {
      const i = load<u32>(order + (<usize>place << 2))
      const at = <usize>i << 3
      const y = load<f64>(z + at)
      const C = load<f64>(price + at)
      const old = load<f64>(beta + at)
      const margin = y * (rowDot(matrix, i, w) + constant * load<f64>(carried))
      let m = y * load<f64>(wanted + at)
      let a = (y * old) / C
      let rest = m - margin
      const violation = abs(rest)
      const own = 0.5 * C * a * (1 - a) * rest * rest
      gap += own
      if (violation > largest) largest = violation
      if (own < least && violation < 1) continue
      const bend = C * load<f64>(squares + at)
      const without = margin - bend * a
      const isPositive = without + 0.5 * bend > 0
      if (m > 0 != isPositive) {
        m = 0
        a = 0.5
        rest = -without - 0.5 * bend
      }
      const goal = ACCURATE * violation
      for (let step: u32 = 0; step < MOST_STEPS; step++) {
        m -= rest / (1 + bend * a * (1 - a))
        if (m > 0 != isPositive) m = 0
        const tail = expOfMinus(abs(m))
        a = (m > 0 ? tail : 1) / (1 + tail)
        rest = m - without - bend * a
        if (abs(rest) <= goal) break
      }
      const moved = C * y * a
      store<f64>(wanted + at, y * m)
      store<f64>(beta + at, moved)
      addRow(matrix, i, moved - old, w)
      store<f64>(carried, load<f64>(carried) + (moved - old) * constant)
    }
  }
  store<f64>(sums, gap)
  store<f64>(sums, largest, 8)
}
