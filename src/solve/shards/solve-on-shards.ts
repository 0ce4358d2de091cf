/**
 * Trains linear machines on blocks of samples that are read one at a time: the passes that machines ask for, one after the
 * other in this process, with the next block being read meanwhile. After every pass the state is kept, so that whatever ends
 * the work loses one pass at most.
 */
import { pack, unpack } from '../../base/packing.ts'
import type { Certificate, StopReason } from '../../certify/certificate.ts'
import { measureBlock, ShardMeasures } from '../../certify/linear/shard-measures.ts'
import type { ShardBlock } from '../../data/shards/arrow-block.ts'
import { isSmooth, type LossTerms } from '../../problems/linear-loss.ts'
import { allowedGap, isReached } from '../driver/goal.ts'
import { curvatureDiagonal, curvatureTimes, descendBlock, slopesOf } from './block-passes.ts'
import { KinkMachine } from './kink-machine.ts'
import { NewtonMachine } from './newton-machine.ts'
import type { PassAnswer, PassRequest, ShardMachine, Smoothing } from './shard-machine.ts'
import { functionCount, prepareBlock, type ShardTask, termsOfBlock } from './shard-task.ts'

/** Blocks to be read in turn. */
export interface BlockSource {
  readonly columns: number
  /** Samples of each block. */
  readonly rows: readonly number[]
  /** Reads a block. What it returns lasts until the next but one is asked for. */
  block(k: number): Promise<ShardBlock>
}

/** Where values are kept by name; whatever is there was kept wholly. */
export interface ShardKeep {
  load(name: string): Promise<Uint8Array | undefined>
  save(name: string, value: Uint8Array): Promise<void>
}

/** Settings of {@link solveOnShards}. */
export interface ShardRunOptions {
  /** The gap to reach, as a part of the primal value. */
  readonly tol: number
  /** Rounds after which to stop. */
  readonly maxIter: number
  /** Seconds after which to stop. */
  readonly timeLimit?: number | undefined
  /** Memory for the vectors of machines, in bytes: functions that do not fit wait for others. */
  readonly memoryBytes: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ShardRunProgress) => void) | undefined
}

/** How far training on shards has come. */
export interface ShardRunProgress {
  readonly solver: string
  /** Functions that are done, and how many there are. */
  readonly done: number
  readonly functions: number
  /** Of the function that is furthest behind: rounds, and the gap as a part of the primal value (NaN while unknown). */
  readonly rounds: number
  readonly gap: number
  readonly tol: number
  /** Blocks done in this pass, and how many there are. */
  readonly block: number
  readonly blocks: number
  /** Passes over the data so far. */
  readonly passes: number
}

/** What was reached for one function. */
export interface ShardSolution {
  /** w̃: the weight of the constant feature at the end. */
  readonly weights: Float64Array
  readonly certificate: Certificate
}

/** Epochs of descent on a block before the next is read: reading it costs about as much as one or two. */
const EPOCHS_PER_VISIT = 3
/** Vectors of a machine, its saved copy and the sums of a pass among them. */
const VECTORS_PER_MACHINE = 24
/** The state of Newton machines is kept after every pass, but not twice within so many milliseconds. */
const KEEP_MS = 500
const STATE_NAME = 'state'

/** See the head of the file. */
export async function solveOnShards(
  task: ShardTask,
  source: BlockSource,
  keep: ShardKeep,
  options: ShardRunOptions,
): Promise<ShardSolution[]> {
  return new ShardRun(task, source, keep, options).toEnd()
}

/** What is kept of a run. */
interface SavedRun {
  readonly solved: readonly ShardSolution[]
  readonly machines: readonly object[]
  readonly passes: number
  readonly seconds: number
}

class ShardRun {
  private readonly task: ShardTask
  private readonly source: BlockSource
  private readonly keep: ShardKeep
  private readonly options: ShardRunOptions
  private solved: ShardSolution[] = []
  private machines: ShardMachine[] = []
  private passes = 0
  private seconds = 0
  private startedMs = performance.now()
  private keptMs = Number.NEGATIVE_INFINITY

  constructor(task: ShardTask, source: BlockSource, keep: ShardKeep, options: ShardRunOptions) {
    this.task = task
    this.source = source
    this.keep = keep
    this.options = options
  }

  async toEnd(): Promise<ShardSolution[]> {
    const functions = functionCount(this.task)
    await this.restore()
    while (this.solved.length < functions) {
      if (this.machines.length === 0) this.startGroup()
      let stop = this.stopReason()
      while (this.machines.some((machine) => !this.isOver(machine)) && !stop) {
        const isWhole = await this.pass()
        stop = this.stopReason()
        if (isWhole || stop) await this.save(stop !== undefined)
      }
      for (const machine of this.machines) this.solved.push(this.solutionOf(machine, stop))
      this.machines = []
      if (stop) while (this.solved.length < functions) this.solved.push(this.nothing(stop))
    }
    return this.solved
  }

  /** As many functions as there is memory for, and at least one. */
  private startGroup(): void {
    const { solved, source, task, options } = this
    const length = source.columns + 1
    const fit = Math.floor(
      options.memoryBytes / (VECTORS_PER_MACHINE * Float64Array.BYTES_PER_ELEMENT * length),
    )
    const count = Math.min(functionCount(task) - solved.length, Math.max(1, fit))
    this.machines = Array.from({ length: count }, () =>
      isSmooth(task.loss) ? new NewtonMachine(length) : new KinkMachine(length, task.C),
    )
  }

  private async restore(): Promise<void> {
    const bytes = await this.keep.load(STATE_NAME)
    if (!bytes) return
    const { solved, machines, passes, seconds } = unpack(bytes) as SavedRun
    this.solved = [...solved]
    this.passes = passes
    this.seconds = seconds
    if (machines.length === 0) return
    this.startGroup()
    this.machines = this.machines.slice(0, machines.length)
    for (const [m, machine] of this.machines.entries()) machine.restore(machines[m])
  }

  private async save(isLast: boolean): Promise<void> {
    // A descent needs every one: β of the round before last is overwritten.
    if (!isLast && isSmooth(this.task.loss) && performance.now() - this.keptMs < KEEP_MS) return
    const { solved, machines, passes } = this
    const state: SavedRun = {
      ...{ solved, passes, seconds: this.spentSeconds() },
      machines: machines.map((machine) => machine.save()),
    }
    await this.keep.save(STATE_NAME, pack(state))
    this.keptMs = performance.now()
  }

  private spentSeconds(): number {
    return this.seconds + this.secondsHere()
  }

  /** In this process. */
  private secondsHere(): number {
    return (performance.now() - this.startedMs) / 1000
  }

  /** Why to stop before all functions are solved. */
  private stopReason(): StopReason | undefined {
    if (this.options.signal?.aborted) return 'aborted'
    return this.secondsHere() >= (this.options.timeLimit ?? Number.POSITIVE_INFINITY)
      ? 'time-limit'
      : undefined
  }

  private isOver(machine: ShardMachine): boolean {
    return machine.isStalled || machine.rounds >= this.options.maxIter || this.hasConverged(machine)
  }

  private hasConverged({ best }: ShardMachine): boolean {
    const { tol } = this.options
    return (
      best !== undefined && isReached(best.measures, 'gap', tol, allowedGap('gap', tol, best.measures.primal))
    )
  }

  /** One pass over all blocks, for all functions that are not done; false where it was cut short, which leaves no trace. */
  private async pass(): Promise<boolean> {
    const { source, machines, task } = this
    const first = this.solved.length
    const active = machines.filter((machine) => !this.isOver(machine))
    const jobs = active.map((machine) => {
      const which = first + machines.indexOf(machine)
      return new PassJob(task, which, machine.request(), source.columns + 1, this.keep)
    })
    const blocks = source.rows.length
    let ahead = source.block(0)
    for (let k = 0; k < blocks; k++) {
      const block = prepareBlock(task, await ahead)
      if (k + 1 < blocks) ahead = source.block(k + 1)
      // The error is thrown where it is awaited; until then it must not count as unhandled.
      ahead.catch(() => {})
      for (const job of jobs) await job.visit(block, k)
      this.report(active, k + 1)
      if (this.stopReason()) {
        await Promise.allSettled([ahead])
        if (k + 1 < blocks) return false
      }
    }
    this.passes++
    active.forEach((machine, m) => {
      machine.receive(jobs[m].end())
    })
    return true
  }

  private report(active: readonly ShardMachine[], block: number): void {
    const { options, source, task, solved, machines, passes } = this
    const gapOf = ({ best }: ShardMachine) =>
      best ? best.measures.gap / Math.abs(best.measures.primal) : Number.NaN
    const last = active.reduce(
      (worst, machine) => (gapOf(machine) > gapOf(worst) ? machine : worst),
      active[0],
    )
    options.onProgress?.({
      ...{ solver: last.name, functions: functionCount(task), rounds: last.rounds, gap: gapOf(last) },
      ...{ done: solved.length + machines.length - active.length, tol: options.tol, passes },
      ...{ block, blocks: source.rows.length },
    })
  }

  private solutionOf(machine: ShardMachine, stop: StopReason | undefined): ShardSolution {
    const { best, rounds, name } = machine
    if (!best) return this.nothing(stop ?? 'stalled')
    const stopReason = this.hasConverged(machine)
      ? 'converged'
      : (stop ?? (machine.isStalled ? 'stalled' : 'iteration-limit'))
    const { tol } = this.options
    const { length } = this.machines
    return {
      weights: best.weights,
      certificate: {
        ...best.measures,
        ...{ stopReason, iterations: rounds, seconds: this.spentSeconds() / length, solver: name, tol },
        proves: 'optimum',
      },
    }
  }

  /** Stopped before anything was known: w̃ = 0, of which nobody has measured anything. */
  private nothing(stopReason: StopReason): ShardSolution {
    const unknown = Number.POSITIVE_INFINITY
    return {
      weights: new Float64Array(this.source.columns + 1),
      certificate: {
        ...{ primal: unknown, dual: 0, gap: unknown, maxViolation: unknown },
        ...{ supportVectors: 0, boundedSupportVectors: 0, stopReason, iterations: 0, seconds: 0 },
        ...{
          solver: isSmooth(this.task.loss) ? 'newton' : 'block-descent',
          tol: this.options.tol,
          proves: 'optimum',
        },
      },
    }
  }
}

/** What one request comes to over all blocks. */
class PassJob {
  private readonly task: ShardTask
  private readonly which: number
  private readonly request: PassRequest
  private readonly keep: ShardKeep
  private readonly measures: ShardMeasures | undefined
  private readonly sum: Float64Array | undefined
  /** w̃ that a descent carries along: the request's own is left alone until all blocks are done. */
  private readonly carried: Float64Array | undefined
  private part: Float64Array | undefined
  private losses = 0
  private moved = false

  constructor(task: ShardTask, which: number, request: PassRequest, length: number, keep: ShardKeep) {
    this.task = task
    this.which = which
    this.request = request
    this.keep = keep
    const { kind, weights } = request
    if (kind === 'measure' || kind === 'slopes') this.measures = new ShardMeasures(weights)
    if (kind === 'curvature' || kind === 'slopes') this.sum = new Float64Array(length)
    if (kind === 'descend') this.carried = weights.slice()
  }

  async visit(block: ShardBlock, k: number): Promise<void> {
    const { task, which, request } = this
    const { samples } = block
    const { constant } = task
    const { weights } = request
    const terms = termsOfBlock(task, block, which)
    if (request.kind === 'descend') {
      const { round } = request
      const beta = await this.betaOf(k, round, samples.rows)
      // Every visit has an order of its own, whoever makes it.
      const seed = task.seed + Math.imul(round, 0x9e3779b1) + Math.imul(k, 0x85ebca6b) + which
      if (descendBlock(samples, terms, constant, this.carried!, beta, EPOCHS_PER_VISIT, seed))
        this.moved = true
      await this.keep.save(betaName(which, k, round + 1), pack(beta))
    } else if (request.kind === 'measure') {
      const beta = await this.betaOf(k, request.round, samples.rows)
      this.measures!.add(measureBlock(samples, terms, constant, weights, beta))
    } else if (request.kind === 'slopes') {
      const { smoothing } = request
      const used = await this.smoothed(terms, k, smoothing)
      const { losses, beta, curvature } = slopesOf(samples, used, constant, weights)
      this.losses += losses
      this.measures!.add(measureBlock(samples, terms, constant, weights, beta))
      this.add((out) => curvatureDiagonal(samples, curvature, constant, out))
      if (smoothing) await this.keep.save(betaName(which, k, smoothing.round + 1), pack(beta))
    } else {
      const { direction, smoothing } = request
      const { curvature } = slopesOf(samples, await this.smoothed(terms, k, smoothing), constant, weights)
      this.add((out) => curvatureTimes(samples, curvature, constant, direction, out))
    }
  }

  end(): PassAnswer {
    const { measures, sum, request, carried, moved, losses } = this
    if (request.kind === 'descend') {
      request.weights.set(carried!)
      return { moved }
    }
    return {
      ...(measures && { measures: measures.end(), v: measures.v, losses }),
      ...(sum && { sum }),
    }
  }

  /** The losses with ½ width (β − β⁰)² added to their conjugates: D grows by the width, and z moves by width · β⁰. */
  private async smoothed(terms: LossTerms, k: number, smoothing: Smoothing | undefined): Promise<LossTerms> {
    if (!smoothing) return terms
    const { round, width } = smoothing
    const beta = await this.betaOf(k, round, terms.z.length)
    return {
      ...terms,
      z: terms.z.map((z, i) => z + width * beta[i]),
      shift: terms.shift.map((shift) => shift + width),
    }
  }

  /** The part of a block comes to be on its own: the sum does not depend on who computed it. */
  private add(fill: (part: Float64Array) => void): void {
    const sum = this.sum!
    this.part ??= new Float64Array(sum.length)
    const { part } = this
    fill(part)
    for (let j = 0; j < sum.length; j++) sum[j] += part[j]
  }

  private async betaOf(k: number, round: number, rows: number): Promise<Float64Array> {
    if (round === 0) return new Float64Array(rows)
    const bytes = await this.keep.load(betaName(this.which, k, round))
    return unpack(bytes!) as Float64Array
  }
}

/** β of a function and a block after a round: two rounds are there at a time, the one before and the one under way. */
function betaName(which: number, k: number, round: number): string {
  return `beta-${which}-${k}-${round % 2}`
}
