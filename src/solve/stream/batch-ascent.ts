/**
 * Dual coordinate ascent over a stream: the samples of one batch at a time.
 *
 * Problem   after N samples, min over w of P_N(w) = ½‖w‖² + Σ_{i<=N} L_i(⟨w, x̃_i⟩), with the losses of ../../problems/linear-loss.ts; x̃
 *           has the constant feature that carries a regularised bias. Its dual is D_N(β) = ½‖w‖² + Σ L_i*(β_i) with w = Σ β_i x̃_i.
 * Method    the samples of a batch enter with β_i = 0; in epochs of random order each β_i of the batch becomes the minimiser of D_N
 *           along it, w follows, and the β_i of earlier batches stay as they are. This is the proximal step
 *             w ← argmin ½‖w − w_before‖² + Σ_batch L_i(⟨w, x̃_i⟩).
 * Stop      the gap of that step is within `tol` of its value, or after `maxEpochs`.
 * Proves    −D_N(β) <= min P_N: a lower bound on the optimum over all samples that ever came, because β is a dual point of all of
 *           them. What P_N(w) is cannot be said without the earlier samples.
 * Source    Hsieh et al. 2008 for the step; Shalev-Shwartz, Singer 2007 for streams as ascent in the dual; Shalev-Shwartz, Zhang 2013.
 * Cost      an epoch O(non-zeros of the batch); memory w and the batch.
 */
import type { Random } from '../../base/random.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { addRow, rowDot, squaredNorms } from '../../data/matrix/products.ts'
import { conjugateSum, type LossTerms, lossSum } from '../../problems/linear-loss.ts'

/** How far to go with a batch. */
export interface BatchLimits {
  readonly tol: number
  readonly maxEpochs: number
}

/** What came of a batch. */
export interface BatchResult {
  /** Σ L_i*(β_i) of the batch: what it adds to the dual value beside ½‖w‖². */
  readonly conjugates: number
  /** The losses of its samples before the model was trained on it, and after. */
  readonly lossBefore: number
  readonly lossAfter: number
  /** The gap that is left of the step, as a part of its value. */
  readonly gap: number
  readonly epochs: number
}

/** Steps of Newton's method on one β of the logistic loss: each squares the error; twenty are always enough from bisection. */
const LOGISTIC_STEPS = 30

/** Moves `u` = (w, the weight of the constant feature) by the samples of a batch; see the header of the file. */
export function ascendBatch(
  samples: Matrix,
  terms: LossTerms,
  constant: number,
  u: Float64Array,
  random: Random,
  { tol, maxEpochs }: BatchLimits,
): BatchResult {
  const { rows, cols } = samples
  const w = u.subarray(0, cols)
  const norms = squaredNorms(samples)
  const before = u.slice()
  const beta = new Float64Array(rows)
  const f = new Float64Array(rows)
  const decision = (i: number) => rowDot(samples, i, w) + constant * u[cols]
  const values = () => {
    for (let i = 0; i < rows; i++) f[i] = decision(i)
    return lossSum(terms, f)
  }
  const lossBefore = values()
  const order = Uint32Array.from({ length: rows }, (_, i) => i)
  let lossAfter = lossBefore
  let gap = 0
  let epochs = 0
  while (epochs < maxEpochs) {
    random.shuffle(order)
    for (const i of order) {
      const curvature = norms[i] + constant * constant
      const step = minimiser(terms, i, beta[i], decision(i), curvature) - beta[i]
      if (step === 0) continue
      beta[i] += step
      addRow(samples, i, step, w)
      u[cols] += constant * step
    }
    epochs++
    lossAfter = values()
    let moved = 0
    let grown = 0
    for (let j = 0; j < u.length; j++) {
      moved += (u[j] - before[j]) ** 2
      grown += (u[j] - before[j]) * (u[j] + before[j])
    }
    const value = 0.5 * moved + lossAfter
    gap = value > 0 ? Math.max(0, value + 0.5 * grown + conjugateSum(terms, beta)) / value : 0
    if (gap <= tol) break
  }
  return { conjugates: conjugateSum(terms, beta), lossBefore, lossAfter, gap, epochs }
}

/** The β_i that makes the dual smallest along it, others being as they are; H is ‖x̃_i‖². */
function minimiser(terms: LossTerms, i: number, beta: number, f: number, H: number): number {
  const { isLogistic, epsilon, z, lower, upper, shift } = terms
  if (upper[i] === 0 && lower[i] === 0) return 0
  if (isLogistic) return logisticMinimiser(z[i], upper[i] - lower[i], beta, f, H)
  const curvature = H + shift[i]
  const slope = f - z[i] + shift[i] * beta
  // Without curvature the dual is a straight line along β: it ends at a bound, or at 0.
  const to = (sign: number) =>
    curvature > 0
      ? beta - (slope + sign * epsilon) / curvature
      : -Math.sign(slope + sign * epsilon) * Infinity
  const up = to(1)
  if (up > 0) return Math.min(upper[i], up)
  const down = to(-1)
  return down < 0 ? Math.max(lower[i], down) : 0
}

/** The root of H (s − s₀) + y f + log(s / (C − s)), s = yβ: Newton's method between bounds that close in on it. */
function logisticMinimiser(y: number, C: number, beta: number, f: number, H: number): number {
  const from = y * beta
  let low = 0
  let high = C
  let s = from > 0 && from < C ? from : C / (1 + Math.exp(y * f))
  for (let step = 0; step < LOGISTIC_STEPS; step++) {
    if (!(s > low && s < high)) s = (low + high) / 2
    const slope = H * (s - from) + y * f + Math.log(s / (C - s))
    if (slope > 0) high = s
    else low = s
    const next = s - slope / (H + C / (s * (C - s)))
    if (Math.abs(next - s) <= Number.EPSILON * C) break
    s = next
  }
  return y * Math.min(C, Math.max(0, s))
}
