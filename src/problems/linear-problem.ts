/**
 * Linear machines: they know the samples by their features, so w itself is solved for. C_i >= 0, and 0 leaves a sample out. At
 * the optimum primal and dual value differ only in sign.
 *
 * One function f(x) = ⟨w, x⟩ + b, with the losses L_i and conjugates L_i* of ./linear-loss.ts, ‖w‖² or ‖w‖₁, and e = 0,
 * except for one class e = ν Σ C_i:
 *   primal  min over w, b   ½ ‖w̃‖² + e b + Σ_i L_i(f(x_i))
 *   dual    min over β      ½ ‖v‖² + Σ_i L_i*(β_i),   v = Σ_i β_i x̃_i,   and Σ β_i = e where the bias is free
 *   norm 1  ‖w̃‖₁ takes the place of ½ ‖w̃‖², and ‖v‖∞ <= 1 that of ½ ‖v‖² in the dual
 *   The bias is free (x̃ = x, w̃ = w), or regularised: x̃ = (x, s) has a constant feature s, whose weight is b / s, or none: b = 0.
 *
 * Crammer–Singer, k classes jointly, y_i the class of sample i, e_im = 1 for m ≠ y_i and 0 for m = y_i, s = 0 without a bias:
 *   primal  min over w_1 … w_k  ½ Σ_m ‖w_m‖² + Σ_i C_i max_m (e_im + ⟨w_m, x̃_i⟩ − ⟨w_{y_i}, x̃_i⟩)
 *   dual    min over α          ½ Σ_m ‖w_m‖² + Σ_i Σ_m e_im α_im,   w_m = Σ_i α_im x̃_i,
 *                               Σ_m α_im = 0,   α_im <= C_i for m = y_i and <= 0 otherwise
 *   With g_im = ⟨w_m, x̃_i⟩ + e_im sample i is optimal when g_im is the same for all m with room to rise, and not larger
 *   for the others: max_m g_im − min over those with room of g_im is its violation.
 *
 * Sources   Fan et al. 2008 (LIBLINEAR); Crammer, Singer 2001; Keerthi et al. 2008; Ho, Lin 2012; Chou, Lin, Lin 2020 (one
 *           class). LIBLINEAR's -s 0 to 7, 11 to 13 and 21, and its -R.
 */
import { allocate } from '../base/allocate.ts'
import { checkNumber, checkOneOf } from '../base/check.ts'
import { DataError, ParameterError } from '../base/errors.ts'
import { type Matrix, rowStart } from '../data/matrix/matrix.ts'
import type { Engine } from '../engine/memory/engine.ts'
import {
  classLosses,
  type LinearLoss,
  type LossTerms,
  lossTerms,
  type TubeLoss,
  tubeLosses,
} from './linear-loss.ts'
import { type BiasForm, numbersOf, spread } from './problem.ts'
import { productError } from './product-error.ts'

/** The norm of w that a linear machine keeps small: ½‖w‖² (2) or ‖w‖₁ (1), which leaves most weights 0. */
export type PenaltyNorm = 1 | 2

interface LinearSamples {
  readonly samples: Matrix
  /** C_i of each sample. */
  readonly C: Float64Array
  /** s: the constant feature that carries a regularised bias; 0 when there is none. */
  readonly constant: number
}

/** Crammer and Singer's machine for many classes together. Its dual variables are α_im at `alpha[i * classes + m]`. */
export interface CrammerSingerProblem extends LinearSamples {
  readonly task: 'crammer-singer'
  /** The class of each sample: 0 … classes − 1. */
  readonly y: Uint32Array
  readonly classes: number
}

/** One linear function f(x) = ⟨w, x⟩ + b: a norm of w and the losses of all samples. Its dual variables are β, signed. */
export interface LinearMachineProblem extends LinearSamples {
  readonly task: 'linear'
  readonly loss: LinearLoss
  /** ±1 of classes, what to predict, or 0 for one class. */
  readonly z: Float64Array
  /** Half-width of the tube of regression. */
  readonly epsilon: number
  readonly norm: PenaltyNorm
  readonly bias: BiasForm
  /** e: what Σ β_i must be where the bias is free. */
  readonly balance: number
}

/** Either of the two. */
export type LinearProblem = CrammerSingerProblem | LinearMachineProblem

interface LinearProblemOptions {
  readonly samples: Matrix
  /** One C for all samples, or one per sample. Default 1. */
  readonly C?: number | ArrayLike<number>
}

/** Checks and completes a {@link CrammerSingerProblem}; `constant` carries the bias, 1 unless given, and 0 is no bias. */
export function makeCrammerSinger(
  options: LinearProblemOptions & {
    readonly y: ArrayLike<number>
    readonly classes: number
    readonly constant?: number
  },
): CrammerSingerProblem {
  const { constant = 1, y } = options
  checkNumber('problem', 'constant', constant, { min: 0 })
  const common = linearSamples(options)
  const count = common.samples.rows
  const classes = checkNumber('problem', 'classes', options.classes, { min: 2, integer: true })
  if (y.length !== count) throw new DataError(`${count} samples but ${y.length} classes`)
  for (let i = 0; i < count; i++) {
    checkNumber('problem', `y[${i}]`, y[i], { min: 0, below: classes, integer: true })
  }
  return { task: 'crammer-singer', ...common, constant, y: Uint32Array.from(y), classes }
}

/** Options of {@link makeLinearMachine}. */
export interface LinearMachineOptions extends LinearProblemOptions {
  readonly loss: LinearLoss
  /** ±1 for classes, numbers for regression; left out for one class. */
  readonly z?: ArrayLike<number>
  /** Half-width of the tube of regression. Default 0. */
  readonly epsilon?: number
  /** Default 2. */
  readonly norm?: PenaltyNorm
  /** Default regularised; one class has it free. */
  readonly bias?: BiasForm
  /** s: the constant feature for a regularised bias. Default 1. */
  readonly constant?: number
  /** One class: the share of the samples that may be outside, above 0 and at most 1. */
  readonly nu?: number
}

/**
 * Checks and completes a {@link LinearMachineProblem}.
 *
 * @example
 * const problem = makeLinearMachine({ samples: train.samples, loss: 'logistic', z: train.labels as Float64Array })
 */
export function makeLinearMachine(options: LinearMachineOptions): LinearMachineProblem {
  const { loss, epsilon = 0, norm = 2, nu = 0.5, constant = 1 } = options
  const who = 'problem'
  checkOneOf(who, 'loss', loss, [...classLosses, ...tubeLosses, 'one-class'])
  const isOneClass = loss === 'one-class'
  const { bias = isOneClass ? 'free' : 'regularised' } = options
  checkOneOf(who, 'bias', bias, isOneClass ? ['free'] : ['regularised', 'free', 'none'])
  checkNumber(who, 'epsilon', epsilon, { min: 0 })
  checkNumber(who, 'constant', constant, { min: 0 })
  checkNumber(who, 'nu', nu, { above: 0, max: 1 })
  const takesOne = loss === 'squared-hinge' || loss === 'logistic'
  if (norm !== 2 && !(norm === 1 && takesOne)) {
    throw new ParameterError(who, 'norm', `${takesOne ? '1 or 2' : '2'} with the ${loss} loss`, norm)
  }
  const common = linearSamples(options)
  const count = common.samples.rows
  const z = isOneClass ? new Float64Array(count) : numbersOf(options.z ?? [])
  const isClass = (classLosses as readonly string[]).includes(loss)
  if (z.length !== count)
    throw new DataError(`${count} samples but ${z.length} ${isClass ? 'labels' : 'targets'}`)
  const bad = isClass ? firstOther(z) : z.findIndex((value) => !Number.isFinite(value))
  if (bad >= 0) {
    throw new DataError(
      isClass
        ? `z[${bad}] must be +1 or -1, got ${z[bad]}`
        : `target of sample ${bad} is ${z[bad]}; targets must be finite`,
    )
  }
  const isCarried = bias === 'regularised' && constant > 0
  return {
    task: 'linear',
    ...common,
    loss,
    z,
    epsilon,
    norm,
    bias: bias === 'regularised' && !isCarried ? 'none' : bias,
    constant: isCarried ? constant : 0,
    balance: isOneClass ? nu * common.C.reduce((sum, c) => sum + c, 0) : 0,
  }
}

/** Where a target is first neither 1 nor −1; −1 where all are. */
function firstOther(z: Float64Array): number {
  for (let i = 0; i < z.length; i++) if (z[i] !== 1 && z[i] !== -1) return i
  return -1
}

/** Regression by {@link makeLinearMachine}; the loss is not squared unless requested. */
export function makeLinearSvr(
  options: Omit<LinearMachineOptions, 'loss'> & { readonly loss?: TubeLoss },
): LinearMachineProblem {
  return makeLinearMachine({ ...options, loss: options.loss ?? 'epsilon-insensitive' })
}

function linearSamples({ samples, C = 1 }: LinearProblemOptions): Omit<LinearSamples, 'constant'> {
  if (samples.rows === 0) throw new DataError('a problem needs at least one sample, got none')
  if (typeof C === 'number') checkNumber('problem', 'C', C, { min: 0 })
  const bounds = spread(C, samples.rows, 'C')
  for (let i = 0; typeof C !== 'number' && i < bounds.length; i++) {
    const isFit = bounds[i] >= 0 && bounds[i] < Number.POSITIVE_INFINITY
    if (!isFit) checkNumber('problem', `C[${i}]`, bounds[i], { min: 0 })
  }
  return { samples, C: bounds }
}

/** How many weight vectors a problem has: one per class, or one. */
function weightVectors(problem: LinearProblem): number {
  return problem.task === 'crammer-singer' ? problem.classes : 1
}

/**
 * What a gap is measured by where the optimum is 0, as it is for one class when the origin is among the samples: the dual value
 * ½‖Σ β_i x_i‖² of samples that all point the same way. 0 for all other machines: their optimum is 0 only if it is found exactly.
 */
export function gapUnit(problem: { readonly task: string; readonly balance?: number }): number {
  if (problem.task !== 'linear' || !problem.balance) return 0
  const { samples, C, balance } = problem as LinearMachineProblem
  let weight = 0
  let squares = 0
  for (let i = 0; i < C.length; i++) {
    let norm = 0
    for (let k = rowStart(samples, i); k < rowStart(samples, i + 1); k++) norm += samples.values[k] ** 2
    weight += C[i]
    squares += C[i] * norm
  }
  return weight > 0 ? (0.5 * balance * balance * squares) / weight : 0
}

/** The losses of a machine's samples, in the memory of an engine where one is given. */
export function termsOf({ loss, C, z, epsilon }: LinearMachineProblem, engine?: Engine): LossTerms {
  return lossTerms(loss, C, z, epsilon, engine)
}

/**
 * The weights of a dual point for each weight vector, one after the other, each with that of the constant feature at its end. The
 * rounding errors of products and additions are carried along and added at the end (Dekker's product, Knuth's sum; Ogita, Rump, Oishi
 * 2005): a weight is off by its own last rounding, and by n² 2^−106 of the sizes of its n terms.
 */
export function linearWeights(problem: LinearProblem, alpha: Float64Array): Float64Array {
  const { samples, constant } = problem
  const { cols, rows, values } = samples
  const vectors = weightVectors(problem)
  const length = cols + 1
  const weights = allocate(Float64Array, vectors * length)
  const rest = allocate(Float64Array, length)
  for (let m = 0; m < vectors; m++) {
    const w = weights.subarray(m * length, (m + 1) * length)
    rest.fill(0)
    for (let i = 0; i < rows; i++) {
      const factor = alpha[i * vectors + m]
      if (factor === 0) continue
      const start = rowStart(samples, i)
      const end = rowStart(samples, i + 1)
      for (let k = start; k <= end; k++) {
        // The constant feature comes last.
        const value = k < end ? values[k] : constant
        const j = k === end ? cols : samples.kind === 'dense' ? k - start : samples.indices[k]
        const term = factor * value
        const before = w[j]
        const sum = before + term
        const part = sum - before
        rest[j] += productError(factor, value, term) + (before - (sum - part) + (term - part))
        w[j] = sum
      }
    }
    for (let j = 0; j < length; j++) w[j] += rest[j]
  }
  return weights
}

/** A solution, as `Solution` of ../certify/certificate.ts is: the model has these weights, or those of β, or of α. */
interface LinearSolution {
  readonly alpha: Float64Array
  readonly beta?: Float64Array | undefined
  readonly weights?: Float64Array | undefined
}

/** What a model of Crammer and Singer's is made of: one row of `coef` (row-major) and one bias for each weight vector. */
export function linearParts(
  problem: CrammerSingerProblem,
  { alpha, beta, weights }: LinearSolution,
): { readonly coef: Float64Array; readonly bias: Float64Array } {
  const { cols } = problem.samples
  const vectors = weightVectors(problem)
  const own = weights ?? linearWeights(problem, beta ?? alpha)
  const scale = weights ? 1 : problem.constant
  const coef = allocate(Float64Array, vectors * cols)
  const bias = new Float64Array(vectors)
  for (let m = 0; m < vectors; m++) {
    const start = m * (cols + 1)
    coef.set(own.subarray(start, start + cols), m * cols)
    bias[m] = scale * own[start + cols]
  }
  return { coef, bias }
}
