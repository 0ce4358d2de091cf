/**
 * The optimisation problem behind every classifier here. With z_i = φ(x_i), labels y_i ∈ {−1, +1} and bounds C_i:
 *
 *   primal  min over w, b   ½‖w‖² + Σ C_i · loss(1 − y_i(⟨w, z_i⟩ + b))      loss(t) = max(0, t) or max(0, t)²
 *   dual    min over α      ½ αᵀQ̄α − Σ α_i,   0 <= α_i <= U_i,   and yᵀα = 0 when the bias is free
 *
 * Q̄_ij = y_i y_j K_ij + D_ii. For the hinge loss U_i = C_i and D = 0; for the squared hinge U_i = ∞, D_ii = 1/(2C_i).
 * C_i = ∞ (hinge) is the hard margin. At the optimum the two values differ only in sign.
 *
 * The bias has three forms:
 *   free         b is not in the norm; its multiplier is the balance constraint yᵀα = 0 (LIBSVM)
 *   regularised  samples are augmented by a constant s (`interceptScaling`): K̃ = K + s², b = s² Σ y_i α_i; no balance
 *   none         b = 0; no balance
 */
import { checkNumber, checkOneOf } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import { type Samples, sampleCount } from '../data/table/dataset.ts'
import { shift } from '../kernels/combinators.ts'
import type { AnyKernel } from '../kernels/kernel.ts'

/**
 * How the bias b enters the problem: 'free', outside the norm as in LIBSVM; 'regularised', as the weight of a constant feature as in
 * LIBLINEAR; 'none', b = 0.
 */
export type BiasForm = 'free' | 'regularised' | 'none'

/** The loss of the primal problem. */
export type Loss = 'hinge' | 'squared-hinge'

/** A two-class problem, ready to be solved. Make one with {@link makeProblem}. */
export interface SvmProblem {
  readonly task: 'svc'
  readonly samples: Samples
  readonly kernel: AnyKernel
  /** +1 or −1 for each sample. */
  readonly y: Float64Array
  /** C_i of each sample; 0 leaves a sample out, Infinity is a hard margin. */
  readonly C: Float64Array
  readonly loss: Loss
  readonly bias: BiasForm
  /** The constant s that augments each sample when the bias is regularised. */
  readonly interceptScaling: number
}

/** Options of {@link makeProblem}. */
export interface ProblemOptions {
  readonly samples: Samples
  readonly kernel: AnyKernel
  /** +1 or −1 for each sample. */
  readonly y: ArrayLike<number>
  /** One C for all samples, or one per sample. Default 1. */
  readonly C?: number | ArrayLike<number>
  readonly loss?: Loss
  readonly bias?: BiasForm
  readonly interceptScaling?: number
}

/**
 * Checks and completes a problem: both classes present, C >= 0, kernel parameters settled from the samples.
 *
 * @example
 * const y = train.labels as Float64Array
 * const problem = makeProblem({ samples: train.samples, kernel: rbf({ gamma: 1 }), y, C: 10 })
 */
export function makeProblem(options: ProblemOptions): SvmProblem {
  const { samples, loss = 'hinge', bias = 'free', interceptScaling = 1 } = options
  const count = sampleCount(samples)
  if (count === 0) throw new DataError('a problem needs at least one sample of each class, got no samples')
  checkOneOf('problem', 'loss', loss, ['hinge', 'squared-hinge'])
  checkOneOf('problem', 'bias', bias, ['free', 'regularised', 'none'])
  checkNumber('problem', 'interceptScaling', interceptScaling, { above: 0 })
  const y = numbersOf(options.y)
  if (y.length !== count) throw new DataError(`${count} samples but ${y.length} labels`)
  const C = spread(options.C ?? 1, count, 'C')
  let positive = 0
  for (let i = 0; i < count; i++) {
    if (y[i] !== 1 && y[i] !== -1) throw new DataError(`y[${i}] must be +1 or -1, got ${y[i]}`)
    if (!(C[i] >= 0 && C[i] < Number.POSITIVE_INFINITY)) {
      checkNumber('problem', `C[${i}]`, C[i], { min: 0, infinite: loss === 'hinge' })
    }
    if (y[i] === 1) positive++
  }
  if (positive === 0 || positive === count) {
    throw new DataError(`all ${count} samples have the same class; two classes are needed`)
  }
  return { task: 'svc', samples, kernel: options.kernel.resolve(samples), y, C, loss, bias, interceptScaling }
}

/** One value for each sample. */
export function spread(given: number | ArrayLike<number>, count: number, which: string): Float64Array {
  if (typeof given === 'number') return new Float64Array(count).fill(given)
  if (given.length !== count) throw new DataError(`${count} samples but ${given.length} values of ${which}`)
  return numbersOf(given)
}

/** A copy of a list of numbers. `from` would take an array apart that is one of numbers already. */
export function numbersOf(given: ArrayLike<number>): Float64Array {
  return given instanceof Float64Array ? given.slice() : Float64Array.from(given)
}

/** U_i: the largest value each dual variable may take. */
export function upperBounds(problem: SvmProblem): Float64Array {
  if (problem.loss === 'hinge') return problem.C
  return problem.C.map((c) => (c > 0 ? Number.POSITIVE_INFINITY : 0))
}

/** D_ii: what the loss adds to the diagonal of Q; all 0 for the hinge. */
export function diagonalShift(problem: SvmProblem): Float64Array {
  if (problem.loss === 'hinge') return new Float64Array(problem.C.length)
  return problem.C.map((c) => (c > 0 ? 1 / (2 * c) : 0))
}

/** The kernel the dual is written in: K, or K + s² when the bias is regularised. */
export function dualKernel(problem: SvmProblem): AnyKernel {
  if (problem.bias !== 'regularised') return problem.kernel
  return shift(problem.kernel, problem.interceptScaling ** 2)
}
