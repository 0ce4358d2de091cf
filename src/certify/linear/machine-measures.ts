/**
 * How good a model and a dual point of a linear machine of one function are, computed afresh from the samples. Notation:
 * ../../problems/linear-problem.ts and ../../problems/linear-loss.ts.
 *
 * Values. The primal value is that of the model (w, b), the dual value that of β. With the norm ‖w‖₁ the constraint ‖v‖∞ <= 1
 * is met by taking the largest multiple t β, t <= 1, that keeps it: every loss has L_i*(t β_i) finite.
 *
 * Violation. How far f(x_i) is from where β_i is best for the loss (the projected gradient of the dual where w = v); with the
 * norm ‖w‖₁ also how far v_j is from sign w_j, or outside [−1, 1] where w_j = 0.
 *
 * Error bars, u = 2^−53. f_i is a sum of m products, off by F_i = (m + 2) u Σ_j |w_j x_ij|, so L_i by F_i times the steepest slope
 * within F_i. Where that is too much of the primal value, as with tiny losses and a large C, f_i is summed with the errors of products
 * and additions carried along, and F_i = u |f_i| + (2 (m + 2) u)² Σ_j |w_j x_ij|. v_j is summed with the rounding errors of its additions carried along, so only those of its products count:
 * ‖v‖ is off by V = 2u Σ_i |β_i| ‖x̃_i‖, and ½‖v‖² by V ‖v‖ + ½V². All other sums are of n terms of known size. Where a free bias
 * leaves Σ β_i off e by δ, the dual bounds the optimum only up to |δ b|, which counts as an error, too.
 */
import { allocate } from '../../base/allocate.ts'
import { type Matrix, rowStart } from '../../data/matrix/matrix.ts'
import { conjugateSum, type LossTerms, lossSum, lossViolation } from '../../problems/linear-loss.ts'
import { type LinearMachineProblem, termsOf } from '../../problems/linear-problem.ts'
import { productError } from '../../problems/product-error.ts'
import type { Evidence, Measures } from '../certificate.ts'
import { ExactSum } from '../exact-sum.ts'
import {
  type Combination,
  type MachineSums,
  type RowSums,
  type RowsOnEngine,
  SumsOnEngine,
  type ValuesWithErrors,
} from './sums-on-engine.ts'

const UNIT = 2 ** -53
/** The part of the primal value that errors of losses may be: a hundredth of the gap that is asked for by default. */
export const SMALL_PART = 1e-8

/**
 * What powers and logarithms of a logistic loss, or of its conjugate, may be off, in units of u: two each for the engine's, less for those of
 * JavaScript.
 */
const LOGARITHM_ULPS = 16

/**
 * See the header of the file. Without `weights` the model is that of β: w = v, b = s Σ s β_i (norm 2, no free bias). The samples may be on an
 * engine already: the same sums are computed there, with its own powers and logarithms.
 */
export function measureMachine(
  problem: LinearMachineProblem,
  beta: Float64Array,
  weights?: Float64Array,
  place?: RowsOnEngine,
): Measures & { readonly evidence: Evidence } {
  // Sums over other samples would prove nothing.
  if (place?.origin !== problem.samples) return measure(problem, plainSums(problem, beta), weights)
  const sums = new SumsOnEngine(place, problem, beta)
  try {
    return measure(problem, sums, weights)
  } finally {
    sums.release()
  }
}

function plainSums(problem: LinearMachineProblem, beta: Float64Array): MachineSums {
  const { samples, constant } = problem
  const terms = termsOf(problem)
  return {
    terms,
    combination: () => combination(samples, beta, constant),
    valuesWithErrors: (model) => valuesWithErrors(samples, model),
    sumsOverRows: (values, part) =>
      sumsOverRows(terms, values, part === 1 ? beta : beta.map((own) => part * own)),
  }
}

function measure(
  problem: LinearMachineProblem,
  over: MachineSums,
  weights: Float64Array | undefined,
): Measures & { readonly evidence: Evidence } {
  const { samples, norm, constant, bias, balance } = problem
  const { rows, cols } = samples
  const { terms } = over
  const { v, total, size } = over.combination()
  const model = weights ?? dualModel(v, constant * constant * total)
  const values = over.valuesWithErrors(model)
  const regulariser = norm === 2 ? halfSquares(model, cols, constant) : absoluteSum(model, cols, constant)
  const shift = balance * model[cols]
  let sums = over.sumsOverRows(values, 1)
  if (sums.lossError > SMALL_PART * Math.abs(regulariser + shift + sums.losses)) {
    sumExactly(samples, model, terms, values)
    sums = over.sumsOverRows(values, 1)
  }
  const { losses, lossError, linearSize, largestError, supportVectors, boundedSupportVectors } = sums
  const primal = regulariser + shift + losses
  const carried = constant * total
  let { linear, maxViolation } = sums
  let norms = 0
  let normError = 0
  if (norm === 2) {
    norms = 0.5 * carried * carried
    for (let j = 0; j < cols; j++) norms += 0.5 * v[j] * v[j]
    const off = 2 * UNIT * size
    normError = off * Math.sqrt(2 * norms) + 0.5 * off * off
  } else {
    let largest = Math.abs(carried)
    for (let j = 0; j < cols; j++) largest = Math.max(largest, Math.abs(v[j]))
    // A little less than the largest multiple, so that rounding of v leaves it feasible.
    const t = Math.min(1, (1 - 4 * UNIT * cols) / (largest + 2 * UNIT * size))
    if (t < 1) linear = over.sumsOverRows(values, t).linear
    maxViolation = Math.max(maxViolation, signViolation(v, carried, model, constant))
  }
  const dual = norms + linear
  const imbalance = bias === 'free' ? Math.abs(total - balance) * (1 + Math.abs(model[cols])) : 0
  const rounding = UNIT * (rows + cols + (terms.isLogistic ? LOGARITHM_ULPS : 0) + 4)
  const primalError = lossError + rounding * (losses + Math.abs(regulariser) + Math.abs(shift))
  const dualError = normError + imbalance + rounding * (norms + linearSize + Math.abs(linear))
  const gap = primal + dual
  return {
    primal,
    dual,
    gap,
    maxViolation,
    supportVectors,
    boundedSupportVectors,
    evidence: {
      rows,
      rowsInDouble: rows,
      rowsSampled: 0,
      bound: 'worst-case',
      violationError: largestError + 4 * UNIT * maxViolation,
      primalError,
      dualError,
      gapError: primalError + dualError,
    },
  }
}

function sumsOverRows(terms: LossTerms, { f, errors }: ValuesWithErrors, beta: Float64Array): RowSums {
  let maxViolation = 0
  let supportVectors = 0
  let boundedSupportVectors = 0
  let largestError = 0
  let linearSize = 0
  for (let i = 0; i < f.length; i++) {
    const own = beta[i]
    const violation = lossViolation(terms, i, f[i], own)
    if (violation > maxViolation) maxViolation = violation
    if (own !== 0) {
      supportVectors++
      if (own <= terms.lower[i] || own >= terms.upper[i]) boundedSupportVectors++
    }
    if (errors[i] > largestError) largestError = errors[i]
    linearSize += (Math.abs(terms.z[i]) + terms.epsilon) * Math.abs(own)
  }
  return {
    losses: lossSum(terms, f),
    lossError: errorOfLosses(terms, f, errors),
    linear: conjugateSum(terms, beta),
    ...{ linearSize, maxViolation, largestError, supportVectors, boundedSupportVectors },
  }
}

/** v = Σ β_i x_i with the rounding errors of additions carried along, Σ β_i, and Σ |β_i| ‖x̃_i‖. */
function combination(samples: Matrix, beta: Float64Array, constant: number): Combination {
  const { rows, cols, values } = samples
  const v = allocate(Float64Array, cols)
  const low = allocate(Float64Array, cols)
  let total = 0
  let rest = 0
  let size = 0
  for (let i = 0; i < rows; i++) {
    const own = beta[i]
    if (own === 0) continue
    const end = rowStart(samples, i + 1)
    const start = rowStart(samples, i)
    let norm = constant * constant
    for (let k = start; k < end; k++) {
      const j = samples.kind === 'dense' ? k - start : samples.indices[k]
      const value = values[k]
      const term = own * value
      const sum = v[j] + term
      // The error of the addition, exactly (Knuth's two-sum).
      const part = sum - v[j]
      low[j] += v[j] - (sum - part) + (term - part)
      v[j] = sum
      norm += value * value
    }
    const sum = total + own
    const part = sum - total
    rest += total - (sum - part) + (own - part)
    total = sum
    size += Math.abs(own) * Math.sqrt(norm)
  }
  for (let j = 0; j < cols; j++) v[j] += low[j]
  return { v, total: total + rest, size }
}

function dualModel(v: Float64Array, bias: number): Float64Array {
  const model = new Float64Array(v.length + 1)
  model.set(v)
  model[v.length] = bias
  return model
}

function valuesWithErrors(samples: Matrix, model: Float64Array): ValuesWithErrors {
  const { rows, cols, values } = samples
  const f = new Float64Array(rows)
  const errors = new Float64Array(rows)
  const bias = model[cols]
  for (let i = 0; i < rows; i++) {
    const start = rowStart(samples, i)
    const end = rowStart(samples, i + 1)
    let sum = bias
    let size = Math.abs(bias)
    for (let k = start; k < end; k++) {
      const term = values[k] * model[samples.kind === 'dense' ? k - start : samples.indices[k]]
      sum += term
      size += Math.abs(term)
    }
    f[i] = sum
    errors[i] = UNIT * (end - start + 2) * size
  }
  return { f, errors }
}

/** f(x_i) again, with all rounding errors carried along, of the samples whose errors count. Its last rounding is that of z_i − f_i, too. */
function sumExactly(
  samples: Matrix,
  model: Float64Array,
  terms: LossTerms,
  { f, errors }: ValuesWithErrors,
): void {
  const { rows, cols, values } = samples
  for (let i = 0; i < rows; i++) {
    if (steepest(terms, i, f[i], errors[i]) === 0) continue
    const start = rowStart(samples, i)
    const end = rowStart(samples, i + 1)
    const sum = new ExactSum()
    sum.add(model[cols])
    let size = Math.abs(model[cols])
    for (let k = start; k < end; k++) {
      const weight = model[samples.kind === 'dense' ? k - start : samples.indices[k]]
      const term = values[k] * weight
      sum.add(term)
      sum.add(productError(values[k], weight, term))
      size += Math.abs(term)
    }
    // Numbers that are too large for their halves keep what they have.
    if (!Number.isFinite(sum.value)) continue
    f[i] = sum.value
    const outside = Math.abs(terms.z[i] - f[i])
    errors[i] = UNIT * (Math.abs(f[i]) + outside) + (2 * UNIT * (end - start + 2)) ** 2 * size
  }
}

/** Σ of what each loss may be off. */
function errorOfLosses(terms: LossTerms, f: Float64Array, errors: Float64Array): number {
  let sum = 0
  for (let i = 0; i < f.length; i++) sum += errors[i] * steepest(terms, i, f[i], errors[i])
  return sum
}

/** The steepest slope of a loss within `error` of f. */
function steepest(
  { isLogistic, epsilon, z, lower, upper, shift }: LossTerms,
  i: number,
  f: number,
  error: number,
): number {
  if (isLogistic) return Math.max(upper[i], -lower[i])
  const slope = (outside: number, bound: number) =>
    outside > 0 ? (shift[i] > 0 ? Math.min(bound, outside / shift[i]) : bound) : 0
  return Math.max(slope(z[i] - f + error - epsilon, upper[i]), slope(f - z[i] + error - epsilon, -lower[i]))
}

function halfSquares(model: Float64Array, cols: number, constant: number): number {
  let sum = constant > 0 ? (model[cols] / constant) ** 2 : 0
  for (let j = 0; j < cols; j++) sum += model[j] * model[j]
  return 0.5 * sum
}

function absoluteSum(model: Float64Array, cols: number, constant: number): number {
  let sum = constant > 0 ? Math.abs(model[cols]) / constant : 0
  for (let j = 0; j < cols; j++) sum += Math.abs(model[j])
  return sum
}

function signViolation(v: Float64Array, carried: number, model: Float64Array, constant: number): number {
  const { length } = v
  let largest = 0
  for (let j = 0; j < length; j++) largest = Math.max(largest, signGap(model[j], v[j]))
  return constant > 0 ? Math.max(largest, signGap(model[length], carried)) : largest
}

function signGap(weight: number, slope: number): number {
  return weight === 0 ? Math.max(0, Math.abs(slope) - 1) : Math.abs(slope - Math.sign(weight))
}
