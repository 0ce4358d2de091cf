/**
 * What is said of a solution, and on what evidence. Everything here is computed by this folder from the problem and the point
 * that a solver has reached, never from what a solver has kept. Notation: ../problems/problem.ts.
 */

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
