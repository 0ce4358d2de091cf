/** Solves what an estimator asks for: one problem, or one for every pair of classes, or for every class. */
import type { Problem } from '../problems/any-problem.ts'
import type { LinearProblem } from '../problems/linear-problem.ts'
import { classPairs, type PairwiseProblem, pairProblem } from '../problems/pairwise-problem.ts'
import { type RestProblem, restProblem } from '../problems/rest-problem.ts'
import { type RunOptions, type SolveResult, solve, solveSync } from './run.ts'
import { solveLinear, solveLinearSync } from './run-linear.ts'
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
  const parts = partsOf(task.problem)
  for (const [number, part] of parts.entries()) {
    const own = partOptions(task.options, results, number, parts.length)
    results.push(await solve(part(), task.solver, task.solverOptions, own))
  }
  return results
}

/** On the calling thread, to the end. */
export function solveAllSync(task: AnyTask): SolveResult[] {
  if (!('solver' in task)) return [solveLinearSync(task.problem, task.options)]
  const results: SolveResult[] = []
  const parts = partsOf(task.problem)
  for (const [number, part] of parts.entries()) {
    const own = partOptions(task.options, results, number, parts.length)
    results.push(solveSync(part(), task.solver, task.solverOptions, own))
  }
  return results
}

/** The problems to solve, each made when its turn comes: pairs have samples of their own. */
function partsOf(problem: SolverTask['problem']): (() => Problem)[] {
  if (problem.task === 'pairs') {
    return classPairs(problem.classCount).map((pair) => () => pairProblem(problem, pair))
  }
  if (problem.task === 'rest') {
    return Array.from({ length: problem.classCount }, (_, c) => () => restProblem(problem, c))
  }
  return [() => problem]
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
