/** What a thread that solves problems hears and says. All of it survives a structured clone. */
import type { KernelSpec } from '../kernels/kernel.ts'
import type { SvmProblem } from '../problems/problem.ts'
import type { SmoStep } from '../solvers/pair-step.ts'
import type { SolverName } from '../solvers/registry.ts'
import type { Progress, RunOptions, SolveResult } from '../solvers/run.ts'
import type { PackedError } from './error-transfer.ts'

/** A problem to solve. */
export interface FitJob {
  readonly problem: Omit<SvmProblem, 'kernel'> & { readonly kernel: KernelSpec }
  readonly solver: SolverName
  readonly solverOptions: object
  readonly options: Omit<RunOptions, 'signal' | 'onProgress' | 'onStep'>
  /** Whether anybody listens. */
  readonly wantsProgress: boolean
  readonly wantsSteps: boolean
}

/** To the thread. */
export type FitCommand =
  | { readonly kind: 'solve'; readonly job: FitJob }
  /** End the job under way; its result follows as usual. */
  | { readonly kind: 'abort' }

/** From the thread. */
export type FitReport =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'steps'; readonly steps: readonly SmoStep[] }
  | { readonly kind: 'done'; readonly result: SolveResult }
  | { readonly kind: 'failed'; readonly error: PackedError }
