/**
 * A free bias requires Σ β_i = e (../../problems/linear-problem.ts). The losses' own slopes β̂_i(f_i + b) fall as b rises, so
 * there
 * is a b where they sum to that: with it β̂ is a dual point.
 */
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearRows } from '../rows/linear-rows.ts'

/**
 * Steps that reach the last bit of any b: doublings from the first reach to beyond it, then halvings of what is between, 53 for
 * the bits.
 */
const MOST_STEPS = 200
/** How far the first step goes where no slope says how far: little beside margins and targets, which are about 1; it doubles. */
const FIRST_REACH = 1e-3
/** What rounding leaves of a sum, as a part of the sum of sizes: some times 2^−53. */
const ROUNDING = 1e-15

/**
 * Adds such a b to f, fills β̂ and the curvatures there, and returns b. What rounding leaves of Σ β_i − e goes to those that are
 * between bounds.
 */
export function balanceBias(
  rows: LinearRows,
  terms: LossTerms,
  f: Float64Array,
  beta: Float64Array,
  curvature: Float64Array,
  balance: number,
): number {
  let b = 0
  let low = Number.NEGATIVE_INFINITY
  let high = Number.POSITIVE_INFINITY
  let reach = FIRST_REACH
  let excess = 0
  rows.slopes(terms, f, beta, curvature)
  for (let step = 0; step < MOST_STEPS; step++) {
    excess = -balance
    let bend = 0
    let size = Math.abs(balance)
    for (let i = 0; i < beta.length; i++) {
      excess += beta[i]
      size += Math.abs(beta[i])
      bend += curvature[i]
    }
    if (Math.abs(excess) <= ROUNDING * size) break
    if (excess > 0) low = b
    else high = b
    let next = bend > 0 ? b + excess / bend : Number.NaN
    if (!(next > low && next < high)) {
      if (low > Number.NEGATIVE_INFINITY && high < Number.POSITIVE_INFINITY) next = 0.5 * (low + high)
      else {
        next = excess > 0 ? b + reach : b - reach
        reach *= 2
      }
    }
    if (next === b) break
    for (let i = 0; i < f.length; i++) f[i] += next - b
    b = next
    rows.slopes(terms, f, beta, curvature)
  }
  const { lower, upper } = terms
  for (let i = 0; i < beta.length && excess !== 0; i++) {
    const moved = Math.min(upper[i], Math.max(lower[i], beta[i] - excess))
    excess += moved - beta[i]
    beta[i] = moved
  }
  return b
}
