/**
 * Cells that share their work: one matrix of squared distances or products for every kernel width, every C and every
 * fold; solutions carried from one C to the next; decisions of held-out samples without a further kernel value. The answers
 * are those of separate fits to the same tolerance. Linear machines follow C on each fold (./linear-paths.ts). What cannot be shared
 * (other estimators, the user's own kernels, data whose matrix would not fit) is solved one by one.
 */
import { checkKnown, checkNumber } from '../../base/check.ts'
import { HyperplaneError } from '../../base/errors.ts'
import { largestOf, pickNumbers, placesOfNonZeros } from '../../base/lists.ts'
import { nextTask } from '../../base/pieces.ts'
import { lacksMargin } from '../../certify/certificate.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import type { Label, Labels } from '../../data/table/dataset.ts'
import { CPaths } from '../../engine/jobs/c-paths.ts'
import type { MeasuredSamples } from '../../engine/jobs/measured-samples.ts'
import { pathBytes } from '../../engine/jobs/path-bytes.ts'
import type { PathInput, PathResult } from '../../engine/jobs/path-input.ts'
import { type Engine, giveEngine, takeEngine } from '../../engine/memory/engine.ts'
import { engineExists } from '../../engine/memory/engine-build.ts'
import { availableThreads } from '../../engine/threads/thread-team.ts'
import { defaultLabelOrder, PairVotes } from '../../models/pairs.ts'
import type { FoundPoint } from '../../solve/driver/found-point.ts'
import { cacheBytesByDefault } from '../../solve/driver/run.ts'
import type { FoldOutput, SolvedProblem } from '../score/fold-output.ts'
import {
  type Executor,
  type ExecutorHooks,
  inProcessExecutor,
  type SelectionWork,
  type Unit,
} from '../search/executor.ts'
import type { KeptGroups } from './kept-groups.ts'
import { followLinearPaths, linearPath } from './linear-paths.ts'
import { type PlannedUnit, planSharedWork, type SharedGroup, sharedPath } from './shared-plan.ts'

/** Options of {@link sharedWorkExecutor}. */
export interface SharedWorkOptions {
  /** Threads to use. Default: all cores. The result is the same on any number. */
  readonly threads?: number
  /** Memory for matrices, in bytes. Default: a quarter of the free memory, 2 GB at most. */
  readonly cacheBytes?: number
  /** Who does the rest. Default: fits where `fit` runs. */
  readonly otherwise?: Executor
  /** Whether a matrix that does not fit is an error, and not a reason to fit cells one by one. */
  readonly insist?: boolean
  /** State that is kept between runs. */
  readonly kept?: KeptGroups
}

/** Milliseconds between two looks at threads that are still at it: results must not wait long, nor the looks cost anything. */
const WAIT_MS = 1

/** Runs units that share their work: one matrix of kernel values for all C and folds, and solutions carried from one C to the next. */
export function sharedWorkExecutor(options: SharedWorkOptions = {}): Executor {
  const who = 'sharedWorkExecutor'
  checkKnown(who, options, ['threads', 'cacheBytes', 'otherwise', 'insist', 'kept'])
  const { threads = availableThreads(), cacheBytes = cacheBytesByDefault(), insist = false, kept } = options
  checkNumber(who, 'threads', threads, { min: 1, integer: true })
  checkNumber(who, 'cacheBytes', cacheBytes, { min: 0 })
  const otherwise = options.otherwise ?? inProcessExecutor({ concurrency: threads })
  return {
    together: (work, cell) => sharedPath(work, cell) ?? linearPath(work, cell),
    async run(work, units, hooks) {
      const plan = planSharedWork(work, units, kept?.samplesFor(work))
      const others = [...plan.others]
      for (const group of plan.groups) {
        if (hooks.signal?.aborted) return
        if (insist && !fits(group, 1, cacheBytes)) throw noRoom(group)
        const left =
          (await kept?.withMatrix(group, (engine, samples) => followPaths(engine, samples, group, hooks))) ??
          (await runGroup(group, threads, cacheBytes, hooks, insist))
        for (const { cell, fold } of left) others.push({ cell, fold })
      }
      const single = await followLinearPaths(work, others, threads, hooks)
      if (single.length > 0 && !hooks.signal?.aborted) await otherwise.run(work, single, hooks)
    },
  }
}

/** Solves a group; returns the units that could not be solved so. */
async function runGroup(
  group: SharedGroup,
  threads: number,
  cacheBytes: number,
  hooks: ExecutorHooks,
  insist: boolean,
): Promise<readonly Unit[]> {
  const fitting = [threads, 1].find((count) => fits(group, count, cacheBytes))
  if (fitting === undefined) return group.units
  const engine = takeEngine(fitting)
  const mark = engine.mark()
  try {
    if (bytesOf(group, fitting) > engine.spareBytes) {
      if (insist) throw noRoom(group)
      return group.units
    }
    return await followPaths(engine, group.samples.ordered, group, hooks)
  } finally {
    giveEngine(engine, mark)
  }
}

/**
 * Those of the units that would be solved together within this memory; all others are fitted one by one. Who has work done
 * elsewhere decides it with this, so that it does not depend on the memory there.
 */
export function sharedUnits(
  work: SelectionWork,
  units: readonly Unit[],
  cacheBytes: number,
): ReadonlySet<Unit> {
  const groups = planSharedWork(work, units).groups.filter((group) => fits(group, 1, cacheBytes))
  const nameOf = ({ cell, fold }: Unit): string => `${cell} ${fold}`
  const names = new Set(groups.flatMap((group) => group.units.map(nameOf)))
  return new Set(units.filter((unit) => names.has(nameOf(unit))))
}

function fits(group: SharedGroup, threads: number, cacheBytes: number): boolean {
  return engineExists() && bytesOf(group, threads) <= cacheBytes
}

function bytesOf({ samples, paths, ofFolds }: SharedGroup, threads: number): number {
  return pathBytes(samples.ordered.rows, paths, threads, !ofFolds) + solutionBytes(paths)
}

function noRoom(group: SharedGroup): HyperplaneError {
  const megabytes = Math.ceil(bytesOf(group, 1) / 1e6)
  return new HyperplaneError(`cells that share work need ${megabytes} MB, which are not available`)
}

async function followPaths(
  engine: Engine,
  samples: Matrix | MeasuredSamples,
  { paths, units, ofFolds, samples: { order, isDense } }: SharedGroup,
  { signal, onResult }: ExecutorHooks,
): Promise<PlannedUnit[]> {
  const started = performance.now()
  const running = new CPaths(engine, samples, paths, { isDense, ...(ofFolds && { ofFolds }) })
  const failed: PlannedUnit[] = []
  let waiting = units.map((unit) => ({ unit, done: 0 }))
  let estimated = 0
  try {
    for (;;) {
      const state = running.advance()
      const still: typeof waiting = []
      for (const one of waiting) {
        const { unit } = one
        if (signal?.aborted) return failed
        // Parts that are done stay so: all looks together pass over them once.
        while (one.done < unit.parts.length && isDone(running, unit.parts[one.done])) one.done++
        if (one.done < unit.parts.length) {
          still.push(one)
          continue
        }
        const results = unit.parts.map(({ path, c }) => running.result(path, c) as PathResult)
        if (results.every((result) => result.converged && hasMargin(unit, result))) {
          // Costs are counted in rough nanoseconds; what the clock says corrects them.
          const own = results.reduce((sum, { seconds }) => sum + seconds, 0)
          estimated += own
          const spent = ((performance.now() - started) / 1000) * Math.min(engine.threads, paths.length)
          onResult({
            ...{ cell: unit.cell, fold: unit.fold },
            output: {
              ...outputOf(unit, paths, results, (own * spent) / (estimated || 1)),
              ...(unit.isSolved && {
                found: results.map((result, p) => foundPoint(result, paths[unit.parts[p].path], order)),
              }),
            },
          })
        } else failed.push(unit)
      }
      waiting = still
      if (state === 'done' || signal?.aborted) return failed
      await nextTask(state === 'waiting' ? WAIT_MS : 0)
    }
  } finally {
    running.finish()
  }
}

const isDone = (running: CPaths, { path, c }: PlannedUnit['parts'][number]): boolean =>
  running.hasResult(path, c)

/** A classifier with ν that has no margin is not known well enough: what there is of it is rounding. */
function hasMargin({ machine }: PlannedUnit, { width }: PathResult): boolean {
  const { learns, share, tol } = machine
  return learns !== 'classes' || share === undefined || !lacksMargin(width, tol)
}

/** Bytes of the solutions that are kept. */
function solutionBytes(paths: readonly PathInput[]): number {
  return paths.reduce(
    (sum, { C, training, keepSolutions }) => sum + (keepSolutions ? 8 * C.length * training : 0),
    0,
  )
}

/** What came of the pairs of a unit. */
function outputOf(
  unit: PlannedUnit,
  paths: readonly PathInput[],
  results: readonly PathResult[],
  seconds: number,
): FoldOutput {
  const { places, seenPlaces } = unit
  return {
    ...decisionsOf(unit, results, places),
    ...(seenPlaces && { seen: decisionsOf(unit, results, seenPlaces) }),
    supportVectors: supportCount(unit, paths, results),
    iterations: results.reduce((sum, { steps }) => sum + steps, 0),
    problems: results.map(problemOf),
    isWarm: true,
    seconds,
    stopReason: 'converged',
  }
}

/** A solution in terms of the samples as they were given; `order` has those of the group. */
function foundPoint(
  { solution = new Float64Array(0), bias, width, steps }: PathResult,
  { samples }: PathInput,
  order: Uint32Array,
): FoundPoint {
  const places = placesOfNonZeros(solution)
  const support = places.map((k) => order[samples[k]])
  return { support, beta: pickNumbers(solution, places), bias, width, steps }
}

function problemOf(result: PathResult): SolvedProblem {
  const { steps, dual, bias, width, size, supportVectors, boundedSupportVectors } = result
  return { iterations: steps, dual, bias, width, size, supportVectors, boundedSupportVectors }
}

/** How many samples are a support vector, be it of several pairs. */
function supportCount(
  { parts }: PlannedUnit,
  paths: readonly PathInput[],
  results: readonly PathResult[],
): number | undefined {
  if (results.length === 1) return results[0].supportVectors
  if (!results.every(({ solution }) => solution)) return undefined
  const marks = new Uint8Array(1 + largestOf(parts.map(({ path }) => largestOf(paths[path].samples))))
  let count = 0
  for (const [pair, { solution = [] }] of results.entries()) {
    const { samples } = paths[parts[pair].path]
    for (let k = 0; k < solution.length; k++) {
      if (solution[k] === 0 || marks[samples[k]] === 1) continue
      marks[samples[k]] = 1
      count++
    }
  }
  return count
}

/** What the problems of a unit say of samples, which have these places among the held-out ones. */
function decisionsOf(
  { classes, machine }: PlannedUnit,
  results: readonly PathResult[],
  places: Uint32Array,
): Pick<FoldOutput, 'predicted' | 'decisions' | 'pairDecisions'> {
  const { learns, breakTies } = machine
  const pairs = results.length
  const values = new Float64Array(places.length * pairs)
  results.forEach(({ decisions, width }, pair) => {
    // Classifiers with ν come at their own scale: the model has margin 1, if there is one.
    const scale = learns === 'classes' && width > 0 ? width : 1
    placeValues(decisions, places, scale, values, pair, pairs)
  })
  if (learns === 'numbers') return { predicted: values, decisions: values }
  if (learns === 'normal')
    return { predicted: values.map((value) => (value > 0 ? 1 : -1)), decisions: values }
  const votes = new PairVotes(classes.length, defaultLabelOrder(classes.length))
  const chosen = new Uint32Array(places.length)
  if (breakTies) for (let i = 0; i < chosen.length; i++) chosen[i] = votes.best(values, i * pairs)
  else chooseWinners(votes, values, pairs, chosen)
  return {
    predicted: labelsAt(classes, chosen),
    ...(pairs === 1 ? { decisions: values } : { pairDecisions: values }),
  }
}

/** The values of one problem among those of all: its own loop, so that what V8 compiles is small. */
function placeValues(
  decisions: Float64Array,
  places: Uint32Array,
  scale: number,
  values: Float64Array,
  pair: number,
  pairs: number,
): void {
  for (let i = 0; i < places.length; i++) values[i * pairs + pair] = decisions[places[i]] / scale
}

/** The class of most votes of each row, in a loop of its own as well. */
function chooseWinners(votes: PairVotes, values: Float64Array, pairs: number, chosen: Uint32Array): void {
  for (let i = 0; i < chosen.length; i++) chosen[i] = votes.winner(values, i * pairs)
}

function labelsAt(classes: readonly Label[], chosen: Uint32Array): Labels {
  if (typeof classes[0] === 'number') return pickNumbers(classes as readonly number[], chosen)
  return Array.from(chosen, (c) => classes[c] as string)
}
