/** How good a dual point of a {@link LinearProblem} is, computed afresh from the samples; notation: ./linear-problem.ts. */
import type { Pieces } from '../base/pieces.ts'
import { rowDot, squaredNorms } from '../data/matrix/products.ts'
import {
  type CrammerSingerProblem,
  type LinearProblem,
  type LinearSvrProblem,
  linearWeights,
  tubeBounds,
  tubeShift,
} from '../problems/linear-problem.ts'
import type { Evidence, Measures, Solution } from './certificate.ts'

/** Examines dual points of one problem, as `Certifier` does those of problems with a kernel; all in f64. */
export class LinearCertifier {
  private readonly problem: LinearProblem

  constructor(problem: LinearProblem) {
    this.problem = problem
  }

  *examine({ alpha, beta }: Solution): Pieces<Measures & { readonly evidence: Evidence }> {
    const measures = measureLinear(this.problem, alpha, beta)
    yield
    return { ...measures, evidence: linearEvidence(this.problem, alpha, beta, measures) }
  }
}

/**
 * Primal value, dual value, gap and largest violation (of the largest projected gradient, for regression). The primal value
 * is that of `model`, given as α is, where the model is not that of α.
 */
export function measureLinear(problem: LinearProblem, alpha: Float64Array, model?: Float64Array): Measures {
  const measures = measurePoint(problem, alpha)
  if (!model) return measures
  const { primal } = measurePoint(problem, model)
  return { ...measures, primal, gap: primal + measures.dual }
}

/**
 * How far these measures may be off. Everything is f64: w is a sum of n terms per feature, off by ρ S at most, with ρ =
 * 2^−53 (n + m + 4) and S = Σ|α_j| ‖x_j‖; a value ⟨w, x_i⟩ is a sum of m, off by B_i = 2 ρ ‖x_i‖ S. With ‖w‖ <= √(2 primal),
 * ½‖w‖² is off by ρ S √(2 primal); losses by Σ C_i B_i (twice that for classes); squared ones, Σ C_i ξ_i², by
 * 2 max B √(ΣC_i · primal) + max B² ΣC_i.
 */
export function linearEvidence(
  problem: LinearProblem,
  alpha: Float64Array,
  model: Float64Array | undefined,
  { primal, dual }: Measures,
): Evidence {
  const { samples, C, constant } = problem
  const { rows } = samples
  const perSample = alpha.length / rows
  const lengths = squaredNorms(samples).map((norm) => Math.sqrt(norm + constant * constant))
  let size = 0
  for (const point of model ? [alpha, model] : [alpha]) {
    let sum = 0
    for (let k = 0; k < point.length; k++) sum += Math.abs(point[k]) * lengths[Math.floor(k / perSample)]
    size = Math.max(size, sum)
  }
  const rounding = 2 ** -53 * (rows + samples.cols + 4)
  const isSquared = problem.task !== 'crammer-singer' && problem.loss !== 'epsilon-insensitive'
  let largest = 0
  let losses = 0
  let bounds = 0
  let terms = 0
  for (let i = 0; i < rows; i++) {
    const error = 2 * rounding * lengths[i] * size
    largest = Math.max(largest, error)
    losses += 2 * C[i] * error
    bounds += C[i]
    if (problem.task === 'crammer-singer') terms += Math.abs(alpha[i * perSample + problem.y[i]])
    else terms += (Math.abs(problem.z[i]) + problem.epsilon) * Math.abs(alpha[i])
  }
  if (isSquared) losses = 2 * largest * Math.sqrt(bounds * primal) + largest * largest * bounds
  const ofNorm = rounding * size * Math.sqrt(2 * primal)
  const primalError = ofNorm + losses + rounding * primal
  const dualError = ofNorm + rounding * (terms + Math.abs(dual))
  return {
    rows,
    rowsInDouble: rows,
    rowsSampled: 0,
    bound: 'worst-case',
    violationError: 2 * largest,
    primalError,
    dualError,
    gapError: primalError + dualError,
  }
}

function measurePoint(problem: LinearProblem, alpha: Float64Array): Measures {
  const weights = linearWeights(problem, alpha)
  let norm = 0
  for (const weight of weights) norm += weight * weight
  return problem.task === 'crammer-singer'
    ? measureClasses(problem, alpha, weights, norm)
    : measureTube(problem, alpha, weights, norm)
}

function measureClasses(
  problem: CrammerSingerProblem,
  alpha: Float64Array,
  weights: Float64Array,
  norm: number,
): Measures {
  const { samples, C, y, classes, constant } = problem
  const length = samples.cols + 1
  let losses = 0
  let linear = 0
  let maxViolation = 0
  let supportVectors = 0
  let boundedSupportVectors = 0
  for (let i = 0; i < samples.rows; i++) {
    const own = y[i]
    let ownValue = 0
    let highest = Number.NEGATIVE_INFINITY
    let lowest = Number.POSITIVE_INFINITY
    for (let m = 0; m < classes; m++) {
      const w = weights.subarray(m * length, (m + 1) * length)
      const value = rowDot(samples, i, w) + constant * w[samples.cols]
      const gradient = m === own ? value : value + 1
      if (m === own) ownValue = value
      highest = Math.max(highest, gradient)
      if (alpha[i * classes + m] < (m === own ? C[i] : 0)) lowest = Math.min(lowest, gradient)
    }
    const multiplier = alpha[i * classes + own]
    losses += C[i] * (highest - ownValue)
    linear += multiplier
    if (C[i] > 0) maxViolation = Math.max(maxViolation, highest - lowest)
    if (multiplier > 0) supportVectors++
    if (multiplier > 0 && multiplier >= C[i]) boundedSupportVectors++
  }
  const primal = 0.5 * norm + losses
  const dual = 0.5 * norm - linear
  return { primal, dual, gap: primal + dual, maxViolation, supportVectors, boundedSupportVectors }
}

function measureTube(problem: LinearSvrProblem, beta: Float64Array, w: Float64Array, norm: number): Measures {
  const { samples, C, z, epsilon, loss, constant } = problem
  const upper = tubeBounds(problem)
  const extra = tubeShift(problem)
  let losses = 0
  let dual = 0.5 * norm
  let maxViolation = 0
  let supportVectors = 0
  let boundedSupportVectors = 0
  for (let i = 0; i < samples.rows; i++) {
    const error = rowDot(samples, i, w) + constant * w[samples.cols] - z[i]
    const outside = Math.max(0, Math.abs(error) - epsilon)
    const own = beta[i]
    losses += C[i] * (loss === 'epsilon-insensitive' ? outside : outside * outside)
    dual += 0.5 * extra[i] * own * own - z[i] * own + epsilon * Math.abs(own)
    if (own !== 0) supportVectors++
    if (own !== 0 && Math.abs(own) >= upper[i]) boundedSupportVectors++
    const gradient = error + extra[i] * own
    // The slopes of the dual for a rise and for a fall of β_i: |β| bends at 0.
    const rise = gradient + (own >= 0 ? epsilon : -epsilon)
    const fall = gradient + (own > 0 ? epsilon : -epsilon)
    if (own < upper[i]) maxViolation = Math.max(maxViolation, -rise)
    if (own > -upper[i]) maxViolation = Math.max(maxViolation, fall)
  }
  const primal = 0.5 * norm + losses
  return { primal, dual, gap: primal + dual, maxViolation, supportVectors, boundedSupportVectors }
}
