/**
 * One-vs-rest for linear machines: a two-class problem for every class, its samples positive and all others negative. The
 * weight of a class counts where its samples are positive, and only there, as in LIBLINEAR.
 */
import type { Matrix } from '../data/matrix/matrix.ts'
import type { AnyKernel } from '../kernels/kernel.ts'
import { type BiasForm, type Loss, makeProblem, type SvmProblem } from './problem.ts'

/** See the head of the file. */
export interface RestProblem {
  readonly task: 'rest'
  readonly samples: Matrix
  readonly kernel: AnyKernel
  /** How many classes there are. */
  readonly classCount: number
  /** The class of each sample, counted from 0. */
  readonly classOf: Uint32Array
  /** C_i of each sample where its class is the positive one, and where it is among the rest. */
  readonly ownC: Float64Array
  readonly restC: Float64Array
  readonly loss: Loss
  readonly bias: BiasForm
  readonly interceptScaling: number
}

/** The problem of one class against the rest. */
export function restProblem(problem: RestProblem, positive: number): SvmProblem {
  const { samples, kernel, classOf, ownC, restC, loss, bias, interceptScaling } = problem
  const y = Float64Array.from(classOf, (c) => (c === positive ? 1 : -1))
  const C = y.map((sign, i) => (sign > 0 ? ownC[i] : restC[i]))
  return makeProblem({ samples, kernel, y, C, loss, bias, interceptScaling })
}
