/** Solves what an estimator requires: one problem, or one for every pair of classes, or for every class. */

import { inOneGo, inSlices, type Pieces } from '../../base/pieces.ts'
import type { Certificate, StopReason } from '../../certify/certificate.ts'
import { classPairs, PairProblems, type PairwiseProblem } from '../../problems/pairwise-problem.ts'
import { type RestProblem, restProblem } from '../../problems/rest-problem.ts'
import { smoAt } from '../methods/smo.ts'
import { DensePairs } from '../pairs/dense-pairs.ts'
import { PathPairs } from '../pairs/path-pairs.ts'
import { SharedPairs } from '../pairs/shared-pairs.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { FoundPoint } from './found-point.ts'
import {
  type AnySolver,
  cacheBytesByDefault,
  MonitoredRun,
  PROGRESS_INTERVAL_MS,
  type Progress,
  type RunOptions,
  type SolveResult,
} from './run.ts'
import { savedResult } from './saved-run.ts'
import { type Solved, SolvedBuilder } from './solved.ts'
import type { SolvableProblem, Solver } from './solver.ts'

/** What an estimator asks to be solved, one problem or several over the same samples: all that it takes to solve it somewhere. */
export interface SolverTask {
  readonly problem: SolvableProblem | PairwiseProblem | RestProblem
  readonly solver: AnySolver
  /** Settings of the solver's own. */
  readonly solverOptions: object
  readonly options: RunOptions
  /** Of kernel machines: what others have found, which may be the solution of each problem already. */
  readonly found?: readonly FoundPoint[] | undefined
  /** Of a problem for every class: where it takes turns with others who solve for some of the classes. Default: solves for all. */
  readonly turns?: ClassTurns | undefined
}

/** The class whose turn is next, in shared memory: whoever is free takes it, so that all end at about the same time. */
export type ClassTurns = Int32Array

/** Before the first turn. */
export function classTurns(): ClassTurns {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** On the calling thread, in short slices; see {@link solve}. */
export function solveAll(task: SolverTask): Promise<Solved> {
  return inSlices(solving(task))
}

/** On the calling thread, to the end. */
export function solveAllSync(task: SolverTask): Solved {
  return inOneGo(solving(task))
}

/**
 * One problem after the other, except for those whose result a checkpoint holds; others may have their turn wherever it yields.
 */
function* solving(task: SolverTask): Pieces<Solved> {
  const { checkpoint } = task.options
  const cacheBytes = rememberedCacheBytes(task.options.cacheBytes, checkpoint)
  const options = { ...task.options, cacheBytes }
  const { count, parts, end, numbers } = partsOf(task)
  const builder = new SolvedBuilder(count, numbers)
  const clock = new PartsClock(options, count, numbers)
  let isComplete = true
  try {
    for (const part of parts(clock)) {
      let result = 'done' in part ? part.done : undefined
      if ('begin' in part) {
        // What follows a part that was cut short may have started from the wrong place.
        const own: Checkpoint | undefined = isComplete ? checkpoint?.within(String(clock.number)) : undefined
        result = own && savedResult<SolveResult>(own)
        if (!result) {
          const given = { ...clock.nextOptions(), ...startOf(options, clock.number, count), checkpoint: own }
          result = yield* part.begin(given).toEnd()
          isComplete = own !== undefined && savedResult(own) !== undefined
        }
        part.learn?.(result.alpha)
      }
      builder.add(result as SolveResult)
      clock.add((result as SolveResult).certificate)
      yield
    }
  } finally {
    end?.()
  }
  return builder.solved
}

/** The start of one of several machines. */
function startOf({ start }: RunOptions, number: number, count: number): Pick<RunOptions, 'start'> {
  if (!start || count === 1) return { start }
  const own = (values: Float64Array) =>
    values.subarray((number * values.length) / count, ((number + 1) * values.length) / count)
  return { start: { weights: own(start.weights), alpha: start.alpha && own(start.alpha) } }
}

/** The memory for kernel values as it was when the work began: what is free now may be less, and lead another way. */
export function rememberedCacheBytes(given: number | undefined, checkpoint: Checkpoint | undefined): number {
  const name = 'cacheBytes'
  const known = given ?? (checkpoint?.get(name) as number | undefined)
  if (known === undefined) checkpoint?.put(name, cacheBytesByDefault())
  return known ?? cacheBytesByDefault()
}

/** A problem that is solved already, sooner than a checkpoint could be looked at; or one to begin with. */
type Part =
  | { readonly done: SolveResult }
  | {
      readonly begin: (options: RunOptions) => { toEnd(): Pieces<SolveResult> }
      /** Called with the solution, for the parts that follow. */
      readonly learn?: (alpha: Float64Array) => void
    }

/** The parts of a task, each made when its turn comes, and what to do at the end. */
interface Parts {
  /** How many there are at most: others may solve some. */
  readonly count: number
  readonly parts: (clock: PartsClock) => Iterable<Part>
  readonly end?: () => void
  /** The number of each part so far, where others solve some. */
  readonly numbers?: readonly number[] | undefined
}

function partsOf(task: SolverTask): Parts {
  const { problem, solver, solverOptions } = task
  if (problem.task === 'pairs') return pairParts(problem, task)
  if (problem.task !== 'rest') {
    const own = task.found ? (smoAt(task.found[0]) as AnySolver) : solver
    const begin = (options: RunOptions) => new MonitoredRun(problem, own, solverOptions, options)
    return { count: 1, parts: () => [{ begin }] }
  }
  const { classCount } = problem
  const { turns } = task
  const numbers: number[] = []
  return {
    count: classCount,
    numbers: turns && numbers,
    *parts() {
      for (let c = 0; ; c++) {
        const number = turns ? Atomics.add(turns, 0, 1) : c
        if (number >= classCount) return
        numbers.push(number)
        const part = restProblem(problem, number)
        yield { begin: (options) => new MonitoredRun(part, solver, solverOptions, options) }
      }
    },
  }
}

function pairParts(problem: PairwiseProblem, { solver, solverOptions, options, found }: SolverTask): Parts {
  const { classCount } = problem
  const problems = new PairProblems(problem)
  const shared = SharedPairs.for(problem, solver as Solver, solverOptions)
  const dense = DensePairs.for(problem, problems.members, solver as Solver, options)
  const paths = PathPairs.for(problem, problems, shared, dense, options, found)
  const areAllPaths = paths?.hasAll ?? false
  return {
    count: (classCount * (classCount - 1)) / 2,
    *parts(clock) {
      for (const pair of classPairs(classCount)) {
        const part = problems.of(pair)
        const done = dense?.has(pair) && dense.solve(part, pair, options, clock.reasonToStop())
        if (done) {
          yield { done }
          continue
        }
        const own = (shared?.solverOf(pair) ?? solver) as Solver<object>
        const { number } = clock
        yield {
          begin: (given) => ({
            *toEnd() {
              const { done, left } = paths?.has(pair)
                ? yield* paths.solve(part, number, given)
                : { done: undefined, left: given }
              return done ?? (yield* new MonitoredRun(part, own, solverOptions, left).toEnd())
            },
          }),
          // Paths begin from nothing that others have found.
          ...(shared && !areAllPaths && { learn: (alpha) => shared.learn(pair, alpha) }),
        }
      }
    },
    end: () => shared?.end(),
  }
}

/** The options of each part: what is left of the time, and progress that says which part it is of. */
class PartsClock {
  private readonly options: RunOptions
  private readonly of: number
  private readonly numbers: readonly number[] | undefined
  private done = 0
  /** Seconds of the parts that are done, and when progress was told last. */
  private spent = 0
  private told = 0

  constructor(options: RunOptions, of: number, numbers?: readonly number[]) {
    this.options = options
    this.of = of
    this.numbers = numbers
  }

  /** The part whose turn it is, counted from 0. */
  get number(): number {
    return this.numbers?.[this.done] ?? this.done
  }

  /** Why no further part should be started. */
  reasonToStop(): StopReason | undefined {
    const { signal, timeLimit = Number.POSITIVE_INFINITY } = this.options
    return signal?.aborted ? 'aborted' : this.spent >= timeLimit ? 'time-limit' : undefined
  }

  nextOptions(): RunOptions {
    const { options, of } = this
    if (of === 1) return options
    const { timeLimit, onProgress } = options
    return {
      ...options,
      ...(timeLimit !== undefined && { timeLimit: Math.max(0, timeLimit - this.spent) }),
      ...(onProgress && { onProgress: (progress) => this.tell(progress) }),
    }
  }

  /** A part is done. Those that take no time tell nothing themselves. */
  add({ solver, iterations, seconds, maxViolation, tol }: Certificate): void {
    if (this.of > 1 && this.spent + seconds >= this.told + PROGRESS_INTERVAL_MS / 1000) {
      this.tell({ solver, iteration: iterations, seconds, violation: maxViolation, tol })
    }
    this.spent += seconds
    this.done++
  }

  private tell(progress: Progress): void {
    const { number, of } = this
    this.told = this.spent + progress.seconds
    this.options.onProgress?.({ ...progress, seconds: this.told, part: { number, of } })
  }
}
