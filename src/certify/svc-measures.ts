/**
 * How good a solution of a two-class problem is whose rows are all known in f64: primal and dual value, their gap, and the
 * largest violation, for every loss and form of the bias. Large problems with the hinge loss and a free bias go another way,
 * ./dual-measures.ts.
 */
import { expansionCoefficients } from '../problems/kernel-problem.ts'
import { diagonalShift, type SvmProblem, upperBounds } from '../problems/problem.ts'
import type { Solution } from './certificate.ts'
import type { Bounded, KnownRows } from './dual-measures.ts'

/** What the few operations that make a gradient round of its parts, and what the difference of two rounds. */
const ROUNDING = 2 ** -50

/**
 * Measures a solution: `rows` are those of the dual point, `modelRows` those of the model. Error bars are worst cases: what errors
 * of rows do to values that fall where rows rise is known from both ends.
 */
export function measureKnown(
  problem: SvmProblem,
  { alpha, beta, bias }: Solution,
  rows: KnownRows,
  modelRows: KnownRows,
): Readonly<Record<'violation' | 'gap' | 'dual' | 'primal', Bounded>> {
  const { y } = problem
  const rounding = 2 ** -52 * (y.length + 4)
  const coefficients = expansionCoefficients(problem, alpha)
  const modelCoefficients = beta ?? coefficients
  const norm = squaredNorm(problem, modelCoefficients, modelRows.values, bias)
  const normError = weightedErrors(modelCoefficients, modelRows)
  const primalAt = (values: Float64Array, square: number) => primalValue(problem, square, values, bias)
  const primal = primalAt(modelRows.values, norm)
  const margins = (sign: number) =>
    modelRows.values.map((value, i) => value + sign * y[i] * modelRows.errors[i])
  const most = primalAt(margins(-1), norm + normError)
  const least = primalAt(margins(1), norm - normError)
  const dual = dualValue(problem, alpha, coefficients, rows.values)
  const dualSize = alpha.reduce((sum, a) => sum + Math.abs(a), Math.abs(dual))
  const dualError = 0.5 * weightedErrors(coefficients, rows) + rounding * dualSize
  const primalError = Math.max(most - primal, primal - least) + rounding * Math.abs(primal)
  return {
    violation: largestViolation(problem, alpha, coefficients, rows, upperBounds(problem)),
    gap: { value: primal + dual, error: primalError + dualError },
    dual: { value: dual, error: dualError },
    primal: { value: primal, error: primalError },
  }
}

/** The most that Σ c_i g_i may be off. */
function weightedErrors(coefficients: Float64Array, { values, errors }: KnownRows): number {
  let sum = 0
  for (let i = 0; i < coefficients.length; i++) {
    sum += Math.abs(coefficients[i]) * (errors[i] + 2 ** -52 * coefficients.length * Math.abs(values[i]))
  }
  return sum
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
  { values, errors }: KnownRows,
  upper: Float64Array,
): Bounded {
  const { y, bias, interceptScaling } = problem
  const extra = diagonalShift(problem)
  let offset = 0
  let offsetError = 0
  if (bias === 'regularised') {
    for (const c of coefficients) {
      offset += c
      offsetError += Math.abs(c)
    }
    offset *= interceptScaling ** 2
    offsetError *= 2 ** -52 * (coefficients.length + 2) * interceptScaling ** 2
  }
  let up = Number.NEGATIVE_INFINITY
  let low = Number.POSITIVE_INFINITY
  let projected = 0
  /** The most that a gradient may be off. */
  let error = 0
  for (let i = 0; i < alpha.length; i++) {
    const size = Math.abs(values[i]) + Math.abs(offset) + 1 + extra[i] * alpha[i]
    error = Math.max(error, errors[i] + offsetError + ROUNDING * size)
    const gradient = y[i] * (values[i] + offset) - 1 + extra[i] * alpha[i]
    const canRise = alpha[i] < upper[i]
    const canFall = alpha[i] > 0
    if (canRise) projected = Math.max(projected, -gradient)
    if (canFall) projected = Math.max(projected, gradient)
    const v = -y[i] * gradient
    if (y[i] > 0 ? canRise : canFall) up = Math.max(up, v)
    if (y[i] > 0 ? canFall : canRise) low = Math.min(low, v)
  }
  if (bias !== 'free') return { value: projected, error }
  return { value: Math.max(0, up - low), error: 2 * error }
}
