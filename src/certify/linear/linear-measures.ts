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
import { productError } from '../../problems/product-error.ts'
import type { Evidence, Measures, Solution } from '../certificate.ts'
import { ExactSum } from '../exact-sum.ts'
import { measureMachine, SMALL_PART } from './machine-measures.ts'
import type { RowsOnEngine } from './sums-on-engine.ts'

/** u */
const UNIT = 2 ** -53

type Examination = Measures & { readonly evidence: Evidence }

/** Examines points of one problem, as `Certifier` does those of kernel problems; all in f64. */
export class LinearCertifier {
  private readonly problem: LinearProblem
  /** The last point that was examined on an engine, and what was found. */
  private last:
    | { readonly alpha: Float64Array; readonly weights: Float64Array; readonly known: Examination }
    | undefined

  constructor(problem: LinearProblem) {
    this.problem = problem
  }

  /** Examines a point. The samples may be on an engine already; what is found there is kept for as long as the point is the same. */
  *examine(solution: Solution, place?: RowsOnEngine): Pieces<Examination> {
    const { alpha, weights } = solution
    if (this.last && weights && isSame(alpha, this.last.alpha) && isSame(weights, this.last.weights)) {
      return this.last.known
    }
    const known = measureLinear(this.problem, solution, place)
    if (place && weights) this.last = { alpha: alpha.slice(), weights: weights.slice(), known }
    yield
    return known
  }
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return a.length === b.length
}

/** Primal value, dual value, gap and largest violation, and how far they may be off. `place` has the samples of machines of one function. */
export function measureLinear(
  problem: LinearProblem,
  { alpha, beta, weights }: Pick<Solution, 'alpha' | 'beta' | 'weights'>,
  place?: RowsOnEngine,
): Examination {
  if (problem.task === 'linear') return measureMachine(problem, alpha, weights, place)
  const { rows, cols } = problem.samples
  const lengths = squaredNorms(problem.samples).map((norm) => Math.sqrt(norm + problem.constant ** 2))
  const point = measurePoint(problem, lengths, alpha)
  const model = weights ? measureModel(problem, lengths, weights, alpha) : undefined
  const { primal, primalError } = model ?? (beta ? measurePoint(problem, lengths, beta) : point)
  const { dual, maxViolation, supportVectors, boundedSupportVectors } = point
  const { moved, pulled } = imbalance(problem, lengths, alpha)
  const shift = point.off + pulled
  const sums = UNIT * (rows + problem.classes * (cols + 1) + 4)
  const ofPrimal = primalError + 2 * sums * primal
  const ofDual =
    shift * (point.norm + 0.5 * shift) + moved + sums * (point.norm * point.norm + point.linearSize)
  return {
    ...{ primal, dual, gap: primal + dual, maxViolation, supportVectors, boundedSupportVectors },
    evidence: {
      rows,
      rowsInDouble: rows,
      rowsSampled: 0,
      bound: 'worst-case',
      violationError: 2 * point.valueError + 4 * UNIT * maxViolation,
      primalError: ofPrimal,
      dualError: ofDual,
      gapError: ofPrimal + ofDual,
    },
  }
}

/**
 * Where α_i does not sum to 0, or exceeds a bound, moving it by δ_i makes it a dual point: Σ e_im α_im changes by δ_i at most, and w by
 * δ_i ‖x̃_i‖. The sums of both.
 */
function imbalance(
  { samples, C, y, classes }: CrammerSingerProblem,
  lengths: Float64Array,
  alpha: Float64Array,
): { readonly moved: number; readonly pulled: number } {
  let moved = 0
  let pulled = 0
  for (let i = 0; i < samples.rows; i++) {
    let sum = 0
    let size = 0
    let excess = 0
    for (let m = 0; m < classes; m++) {
      const own = alpha[i * classes + m]
      sum += own
      size += Math.abs(own)
      excess += Math.max(0, own - (m === y[i] ? C[i] : 0))
    }
    const moves = Math.abs(sum) + 2 * excess + UNIT * classes * size
    moved += moves
    pulled += moves * lengths[i]
  }
  return { moved, pulled }
}

/** The measures of the model and dual point that α gives. */
function measurePoint(problem: CrammerSingerProblem, lengths: Float64Array, alpha: Float64Array) {
  const { samples, classes } = problem
  let size = 0
  for (let i = 0; i < samples.rows; i++) {
    for (let m = 0; m < classes; m++) size += Math.abs(alpha[i * classes + m]) * lengths[i]
  }
  const rest = (2 * UNIT * (samples.rows + 1)) ** 2 * size
  return measureWeights(problem, lengths, linearWeights(problem, alpha), rest, alpha)
}

/** The measures of the model that has these weights: of each class w, then b, which is s times the weight of the constant feature. */
function measureModel(
  problem: CrammerSingerProblem,
  lengths: Float64Array,
  model: Float64Array,
  alpha: Float64Array,
) {
  const { samples, classes, constant } = problem
  const weights = model.slice()
  for (let m = 1; m <= classes; m++) {
    const last = m * (samples.cols + 1) - 1
    weights[last] = constant > 0 ? weights[last] / constant : 0
  }
  return measureWeights(problem, lengths, weights, 0, alpha)
}

/**
 * The measures of weights, and of α beside them. By `linearWeights`, w is off by u ‖w‖ and (n u)² Σ |α_im| ‖x̃_i‖ at most, a little less
 * than `off` (`rest` is the second part). A value ⟨w_m, x_i⟩ is a sum of m products: it is off by (m + 2) u times the sum of their
 * sizes, and ‖x̃_i‖ times what w is off. Where that is too much of the primal value, values are summed with the errors of products and
 * additions carried along: they are off by u of themselves and (2 (m + 3) u)² of the sizes. A loss is off by the errors of two values at
 * most, and not at all where it is 0 for any within them.
 */
function measureWeights(
  problem: CrammerSingerProblem,
  lengths: Float64Array,
  weights: Float64Array,
  rest: number,
  alpha: Float64Array,
) {
  const plain = measureValues(problem, lengths, weights, rest, alpha, false)
  if (!(plain.primalError > SMALL_PART * plain.primal)) return plain
  const exact = measureValues(problem, lengths, weights, rest, alpha, true)
  // Numbers that are too large for their halves leave none.
  return Number.isFinite(exact.primal) ? exact : plain
}

function measureValues(
  problem: CrammerSingerProblem,
  lengths: Float64Array,
  weights: Float64Array,
  rest: number,
  alpha: Float64Array,
  isExact: boolean,
) {
  const { samples, C, y, classes, constant } = problem
  let squares = 0
  for (const weight of weights) squares += weight * weight
  const norm = Math.sqrt(squares)
  const off = 2 * UNIT * norm + rest
  const length = samples.cols + 1
  const found = {
    ...{ losses: 0, linear: 0, linearSize: 0, primalError: off * (norm + 0.5 * off), valueError: 0 },
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
    let longest = 0
    for (let m = 0; m < classes; m++) {
      const at = m * length
      const bias = constant * weights[at + samples.cols]
      let value = bias
      let size = Math.abs(value)
      const sum = isExact ? new ExactSum() : undefined
      sum?.add(bias)
      sum?.add(productError(constant, weights[at + samples.cols], bias))
      for (let k = start; k < end; k++) {
        const weight = weights[at + (samples.kind === 'dense' ? k - start : samples.indices[k])]
        const term = samples.values[k] * weight
        value += term
        size += Math.abs(term)
        sum?.add(term)
        sum?.add(productError(samples.values[k], weight, term))
      }
      if (sum) value = sum.value
      largest = Math.max(largest, size)
      longest = Math.max(longest, Math.abs(value))
      const gradient = m === own ? value : value + 1
      if (m === own) ownValue = value
      else others = Math.max(others, gradient)
      if (alpha[i * classes + m] < (m === own ? C[i] : 0)) lowest = Math.min(lowest, gradient)
    }
    const highest = Math.max(others, ownValue)
    const multiplier = alpha[i * classes + own]
    const terms = end - start + 3
    const rounding = isExact
      ? 3 * UNIT * (longest + 1) + (2 * UNIT * terms) ** 2 * largest
      : UNIT * terms * (largest + 1)
    const error = rounding + off * lengths[i]
    found.losses += C[i] * (highest - ownValue)
    found.linear += multiplier
    found.linearSize += Math.abs(multiplier)
    if (others - ownValue > -2 * error) found.primalError += 2 * C[i] * error
    if (C[i] > 0) found.maxViolation = Math.max(found.maxViolation, highest - lowest)
    if (multiplier > 0) found.supportVectors++
    if (multiplier > 0 && multiplier >= C[i]) found.boundedSupportVectors++
    found.valueError = Math.max(found.valueError, error)
  }
  const primal = 0.5 * squares + found.losses
  return { ...found, off, norm, primal, dual: 0.5 * squares - found.linear }
}
