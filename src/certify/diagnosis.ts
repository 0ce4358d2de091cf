/**
 * Where each training sample stands: its margins, its slack, and which case of the optimality conditions it is in
 * (seed 001, sections 1 and 3.4.1). With f(x) = ⟨w, φ(x)⟩ + b the functional margin is y_i f(x_i), the geometric margin is
 * the signed distance y_i f(x_i) / ‖w‖ to the hyperplane in feature space, and the slack is ξ_i = max(0, 1 − y_i f(x_i)).
 *
 *   α_i = 0          ξ_i = 0: not a support vector, outside the margin or just on it
 *   0 < α_i < C_i    ξ_i = 0: a support vector on the margin (squared hinge: ξ_i = α_i / 2C_i)
 *   α_i = C_i        ξ_i >= 0: on the margin (0), inside it but right (up to 1), or misclassified (beyond 1)
 */

import { checkNumber } from '../base/check.ts'
import { expansionCoefficients } from '../problems/kernel-problem.ts'
import { diagonalShift, type SvmProblem, upperBounds } from '../problems/problem.ts'
import type { Solution } from './certificate.ts'
import { expansionValues } from './expansion-values.ts'

/** Where a sample lies: beyond the margin, on it, between it and the hyperplane, or on the wrong side. */
export type SamplePosition = 'outside' | 'on-margin' | 'inside' | 'misclassified'

/** What the dual variable of a sample is: 0, strictly between its bounds, or at its upper bound. */
export type MultiplierCase = 'zero' | 'free' | 'bound'

/** A model as seen by its training samples. The arrays have one entry per sample. */
export interface Diagnosis {
  /** y_i f(x_i) */
  readonly functionalMargins: Float64Array
  /** y_i f(x_i) / ‖w‖; NaN when w is 0. */
  readonly geometricMargins: Float64Array
  /** max(0, 1 − y_i f(x_i)) */
  readonly slacks: Float64Array
  readonly positions: readonly SamplePosition[]
  readonly multipliers: readonly MultiplierCase[]
  /** By how much the optimality condition of each sample fails, for the dual point and the bias. */
  readonly violations: Float64Array
  /** ‖w‖ in feature space, without the bias. */
  readonly norm: number
  /** 2 / ‖w‖: the distance between the two margin hyperplanes. */
  readonly marginWidth: number
  /** The smallest functional and geometric margin of any sample. */
  readonly smallestFunctionalMargin: number
  readonly smallestGeometricMargin: number
  /** Every sample is on its own side of the hyperplane. */
  readonly separates: boolean
  /** Every sample is outside the margin or on it: the model is feasible for the hard-margin problem. */
  readonly hardMargin: boolean
  readonly positionCounts: Readonly<Record<SamplePosition, number>>
  readonly multiplierCounts: Readonly<Record<MultiplierCase, number>>
}

/** Options of {@link diagnose}. */
export interface DiagnosisOptions {
  /** |y_i f(x_i) − 1| up to this counts as on the margin: the tolerance of the solver. Default 1e-3. */
  readonly tol?: number
}

/**
 * Reports for each training sample its margins, its slack ξ_i = max(0, 1 − y_i f(x_i)), and which case of the optimality
 * conditions it is in.
 *
 * @example
 * const y = train.labels as Float64Array
 * const problem = makeProblem({ samples: train.samples, kernel: linear(), y, C: 1 })
 * const { marginWidth, multiplierCounts } = diagnose(problem, solveSync(problem, smo))
 */
export function diagnose(problem: SvmProblem, solution: Solution, options: DiagnosisOptions = {}): Diagnosis {
  const tol = checkNumber('diagnose', 'tol', options.tol ?? 1e-3, { min: 0, below: 1 })
  const { y } = problem
  const { alpha, beta, bias } = solution
  const signed = expansionCoefficients(problem, alpha)
  const dualValues = expansionValues(problem, signed)
  const values = beta ? expansionValues(problem, beta) : dualValues
  const norm = expansionNorm(beta ?? signed, values)
  const functionalMargins = values.map((value, i) => y[i] * (value + bias))
  const geometricMargins = functionalMargins.map((margin) => (norm > 0 ? margin / norm : Number.NaN))
  const upper = upperBounds(problem)
  const positions = Array.from(functionalMargins, (margin) => positionOf(margin, tol))
  const multipliers = Array.from(alpha, (a, i) => multiplierCase(a, upper[i]))
  const smallest = functionalMargins.reduce((a, b) => Math.min(a, b))
  return {
    functionalMargins,
    geometricMargins,
    slacks: functionalMargins.map((margin) => Math.max(0, 1 - margin)),
    positions,
    multipliers,
    violations: sampleViolations(problem, alpha, dualValues, dualBias(problem, signed, bias)),
    norm,
    marginWidth: 2 / norm,
    smallestFunctionalMargin: smallest,
    smallestGeometricMargin: norm > 0 ? smallest / norm : Number.NaN,
    separates: smallest > 0,
    hardMargin: smallest >= 1 - tol,
    positionCounts: countOf(['outside', 'on-margin', 'inside', 'misclassified'], positions),
    multiplierCounts: countOf(['zero', 'free', 'bound'], multipliers),
  }
}

/** ‖w‖ from ‖w‖² = Σ c_i f(x_i); 0 where a kernel that is not positive semi-definite makes that negative. */
function expansionNorm(coefficients: Float64Array, values: Float64Array): number {
  let square = 0
  for (let i = 0; i < values.length; i++) square += coefficients[i] * values[i]
  return Math.sqrt(Math.max(0, square))
}

/** A slack of exactly 1 is on the hyperplane, which seed 001 counts as inside. */
function positionOf(margin: number, tol: number): SamplePosition {
  if (margin > 1 + tol) return 'outside'
  if (margin >= 1 - tol) return 'on-margin'
  return margin >= 0 ? 'inside' : 'misclassified'
}

function multiplierCase(alpha: number, upper: number): MultiplierCase {
  if (alpha <= 0) return 'zero'
  return alpha < upper ? 'free' : 'bound'
}

/** The bias that belongs to α: where it is regularised α determines it, and the model's may be another. */
function dualBias(problem: SvmProblem, signed: Float64Array, bias: number): number {
  if (problem.bias !== 'regularised') return bias
  return problem.interceptScaling ** 2 * signed.reduce((a, b) => a + b, 0)
}

/** By how much y_i f(x_i) − 1 + D_ii α_i fails to be >= 0 where α_i may rise and <= 0 where it may fall. */
function sampleViolations(
  problem: SvmProblem,
  alpha: Float64Array,
  values: Float64Array,
  bias: number,
): Float64Array {
  const { y } = problem
  const upper = upperBounds(problem)
  const extra = diagonalShift(problem)
  return alpha.map((a, i) => {
    const gradient = y[i] * (values[i] + bias) - 1 + extra[i] * a
    return Math.max(0, a < upper[i] ? -gradient : 0, a > 0 ? gradient : 0)
  })
}

function countOf<T extends string>(kinds: readonly T[], entries: readonly T[]): Record<T, number> {
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<T, number>
  for (const entry of entries) counts[entry]++
  return counts
}
