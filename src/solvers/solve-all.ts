/** Solves what an estimator asks for: one problem, or one for every pair of classes, or for every class. */
import type { Problem } from '../problems/any-problem.ts'
import type { LinearProblem } from '../problems/linear-problem.ts'
import { classPairs, membersOf, type PairwiseProblem, pairProblem } from '../problems/pairwise-problem.ts'
import { type RestProblem, restProblem } from '../problems/rest-problem.ts'
import type { Checkpoint } from './checkpoint.ts'
import { cacheBytesByDefault, type RunOptions, type SolveResult, solve, solveSync } from './run.ts'
import { solveLinear, solveLinearSync } from './run-linear.ts'
import { savedResult } from './saved-run.ts'
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
  const parts = eachPart(task)
  try {
    for (let next = parts.next(); ; ) {
      if (next.done) return next.value
      const part = next.value
      const result = await ('solver' in part
        ? solve(part.problem, part.solver, part.solverOptions, part.options)
        : solveLinear(part.problem, part.options))
      next = parts.next(result)
    }
  } finally {
    parts.return([])
  }
}

/** On the calling thread, to the end. */
export function solveAllSync(task: AnyTask): SolveResult[] {
  const parts = eachPart(task)
  try {
    for (let next = parts.next(); ; ) {
      if (next.done) return next.value
      const part = next.value
      const result =
        'solver' in part
          ? solveSync(part.problem, part.solver, part.solverOptions, part.options)
          : solveLinearSync(part.problem, part.options)
      next = parts.next(result)
    }
  } finally {
    parts.return([])
  }
}

/** A single problem, and how to solve it. */
type PartTask = LinearTask | (SolverTask & { readonly problem: Problem })

/** Hands out one problem after the other and takes its result; not those whose result a checkpoint holds. */
function* eachPart(task: AnyTask): Generator<PartTask, SolveResult[], SolveResult> {
  const { checkpoint } = task.options
  const options = checkpoint ? { ...task.options, ...memoryOf(task.options, checkpoint) } : task.options
  const results: SolveResult[] = []
  let isComplete = true
  const { parts, end } = partsOf(task)
  try {
    for (const [number, { make, learn }] of parts.entries()) {
      // What follows a part that was cut short may have begun from the wrong place.
      const own: Checkpoint | undefined = isComplete ? checkpoint?.within(String(number)) : undefined
      let result = own && savedResult<SolveResult>(own)
      if (!result) {
        result = yield make({ ...partOptions(options, results, number, parts.length), checkpoint: own })
        isComplete = own !== undefined && savedResult(own) !== undefined
      }
      learn?.(result.alpha)
      results.push(result)
    }
  } finally {
    end?.()
  }
  return results
}

/** The memory for kernel rows as it was when the work began: what is free now may be less, and lead another way. */
function memoryOf({ cacheBytes }: RunOptions, checkpoint: Checkpoint): { cacheBytes: number } {
  const name = 'cacheBytes'
  const known = cacheBytes ?? (checkpoint.get(name) as number | undefined)
  if (known === undefined) checkpoint.put(name, cacheBytesByDefault())
  return { cacheBytes: known ?? cacheBytesByDefault() }
}

/** A problem to solve, made when its turn comes: pairs have samples of their own. */
interface Part {
  readonly make: (options: RunOptions) => PartTask
  /** Wants to hear of the solution, for the parts that follow. */
  readonly learn?: (alpha: Float64Array) => void
}

/** The parts of a task, and what to do at the end. */
function partsOf(task: AnyTask): { parts: Part[]; end?: () => void } {
  if (!('solver' in task)) return { parts: [{ make: (options) => ({ problem: task.problem, options }) }] }
  const { problem, solver, solverOptions } = task
  if (problem.task === 'pairs') {
    const members = membersOf(problem.classOf, problem.classCount)
    const shared = SharedPairs.for(problem, solver, solverOptions)
    const parts = classPairs(problem.classCount).map((pair) => ({
      make: (options: RunOptions) => ({
        problem: pairProblem(problem, members, pair),
        solver: (shared?.solverOf(pair) ?? solver) as Solver<object>,
        solverOptions,
        options,
      }),
      learn: (alpha: Float64Array) => shared?.learn(pair, alpha),
    }))
    return { parts, end: () => shared?.end() }
  }
  if (problem.task === 'rest') {
    const classes = Array.from({ length: problem.classCount }, (_, c) => c)
    const make = (c: number) => (options: RunOptions) => ({
      problem: restProblem(problem, c),
      solver,
      solverOptions,
      options,
    })
    return { parts: classes.map((c) => ({ make: make(c) })) }
  }
  return { parts: [{ make: (options) => ({ problem, solver, solverOptions, options }) }] }
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
