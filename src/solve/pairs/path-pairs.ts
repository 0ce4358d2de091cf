/**
 * One-vs-one with a thread for each pair: pairs whose kernel matrix is small are solved from start to end by one thread each
 * (assembly/paths/path.ts), as many at a time as there are threads, so that nobody waits for anybody.
 *
 * Rows      are made as they are needed; k(x, class of x) serves all pairs of the class (assembly/paths/pair-rows.ts).
 * Result    does not depend on who has solved what, nor on other pairs: the same bits on any number of threads. It is measured
 *           like that of any run; what is not proven to be solved is left to ./shared-pairs.ts.
 */

import { joinArrays, largestOf, negated } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import { lacksMargin } from '../../certify/certificate.ts'
import { Certifier } from '../../certify/certifier.ts'
import { isRefuted } from '../../certify/definiteness.ts'
import { pairSums } from '../../certify/pair-sums.ts'
import type { KnownSums } from '../../certify/row-values.ts'
import { CPaths, reserveOwnRows } from '../../engine/jobs/c-paths.ts'
import { pathBytes } from '../../engine/jobs/path-bytes.ts'
import { mostPathSteps, type PathInput, type PathResult } from '../../engine/jobs/path-input.ts'
import type { NuSvcProblem } from '../../problems/kernel-problem.ts'
import {
  type ClassPair,
  classPairs,
  type PairProblems,
  type PairwiseProblem,
  rowsOfPair,
} from '../../problems/pairwise-problem.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import type { Checkpoint } from '../driver/checkpoint.ts'
import type { FoundPoint } from '../driver/found-point.ts'
import { allowedGap, isReached } from '../driver/goal.ts'
import {
  cacheBytesByDefault,
  PROGRESS_INTERVAL_MS,
  type RunOptions,
  type SolveResult,
} from '../driver/run.ts'
import { keepResult, savedResult } from '../driver/saved-run.ts'
import { smo } from '../methods/smo.ts'
import type { DensePairs } from './dense-pairs.ts'
import type { SharedPairs } from './shared-pairs.ts'

/** Samples of a pair, at most: its kernel matrix takes 64 MB. */
const LARGEST_PAIR = 4096
/** Samples and pairs that are solved before the first of them is measured, about: a second or two of work. */
const SAMPLES_AT_ONCE = 500_000
const PAIRS_AT_ONCE = 4096
/** Share of the memory that threads may work in; rows for all pairs have the rest. */
const WORK_SHARE = 0.5
/**
 * Of the room that a thread has for its largest pair, what pairs use: most make a fifth to a third of their rows, and gather fewer.
 * Pages that nobody writes to take no memory. Resident memory of two threads instead of one, by default (100 MB): digits 173 and 181
 * MB, letter 192 and 200 MB.
 */
const USED_SHARE = 1 / 3

const NO_TRACE: readonly never[] = []

/** What has come of a pair, and its share of the time. */
interface Reached {
  readonly alpha: Float64Array
  readonly bias: number
  /** ρ of a ν problem. */
  readonly width: number | undefined
  readonly steps: number
  readonly seconds: number
  /** What the certificate is made of; undefined for kernels whose sums are sooner made from weights. */
  readonly sums: KnownSums | undefined
}

/** The solution of pair number p as it was found, and what it may have cost. */
interface PairSolution extends Pick<PathResult, 'bias' | 'width' | 'steps' | 'seconds'> {
  readonly p: number
  readonly alpha: Float64Array
}

/** See the header of the file. */
export class PathPairs {
  private readonly problem: PairwiseProblem
  private readonly problems: PairProblems
  private readonly members: readonly Uint32Array[]
  private readonly shared: SharedPairs
  /** Who solves the pairs of small classes. */
  private readonly dense: DensePairs | undefined
  /** Samples of a pair, at most. */
  private readonly largest: number
  /** Of all pairs. */
  private readonly checkpoint: Checkpoint | undefined
  /** What others have found of all pairs: then none has to be solved, of however many samples. */
  private readonly found: readonly FoundPoint[] | undefined
  private readonly pairs: readonly ClassPair[]
  /** Samples of the largest class. */
  private readonly widest: number
  /**
   * What pairs are about, all of them with windows of the same arrays: 1 for the samples of a first class before −1 for those of a second.
   * With ν, each class has its half of the sum, and nobody a target. Bounds by class, once they were requested.
   */
  private readonly targets: Float64Array
  private readonly uppers: Float64Array[] = []
  private readonly lowers: Float64Array[] = []
  /** By number of the pair: those that were solved and not asked for yet. */
  private readonly reached = new Map<number, Reached>()
  /** Number of the first pair that was not started with. */
  private next = 0
  /** Seconds that were spent, but are not those of a pair that was requested. */
  private unclaimed = 0

  private constructor(
    problem: PairwiseProblem,
    problems: PairProblems,
    shared: SharedPairs,
    dense: DensePairs | undefined,
    largest: number,
    checkpoint: Checkpoint | undefined,
    found: readonly FoundPoint[] | undefined,
  ) {
    this.dense = dense
    this.checkpoint = checkpoint
    this.found = found
    this.problem = problem
    this.problems = problems
    this.members = problems.members
    this.shared = shared
    this.largest = largest
    this.widest = largestOf(this.members.map(({ length }) => length))
    this.targets = new Float64Array(2 * this.widest)
    if (problem.nu === undefined) this.targets.fill(-1).fill(1, 0, this.widest)
    this.pairs = [...classPairs(problem.classCount)]
  }

  /**
   * Undefined where somebody wants to see the course of a run or limits its steps, and for kernels that are not positive
   * semi-definite: where those end depends on the way.
   */
  static for(
    problem: PairwiseProblem,
    problems: PairProblems,
    shared: SharedPairs | undefined,
    dense: DensePairs | undefined,
    { trace, onStep, maxIter, cacheBytes = cacheBytesByDefault(), checkpoint }: RunOptions,
    found?: readonly FoundPoint[],
  ): PathPairs | undefined {
    if (!shared || trace || onStep || maxIter !== undefined) return undefined
    if (isRefuted(problem)) return undefined
    // Two matrices of f32 and some vectors, for one thread at least: how many there are must not decide who is solved here.
    const most = Math.min(LARGEST_PAIR, Math.floor(Math.sqrt((WORK_SHARE * cacheBytes) / 10)))
    const largest = found ? Number.POSITIVE_INFINITY : most
    return new PathPairs(problem, problems, shared, dense, largest, checkpoint, found)
  }

  /** Whether a pair is small enough, but not so small that it is for others. */
  has(pair: ClassPair): boolean {
    const [first, second] = pair
    const size = this.members[first].length + this.members[second].length
    return size <= this.largest && !this.dense?.has(pair)
  }

  /** Whether all pairs are. */
  get hasAll(): boolean {
    const sizes = Uint32Array.from(this.members, ({ length }) => length).sort()
    return (sizes.at(-1) ?? 0) + (sizes.at(-2) ?? 0) <= this.largest
  }

  /** Solves a pair, and others that come after it; undefined where it is not solved: whoever goes on has what time is `left`. */
  *solve(
    problem: SvmProblem | NuSvcProblem,
    number: number,
    options: RunOptions,
  ): Pieces<{ readonly done?: SolveResult; readonly left: RunOptions }> {
    if (number >= this.next) yield* this.solveFrom(number, options)
    const { timeLimit } = options
    const left = {
      ...options,
      ...(timeLimit !== undefined && { timeLimit: Math.max(0, timeLimit - this.unclaimed) }),
    }
    const reached = this.reached.get(number)
    this.reached.delete(number)
    if (!reached) return { left }
    this.unclaimed -= reached.seconds
    const done = yield* this.measure(problem, this.pairs[number], reached, options)
    if (done && options.checkpoint) keepResult(options.checkpoint, done)
    return { left, ...(done && { done }) }
  }

  /** Solves some pairs, from this number on. */
  private *solveFrom(first: number, options: RunOptions): Pieces {
    const chosen: number[] = []
    let samples = 0
    let next = first
    for (; next < this.pairs.length && samples < SAMPLES_AT_ONCE && chosen.length < PAIRS_AT_ONCE; next++) {
      if (!this.has(this.pairs[next])) continue
      const own = this.checkpoint?.within(String(next))
      if (own && savedResult(own)) continue
      chosen.push(next)
      samples += this.sizeOf(next)
    }
    this.next = next
    const started = performance.now()
    const solutions = this.found ? this.pointsFound(chosen) : yield* this.follow(chosen, options)
    const spent = (performance.now() - started) / 1000
    this.unclaimed += spent
    const { ranges } = this.shared.onEngine(options)
    const points = solutions.map(({ p, alpha }) => ({ pair: this.pairs[p], alpha }))
    const sums =
      this.shared.kernel.kind === 'linear'
        ? undefined
        : yield* pairSums(this.shared.place(options), ranges, points, options.certify === 'all')
    // Costs are counted in rough nanoseconds; what the clock says corrects them.
    const estimated = solutions.reduce((sum, { seconds }) => sum + seconds, 0)
    solutions.forEach(({ p, width, seconds, ...solution }, k) => {
      this.reached.set(p, {
        ...solution,
        width: this.problem.nu === undefined ? undefined : width,
        seconds: (seconds / (estimated || 1)) * spent,
        sums: sums?.[k],
      })
    })
  }

  /** What was found of some pairs, as solutions of theirs. */
  private pointsFound(chosen: readonly number[]): PairSolution[] {
    const place = new Uint32Array(this.problem.classOf.length)
    return chosen.map((p) => {
      rowsOfPair(this.members, this.pairs[p]).forEach((i, at) => {
        place[i] = at
      })
      const { support, beta, ...found } = (this.found as readonly FoundPoint[])[p]
      const alpha = new Float64Array(this.sizeOf(p))
      for (let k = 0; k < support.length; k++) alpha[place[support[k]]] = Math.abs(beta[k])
      return { p, alpha, ...found, seconds: 0 }
    })
  }

  /** Follows the paths of some pairs; returns those that have come to an end. */
  private *follow(chosen: readonly number[], options: RunOptions): Pieces<PairSolution[]> {
    const { signal, timeLimit = Number.POSITIVE_INFINITY, onProgress } = options
    // The largest first: nobody should begin with a long one when the others are done.
    const inTurn = [...chosen].sort((a, b) => this.sizeOf(b) - this.sizeOf(a) || a - b)
    const inPairs = new Set(inTurn.flatMap((p) => this.pairs[p]))
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    const on = this.shared.onEngine(options)
    const { engine } = on
    const mark = engine.mark()
    const diagonal = engine.array(Float32Array, on.diagonal.length)
    diagonal.set(on.diagonal)
    const paths = inTurn.map((p) => this.pathOf(p, options.tol ?? smo.defaults.tol))
    const { cacheBytes = cacheBytesByDefault() } = options
    const used = USED_SHARE * pathBytes(0, paths, 1)
    const threads = Math.max(1, Math.floor((WORK_SHARE * cacheBytes) / used))
    const ownRows = reserveOwnRows(
      engine,
      on.ranges.map((range, c) => (inPairs.has(c) ? range : [range[0], range[0]])),
      diagonal.length,
      (1 - WORK_SHARE) * cacheBytes,
    )
    const ofPairs = { matrix: on.samples, rows: diagonal.length, diagonal, ownRows }
    const running = new CPaths(engine, ofPairs, paths, { mostThreads: threads })
    let toldMs = started + PROGRESS_INTERVAL_MS
    try {
      while (!signal?.aborted && seconds() < timeLimit && running.advance() !== 'done') {
        if (onProgress && performance.now() >= toldMs) {
          toldMs += PROGRESS_INTERVAL_MS
          const violation = Number.NaN
          onProgress({ solver: smo.name, iteration: 0, seconds: seconds(), violation, tol: paths[0].tol })
        }
        yield
      }
      running.finish()
      return inTurn.flatMap((p, path) => {
        const result = running.result(path, 0)
        if (!result?.converged) return []
        const { solution, bias, width, steps, seconds } = result
        const alpha = sizesOf(solution as Float64Array, this.members[this.pairs[p][0]].length)
        return [{ p, alpha, bias, width, steps, seconds }]
      })
    } finally {
      running.finish()
      engine.release(mark)
    }
  }

  /** What pairs whose first class is c have above 0: the bounds of its samples, and 0 for as many others as there may be. */
  private upperOf(c: number): Float64Array {
    this.uppers[c] ??= joinArrays(Float64Array, [this.problems.boundsOf(c), new Float64Array(this.widest)])
    return this.uppers[c]
  }

  /** What pairs whose second class is c have below 0. */
  private lowerOf(c: number): Float64Array {
    this.lowers[c] ??= joinArrays(Float64Array, [
      new Float64Array(this.widest),
      negated(this.problems.boundsOf(c)),
    ])
    return this.lowers[c]
  }

  private sizeOf(p: number): number {
    const [first, second] = this.pairs[p]
    return this.members[first].length + this.members[second].length
  }

  private pathOf(p: number, tol: number): PathInput {
    const [first, second] = this.pairs[p]
    const samples = this.shared.placesOf([first, second])
    const split = this.members[first].length
    const before = this.widest - split
    const { nu } = this.problem
    const weight = this.problems.weightOf(first) + this.problems.weightOf(second)
    const sums = nu === undefined ? undefined : Float64Array.of((nu * weight) / 2)
    return {
      kernel: this.shared.kernel,
      samples,
      training: samples.length,
      target: this.targets.subarray(before, before + samples.length),
      lower: this.lowerOf(second).subarray(before, before + samples.length),
      upper: this.upperOf(first).subarray(0, samples.length),
      C: Float64Array.of(1),
      ...(sums && { sums }),
      tube: 0,
      tol,
      maxSteps: mostPathSteps(samples.length),
      keepSolutions: true,
      split,
    }
  }

  /** What a solution is worth; undefined where it is not proven to be one. */
  private *measure(
    problem: SvmProblem | NuSvcProblem,
    pair: ClassPair,
    { alpha, bias, width, steps, seconds, sums }: Reached,
    options: RunOptions,
  ): Pieces<SolveResult | undefined> {
    const { tol = smo.defaults.tol, seed = 0, certify } = options
    const place = { ...this.shared.place(options), rowOf: this.shared.placesOf(pair) }
    const { threads } = place.engine
    const certifier = new Certifier(problem, { threads, all: certify === 'all', seed, tol })
    const found = yield* certifier.examine({ alpha, bias, width }, place, sums)
    if (!isReached(found, smo.goal, tol, allowedGap(smo.goal, tol, found.primal))) return undefined
    const { values: _, isFeasible: __, ...measures } = found
    const ofWidth = width === undefined ? {} : { width }
    return {
      alpha,
      bias,
      ...ofWidth,
      trace: NO_TRACE,
      certificate: {
        ...measures,
        ...ofWidth,
        ...(width !== undefined && lacksMargin(width, tol) && { noMargin: true }),
        stopReason: 'converged',
        iterations: steps,
        seconds,
        solver: smo.name,
        tol,
        proves: 'optimum',
        precision: 'f32',
      },
    }
  }
}

/** Makes α of β, which is above 0 in the first class, and below in the other. */
function sizesOf(beta: Float64Array, split: number): Float64Array {
  for (let i = split; i < beta.length; i++) if (beta[i] !== 0) beta[i] = -beta[i]
  return beta
}
