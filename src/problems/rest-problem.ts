/**
 * One-vs-rest for linear machines: a two-class problem for every class, its samples positive and all others negative. The
 * weight of a class counts where its samples are positive, and only there, as in LIBLINEAR.
 */
import type { Matrix } from '../data/matrix/matrix.ts'
import type { AnyKernel } from '../kernels/kernel.ts'
import { type LinearMachineProblem, makeLinearMachine, type PenaltyNorm } from './linear-problem.ts'
import { type BiasForm, type Loss, makeProblem, type SvmProblem } from './problem.ts'

/** What the problems of two classes have in common; with a kernel, which is linear, they are for solvers of such problems. */
export interface MachineForm {
  readonly samples: Matrix
  readonly kernel?: AnyKernel
  readonly loss: Loss | 'logistic'
  readonly norm: PenaltyNorm
  readonly bias: BiasForm
  readonly interceptScaling: number
}

/** See the header of the file. */
export interface RestProblem extends MachineForm {
  readonly task: 'rest'
  /** How many classes there are. */
  readonly classCount: number
  /** The class of each sample, counted from 0. */
  readonly classOf: Uint32Array
  /** C_i of each sample where its class is the positive one, and where it is among the rest. */
  readonly ownC: Float64Array
  readonly restC: Float64Array
}

/** The problem of two classes, y = ±1. */
export function machineProblem(
  { samples, kernel, loss, norm, bias, interceptScaling }: MachineForm,
  y: Float64Array,
  C: number | Float64Array,
): SvmProblem | LinearMachineProblem {
  if (kernel) return makeProblem({ samples, kernel, y, C, loss: loss as Loss, bias, interceptScaling })
  return makeLinearMachine({ samples, loss, z: y, C, norm, bias, constant: interceptScaling })
}

/** The problem of one class against the rest. */
export function restProblem(problem: RestProblem, positive: number): SvmProblem | LinearMachineProblem {
  const { classOf, ownC, restC } = problem
  const y = new Float64Array(classOf.length).fill(-1)
  const C = restC.slice()
  for (let i = 0; i < y.length; i++) {
    if (classOf[i] !== positive) continue
    y[i] = 1
    C[i] = ownC[i]
  }
  return machineProblem(problem, y, C)
}
