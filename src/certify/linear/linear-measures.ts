/**
 * How good a point of a {@link LinearProblem} is, computed afresh from the samples: Crammer and Singer's machine here, those of
 * one function in ./machine-measures.ts. Notation: ../problems/linear-problem.ts.
 */
import type { Pieces } from '../../base/pieces.ts'
import { rowDot, squaredNorms } from '../../data/matrix/products.ts'
import {
  type CrammerSingerProblem,
  type LinearProblem,
  linearWeights,
} from '../../problems/linear-problem.ts'
import type { Evidence, Measures, Solution } from '../certificate.ts'
import { measureMachine } from './machine-measures.ts'

/** Examines points of one problem, as `Certifier` does those of kernel problems; all in f64. */
export class LinearCertifier {
  private readonly problem: LinearProblem

  constructor(problem: LinearProblem) {
    this.problem = problem
  }

  *examine(solution: Solution): Pieces<Measures & { readonly evidence: Evidence }> {
    const measured = measureLinear(this.problem, solution)
    yield
    return measured
  }
}

/** Primal value, dual value, gap and largest violation, and how far they may be off. */
export function measureLinear(
  problem: LinearProblem,
  { alpha, beta, weights }: Pick<Solution, 'alpha' | 'beta' | 'weights'>,
): Measures & { readonly evidence: Evidence } {
  if (problem.task === 'linear') return measureMachine(problem, alpha, weights)
  const point = measurePoint(problem, alpha)
  const primal = beta ? measurePoint(problem, beta).primal : point.primal
  const measures = { ...point, primal, gap: primal + point.dual }
  return { ...measures, evidence: classesEvidence(problem, alpha, beta, measures) }
}

/**
 * How far these measures may be off. Everything is f64: w is a sum of n terms per feature, off by ρ S at most, with ρ =
 * 2^−53 (n + m + 4) and S = Σ|α_j| ‖x_j‖; a value ⟨w, x_i⟩ is a sum of m, off by B_i = 2 ρ ‖x_i‖ S. With ‖w‖ <= √(2 primal),
 * ½‖w‖² is off by ρ S √(2 primal); losses by 2 Σ C_i B_i.
 */
function classesEvidence(
  problem: CrammerSingerProblem,
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
  let largest = 0
  let losses = 0
  let terms = 0
  for (let i = 0; i < rows; i++) {
    const error = 2 * rounding * lengths[i] * size
    largest = Math.max(largest, error)
    losses += 2 * C[i] * error
    terms += Math.abs(alpha[i * perSample + problem.y[i]])
  }
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

function measurePoint(problem: CrammerSingerProblem, alpha: Float64Array): Measures {
  const weights = linearWeights(problem, alpha)
  let norm = 0
  for (const weight of weights) norm += weight * weight
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
