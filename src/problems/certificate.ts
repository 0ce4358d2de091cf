/**
 * How good a solution is, computed afresh in f64 from the samples and nothing a solver kept: primal and dual value,
 * their gap, and the largest violation of the optimality (KKT) conditions. Notation: ./problem.ts.
 */
import { isMatrix } from '../data/matrix.ts'
import { matrixTimes, weightedRowSum } from '../data/products.ts'
import { withKernelSums } from '../kernels/kernel-sums.ts'
import { diagonalShift, type SvmProblem, upperBounds } from './problem.ts'

/** A point that a solver reached. */
export interface Solution {
  /**
   * Dual variables, feasible: within their bounds, and balanced when the bias is free. α >= 0 for classifiers and one
   * class; the signed α − α* for regression (ν-SVR: all α, then all −α*).
   */
  readonly alpha: Float64Array
  readonly bias: number
  /**
   * The model's expansion f(x) = Σ beta_i k(x_i, x) + bias, for solvers whose model is not beta_i = y_i alpha_i
   * (stochastic primal steps); `alpha` is then only the dual point that bounds it.
   */
  readonly beta?: Float64Array
  /** What a ν problem chose: the margin ρ of classification, the half-width ε of the tube of regression. */
  readonly width?: number
}

/** The numbers of a certificate that depend on the solution alone. */
export interface Measures {
  /** Primal value of the model: an upper bound of the optimum. */
  readonly primal: number
  /** The dual as it is minimised (LIBSVM's `obj`): −dual is a lower bound of the optimum. */
  readonly dual: number
  /** primal + dual: never negative but for rounding; 0 only at the optimum. */
  readonly gap: number
  /**
   * Largest violation of the optimality conditions by alpha: m(α) − M(α) of LIBSVM when the bias is free (the larger one
   * of its two in ν problems), the largest projected gradient otherwise.
   */
  readonly maxViolation: number
  readonly supportVectors: number
  /** Support vectors at their upper bound. */
  readonly boundedSupportVectors: number
}

/** Why a solver stopped. Only `converged` means that the violation asked for was reached. */
export type StopReason =
  | 'converged'
  /** The method's own rule ended it, or no step changes anything any more, before the tolerance was reached. */
  | 'stalled'
  /** Hard margin, but the classes cannot be separated: the dual grows without end. */
  | 'unbounded'
  | 'iteration-limit'
  | 'time-limit'
  | 'aborted'

/** What every model carries: how good it is and how it came about. */
export interface Certificate extends Measures {
  readonly stopReason: StopReason
  readonly iterations: number
  /** Seconds spent solving, tracing excluded. */
  readonly seconds: number
  readonly solver: string
  /** The tolerance asked for: `converged` means maxViolation <= tol (gap <= tol · primal for primal solvers). */
  readonly tol: number
  /**
   * Precision of the kernel rows the solver worked with, where it has a choice. With f32 rows the violation was still
   * checked in f64; primal and dual value are exact for small problems and good to about 1e-6 of their size for large.
   */
  readonly precision?: 'f32' | 'f64'
  /** What a ν problem chose: the margin ρ of classification, the half-width ε of the tube of regression. */
  readonly width?: number
}

/** y_i α_i: the coefficients of the kernel expansion. */
export function signedAlpha(problem: SvmProblem, alpha: Float64Array): Float64Array {
  return alpha.map((a, i) => a * problem.y[i])
}

/**
 * Σ_j coefficients_j k(x_j, x_i) for every i, without any bias: through w when the kernel is linear, on the engine where
 * that pays (f64 there too: the same to rounding, on any number of threads to the bit), else in plain code.
 */
export function expansionValues(
  problem: Pick<SvmProblem, 'samples' | 'kernel'>,
  coefficients: Float64Array,
  threads = 1,
): Float64Array {
  const { samples, kernel } = problem
  if (kernel.spec.kind === 'linear' && isMatrix(samples)) {
    return matrixTimes(samples, weightedRowSum(samples, coefficients))
  }
  const input = { kernel, samples, coefficients, queries: samples, threads }
  const found = withKernelSums(input, (sums, queries) => sums.of(queries, 'f64'))
  return found?.errors.every(Number.isFinite) ? found.values : plainExpansionValues(problem, coefficients)
}

/** The same by definition: one kernel row for each non-zero coefficient. */
export function plainExpansionValues(
  { samples, kernel }: Pick<SvmProblem, 'samples' | 'kernel'>,
  coefficients: Float64Array,
): Float64Array {
  const count = coefficients.length
  const values = new Float64Array(count)
  const row = new Float64Array(count)
  const evaluator = kernel.between(samples, samples)
  for (let j = 0; j < count; j++) {
    const c = coefficients[j]
    if (c === 0) continue
    evaluator.row(j, row)
    for (let i = 0; i < count; i++) values[i] += c * row[i]
  }
  return values
}

/**
 * Measures a solution of a two-class problem. `dualValues` may be given when Σ_j y_j α_j k(x_j, x_i) has just been computed afresh in f64,
 * to save computing it twice; `threads` is how many may be used for it, 1 unless given.
 */
export function measureSvc(
  problem: SvmProblem,
  solution: Solution,
  dualValues?: Float64Array,
  threads = 1,
): Measures {
  const { alpha, beta, bias } = solution
  const coefficients = signedAlpha(problem, alpha)
  const values = dualValues ?? expansionValues(problem, coefficients, threads)
  const modelValues = beta ? expansionValues(problem, beta, threads) : values
  const modelNorm = squaredNorm(problem, beta ?? coefficients, modelValues, bias)
  const primal = primalValue(problem, modelNorm, modelValues, bias)
  const dual = dualValue(problem, alpha, coefficients, values)
  const upper = upperBounds(problem)
  let supportVectors = 0
  let boundedSupportVectors = 0
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] > 0) {
      supportVectors++
      if (alpha[i] >= upper[i]) boundedSupportVectors++
    }
  }
  const maxViolation = largestViolation(problem, alpha, coefficients, values, upper)
  return { primal, dual, gap: primal + dual, maxViolation, supportVectors, boundedSupportVectors }
}

/** ‖w̃‖² of the model, the bias included where it is regularised. */
function squaredNorm(
  problem: SvmProblem,
  coefficients: Float64Array,
  values: Float64Array,
  bias: number,
): number {
  let sum = 0
  for (let i = 0; i < coefficients.length; i++) sum += coefficients[i] * values[i]
  return problem.bias === 'regularised' ? sum + (bias / problem.interceptScaling) ** 2 : sum
}

/**
 * ½‖w‖² + Σ C_i loss_i. With a hard margin the model is first scaled until every sample that must not be violated
 * has margin 1: the result is the value of a feasible point, and infinite when there is none along that line.
 */
function primalValue(problem: SvmProblem, norm: number, values: Float64Array, bias: number): number {
  const { y, C, loss } = problem
  let scale = 1
  for (let i = 0; i < y.length; i++) {
    if (C[i] !== Number.POSITIVE_INFINITY) continue
    const margin = y[i] * (values[i] + bias)
    if (margin <= 0) return Number.POSITIVE_INFINITY
    scale = Math.max(scale, 1 / margin)
  }
  let total = 0.5 * norm * scale * scale
  for (let i = 0; i < y.length; i++) {
    if (C[i] === Number.POSITIVE_INFINITY) continue
    const slack = 1 - scale * y[i] * (values[i] + bias)
    if (slack > 0) total += C[i] * (loss === 'hinge' ? slack : slack * slack)
  }
  return total
}

function dualValue(
  problem: SvmProblem,
  alpha: Float64Array,
  coefficients: Float64Array,
  values: Float64Array,
): number {
  const extra = diagonalShift(problem)
  let quadratic = 0
  let linear = 0
  let balance = 0
  for (let i = 0; i < alpha.length; i++) {
    quadratic += coefficients[i] * values[i] + extra[i] * alpha[i] * alpha[i]
    linear += alpha[i]
    balance += coefficients[i]
  }
  if (problem.bias === 'regularised') quadratic += (problem.interceptScaling * balance) ** 2
  return 0.5 * quadratic - linear
}

function largestViolation(
  problem: SvmProblem,
  alpha: Float64Array,
  coefficients: Float64Array,
  values: Float64Array,
  upper: Float64Array,
): number {
  const { y, bias, interceptScaling } = problem
  const extra = diagonalShift(problem)
  let offset = 0
  if (bias === 'regularised') {
    for (const c of coefficients) offset += c
    offset *= interceptScaling ** 2
  }
  let up = Number.NEGATIVE_INFINITY
  let low = Number.POSITIVE_INFINITY
  let projected = 0
  for (let i = 0; i < alpha.length; i++) {
    const gradient = y[i] * (values[i] + offset) - 1 + extra[i] * alpha[i]
    const canRise = alpha[i] < upper[i]
    const canFall = alpha[i] > 0
    if (canRise) projected = Math.max(projected, -gradient)
    if (canFall) projected = Math.max(projected, gradient)
    const v = -y[i] * gradient
    if (y[i] > 0 ? canRise : canFall) up = Math.max(up, v)
    if (y[i] > 0 ? canFall : canRise) low = Math.min(low, v)
  }
  if (bias !== 'free') return projected
  return Math.max(0, up - low)
}
