/**
 * One-vs-one on the engine: all pairs of classes over one copy of the samples and one cache of kernel rows.
 *
 * Rows      k(x, class of x) serves every pair of that class and stays until the last of them (../../engine/rows/pair-rows.ts).
 *           Pairs come as (0, 1), (0, 2), …, (1, 2), …: after those of class 0 nothing of it is kept.
 * Start     what was a support vector against one class often is one against the next: those come into the first working
 *           set of a pair.
 * Result    that of the same pairs solved each on its own, to the tolerance requested; the same bits on any number of
 *           threads.
 */
import { countUp, joinArrays, pickNumbers } from '../../base/lists.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { type EngineKernel, uploadKernel } from '../../engine/matrix/engine-kernel.ts'
import { type EngineMatrix, uploadMatrix } from '../../engine/matrix/engine-matrix.ts'
import { rowsTo } from '../../engine/matrix/place-rows.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import { joinRanges, type RowRange } from '../../engine/matrix/select-rows.ts'
import { type Engine, giveEngine, takeEngine } from '../../engine/memory/engine.ts'
import { PairRows, PairSlots } from '../../engine/rows/pair-rows.ts'
import { availableThreads } from '../../engine/threads/thread-team.ts'
import { type ClassPair, membersOf, type PairwiseProblem } from '../../problems/pairwise-problem.ts'
import { DEAR_FROM } from '../blocks/block-size.ts'
import { engineKernelOf, threadsFor } from '../blocks/smo-blocks.ts'
import type { DualInEngine } from '../blocks/stored-rows.ts'
import { largestRows, MOST_FILLERS } from '../blocks/working-set.ts'
import type { RunOptions } from '../driver/run.ts'
import type { Solver, SolverContext } from '../driver/solver.ts'
import { runSmo, type SmoOptions, smo } from '../methods/smo.ts'

/** One variable of so many is in the working set of a pair: few of its samples matter. Within these limits. */
const WORKING_SHARE = 8
const LEAST_SET = 96
const LARGEST_SET = 512
/** Columns up to which rows are kept even if they are cheap to make: they stay in the processor's cache. */
const SMALL_PAIR = 8192

/** What all pairs have in common, once the first of them has started. */
export interface PairsOnEngine {
  readonly engine: Engine
  readonly mark: number
  /** Where the kernel is. */
  readonly kernel: number
  readonly samples: EngineMatrix
  /** k(x, x) of each sample. */
  readonly diagonal: Float64Array
  /** Where the samples of each class are: class after class. */
  readonly ranges: readonly RowRange[]
}

/** See the header of the file. */
export class SharedPairs {
  private readonly problem: PairwiseProblem
  readonly kernel: EngineKernel
  private readonly members: readonly Uint32Array[]
  /** Where the samples of each class are in the engine: class after class. */
  private readonly ranges: readonly RowRange[]
  /** In how many pairs each sample, by its place in the engine, has been a support vector. */
  private readonly uses: Uint16Array
  /** 0, 1, … of all samples, for lists of them. */
  private readonly places: Uint32Array
  private common: PairsOnEngine | undefined
  private slots: PairSlots | undefined

  private constructor(problem: PairwiseProblem, kernel: EngineKernel) {
    this.problem = problem
    this.kernel = kernel
    this.members = membersOf(problem.classOf, problem.classCount)
    let end = 0
    this.ranges = this.members.map(({ length }) => {
      end += length
      return [end - length, end]
    })
    this.uses = new Uint16Array(problem.classOf.length)
    this.places = countUp(problem.classOf.length)
  }

  /** Undefined where pairs have to be solved apart: by another solver, or with a kernel that the engine does not know. */
  static for(problem: PairwiseProblem, solver: Solver<object>, options: Partial<SmoOptions>) {
    if (solver.name !== smo.name || options.engine === false || options.precision === 'f64') return undefined
    const { samples, kernel: given, bounds } = problem
    const kernel = engineKernelOf({ samples, kernel: given, lower: bounds, upper: bounds })
    return kernel && new SharedPairs(problem, kernel)
  }

  /** The solver of one pair. */
  solverOf(pair: ClassPair): Solver<SmoOptions> {
    const make = (context: SolverContext) => this.placeOf(pair, context)
    const dropRows = () => this.dropRowsAfter(pair)
    return {
      ...smo,
      *run(problem, context, options) {
        // Who listens to each step wants them one at a time, over all samples.
        if (context.onStep) return yield* runSmo(problem, context, options)
        const { place, release } = make(context)
        try {
          return yield* runSmo(problem, context, options, place)
        } finally {
          release()
          dropRows()
        }
      },
    }
  }

  /** Takes note of a solution: who was a support vector. */
  learn(pair: ClassPair, alpha: Float64Array): void {
    const places = this.placesOf(pair)
    for (let k = 0; k < places.length; k++) if (alpha[k] !== 0) this.uses[places[k]]++
  }

  /** Gives the engine back. */
  end(): void {
    if (this.common) giveEngine(this.common.engine, this.common.mark)
    this.common = undefined
  }

  /** All samples on the engine. */
  onEngine({ threads = availableThreads() }: Pick<RunOptions, 'threads'>): PairsOnEngine {
    if (this.common) return this.common
    const { samples: given, kernel } = this.problem
    const matrix = given as Matrix
    const places = placesByClass(
      this.problem.classOf,
      this.ranges.map(([from]) => from),
    )
    const engine = takeEngine(...threadsFor({ samples: matrix }, threads))
    const mark = engine.mark()
    engine.reserveScratch(matrix.cols)
    const samples = uploadMatrix(engine, matrix, this.kernel, rowsTo(places))
    const common = {
      engine,
      mark,
      kernel: uploadKernel(engine, this.kernel),
      samples,
      diagonal:
        this.kernel.kind === 'rbf' ? kernel.diagonal(matrix) : inPlaces(kernel.diagonal(matrix), places),
      ranges: this.ranges,
    }
    this.common = common
    return common
  }

  /** All samples on the engine, for whoever computes with them. */
  place(options: Pick<RunOptions, 'threads'>): SamplesOnEngine {
    const { engine, kernel, samples } = this.onEngine(options)
    return { engine, kernelPointer: kernel, samples }
  }

  private makeSlots({ engine }: PairsOnEngine, cacheBytes: number): PairSlots {
    const widest = this.members.reduce((most, { length }) => Math.max(most, length), 0)
    const least = 2 * (LARGEST_SET + MOST_FILLERS)
    return new PairSlots(engine, cacheBytes, widest, least, this.uses.length)
  }

  private placeOf(pair: ClassPair, context: SolverContext): { place: DualInEngine; release: () => void } {
    const common = this.onEngine(context)
    this.slots ??= this.makeSlots(common, context.cacheBytes)
    const { slots } = this
    const { engine, kernel } = common
    const mark = engine.mark()
    const ranges = pair.map((c) => this.ranges[c])
    const samples = joinRanges(engine, common.samples, ranges)
    const members = this.placesOf(pair)
    const diagonal = pickNumbers(common.diagonal, members)
    const share = Math.ceil(members.length / WORKING_SHARE)
    const workingSet = Math.max(LEAST_SET, Math.min(LARGEST_SET, share))
    const split = this.members[pair[0]].length
    let rows: PairRows | undefined
    const place = {
      engine,
      kernel: this.kernel,
      kernelPointer: kernel,
      samples,
      diagonal,
      workingSet,
      startingSet: this.startingSet(members, split, workingSet),
      makeRows: (largest: number) => {
        const isDear = samples.values.length > DEAR_FROM * members.length
        if (!isDear && members.length > SMALL_PAIR) return undefined
        const most = largest + MOST_FILLERS
        const stored = largestRows(samples, members.length, most)
        rows = new PairRows(engine, { kernel, samples, members, split, diagonal }, slots, most, stored)
        // Where values are cheap, those of a working set are sooner made than found.
        return isDear ? rows : { require: rows.require.bind(rows), subtract: rows.subtract.bind(rows) }
      },
    }
    const release = () => {
      rows?.end()
      engine.release(mark)
    }
    return { place, release }
  }

  /** After its last pair, what is kept of a class makes room. */
  private dropRowsAfter([first, second]: ClassPair): void {
    const last = this.problem.classCount - 1
    if (second === last && this.slots) PairRows.drop(this.slots, this.placesOf([first]))
  }

  /** Where the samples of some classes are in the engine. */
  placesOf(classes: readonly number[]): Uint32Array {
    return joinArrays(
      Uint32Array,
      classes.map((c) => this.places.subarray(...this.ranges[c])),
    )
  }

  /** Of each class of a pair the samples that were support vectors in the most pairs so far. */
  private startingSet(members: Uint32Array, split: number, workingSet: number): Uint32Array {
    const { uses } = this
    const used: number[][] = [[], []]
    for (let k = 0; k < members.length; k++) if (uses[members[k]] > 0) used[k < split ? 0 : 1].push(k)
    const most = used.map((side) => side.sort((a, b) => uses[members[b]] - uses[members[a]] || a - b))
    return Uint32Array.from(most.flatMap((side) => side.slice(0, workingSet >> 2)))
  }
}

/** Where each sample goes when its class begins there: one after the other. */
function placesByClass(classOf: Uint32Array, begins: readonly number[]): Uint32Array {
  const next = Uint32Array.from(begins)
  const places = new Uint32Array(classOf.length)
  for (let i = 0; i < classOf.length; i++) places[i] = next[classOf[i]]++
  return places
}

/** The values of samples that are somewhere else now. */
function inPlaces(values: Float64Array, places: Uint32Array): Float64Array {
  const moved = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) moved[places[i]] = values[i]
  return moved
}
