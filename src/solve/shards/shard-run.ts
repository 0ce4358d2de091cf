/** What training on shards does whatever the machine: it has passes run, keeps its state, and ends in time. */
import { pack, unpack } from '../../base/packing.ts'
import type { StopReason } from '../../certify/certificate.ts'
import type { ShardExecutor, ShardKeep } from './shard-executor.ts'
import { PASS_VERSION, type PassKind } from './shard-pass.ts'

/** Progress of training on shards. */
export interface ShardRunProgress {
  readonly solver: string
  /** Functions that are done, and how many there are. */
  readonly done: number
  readonly functions: number
  /** Of the function that is furthest behind: rounds, and what is to be brought down to `tol` (NaN while unknown). */
  readonly rounds: number
  /** The gap as a part of the primal value, or the violation. */
  readonly goal: 'gap' | 'violation'
  readonly left: number
  readonly tol: number
  /** Blocks done in this pass, and how many there are. */
  readonly block: number
  readonly blocks: number
  /** Passes over the data so far. */
  readonly passes: number
}

/** What any run is told. */
export interface AnyRunOptions {
  /** What to reach: a gap as a part of the primal value, or a violation. */
  readonly tol: number
  /** Seconds after which to stop. */
  readonly timeLimit?: number | undefined
  /** Names the run, for states of blocks. Default: none, for executors that serve one alone. */
  readonly run?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ShardRunProgress) => void) | undefined
}

const STATE_NAME = 'state'

/** See the header of the file. */
export abstract class AnyShardRun<Task, Options extends AnyRunOptions> {
  protected readonly task: Task
  protected readonly executor: ShardExecutor
  protected readonly options: Options
  /** Passes over the data so far, and seconds that processes before this one have spent. */
  protected passes = 0
  protected seconds = 0
  private readonly keep: ShardKeep
  private readonly startedMs = performance.now()

  constructor(task: Task, executor: ShardExecutor, keep: ShardKeep, options: Options) {
    this.task = task
    this.executor = executor
    this.keep = keep
    this.options = options
  }

  /** What was kept last, if anything. */
  protected async kept<State>(): Promise<State | undefined> {
    const bytes = await this.keep.load(STATE_NAME)
    return bytes && (unpack(bytes) as State)
  }

  protected async keepState(state: object): Promise<void> {
    await this.keep.save(STATE_NAME, pack(state))
  }

  /** The results of a pass over these blocks, in their order. */
  protected results(kind: PassKind, body: object, blocks: readonly number[]): AsyncIterable<object> {
    const { run = '', signal } = this.options
    return this.executor.run({ version: PASS_VERSION, run, kind, body }, blocks, signal)
  }

  /** Why to stop before all is solved. */
  protected stopReason(): StopReason | undefined {
    if (this.options.signal?.aborted) return 'aborted'
    return this.secondsLeft() <= 0 ? 'time-limit' : undefined
  }

  /** How a function ends that has, or has not, converged. */
  protected endOf(hasConverged: boolean, isStalled: boolean): StopReason {
    if (hasConverged) return 'converged'
    return this.stopReason() ?? (isStalled ? 'stalled' : 'iteration-limit')
  }

  protected secondsLeft(): number {
    return (this.options.timeLimit ?? Number.POSITIVE_INFINITY) - this.secondsHere()
  }

  /** In all processes. */
  protected spentSeconds(): number {
    return this.seconds + this.secondsHere()
  }

  private secondsHere(): number {
    return (performance.now() - this.startedMs) / 1000
  }
}
