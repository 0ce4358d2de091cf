/**
 * The contract of all solvers, whether they know the samples by a kernel or solve for w. A solver is a generator: it works,
 * keeps its `SolverState` up to date, and yields it when others may look: once before the first iteration, then at least once
 * per iteration for the teaching solvers and every few milliseconds (`due`) for all of them, within long pieces of work too
 * (./pieces.ts). Whoever drives it (./run.ts) measures time, traces, reports progress and decides to stop early: at every yield the state is a feasible
 * point. The solver itself only returns when its own rule says that it is done, or when it gets no further
 * (./stall-watch.ts). Whether that means "converged" is decided afterwards from a certificate computed from scratch,
 * never by the solver.
 */
import type { Pieces } from '../../base/pieces.ts'
import type { Random } from '../../base/random.ts'
import type { Solution } from '../../certify/certificate.ts'
import type { ViolationKnown } from '../../certify/certifier.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import type { Problem } from '../../problems/kernel-problem.ts'
import type { LinearProblem } from '../../problems/linear-problem.ts'
import type { BiasForm } from '../../problems/problem.ts'
import type { SmoStep } from '../dual/pair-step.ts'
import type { Goal } from './goal.ts'
import type { ModelStep } from './model-step.ts'

/** What solvers solve: a kernel problem, or one of those that are solved for w. */
export type SolvableProblem = Problem | LinearProblem

/** The state of a solver while it runs. One object per run, updated in place. */
export interface SolverState extends Solution {
  /** Iterations done, in the solver's own unit. */
  iteration: number
  bias: number
  readonly width?: number
  /** For a solver that delegates to others: the one that is running. */
  readonly method?: string
  /** The solver's own latest measure of how far it is from its goal; NaN while it has none. */
  violation: number
  /** Precision of the kernel rows in use, for solvers that have a choice. */
  readonly precision?: 'f32' | 'f64'
  /**
   * All that the run would need to continue from here, as plain values of its own; undefined in the middle of something. What
   * follows from the problem (kernel rows, say) is not part of it.
   */
  snapshot?: (() => object | undefined) | undefined
}

/** Starting point of a linear machine: the result of another run, on these or similar data. */
export interface LinearStart {
  /** w and then b; of several machines one after the other. */
  readonly weights: Float64Array
  /**
   * Dual variables, one for each sample, likewise; they are cut to the bounds of the problem. Left out, they are what the losses'
   * slopes at that model say.
   */
  readonly alpha?: Float64Array | undefined
}

/** How a run ended by its own rule. */
export interface SolverEnd {
  /** The hard-margin dual was found to be unbounded. */
  readonly unbounded?: boolean
}

/** A run in progress: each `next()` does a bounded piece of work. */
export type SolverRun = Generator<SolverState, SolverEnd, void>

/** Arguments of every solver besides the problem. */
export interface SolverContext {
  /** The largest accepted violation, in the unit of the problem. */
  readonly tol: number
  /** The largest accepted gap for this primal value. */
  readonly allowedGap: (primal: number) => number
  /** The driver stops at this iteration. */
  readonly maxIter: number
  /**
   * The next iteration at which the driver wants to look (a point of the trace, or the limit): yield there, whatever
   * the rhythm otherwise. It moves on while the solver is paused.
   */
  readonly pauseAt: number
  /** True if the solver has worked for a few milliseconds since it was resumed and should yield. This changes no result. */
  readonly due: () => boolean
  /**
   * The violation of a point, computed from scratch (../../certify/certifier.ts), for a solver that has reached its own goal.
   * The samples may
   * be on an engine already.
   */
  readonly examine: (solution: Solution, place?: SamplesOnEngine) => Pieces<ViolationKnown>
  /** Computes the certificate of a point while its samples are on an engine: the driver need not upload them again. */
  readonly certify: (solution: Solution, place?: SamplesOnEngine) => Pieces<unknown>
  readonly random: Random
  /** Where to begin, for solvers of linear machines of one function. */
  readonly start?: LinearStart | undefined
  /** What a snapshot of a run like this one has said: continue from there, in the same steps. */
  readonly resume?: object | undefined
  /** Memory for kernel rows, in bytes. */
  readonly cacheBytes: number
  /** Threads the engine may use, the calling one included. */
  readonly threads: number
  /** Receives every pair step of an SMO solver; undefined without a listener. */
  readonly onStep: ((step: SmoStep) => void) | undefined
  /** Receives every step of a solver that does not work on pairs; undefined without a listener. */
  readonly onModelStep?: ((step: ModelStep) => void) | undefined
}

/**
 * One solver: what it is, what it can solve, and how it runs. `Options` are its own settings, all optional. `P` is what it
 * solves: kernel problems by default.
 */
export interface Solver<Options extends object = object, P extends SolvableProblem = Problem> {
  readonly name: string
  /** One line for tables: the method. */
  readonly title: string
  /** Where it comes from. */
  readonly source: string
  /** The problems it can solve. */
  readonly tasks: readonly P['task'][]
  /** The forms of the bias it can handle, the preferred one first. */
  readonly biasForms: readonly BiasForm[]
  /** Present when it works on explicit features only. */
  readonly linearOnly?: true
  /** Present when it can minimise squared losses too. */
  readonly squaredLoss?: true
  /**
   * For solvers of linear machines: the norms of w that they support (2 by default), and whether they support the logistic
   * loss.
   */
  readonly norms?: readonly (1 | 2)[]
  readonly logistic?: true
  /** What one iteration is. */
  readonly unit: 'pair' | 'epoch' | 'round' | 'step'
  /** What `tol` bounds. */
  readonly goal: Goal
  readonly defaults: { readonly tol: number; maxIter(samples: number): number }
  readonly options: Required<Options>
  run(problem: P, context: SolverContext, options: Required<Options>): SolverRun
}
