/**
 * Linear machines that are not a two-class problem: they know the samples by their features, so w itself is solved for.
 * x̃ = (x, s) is a sample with the constant feature s that carries the bias (s = 0: there is none); C_i >= 0, and 0 leaves
 * a sample out. At the optimum primal and dual value differ only in sign.
 *
 * Crammer–Singer, k classes at once, y_i the class of sample i, e_im = 1 for m ≠ y_i and 0 for m = y_i:
 *   primal  min over w_1 … w_k  ½ Σ_m ‖w_m‖² + Σ_i C_i max_m (e_im + ⟨w_m, x̃_i⟩ − ⟨w_{y_i}, x̃_i⟩)
 *   dual    min over α          ½ Σ_m ‖w_m‖² + Σ_i Σ_m e_im α_im,   w_m = Σ_i α_im x̃_i,
 *                               Σ_m α_im = 0,   α_im <= C_i for m = y_i and <= 0 otherwise
 *   With g_im = ⟨w_m, x̃_i⟩ + e_im sample i is optimal when g_im is the same for all m with room to rise, and not larger
 *   for the others: max_m g_im − min over those with room of g_im is its violation.
 *
 * Regression, z_i the targets:
 *   primal  min over w   ½ ‖w‖² + Σ_i C_i loss(|z_i − ⟨w, x̃_i⟩| − ε)          loss(t) = max(0, t) or max(0, t)²
 *   dual    min over β   ½ ‖w‖² + ½ Σ D_i β_i² − Σ z_i β_i + ε Σ |β_i|,   w = Σ_i β_i x̃_i,   |β_i| <= U_i
 *   Loss max(0, t): U_i = C_i, D_i = 0; squared: U_i = ∞, D_i = 1/(2C_i).
 *
 * Sources   Crammer, Singer 2001; Keerthi et al. 2008; Ho, Lin 2012. The same as LIBLINEAR's -s 4, 13 and 12.
 */
import { allocate } from '../base/allocate.ts'
import { checkNumber, checkOneOf } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import type { Matrix } from '../data/matrix/matrix.ts'
import { addRow } from '../data/matrix/products.ts'
import { spread } from './problem.ts'

/** How an error outside the tube of regression is priced. */
export type TubeLoss = 'epsilon-insensitive' | 'squared-epsilon-insensitive'

interface LinearSamples {
  readonly samples: Matrix
  /** C_i of each sample. */
  readonly C: Float64Array
  /** s: the constant feature that carries the bias; 0 when there is none. */
  readonly constant: number
}

/** Many classes at once; see the head of the file. Its dual variables are α_im at `alpha[i * classes + m]`. */
export interface CrammerSingerProblem extends LinearSamples {
  readonly task: 'crammer-singer'
  /** The class of each sample: 0 … classes − 1. */
  readonly y: Uint32Array
  readonly classes: number
}

/** Regression; see the head of the file. Its dual variables are β. */
export interface LinearSvrProblem extends LinearSamples {
  readonly task: 'linear-svr'
  /** What to predict, for each sample. */
  readonly z: Float64Array
  readonly epsilon: number
  readonly loss: TubeLoss
}

/** Either of the two. */
export type LinearProblem = CrammerSingerProblem | LinearSvrProblem

interface LinearProblemOptions {
  readonly samples: Matrix
  /** One C for all samples, or one each. Default 1. */
  readonly C?: number | ArrayLike<number>
  /** The constant feature that carries the bias; 0: no bias. Default 1. */
  readonly constant?: number
}

/** Checks and completes a {@link CrammerSingerProblem}. */
export function makeCrammerSinger(
  options: LinearProblemOptions & { readonly y: ArrayLike<number>; readonly classes: number },
): CrammerSingerProblem {
  const common = linearSamples(options)
  const count = common.samples.rows
  const classes = checkNumber('problem', 'classes', options.classes, { min: 2, integer: true })
  const { y } = options
  if (y.length !== count) throw new DataError(`${count} samples but ${y.length} classes`)
  for (let i = 0; i < count; i++) {
    checkNumber('problem', `y[${i}]`, y[i], { min: 0, below: classes, integer: true })
  }
  return { task: 'crammer-singer', ...common, y: Uint32Array.from(y), classes }
}

/** Checks and completes a {@link LinearSvrProblem}; ε is 0 and the loss not squared unless given. */
export function makeLinearSvr(
  options: LinearProblemOptions & {
    readonly z: ArrayLike<number>
    readonly epsilon?: number
    readonly loss?: TubeLoss
  },
): LinearSvrProblem {
  const common = linearSamples(options)
  const count = common.samples.rows
  const { epsilon = 0, loss = 'epsilon-insensitive' } = options
  checkNumber('problem', 'epsilon', epsilon, { min: 0 })
  checkOneOf('problem', 'loss', loss, ['epsilon-insensitive', 'squared-epsilon-insensitive'])
  const z = Float64Array.from(options.z)
  if (z.length !== count) throw new DataError(`${count} samples but ${z.length} targets`)
  const bad = z.findIndex((value) => !Number.isFinite(value))
  if (bad >= 0) throw new DataError(`target of sample ${bad} is ${z[bad]}; targets must be finite`)
  return { task: 'linear-svr', ...common, z, epsilon, loss }
}

function linearSamples({ samples, C = 1, constant = 1 }: LinearProblemOptions): LinearSamples {
  if (samples.rows === 0) throw new DataError('a problem needs at least one sample, got none')
  checkNumber('problem', 'constant', constant, { min: 0 })
  const bounds = spread(C, samples.rows, 'C')
  bounds.forEach((bound, i) => {
    checkNumber('problem', `C[${i}]`, bound, { min: 0 })
  })
  return { samples, C: bounds, constant }
}

/** How many weight vectors a problem has: one per class, or one. */
export function weightVectors(problem: LinearProblem): number {
  return problem.task === 'crammer-singer' ? problem.classes : 1
}

/** U_i of regression: the largest |β_i|. */
export function tubeBounds({ C, loss }: LinearSvrProblem): Float64Array {
  if (loss === 'epsilon-insensitive') return C
  return C.map((c) => (c > 0 ? Number.POSITIVE_INFINITY : 0))
}

/** D_i of regression: what the squared loss adds to the curvature; all 0 for the other. */
export function tubeShift({ C, loss }: LinearSvrProblem): Float64Array {
  if (loss === 'epsilon-insensitive') return new Float64Array(C.length)
  return C.map((c) => (c > 0 ? 1 / (2 * c) : 0))
}

/**
 * What a violation is measured in, so that `tol` has no unit: 1 for classes; for regression the mean of |z_i| − ε, where
 * positive, which is the mean violation at w = 0.
 */
export function violationUnit(problem: LinearProblem): number {
  if (problem.task === 'crammer-singer') return 1
  const { z, C, epsilon } = problem
  let sum = 0
  let count = 0
  for (let i = 0; i < z.length; i++) {
    if (C[i] === 0) continue
    sum += Math.max(0, Math.abs(z[i]) - epsilon)
    count++
  }
  return count > 0 ? sum / count : 0
}

/** The weight vectors of a dual point, one after the other, each with the weight of the constant feature at its end. */
export function linearWeights(problem: LinearProblem, alpha: Float64Array): Float64Array {
  const { samples, constant } = problem
  const vectors = weightVectors(problem)
  const length = samples.cols + 1
  const weights = new Float64Array(vectors * length)
  for (let m = 0; m < vectors; m++) {
    const w = weights.subarray(m * length, (m + 1) * length)
    for (let i = 0; i < samples.rows; i++) {
      const factor = alpha[i * vectors + m]
      if (factor === 0) continue
      addRow(samples, i, factor, w)
      w[samples.cols] += factor * constant
    }
  }
  return weights
}

/** What a model is made of: one row of `coef` (row-major) and one bias for each weight vector. */
export function linearParts(
  problem: LinearProblem,
  alpha: Float64Array,
): { readonly coef: Float64Array; readonly bias: Float64Array } {
  const { cols } = problem.samples
  const vectors = weightVectors(problem)
  const weights = linearWeights(problem, alpha)
  const coef = allocate(Float64Array, vectors * cols)
  const bias = new Float64Array(vectors)
  for (let m = 0; m < vectors; m++) {
    const start = m * (cols + 1)
    coef.set(weights.subarray(start, start + cols), m * cols)
    bias[m] = problem.constant * weights[start + cols]
  }
  return { coef, bias }
}
