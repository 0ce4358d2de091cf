/**
 * Dual coordinate descent with the logistic loss: the steps.
 *
 * A sample keeps the margin m_i at which its β_i is what the loss asks for, β_i = C_i y_i σ(−m_i), σ(t) = 1/(1 + e^−t). Where its margin is
 * v = y_i ⟨w, x̃_i⟩, the slope of the dual along y_i β_i is v − m_i, and about ½ C_i a (1 − a) (m_i − v)² is its part of the gap, a = σ(−m_i). With
 * H = C_i ‖x̃_i‖², the dual over β_i alone is least at the m of
 *
 *   φ(m) = m − (v − H a_i) − H σ(−m) = 0,   φ' = 1 + H σ(−m) σ(m),
 *
 * which Newton's method finds with one e^−|m| per step, and without logarithms. φ rises, is convex for m < 0 and concave for m > 0, and the
 * sign of φ(0) tells on which side its root is: from 0, or after one step on that side, Newton's steps approach the root from the side
 * of 0 and never pass it. Near the solution one step from m_i is enough.
 *
 * Source    Yu, Huang, Lin 2011, who solve the same for β_i.
 */
import type { LogisticVectors } from '../rows/linear-rows.ts'

/** A step is solved when φ has fallen to this part: the next epoch brings other values anyway. */
const ACCURATE = 0.1
/** More than any step takes: from 0 about as many as the root has digits in base e. */
const MOST_STEPS = 50

/**
 * The plain form of assembly/linear/logistic.ts: visits some blocks, and adds to `sums` their parts of the gap and the largest |m_i − v|.
 * `valueAt` is ⟨w, x̃_i⟩, and `add` adds a multiple of x̃_i to w.
 */
export function logisticSweep(
  { order, turns, block, z, price, squares, beta, wanted, sums }: LogisticVectors,
  valueAt: (i: number) => number,
  add: (i: number, factor: number) => void,
  from: number,
  to: number,
  least: number,
): void {
  for (let turn = from; turn < to; turn++) {
    const start = turns[turn] * block
    const end = Math.min(order.length, start + block)
    for (let place = start; place < end; place++) {
      const i = order[place]
      const y = z[i]
      const C = price[i]
      const old = beta[i]
      const margin = y * valueAt(i)
      let m = y * wanted[i]
      let a = (y * old) / C
      let rest = m - margin
      const violation = Math.abs(rest)
      const own = 0.5 * C * a * (1 - a) * rest * rest
      sums[0] += own
      if (violation > sums[1]) sums[1] = violation
      if (own < least && violation < 1) continue
      const bend = C * squares[i]
      const without = margin - bend * a
      const isPositive = without + 0.5 * bend > 0
      if (m > 0 !== isPositive) {
        m = 0
        a = 0.5
        rest = -without - 0.5 * bend
      }
      const goal = ACCURATE * violation
      for (let step = 0; step < MOST_STEPS; step++) {
        m -= rest / (1 + bend * a * (1 - a))
        if (m > 0 !== isPositive) m = 0
        const tail = expOfMinus(Math.abs(m))
        a = (m > 0 ? tail : 1) / (1 + tail)
        rest = m - without - bend * a
        if (Math.abs(rest) <= goal) break
      }
      const moved = C * y * a
      wanted[i] = y * m
      beta[i] = moved
      add(i, moved - old)
    }
  }
}

/** 1.5 · 2^52: adding it rounds to a whole number. */
const ROUND = 6755399441055744
/** Where exponents are cut off; results below 2^−900 are 0. */
const LOWEST = -1000
const SMALLEST = 1.1830521861667747e-271
/** Of the polynomial of 2^f, from the highest power. */
const COEFFICIENTS = [
  ...[4.454960786822665e-10, 7.072586303165937e-9, 1.01780624449026e-7, 1.3215442586152225e-6],
  ...[1.5252733829837666e-5, 0.00015403530441738953, 0.0013333558146416933, 0.009618129107606887],
  ...[0.0555041086648216, 0.24022650695910097, Math.LN2, 1],
]
/** A power of two, and its bits, the exponent in the second half. */
const power = new Float64Array(1)
const halves = new Uint32Array(power.buffer)

/** e^−x for x >= 0: `exp2` of assembly/kernel/exp-exact.ts, operation by operation. */
export function expOfMinus(x: number): number {
  const t = Math.max(LOWEST, -Math.LOG2E * x)
  const k = t + ROUND - ROUND
  const f = t - k
  let p = 0
  for (const coefficient of COEFFICIENTS) p = p * f + coefficient
  halves[1] = (k + 1023) << 20
  const value = p * power[0]
  return value > SMALLEST ? value : 0
}
