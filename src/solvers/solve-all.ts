/** Solves what an estimator asks for: one problem, or one for every pair of classes, or for every class. */
import type { Problem } from '../problems/any-problem.ts'
import type { LinearProblem } from '../problems/linear-problem.ts'
import { classPairs, membersOf, type PairwiseProblem, pairProblem } from '../problems/pairwise-problem.ts'
import { type RestProblem, restProblem } from '../problems/rest-problem.ts'
import { type RunOptions, type SolveResult, solve, solveSync } from './run.ts'
import { solveLinear, solveLinearSync } from './run-linear.ts'
import { SharedPairs } from './shared-pairs.ts'
import type { Solver } from './solver.ts'

/** A problem with a kernel, or several of them over the same samples, and the solver for it. */
export interface SolverTask {
  readonly problem: Problem | PairwiseProblem | RestProblem
  readonly solver: Solver<object>
  /** Settings of the solver's own. */
  readonly solverOptions: object
  readonly options: RunOptions
}

/** A problem that has a solver of its own. */
export interface LinearTask {
  readonly problem: LinearProblem
  readonly options: RunOptions
}

/** What an estimator asks to be solved: all that it takes to solve it somewhere. */
export type AnyTask = SolverTask | LinearTask

/** On the calling thread, in short slices; see {@link solve}. One result a problem. */
export async function solveAll(task: AnyTask): Promise<SolveResult[]> {
  if (!('solver' in task)) return [await solveLinear(task.problem, task.options)]
  const results: SolveResult[] = []
  const { parts, end } = partsOf(task)
  try {
    for (const [number, { problem, solver, learn }] of parts.entries()) {
      const own = partOptions(task.options, results, number, parts.length)
      const result = await solve(problem(), solver, task.solverOptions, own)
      learn?.(result.alpha)
      results.push(result)
    }
  } finally {
    end?.()
  }
  return results
}

/** On the calling thread, to the end. */
export function solveAllSync(task: AnyTask): SolveResult[] {
  if (!('solver' in task)) return [solveLinearSync(task.problem, task.options)]
  const results: SolveResult[] = []
  const { parts, end } = partsOf(task)
  try {
    for (const [number, { problem, solver, learn }] of parts.entries()) {
      const own = partOptions(task.options, results, number, parts.length)
      const result = solveSync(problem(), solver, task.solverOptions, own)
      learn?.(result.alpha)
      results.push(result)
    }
  } finally {
    end?.()
  }
  return results
}

/** A problem to solve, made when its turn comes: pairs have samples of their own. */
interface Part {
  readonly problem: () => Problem
  readonly solver: Solver<object>
  /** Wants to hear of the solution, for the parts that follow. */
  readonly learn?: (alpha: Float64Array) => void
}

/** The parts of a task, and what to do at the end. */
function partsOf({ problem, solver, solverOptions }: SolverTask): { parts: Part[]; end?: () => void } {
  if (problem.task === 'pairs') {
    const members = membersOf(problem.classOf, problem.classCount)
    const shared = SharedPairs.for(problem, solver, solverOptions)
    const parts = classPairs(problem.classCount).map((pair) => ({
      problem: () => pairProblem(problem, members, pair),
      solver: (shared?.solverOf(pair) ?? solver) as Solver<object>,
      learn: (alpha: Float64Array) => shared?.learn(pair, alpha),
    }))
    return { parts, end: () => shared?.end() }
  }
  if (problem.task === 'rest') {
    const classes = Array.from({ length: problem.classCount }, (_, c) => c)
    return { parts: classes.map((c) => ({ problem: () => restProblem(problem, c), solver })) }
  }
  return { parts: [{ problem: () => problem, solver }] }
}

/** The options of one part: what is left of the time, and progress that says which part it is of. */
function partOptions(
  options: RunOptions,
  done: readonly SolveResult[],
  number: number,
  of: number,
): RunOptions {
  if (of === 1) return options
  const { timeLimit, onProgress } = options
  const spent = done.reduce((seconds, { certificate }) => seconds + certificate.seconds, 0)
  return {
    ...options,
    ...(timeLimit !== undefined && { timeLimit: Math.max(0, timeLimit - spent) }),
    ...(onProgress && {
      onProgress: (progress) =>
        onProgress({ ...progress, seconds: spent + progress.seconds, part: { number, of } }),
    }),
  }
}
