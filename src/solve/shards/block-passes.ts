/**
 * Shard passes: pure functions of a job and one block. What they return is combined in the order of the blocks, so that no
 * result depends on who computed what or when. Notation: ../../problems/linear-loss.ts; w̃ and x̃ as in
 * ../../certify/shard-measures.ts, whose `measureBlock` is a pass, too.
 */
import { Random } from '../../base/random.ts'
import { valuesOf } from '../../certify/linear/shard-measures.ts'
import { type Matrix, rowStart } from '../../data/matrix/matrix.ts'
import { addRow, rowDot, squaredNorms } from '../../data/matrix/products.ts'
import { type LossTerms, lossSum, slopes } from '../../problems/linear-loss.ts'

/** Parts of a step whose losses are computed along with those of the whole step: 1, ½ … 2^−7. */
const STEP_PARTS = 8

/** Σ L_i at w̃ and, with a step, at w̃ − (1 − 2^−k) step; β of the slopes at w̃, and the curvatures h_i there. */
export function slopesOf(
  samples: Matrix,
  terms: LossTerms,
  constant: number,
  weights: Float64Array,
  step?: Float64Array,
): { readonly losses: Float64Array; readonly beta: Float64Array; readonly curvature: Float64Array } {
  const beta = new Float64Array(samples.rows)
  const curvature = new Float64Array(samples.rows)
  const f = valuesOf(samples, constant, weights)
  const losses = new Float64Array(step ? STEP_PARTS : 1)
  losses[0] = slopes(terms, f, beta, curvature)
  if (!step) return { losses, beta, curvature }
  const along = valuesOf(samples, constant, step)
  for (let k = 1; k < STEP_PARTS; k++) {
    // From one part of the step to the next it is as far again as to half of that.
    for (let i = 0; i < f.length; i++) f[i] -= 2 ** -k * along[i]
    losses[k] = lossSum(terms, f)
  }
  return { losses, beta, curvature }
}

/** Σ h_i x̃_i ⟨x̃_i, direction⟩: a block's part of the Hessian, times a vector. `out` is overwritten. */
export function curvatureTimes(
  samples: Matrix,
  curvature: Float64Array,
  constant: number,
  direction: Float64Array,
  out: Float64Array,
): void {
  const { rows, cols } = samples
  out.fill(0)
  for (let i = 0; i < rows; i++) {
    if (curvature[i] === 0) continue
    const factor = curvature[i] * (rowDot(samples, i, direction) + constant * direction[cols])
    addRow(samples, i, factor, out)
    out[cols] += factor * constant
  }
}

/** Σ h_i x̃_ij² for every column j: a block's part of the diagonal of the Hessian. `out` is overwritten. */
export function curvatureDiagonal(
  samples: Matrix,
  curvature: Float64Array,
  constant: number,
  out: Float64Array,
): void {
  const { rows, cols, values } = samples
  out.fill(0)
  for (let i = 0; i < rows; i++) {
    if (curvature[i] === 0) continue
    const start = rowStart(samples, i)
    const end = rowStart(samples, i + 1)
    for (let k = start; k < end; k++) {
      out[samples.kind === 'dense' ? k - start : samples.indices[k]] += curvature[i] * values[k] * values[k]
    }
    out[cols] += curvature[i] * constant * constant
  }
}

/** Σ h_i x̃_ij x̃_ik for every j and k <= j, row by row: a block's part of the Hessian. `out` is overwritten. */
export function curvatureTriangle(
  samples: Matrix,
  curvature: Float64Array,
  constant: number,
  out: Float64Array,
): void {
  const { rows, cols, values } = samples
  const isDense = samples.kind === 'dense'
  const last = (cols * (cols + 1)) / 2
  out.fill(0)
  for (let i = 0; i < rows; i++) {
    const own = curvature[i]
    if (own === 0) continue
    const start = rowStart(samples, i)
    const end = rowStart(samples, i + 1)
    for (let k = start; k < end; k++) {
      const factor = own * values[k]
      if (factor === 0) continue
      if (isDense) {
        const row = ((k - start) * (k - start + 1)) / 2 - start
        for (let l = start; l <= k; l++) out[row + l] += factor * values[l]
        out[last + k - start] += factor * constant
      } else {
        // Columns ascend within a row.
        const { indices } = samples
        const row = (indices[k] * (indices[k] + 1)) / 2
        for (let l = start; l <= k; l++) out[row + indices[l]] += factor * values[l]
        out[last + indices[k]] += factor * constant
      }
    }
    out[last + cols] += own * constant * constant
  }
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
  samples: Matrix,
  terms: LossTerms,
  constant: number,
  weights: Float64Array,
  beta: Float64Array,
  { epochs, together, seed }: Descent,
): { readonly change: Float64Array; readonly moved: boolean } {
  const { cols, rows } = samples
  const { epsilon, z, lower, upper, shift } = terms
  const norms = squaredNorms(samples)
  const order = Uint32Array.from({ length: rows }, (_, i) => i)
  const random = new Random(seed)
  const local = weights.slice()
  let moved = false
  for (let epoch = 0; epoch < epochs; epoch++) {
    random.shuffle(order)
    for (const i of order) {
      const bend = together * (norms[i] + constant * constant) + shift[i]
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
