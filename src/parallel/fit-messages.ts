/** What a thread that solves problems hears and says. All of it survives a structured clone. */
import type { KernelSpec } from '../kernels/kernel.ts'
import type { SmoStep } from '../solvers/pair-step.ts'
import type { SolverName } from '../solvers/registry.ts'
import type { Progress, RunOptions, SolveResult } from '../solvers/run.ts'
import type { AnyTask } from '../solvers/solve-all.ts'
import type { PackedError } from './error-transfer.ts'

/** A problem to solve, its kernel as plain data. */
export type PackedProblem<P extends AnyTask = AnyTask> = P extends AnyTask
  ? Omit<P, 'kernel'> & { readonly kernel: KernelSpec }
  : never

/** What is to be done. */
export interface FitJob {
  readonly problem: PackedProblem
  readonly solver: SolverName
  readonly solverOptions: object
  readonly options: Omit<RunOptions, 'signal' | 'onProgress' | 'onStep' | 'onModelStep'>
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
  | { readonly kind: 'done'; readonly results: readonly SolveResult[] }
  | { readonly kind: 'failed'; readonly error: PackedError }
