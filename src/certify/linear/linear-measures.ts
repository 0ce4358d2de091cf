/**
 * How good a point of a {@link LinearProblem} is, computed afresh from the samples: Crammer and Singer's machine here, those of
 * one function in ./machine-measures.ts. Notation: ../problems/linear-problem.ts.
 */
import type { Pieces } from '../../base/pieces.ts'
import { rowStart } from '../../data/matrix/matrix.ts'
import { squaredNorms } from '../../data/matrix/products.ts'
import {
  type CrammerSingerProblem,
  type LinearProblem,
  linearWeights,
} from '../../problems/linear-problem.ts'
import type { Evidence, Measures, Solution } from '../certificate.ts'
import { measureMachine } from './machine-measures.ts'

/** u */
const UNIT = 2 ** -53

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
  const { rows, cols } = problem.samples
  const point = measurePoint(problem, alpha)
  const { primal, primalError, losses } = beta ? measurePoint(problem, beta) : point
  const { dual, maxViolation, supportVectors, boundedSupportVectors } = point
  const { off, moved, pulled } = dualErrors(problem, alpha)
  const length = Math.sqrt(2 * point.halfSquares)
  const shift = off + pulled
  const sums = UNIT * (rows + problem.classes * (cols + 1) + 4)
  const ofPrimal = primalError + sums * (primal + losses)
  const ofDual = shift * length + 0.5 * shift * shift + moved + sums * (point.halfSquares + point.linearSize)
  return {
    ...{ primal, dual, gap: primal + dual, maxViolation, supportVectors, boundedSupportVectors },
    evidence: {
      rows,
      rowsInDouble: rows,
      rowsSampled: 0,
      bound: 'worst-case',
      violationError: 2 * (point.valueError + off * point.longest) + 4 * UNIT * maxViolation,
      primalError: ofPrimal,
      dualError: ofDual,
      gapError: ofPrimal + ofDual,
    },
  }
}

/**
 * How far the exact dual value of α may be from the one that is measured. Sums of w carry the rounding errors of their additions along
 * (`linearWeights`), so those of products and the last rounding count: w is off by `off` = 3u √(Σ_m S_m²) with S_m = Σ_i |α_im| ‖x̃_i‖.
 * Where α_i does not sum to 0, or exceeds a bound, moving it by δ_i makes it a dual point: Σ e_im α_im changes by δ_i at most, Σ_m w_m by
 * δ_i ‖x̃_i‖; `moved` and `pulled` are their sums.
 */
function dualErrors(
  { samples, C, y, classes, constant }: CrammerSingerProblem,
  alpha: Float64Array,
): { readonly off: number; readonly moved: number; readonly pulled: number } {
  const norms = squaredNorms(samples)
  const sizes = new Float64Array(classes)
  let moved = 0
  let pulled = 0
  for (let i = 0; i < samples.rows; i++) {
    const length = Math.sqrt(norms[i] + constant * constant)
    let sum = 0
    let size = 0
    let excess = 0
    for (let m = 0; m < classes; m++) {
      const own = alpha[i * classes + m]
      sum += own
      size += Math.abs(own)
      excess += Math.max(0, own - (m === y[i] ? C[i] : 0))
      sizes[m] += Math.abs(own) * length
    }
    const moves = Math.abs(sum) + 2 * excess + UNIT * classes * size
    moved += moves
    pulled += moves * length
  }
  const size = Math.sqrt(sizes.reduce((sum, own) => sum + own * own, 0))
  return { off: 3 * UNIT * size, moved, pulled }
}

/**
 * The measures of the model and dual point that α gives. A value ⟨w_m, x_i⟩ is a sum of products of given numbers: it is off by (m + 2) u
 * times the sum of their sizes. A loss is off by the errors of two values at most, and not at all where it is 0 for any within them.
 */
function measurePoint(problem: CrammerSingerProblem, alpha: Float64Array) {
  const weights = linearWeights(problem, alpha)
  let norm = 0
  for (const weight of weights) norm += weight * weight
  const { samples, C, y, classes, constant } = problem
  const norms = squaredNorms(samples)
  const length = samples.cols + 1
  const found = {
    ...{ losses: 0, linear: 0, linearSize: 0, primalError: 0, valueError: 0, longest: 0 },
    ...{ maxViolation: 0, supportVectors: 0, boundedSupportVectors: 0 },
  }
  for (let i = 0; i < samples.rows; i++) {
    const own = y[i]
    const start = rowStart(samples, i)
    const end = rowStart(samples, i + 1)
    let ownValue = 0
    let others = Number.NEGATIVE_INFINITY
    let lowest = Number.POSITIVE_INFINITY
    let largest = 0
    for (let m = 0; m < classes; m++) {
      const at = m * length
      let value = constant * weights[at + samples.cols]
      let size = Math.abs(value)
      for (let k = start; k < end; k++) {
        const j = samples.kind === 'dense' ? k - start : samples.indices[k]
        const term = samples.values[k] * weights[at + j]
        value += term
        size += Math.abs(term)
      }
      largest = Math.max(largest, size)
      const gradient = m === own ? value : value + 1
      if (m === own) ownValue = value
      else others = Math.max(others, gradient)
      if (alpha[i * classes + m] < (m === own ? C[i] : 0)) lowest = Math.min(lowest, gradient)
    }
    const highest = Math.max(others, ownValue)
    const multiplier = alpha[i * classes + own]
    const error = UNIT * (end - start + 3) * (largest + 1)
    found.losses += C[i] * (highest - ownValue)
    found.linear += multiplier
    found.linearSize += Math.abs(multiplier)
    if (others - ownValue > -2 * error) found.primalError += 2 * C[i] * error
    if (C[i] > 0) found.maxViolation = Math.max(found.maxViolation, highest - lowest)
    if (multiplier > 0) found.supportVectors++
    if (multiplier > 0 && multiplier >= C[i]) found.boundedSupportVectors++
    found.valueError = Math.max(found.valueError, error)
    found.longest = Math.max(found.longest, Math.sqrt(norms[i] + constant * constant))
  }
  const halfSquares = 0.5 * norm
  return { ...found, halfSquares, primal: halfSquares + found.losses, dual: halfSquares - found.linear }
}
