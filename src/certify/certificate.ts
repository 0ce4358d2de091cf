/**
 * What is said of a solution, and on what evidence. Everything here is computed by this folder from the problem and the point
 * that a solver has reached, never from what a solver has kept. Notation: ../problems/problem.ts.
 */

/** A point that a solver reached. */
export interface Solution {
  /**
   * Dual variables, feasible: within their bounds, and balanced when the bias is free. α >= 0 for classifiers and one
   * class; the signed α − α* for regression (ν-SVR: all α, then all −α*) and for linear machines.
   */
  readonly alpha: Float64Array
  readonly bias: number
  /**
   * The model's expansion f(x) = Σ beta_i k(x_i, x) + bias, for solvers whose model is not beta_i = y_i alpha_i
   * (stochastic primal steps); `alpha` is then only the dual point that bounds it.
   */
  readonly beta?: Float64Array | undefined
  /**
   * The model of a linear machine: w, one weight per feature, then b; those of each class, one after the other, of Crammer and
   * Singer's. Absent where it follows from `alpha`.
   */
  readonly weights?: Float64Array | undefined
  /** What a ν problem chose: the margin ρ of classification, the half-width ε of the tube of regression. */
  readonly width?: number | undefined
}

/** The numbers of a certificate that depend on the solution alone. */
export interface Measures {
  /** Primal value of the model: an upper bound on the optimum. */
  readonly primal: number
  /** The dual as it is minimised (LIBSVM's `obj`): −dual is a lower bound on the optimum. */
  readonly dual: number
  /** primal + dual: never negative except for rounding; 0 only at the optimum. */
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

/**
 * Error bars of the numbers of a certificate, and how they were obtained. A row is the value g_i = Σ_j c_j k(x_j, x_i) of one
 * sample. Rows that could decide anything are computed in f64 throughout; for the others f32 kernel values will do, because
 * their error bound (./row-bounds.ts) shows that they decide nothing.
 */
export interface Evidence {
  /** Samples of the problem. */
  readonly rows: number
  /** Rows computed in f64, the sampled ones included. */
  readonly rowsInDouble: number
  /** Rows drawn at random, with a seed, and computed in f64: they check the bounds, and show what errors add up to. */
  readonly rowsSampled: number
  /**
   * Where the error bars come from: `worst-case`, every rounding error at its largest and all of them adding up; or `sampled`,
   * where that says next to nothing: a row that decides nothing is taken to be off by at most the worst error of its largest
   * term, and eight times the largest error, relative to its worst case, among rows of many terms drawn at random. What errors
   * add up to in gap and dual value is then estimated from rows drawn at random, with the error bar of ./row-sample.ts.
   */
  readonly bound: 'worst-case' | 'sampled'
  /** The true value is within this of what the certificate says. */
  readonly violationError: number
  readonly primalError: number
  readonly dualError: number
  readonly gapError: number
}

/** Why a solver stopped. Only `converged` means that the requested violation was reached. */
export type StopReason =
  | 'converged'
  /** The method's own rule ended it, or no step changes anything any more, before the tolerance was reached. */
  | 'stalled'
  /** Hard margin, but the classes cannot be separated: the dual grows without end. */
  | 'unbounded'
  | 'iteration-limit'
  | 'time-limit'
  | 'aborted'

/** The certificate of a model: how good the solution is, and how it was obtained. */
export interface Certificate extends Measures {
  readonly stopReason: StopReason
  readonly iterations: number
  /** Seconds spent solving, tracing excluded. */
  readonly seconds: number
  readonly solver: string
  /**
   * The requested tolerance: `converged` means maxViolation <= tol (gap <= tol · primal for primal solvers), the error bar of
   * {@link Evidence} included.
   */
  readonly tol: number
  /**
   * What the conditions prove here. With a positive semi-definite kernel the problem is convex: `optimum`, within the gap. With
   * others (sigmoid, or a kernel that samples refute) only that no small step improves it: `stationary-point`; primal and
   * dual value then bound nothing. Absent in models of other programs.
   */
  readonly proves?: 'optimum' | 'stationary-point'
  /** Absent in models of other programs. */
  readonly evidence?: Evidence
  /**
   * Precision of the solver's kernel rows, if it has a choice. The certificate does not depend on them.
   */
  readonly precision?: 'f32' | 'f64'
  /** What a ν problem chose: the margin ρ of classification, the half-width ε of the tube of regression. */
  readonly width?: number
  /**
   * ν-classification only: the margin ρ is 0 within the tolerance. ν is so small that the reduced convex hulls of the two
   * classes overlap; w and the decision values are 0 except for rounding. A larger ν gives a margin.
   */
  readonly noMargin?: true
}

/** Whether a margin that was found cannot be distinguished from 0; {@link Certificate.noMargin}. */
export function lacksMargin(width: number, tol: number): boolean {
  return !(width > tol)
}
