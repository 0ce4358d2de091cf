/**
 * Trains kernel machines on blocks of samples, exactly: a master solves over a set of samples, and blocks feed back those that
 * violate the optimality conditions, until the violation over all samples is within the tolerance.
 *
 *   1. Every block solves its own dual, or finds the support vectors of a model to start from. The set is the union of the support vectors.
 *   2. The master solves the dual over the set, from where it is.
 *   3. Every block measures the model on all of its samples (../../certify/shard-dual-measures.ts) and sends its worst violators.
 *   4. Within the tolerance: done, and the measures are the certificate. Else the violators join the set; on with 2.
 *
 * The master solves to half the tolerance, and blocks send what is beyond a quarter of it on one side of the bias: a set that
 * receives nothing any more is optimal for all samples. The set never loses a sample, so each round lowers the dual, and it ends.
 * The state is kept after every round.
 *
 * Problem  the duals of ../../problems/general-dual.ts, a function per pair of classes over one set
 * Source   Osuna, Freund, Girosi 1997 (chunks that violators join); Graf et al. 2004 (own solutions merged, feedback)
 * Cost     a round: one solution over the set, warm; samples x support vectors kernel values; a block holds its samples and the
 *          support vectors
 */
import { ParameterError } from '../../base/errors.ts'
import { countUp, joinArrays, pickNumbers } from '../../base/lists.ts'
import { type Certificate, lacksMargin } from '../../certify/certificate.ts'
import { isRefuted } from '../../certify/definiteness.ts'
import { type DualPointMeasures, ShardDualMeasures } from '../../certify/shard-dual-measures.ts'
import { selectRows } from '../../data/matrix/matrix.ts'
import { type ShardBlock, stackBlocks } from '../../data/shards/shard-block.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import { signedPointOf } from '../../problems/general-form.ts'
import { largestNu, type Problem } from '../../problems/kernel-problem.ts'
import { isReached } from '../driver/goal.ts'
import { solve } from '../driver/run.ts'
import { feasibleStart, type KernelStart } from '../dual/kernel-start.ts'
import { smoFrom } from '../methods/smo.ts'
import type {
  FoundSamples,
  KernelMeasureBody,
  KernelMeasured,
  KernelSolveBody,
  KernelSolved,
  KernelWeights,
  KernelWeightsBody,
} from './kernel-pass.ts'
import {
  functionProblem,
  hasNu,
  type KernelShardTask,
  kernelFunctionCount,
  taskKernel,
  weightSums,
} from './kernel-task.ts'
import type { ShardExecutor, ShardKeep } from './shard-executor.ts'
import type { PassKind } from './shard-pass.ts'
import { type AnyRunOptions, AnyShardRun } from './shard-run.ts'

/** Settings of {@link solveKernelOnShards}. */
export interface KernelRunOptions extends AnyRunOptions {
  /** Rounds after which to stop. */
  readonly rounds: number
  /** Memory for kernel rows of one solution. Part of what decides the bits of the result. */
  readonly cacheBytes: number
  readonly threads?: number | undefined
  /** Where to start; without it, every block solves its own dual first. Part of what decides the bits of the result. */
  readonly start?: KernelStart | undefined
}

/** Samples of several blocks, scaled: where they come from, and what they are. */
export interface SampleSet extends ShardBlock {
  readonly blocks: Uint32Array
  readonly rows: Uint32Array
}

/** What was reached for one function. */
export interface KernelSolution {
  /** α of each sample of the set. */
  readonly alpha: Float64Array
  readonly bias: number
  readonly width?: number | undefined
  readonly certificate: Certificate
}

/** What was reached. */
export interface KernelShardSolution {
  readonly set: SampleSet
  readonly functions: readonly KernelSolution[]
}

/**
 * The master's tolerance and the excess from which on samples are sent, as parts of the tolerance: see the header of the
 * file. With 1/4 for the one, and 1/8 and 1/2 for the other, 8,000 samples of a9a and 6,000 of covtype took as many rounds (3 and 4)
 * and as long.
 */
const MASTER_PART = 1 / 2
const SENT_PART = 1 / 4
/**
 * The tolerance of the blocks' own solutions, as a multiple: they only have to find support vectors. On the same, 1 took as long, 100
 * up to a quarter longer.
 */
const OWN_SLACK = 10
/**
 * Violators that each block sends for a function: as many in all as there are support vectors, and at least so many. On the same, 50
 * and 800 took a fifth longer.
 */
const LEAST_SENT = 200
/**
 * Error bars that the last certificate may have: of the gap, as a share of it; of both, as a share of the dual value. The latter is so
 * small that runs can be compared to a millionth; at worst it costs the support vectors' own rows in f64, once.
 */
const SHARP_GAP = 0.25
const SHARP_VALUES = 1e-7

/** See the header of the file. Undefined where it was stopped before the first round was complete. */
export async function solveKernelOnShards(
  task: KernelShardTask,
  executor: ShardExecutor,
  keep: ShardKeep,
  options: KernelRunOptions,
): Promise<KernelShardSolution | undefined> {
  return new KernelRun(task, executor, keep, options).toEnd()
}

/** A function as it is. */
interface FunctionState {
  readonly alpha: Float64Array
  readonly bias: number
  readonly width?: number | undefined
  /** Of this point, over all samples; undefined until they are known. */
  readonly measures?: DualPointMeasures | undefined
}

/** A set, and where its functions begin. */
interface Begin {
  readonly set: SampleSet
  readonly functions: FunctionState[]
}

/** What is kept of a run. */
interface SavedKernelRun {
  readonly set: SampleSet
  readonly functions: readonly FunctionState[]
  readonly totals?: KernelWeights['sums'] | undefined
  readonly rounds: number
  readonly isStalled: boolean
  readonly passes: number
  readonly seconds: number
}

class KernelRun extends AnyShardRun<KernelShardTask, KernelRunOptions> {
  private readonly kernel: AnyKernel
  private set: SampleSet | undefined
  private functions: FunctionState[] = []
  private totals: KernelWeights['sums'] | undefined
  private rounds = 0
  private isStalled = false

  constructor(task: KernelShardTask, executor: ShardExecutor, keep: ShardKeep, options: KernelRunOptions) {
    super(task, executor, keep, options)
    this.kernel = taskKernel(task)
  }

  async toEnd(): Promise<KernelShardSolution | undefined> {
    try {
      Object.assign(this, await this.kept<SavedKernelRun>())
      if (!this.set) await this.begin()
      while (!this.stopReason() && !this.isStalled && this.open().length > 0) {
        if (this.rounds >= this.options.rounds) break
        await this.round()
      }
      if (this.rounds === 0) return undefined
      if (!this.stopReason()) await this.narrowErrorBars()
    } catch (error) {
      if (!this.options.signal?.aborted) throw error
      if (this.rounds === 0) return undefined
    }
    return { set: this.set!, functions: this.functions.map((state) => this.solutionOf(state)) }
  }

  private async save(): Promise<void> {
    const { set, functions, totals, rounds, passes, isStalled } = this
    const state: SavedKernelRun = {
      ...{ set: set!, functions, rounds, passes, isStalled, seconds: this.spentSeconds() },
      ...(totals && { totals }),
    }
    await this.keepState(state)
  }

  /** The functions that are not solved yet. */
  private open(): number[] {
    return [...this.functions.keys()].filter((which) => !this.hasConverged(this.functions[which]))
  }

  private hasConverged({ measures }: FunctionState): boolean {
    const { tol } = this.options
    return measures !== undefined && isReached(measures, 'violation', tol, Number.POSITIVE_INFINITY)
  }

  /** Every block solves for itself. */
  private async begin(): Promise<void> {
    const { task, options } = this
    const count = kernelFunctionCount(task)
    if (hasNu(task)) {
      const totals = Array.from({ length: count }, (): [number, number] => [0, 0])
      const body: KernelWeightsBody = { task }
      for await (const { sums } of this.pass<KernelWeights>('kernel-weights', body)) {
        for (const [which, [positive, negative]] of sums.entries()) {
          totals[which][0] += positive
          totals[which][1] += negative
        }
      }
      for (const sums of totals) checkNu(task, sums)
      this.totals = totals
    }
    const { cacheBytes, start } = options
    const body: KernelSolveBody = {
      ...{ task, tol: OWN_SLACK * options.tol, cacheBytes },
      ...(this.totals && { totals: this.totals }),
    }
    const begun = start && (await this.startFrom({ ...body, start }))
    const { set, functions } = begun ?? (await this.solveBlocks(body))
    this.set = set
    this.functions = functions
    await this.save()
  }

  /** What the blocks have found, and α of it. */
  private async solveBlocks(body: KernelSolveBody): Promise<Begin> {
    const found: FoundSamples[] = []
    const alphas: Float64Array[][] = Array.from({ length: kernelFunctionCount(this.task) }, () => [])
    for await (const own of this.pass<KernelSolved>('kernel-solve', body)) {
      found.push(own.found)
      for (const [which, alpha] of own.alphas.entries()) alphas[which].push(alpha)
    }
    const functions = alphas.map((parts) => ({ alpha: joinArrays(Float64Array, parts), bias: 0 }))
    return { set: setOf(found), functions }
  }

  /** The same of a start; undefined where it has too little in common with these samples. */
  private async startFrom(body: KernelSolveBody): Promise<Begin | undefined> {
    const { task, kernel, totals } = this
    const { set, functions } = await this.solveBlocks(body)
    if (set.rows.length === 0) return undefined
    const begun: FunctionState[] = []
    for (const [which, { alpha }] of functions.entries()) {
      const { rows, problem } = functionProblem(task, kernel, set, which)
      const own = feasibleStart(problem, pickNumbers(alpha, rows), totals?.[which])
      if (!own) return undefined
      const all = new Float64Array(alpha.length)
      for (const [i, row] of rows.entries()) all[row] = own[i]
      begun.push({ alpha: all, bias: 0 })
    }
    return { set, functions: begun }
  }

  /** The master solves, the blocks measure, and violators join the set. What is cut short leaves no trace. */
  private async round(): Promise<void> {
    const { options, executor } = this
    const open = this.open()
    const functions = [...this.functions]
    for (const which of open) functions[which] = await this.master(which)
    const vectors = supportRows(functions)
    const most = Math.max(LEAST_SENT, Math.ceil(vectors.length / executor.rows.length))
    const violators = { most, beyond: SENT_PART * options.tol }
    const { measures, found } = await this.measure(functions, open, vectors, { violators })
    for (const [at, which] of open.entries()) {
      functions[which] = { ...functions[which], measures: measures[at] }
    }
    this.functions = functions
    this.rounds++
    const sent = found.reduce((sum, { rows }) => sum + rows.length, 0)
    this.isStalled = sent === 0 && this.open().length > 0
    if (sent > 0 && this.open().length > 0) {
      this.set = setOf(found, this.set)
      const { length } = this.set.rows
      this.functions = functions.map((state) => ({ ...state, alpha: extended(state.alpha, length) }))
    }
    await this.save()
  }

  /** The solution of a function over the set. */
  private async master(which: number): Promise<FunctionState> {
    const { task, kernel, set, options, totals } = this
    const state = this.functions[which]
    const { rows, problem: own } = functionProblem(task, kernel, set!, which)
    const problem = totals ? withTotal(own, totals[which]) : own
    if (problem.task === 'svc' && !(problem.y.includes(1) && problem.y.includes(-1))) return state
    const start = signedPointOf(problem, pickNumbers(state.alpha, rows)).slice()
    const { threads, cacheBytes, signal, tol } = options
    const { alpha, bias, width } = await solve(
      problem,
      smoFrom(start),
      {},
      {
        ...{ tol: MASTER_PART * tol, cacheBytes, seed: task.seed },
        ...(threads !== undefined && { threads }),
        ...(signal && { signal }),
        timeLimit: this.secondsLeft(),
      },
    )
    signal?.throwIfAborted()
    const all = new Float64Array(state.alpha.length)
    for (const [i, row] of rows.entries()) all[row] = alpha[i]
    return { alpha: all, bias, ...(width !== undefined && { width }) }
  }

  /** Measures some functions over all blocks. */
  private async measure(
    functions: readonly FunctionState[],
    which: readonly number[],
    vectors: Uint32Array,
    more: Pick<KernelMeasureBody, 'violators' | 'sharpness'>,
  ): Promise<{ readonly measures: DualPointMeasures[]; readonly found: FoundSamples[] }> {
    const { task, options } = this
    const { blocks, rows, samples, labels } = this.set!
    const body: KernelMeasureBody = {
      ...{ task, tol: options.tol, known: { blocks, rows } },
      vectors: selectRows(samples, vectors),
      blocks: vectors.map((s) => blocks[s]),
      rows: vectors.map((s) => rows[s]),
      labels: pickNumbers(labels, vectors),
      functions: which.map((f) => {
        const { alpha, bias, width } = functions[f]
        return { which: f, alpha: pickNumbers(alpha, vectors), bias, ...(width !== undefined && { width }) }
      }),
      ...more,
    }
    const sums = which.map(() => new ShardDualMeasures())
    const found: FoundSamples[] = []
    for await (const answer of this.pass<KernelMeasured>('kernel-measure', body)) {
      for (const [f, part] of answer.parts.entries()) if (part) sums[f].add(part)
      found.push(answer.found)
    }
    return { measures: sums.map((sum) => sum.end()), found }
  }

  /** The certificates of the end, with the sharp error bars that a round does without. */
  private async narrowErrorBars(): Promise<void> {
    const every = [...countUp(this.functions.length)]
    const { length } = this.executor.rows
    const sharpness = this.functions.map(({ measures }) => {
      const { gap, dual } = measures!
      const ofDual = (SHARP_VALUES * Math.abs(dual)) / length
      return { dual: ofDual, gap: Math.max((SHARP_GAP * gap) / length, ofDual) }
    })
    const { functions } = this
    const { measures } = await this.measure(functions, every, supportRows(functions), { sharpness })
    this.functions = functions.map((state, which) => ({ ...state, measures: measures[which] }))
  }

  /** The results of a pass over all blocks, in their order. */
  private async *pass<R>(kind: PassKind, body: object): AsyncGenerator<R> {
    const blocks = [...countUp(this.executor.rows.length)]
    let done = 0
    for await (const result of this.results(kind, body, blocks)) {
      this.report(++done)
      yield result as R
    }
    this.passes++
  }

  private report(block: number): void {
    const { options, functions, executor, rounds, passes } = this
    const worst = functions.reduce(
      (most, { measures }) => Math.max(most, measures?.maxViolation ?? Number.NaN),
      functions.length > 0 ? 0 : Number.NaN,
    )
    options.onProgress?.({
      ...{ solver: 'smo-shards', functions: kernelFunctionCount(this.task), rounds, passes },
      ...{ done: functions.length - this.open().length, goal: 'violation', left: worst, tol: options.tol },
      ...{ block, blocks: executor.rows.length },
    })
  }

  private solutionOf(state: FunctionState): KernelSolution {
    const { alpha, bias, width } = state
    const { isFeasible: _, ...measures } = state.measures!
    const { tol } = this.options
    const stopReason = this.endOf(this.hasConverged(state), this.isStalled)
    const { kernel, set } = this
    return {
      ...{ alpha, bias },
      ...(width !== undefined && { width }),
      certificate: {
        ...measures,
        ...{ stopReason, iterations: this.rounds, solver: 'smo-shards', tol },
        seconds: this.spentSeconds() / this.functions.length,
        proves: isRefuted({ kernel, samples: set!.samples }) ? 'stationary-point' : 'optimum',
        ...(width !== undefined && { width }),
        ...(this.task.type === 'nu-svc' && lacksMargin(width ?? 0, tol) && { noMargin: true as const }),
      },
    }
  }
}

/** The samples of a set that have a multiplier in any function. */
function supportRows(functions: readonly FunctionState[]): Uint32Array {
  return countUp(functions[0].alpha.length).filter((i) => functions.some(({ alpha }) => alpha[i] !== 0))
}

/** Throws unless both classes of a pair can hold ν; of one class there is nothing to check. */
function checkNu({ type, nu }: KernelShardTask, [positive, negative]: readonly [number, number]): void {
  const largest = largestNu(positive, negative)
  if (type !== 'nu-svc' || nu <= largest) return
  const allowed = `at most ${Number(largest.toPrecision(6))}, twice the share of the smaller class`
  throw new ParameterError('NuSVC', 'nu', allowed, nu)
}

/** A ν problem over some samples whose multipliers have the sums of all: ν as a share of the weight of these. */
function withTotal(problem: Problem, [positive, negative]: readonly [number, number]): Problem {
  if (problem.task !== 'nu-svc' && problem.task !== 'one-class') return problem
  const [own, other] = weightSums(problem)
  return { ...problem, nu: (problem.nu * (positive + negative)) / (own + other) }
}

/** The samples of a set and those that each block has found. */
function setOf(found: readonly FoundSamples[], before?: SampleSet): SampleSet {
  const parts: readonly FoundSamples[] = before ? [before, ...found] : found
  const rows = parts.map((part) => part.rows)
  const blocks = found.map((part, k) => new Uint32Array(part.rows.length).fill(k))
  return {
    ...stackBlocks(parts),
    blocks: joinArrays(Uint32Array, before ? [before.blocks, ...blocks] : blocks),
    rows: joinArrays(Uint32Array, rows),
  }
}

function extended(values: Float64Array, length: number): Float64Array {
  const longer = new Float64Array(length)
  longer.set(values)
  return longer
}
