/** How good a solution of a two-class problem is: primal and dual value, their gap, and the largest violation. */
import { diagonalShift, type SvmProblem, upperBounds } from '../problems/problem.ts'
import type { Measures, Solution } from './certificate.ts'
import { expansionValues, signedAlpha } from './expansion-values.ts'

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
export function primalValue(problem: SvmProblem, norm: number, values: Float64Array, bias: number): number {
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
