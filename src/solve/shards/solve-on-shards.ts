/**
 * Trains linear machines on blocks of samples by the passes that machines ask for; an executor runs them. After every pass the
 * state is kept, so that whatever ends the work loses one pass at most.
 */
import { countUp } from '../../base/lists.ts'
import type { Certificate, StopReason } from '../../certify/certificate.ts'
import { isSmooth } from '../../problems/linear-loss.ts'
import { allowedGap, isReached } from '../driver/goal.ts'
import { BlockBetas } from './block-betas.ts'
import { KinkMachine } from './kink-machine.ts'
import { type LinearPart, type LinearPassBody, LinearSums } from './linear-pass.ts'
import { NewtonMachine } from './newton-machine.ts'
import type { ShardExecutor, ShardKeep } from './shard-executor.ts'
import type { ShardMachine } from './shard-machine.ts'
import { type AnyRunOptions, AnyShardRun } from './shard-run.ts'
import { functionCount, type LinearShardTask } from './shard-task.ts'

/** Settings of {@link solveOnShards}. */
export interface ShardRunOptions extends AnyRunOptions {
  /** Rounds after which to stop. */
  readonly maxIter: number
  /** Memory for the vectors of machines, in bytes: functions that do not fit wait for others. */
  readonly memoryBytes: number
  /**
   * Blocks that descend from the same weights, so that as many workers can do it at a time. Part of what decides the result: with
   * 1, the default, each block continues from the one before, which takes fewest rounds where one process does it all.
   */
  readonly together?: number | undefined
  /** w̃ that each function starts from. Part of what decides the result. Default: 0. */
  readonly start?: readonly Float64Array[] | undefined
}

/** What was reached for one function. */
export interface ShardSolution {
  /** w̃: the weight of the constant feature at the end. */
  readonly weights: Float64Array
  readonly certificate: Certificate
}

/** Vectors of a machine, its saved copy and the sums of a pass among them. */
const VECTORS_PER_MACHINE = 24
/** The state is kept after every pass, but not twice within this many milliseconds. */
const KEEP_MS = 500
/**
 * Stored values of a working set, of all functions together: two million are 15,000 samples of text, which take two seconds. Less
 * where they would take more than a part of the memory: a value, its place, and a copy of both for the free ones.
 */
const MOST_GATHERED = 2 ** 21
const GATHERED_SHARE = 1 / 8
const GATHERED_BYTES = 24

/** See the header of the file. */
export async function solveOnShards(
  task: LinearShardTask,
  executor: ShardExecutor,
  keep: ShardKeep,
  options: ShardRunOptions,
): Promise<ShardSolution[]> {
  return new ShardRun(task, executor, keep, options).toEnd()
}

/** What is kept of a run. */
interface SavedRun {
  readonly solved: readonly ShardSolution[]
  readonly machines: readonly object[]
  readonly betas: ReturnType<BlockBetas['save']>
  readonly passes: number
  readonly seconds: number
}

class ShardRun extends AnyShardRun<LinearShardTask, ShardRunOptions> {
  private solved: ShardSolution[] = []
  private machines: ShardMachine[] = []
  private readonly betas = new BlockBetas()
  private keptMs = Number.NEGATIVE_INFINITY

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
      if (!stop) this.betas.drop()
      if (stop) while (this.solved.length < functions) this.solved.push(this.nothing(stop))
    }
    return this.solved
  }

  /** As many functions as there is memory for, and at least one. */
  private startGroup(): void {
    const { solved, executor, task, options } = this
    const length = executor.columns + 1
    const fit = Math.floor(
      options.memoryBytes / (VECTORS_PER_MACHINE * Float64Array.BYTES_PER_ELEMENT * length),
    )
    const count = Math.min(functionCount(task) - solved.length, Math.max(1, fit))
    const { constant, seed, C: unit } = task
    const gathered = Math.min(MOST_GATHERED, (GATHERED_SHARE * options.memoryBytes) / GATHERED_BYTES) / count
    const most = Math.ceil(gathered / executor.rows.length)
    this.machines = Array.from({ length: count }, (_, m) => {
      const start = options.start?.[solved.length + m]
      if (isSmooth(task.loss)) return new NewtonMachine(length, start && { weights: start })
      return new KinkMachine({ length, unit, constant, most, seed, start })
    })
  }

  private async restore(): Promise<void> {
    const saved = await this.kept<SavedRun>()
    if (!saved) return
    const { solved, machines, betas, passes, seconds } = saved
    this.solved = [...solved]
    this.passes = passes
    this.seconds = seconds
    this.betas.restore(betas)
    if (machines.length === 0) return
    this.startGroup()
    this.machines = this.machines.slice(0, machines.length)
    for (const [m, machine] of this.machines.entries()) machine.restore(machines[m])
  }

  private async save(isLast: boolean): Promise<void> {
    if (!isLast && performance.now() - this.keptMs < KEEP_MS) return
    const { solved, machines, passes, betas } = this
    const state: SavedRun = {
      ...{ solved, passes, seconds: this.spentSeconds(), betas: betas.save() },
      machines: machines.map((machine) => machine.save()),
    }
    await this.keepState(state)
    this.keptMs = performance.now()
    // Whoever goes on does so from the state that has just been kept.
    await this.executor.forget(this.options.run ?? '', betas.unused())
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
    const { executor, machines, task, betas, options } = this
    const { together = 1, signal } = options
    const active = machines.filter((machine) => !this.isOver(machine))
    const number = this.passes + 1
    const requests = active.map((machine) => {
      const which = this.solved.length + machines.indexOf(machine)
      const request = machine.request()
      return { which, request, ...betas.namesFor(which, request, number) }
    })
    const sums = requests.map(({ request }) => new LinearSums(request))
    const blocks = countUp(executor.rows.length)
    const descends = requests.some(({ request }) => request.kind === 'descend')
    const group = descends ? together : blocks.length
    let done = 0
    try {
      for (let from = 0; from < blocks.length; from += group) {
        const some = [...blocks.subarray(from, from + group)]
        const body: LinearPassBody = {
          task,
          requests: requests.map((asked, m) => {
            const { carried } = sums[m]
            const request = carried ? { ...asked.request, weights: carried.slice() } : asked.request
            return { ...asked, request, together: some.length }
          }),
        }
        for await (const result of this.results('linear', body, some)) {
          const { parts } = result as { readonly parts: readonly LinearPart[] }
          for (const [m, part] of parts.entries()) sums[m].add(part)
          this.report(active, ++done)
          if (done < blocks.length && this.stopReason()) return false
        }
      }
    } catch (error) {
      if (!signal?.aborted) throw error
      return false
    }
    this.passes = number
    for (const { which, request } of requests) betas.wrote(which, request, number)
    for (const [m, machine] of active.entries()) machine.receive(sums[m].end())
    return true
  }

  private report(active: readonly ShardMachine[], block: number): void {
    const { options, executor, task, solved, machines, passes } = this
    const gapOf = ({ best }: ShardMachine) =>
      best ? best.measures.gap / Math.abs(best.measures.primal) : Number.NaN
    const last = active.reduce(
      (worst, machine) => (gapOf(machine) > gapOf(worst) ? machine : worst),
      active[0],
    )
    options.onProgress?.({
      ...{ solver: last.name, functions: functionCount(task), rounds: last.rounds },
      ...{ done: solved.length + machines.length - active.length, tol: options.tol, passes },
      ...{ goal: 'gap', left: gapOf(last) },
      ...{ block, blocks: executor.rows.length },
    })
  }

  private solutionOf(machine: ShardMachine, stop: StopReason | undefined): ShardSolution {
    const { best, rounds, name } = machine
    if (!best) return this.nothing(stop ?? 'stalled')
    const stopReason = this.endOf(this.hasConverged(machine), machine.isStalled)
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
      weights: new Float64Array(this.executor.columns + 1),
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
