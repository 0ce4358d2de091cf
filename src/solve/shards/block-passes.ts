/**
 * Shard passes: pure functions of a job and one block. What they return is combined in the order of the blocks, so that no
 * result depends on who computed what or when. Notation: ../../problems/linear-loss.ts; w̃ and x̃ as in
 * ../../certify/shard-measures.ts, whose `measureBlock` is a pass, too.
 */
import { Random } from '../../base/random.ts'
import { addRow, rowDot } from '../../data/matrix/products.ts'
import { type LossTerms, lossSum, slopes } from '../../problems/linear-loss.ts'
import type { PlainRows } from '../rows/plain-rows.ts'

/** Parts of a step whose losses are computed along with those of the whole step: 1, ½ … 2^−7. */
const STEP_PARTS = 8

/** Σ L_i at w̃ and, with a step, at w̃ − (1 − 2^−k) step; β of the slopes at w̃, and the curvatures h_i there. */
export function slopesOf(
  rows: PlainRows,
  terms: LossTerms,
  weights: Float64Array,
  step?: Float64Array,
): { readonly losses: Float64Array; readonly beta: Float64Array; readonly curvature: Float64Array } {
  const beta = rows.vector(rows.rows)
  const curvature = rows.vector(rows.rows)
  const f = rows.vector(rows.rows)
  rows.values(weights, f)
  const losses = new Float64Array(step ? STEP_PARTS : 1)
  losses[0] = slopes(terms, f, beta, curvature)
  if (!step) return { losses, beta, curvature }
  const along = rows.vector(rows.rows)
  rows.values(step, along)
  for (let k = 1; k < STEP_PARTS; k++) {
    // From one part of the step to the next it is as far again as to half of that.
    for (let i = 0; i < f.length; i++) f[i] -= 2 ** -k * along[i]
    losses[k] = lossSum(terms, f)
  }
  return { losses, beta, curvature }
}

/** How {@link descendBlock} goes about it. */
export interface Descent {
  readonly epochs: number
  /** σ': how many blocks descend from the same w̃, this one among them. */
  readonly together: number
  /** Of the order of the samples. */
  readonly seed: number
}

/**
 * Epochs of dual coordinate descent on the samples of one block: each step minimises over one β_i
 *   ½ σ' ‖x̃_i‖² (β − β_i)² + (⟨u, x̃_i⟩ − z_i) β + ε |β| + ½ D_i β²,   l_i <= β <= u_i,   u = w̃ + σ' Σ Δβ_j x̃_j
 * With σ' = 1 that is the dual itself (Hsieh et al. 2008; Ho, Lin 2012), and blocks are to be visited in turn (Yu, Hsieh, Chang, Lin
 * 2010). With σ' blocks at a time it is the dual plus what their steps may do to each other at worst, so that adding up all
 * changes still lowers it (CoCoA+; Ma, Smith, Jaggi et al. 2015). `beta` is changed in place. Not for the logistic loss.
 * Returns Σ Δβ_i x̃_i, and whether anything moved.
 */
export function descendBlock(
  { matrix: samples, constant, rows, cols, squaredNorms }: PlainRows,
  terms: LossTerms,
  weights: Float64Array,
  beta: Float64Array,
  { epochs, together, seed }: Descent,
): { readonly change: Float64Array; readonly moved: boolean } {
  const { epsilon, z, lower, upper, shift } = terms
  const order = Uint32Array.from({ length: rows }, (_, i) => i)
  const random = new Random(seed)
  const local = weights.slice()
  let moved = false
  for (let epoch = 0; epoch < epochs; epoch++) {
    random.shuffle(order)
    for (const i of order) {
      const bend = together * squaredNorms[i] + shift[i]
      // A sample of zeros without a bias: its loss does not depend on w̃, but its β does on the loss.
      if (upper[i] === lower[i]) continue
      const old = beta[i]
      const slope = rowDot(samples, i, local) + constant * local[cols] - z[i] + shift[i] * old
      let next: number
      if (bend > 0) {
        const free = old - slope / bend
        const pull = epsilon / bend
        next = free > pull ? free - pull : free < -pull ? free + pull : 0
      } else next = slope < -epsilon ? upper[i] : slope > epsilon ? lower[i] : old
      next = Math.min(upper[i], Math.max(lower[i], next))
      if (next === old) continue
      moved = true
      beta[i] = next
      const step = together * (next - old)
      addRow(samples, i, step, local)
      local[cols] += step * constant
    }
  }
  return { change: local.map((value, j) => (value - weights[j]) / together), moved }
}
