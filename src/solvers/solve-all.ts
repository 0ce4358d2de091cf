/** Solves a problem, or one for every pair of classes: one result a machine of the model. */
import type { Problem } from '../problems/any-problem.ts'
import { classPairs, type PairwiseProblem, pairProblem } from '../problems/pairwise-problem.ts'
import { type RunOptions, type SolveResult, solve, solveSync } from './run.ts'
import type { Solver } from './solver.ts'

/** What an estimator asks to be solved. */
export type AnyTask = Problem | PairwiseProblem

/** On the calling thread, in short slices; see {@link solve}. */
export async function solveAll<O extends object>(
  problem: AnyTask,
  solver: Solver<O>,
  solverOptions: Partial<O>,
  options: RunOptions,
): Promise<SolveResult[]> {
  if (problem.task !== 'pairs') return [await solve(problem, solver, solverOptions, options)]
  const results: SolveResult[] = []
  const pairs = classPairs(problem.classCount)
  for (const [number, pair] of pairs.entries()) {
    const own = partOptions(options, results, number, pairs.length)
    results.push(await solve(pairProblem(problem, pair), solver, solverOptions, own))
  }
  return results
}

/** On the calling thread, to the end. */
export function solveAllSync<O extends object>(
  problem: AnyTask,
  solver: Solver<O>,
  solverOptions: Partial<O>,
  options: RunOptions,
): SolveResult[] {
  if (problem.task !== 'pairs') return [solveSync(problem, solver, solverOptions, options)]
  const results: SolveResult[] = []
  const pairs = classPairs(problem.classCount)
  for (const [number, pair] of pairs.entries()) {
    const own = partOptions(options, results, number, pairs.length)
    results.push(solveSync(pairProblem(problem, pair), solver, solverOptions, own))
  }
  return results
}

/** The options of one part: what is left of the time, and progress that says which part it is of. */
function partOptions(
  options: RunOptions,
  done: readonly SolveResult[],
  number: number,
  of: number,
): RunOptions {
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
