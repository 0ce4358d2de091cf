/**
 * The contract of solvers for {@link LinearProblem}s, much as that of ./solver.ts: a generator that keeps its state up to
 * date and yields it every few milliseconds and after each epoch; it returns when its own rule says that it is done, or
 * when nothing changes any more. ./run-linear.ts drives it, and judges afterwards from a certificate computed afresh.
 */
import type { Random } from '../base/random.ts'
import { storedValues } from '../data/matrix.ts'
import { type LinearProblem, weightVectors } from '../problems/linear-problem.ts'

/** What a linear solver shows of itself while it runs. One object a run, updated in place. */
export interface LinearState {
  /** Epochs done. */
  iteration: number
  /** The dual variables of the problem. */
  readonly alpha: Float64Array
  /** The largest violation of the last epoch, in the problem's own unit; NaN while there is none. */
  violation: number
}

/** What a linear solver gets beside the problem. */
export interface LinearContext {
  /** The largest violation to leave, in the problem's own unit. */
  readonly tol: number
  readonly random: Random
}

/** One solver: its name and how it runs. */
export interface LinearSolver<P extends LinearProblem> {
  readonly name: string
  run(problem: P, context: LinearContext): Generator<LinearState, void, void>
}

/** Multiplications that take a few milliseconds. */
const WORK_PER_SLICE = 4e6

/** How many samples a solver may visit in a few milliseconds: then it should yield. */
export function visitsPerSlice(problem: LinearProblem): number {
  const { samples } = problem
  const width = storedValues(samples) / samples.rows
  return Math.max(1, Math.floor(WORK_PER_SLICE / (2 * (width + 10) * weightVectors(problem))))
}
