/** Messages to and from a thread that solves problems. All of them survive a structured clone. */
import type { KernelSpec } from '../kernels/kernel.ts'
import type { Progress, RunOptions } from '../solve/driver/run.ts'
import type { SolverTask } from '../solve/driver/solve-task.ts'
import type { Solved } from '../solve/driver/solved.ts'
import type { SmoStep } from '../solve/dual/pair-step.ts'
import type { PackedError } from './error-transfer.ts'

/** A task without its options: the kernel, where there is one, as plain data, the solver by name. */
export interface PackedTask {
  readonly problem: Omit<SolverTask['problem'], 'kernel'>
  readonly kernel: KernelSpec | undefined
  readonly solver: string
  readonly solverOptions: object
  readonly turns: SolverTask['turns']
}

/** What is to be done. */
export interface FitJob {
  /** Whether the engine may be used: all threads use it or none does, so that a result does not depend on who had memory. */
  readonly engine: boolean
  readonly task: PackedTask
  readonly options: Omit<RunOptions, 'signal' | 'onProgress' | 'onStep' | 'onModelStep' | 'checkpoint'>
  /** What is kept of the job already, and how often to keep more, where it is to be kept. */
  readonly checkpoint?: { readonly entries: Map<string, Uint8Array>; readonly everyMs: number } | undefined
  /** Whether anybody listens. */
  readonly wantsProgress: boolean
  readonly wantsSteps: boolean
}

/** To the thread. */
export type FitCommand =
  | { readonly kind: 'solve'; readonly job: FitJob }
  /** End the running job; its result follows as usual. */
  | { readonly kind: 'abort' }

/** From the thread. */
export type FitReport =
  /** The first words of a thread: whether it has an engine. */
  | { readonly kind: 'ready'; readonly engine: boolean }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'steps'; readonly steps: readonly SmoStep[] }
  /** Something to keep. */
  | { readonly kind: 'keep'; readonly name: string; readonly packed: Uint8Array }
  | { readonly kind: 'done'; readonly solved: Solved }
  | { readonly kind: 'failed'; readonly error: PackedError }
