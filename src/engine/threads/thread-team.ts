/**
 * Threads that take part in jobs. Each helper thread has a state in the shared memory (./thread-control.ts). Handing out a job
 * is one store and one wake-up a thread; no message is ever posted. A helper that is only now ready takes part in the running
 * job, if that is open: it calls itself busy first and looks then, whoever has given out the job closes it first and
 * looks then who is busy, so that they never miss each other.
 *
 * Whatever fails on a helper fails the job: what is thrown there (a trap of WebAssembly) it reports itself, and continues to
 * serve; that it is gone, its spawner says. Others end the task they are at, and none is left at work when the caller hears
 * of it. A helper that is gone is not replaced: jobs go on without it, and the next engine starts its own.
 */
import { slot } from '../../base/slot.ts'
import type { EngineExports } from '../memory/engine-build.ts'
import {
  controlWords,
  FAILED,
  loseThread,
  MAX_HELPERS,
  messageOf,
  OPEN_TO,
  readFailure,
  SPINS,
  stateOf,
  THREAD_ABSENT,
  THREAD_BUSY,
  THREAD_ENDED,
  THREAD_IDLE,
  THREAD_LOST,
  type ThreadStart,
} from './thread-control.ts'

/** A sleep that lasts this long makes sure that the helper it waits for is still there. */
const PATIENCE_MS = 500
/**
 * Milliseconds of jobs after which helpers are started for work of unknown length. Starting one takes 60 ms of a core, and 8 of the
 * calling thread, at a time when V8's compilers need the cores too. Tried on two cores: with 50 ms, fits of 0.2 s to 0.3 s took as
 * long as, or 10 % longer than, without helpers; with 150, those of 0.5 s 10 % longer.
 */
const START_MS = 100

/**
 * Starts a helper thread; how depends on where we run. Calls `lost` (or throws) when the thread cannot be started, and when it
 * has ended. May return a function that is called when the calling thread sleeps until this one is done, and receives no events: from then
 * on another thread has to call {@link loseThread} when this one ends.
 */
export type ThreadSpawner = (start: ThreadStart, lost: (cause: string) => void) => (() => void) | undefined

/** Why a job has failed. */
export interface ThreadFailure {
  readonly who: string
  readonly cause: unknown
}

/** How helper threads are started here, if they are; how many threads there may be; what kept one from starting. */
interface ThreadSupply {
  readonly spawn?: ThreadSpawner
  readonly available: number
  readonly startFailure?: string
}

const supply = slot<ThreadSupply>({ available: 1 })

/** Tells how to start helper threads and how many cores there are. Without this, everything runs on one thread. */
export function setThreadSpawner(spawner: ThreadSpawner, cores: number): void {
  supply.install({ spawn: spawner, available: cores })
}

/** How many threads a run gets when it requires all. */
export function availableThreads(): number {
  const { spawn, available } = supply.current
  return spawn ? Math.min(available, MAX_HELPERS + 1) : 1
}

/** What kept helper threads from starting, so that there are fewer now; undefined when nothing has. */
export function whyFewerThreads(): string | undefined {
  return supply.current.startFailure
}

/** A helper, as its team knows it. */
interface Helper {
  watch: (() => void) | undefined
  /** Why it is gone. */
  cause: string
}

/** The helpers of one engine. */
export class ThreadTeam {
  private readonly module: WebAssembly.Module
  private readonly memory: WebAssembly.Memory
  private readonly control: Int32Array
  private helpers: Helper[] = []
  private active = 0
  private whole = true
  /** Milliseconds that jobs have taken while helpers were missing. */
  private spent = 0

  constructor(module: WebAssembly.Module, memory: WebAssembly.Memory) {
    this.module = module
    this.memory = memory
    this.control = controlWords(memory)
  }

  /** Threads that may take part, the calling one included. */
  get size(): number {
    return this.active + 1
  }

  /** Threads that may take part without one being started. */
  get startedSize(): number {
    return this.helpers.length + 1
  }

  /** False once a helper is gone, or could not be started. */
  get isWhole(): boolean {
    return this.whole
  }

  /**
   * Sets the number of threads that take part, and lets idle ones sleep. Where there are too few, helpers are started now if the
   * work is sure to be worth it, else by {@link spend}.
   */
  resize(threads: number, isSure: boolean): void {
    this.active = Math.max(0, Math.min(threads, availableThreads()) - 1)
    if (isSure) this.startMissing()
  }

  /** Whether helpers that may take part were not started yet. */
  get isShort(): boolean {
    return this.helpers.length < this.active
  }

  /** Takes note of how long a job took that helpers could have taken part in; starts those that are missing once it is worth it. */
  spend(milliseconds: number): void {
    this.spent += milliseconds
    if (this.spent >= START_MS) this.startMissing()
  }

  private startMissing(): void {
    while (this.isShort) this.start()
    this.active = Math.min(this.active, availableThreads() - 1)
  }

  private start(): void {
    const { module, memory } = this
    const index = this.helpers.length
    const helper: Helper = { watch: undefined, cause: 'it has ended' }
    this.helpers.push(helper)
    const lost = (cause: string): void => {
      helper.cause = cause
      const was = loseThread(memory, index)
      if (was !== THREAD_ENDED) this.whole = false
      if (was !== THREAD_ABSENT) return
      const available = Math.max(1, supply.current.available - 1)
      supply.install({ ...supply.current, available, startFailure: cause })
    }
    try {
      helper.watch = supply.current.spawn?.({ module, memory, index }, lost)
    } catch (error) {
      lost(messageOf(error))
    }
  }

  /** Ends all helpers. */
  end(): void {
    this.active = 0
    this.helpers.forEach((_, t) => {
      Atomics.store(this.control, stateOf(t), THREAD_ENDED)
      Atomics.notify(this.control, stateOf(t))
    })
    this.helpers = []
  }

  /**
   * Hands the job at `job` to as many as `most` helpers: to those that are there, and to those that come while it lasts.
   * `scratch` holds one pointer per thread. Returns whom {@link finish} has to wait for, a bit each.
   */
  begin(job: number, scratch: readonly number[], most: number): number {
    const helpers = Math.max(0, Math.min(this.active, most))
    this.call(job, scratch, helpers, 0)
    Atomics.store(this.control, OPEN_TO, helpers)
    return 2 ** helpers - 1
  }

  /** Takes part in a job until it is done, on this thread and on all others. Returns what has failed, if anything. */
  finish(
    exports: EngineExports,
    job: number,
    scratch: readonly number[],
    called: number,
  ): ThreadFailure | undefined {
    let own: ThreadFailure | undefined
    try {
      exports.work(job, scratch[0])
    } catch (cause) {
      exports.abandon(job)
      own = { who: 'the calling thread', cause }
    }
    Atomics.store(this.control, OPEN_TO, 0)
    const others = this.awaitAll(called)
    return own ?? others
  }

  /**
   * Hands the job at `job` to those of the first `helpers` helpers that are there and were not called before (a bit
   * each in `before`), and returns whom it has called by now. Until {@link awaitAll} there must be no other job.
   */
  call(job: number, scratch: readonly number[], helpers: number, before: number): number {
    const { control } = this
    let called = before
    control[0] = job
    for (let t = 0; t < Math.min(helpers, this.active); t++) {
      if ((called >> t) & 1) continue
      const state = stateOf(t)
      control[state + 1] = scratch[t + 1]
      if (Atomics.compareExchange(control, state, THREAD_IDLE, THREAD_BUSY) === THREAD_IDLE) {
        Atomics.notify(control, state)
        called |= 1 << t
      }
    }
    return called
  }

  /** Whether any of these helpers is still at work after the first that is has had this many milliseconds. */
  isBusy(called: number, waitMs: number): boolean {
    const { control } = this
    let left = waitMs
    for (let t = 0; called >> t; t++) {
      if (((called >> t) & 1) === 0 || Atomics.load(control, stateOf(t)) !== THREAD_BUSY) continue
      if (left > 0 && mayBlock) Atomics.wait(control, stateOf(t), THREAD_BUSY, left)
      left = 0
      if (Atomics.load(control, stateOf(t)) === THREAD_BUSY) return true
    }
    return false
  }

  /** Waits for these helpers. Returns what has failed on them, unless {@link failureOf} has said so before. */
  awaitAll(called: number): ThreadFailure | undefined {
    for (let t = 0; called >> t; t++) if ((called >> t) & 1) this.await(t)
    return this.failureOf(called)
  }

  /** What has failed on these helpers since this was last asked; the first if there are several. */
  failureOf(called: number): ThreadFailure | undefined {
    const { control } = this
    let failure: ThreadFailure | undefined
    const failed = Atomics.load(control, FAILED)
    if (failed > 0) {
      Atomics.store(control, FAILED, 0)
      failure = failureOn(failed - 1, readFailure(this.memory, failed - 1))
    }
    for (let t = 0; called >> t; t++) {
      if (Atomics.load(control, stateOf(t)) !== THREAD_LOST) continue
      Atomics.store(control, stateOf(t), THREAD_ENDED)
      this.whole = false
      failure ??= failureOn(t, this.helpers[t].cause)
    }
    return failure
  }

  private await(t: number): void {
    const { control } = this
    const state = stateOf(t)
    for (let spin = 0; Atomics.load(control, state) === THREAD_BUSY; spin++) {
      if (spin <= SPINS || !mayBlock) continue
      if (Atomics.wait(control, state, THREAD_BUSY, PATIENCE_MS) === 'timed-out') this.watch(t)
    }
  }

  /** A thread that sleeps receives no events: another one has to watch whether the helper ends. */
  private watch(t: number): void {
    const helper = this.helpers[t]
    helper.watch?.()
    helper.watch = undefined
  }
}

function failureOn(index: number, message: string): ThreadFailure {
  return { who: `helper thread ${index + 1}`, cause: new Error(message) }
}

/** A page's main thread may not sleep; it spins. */
const mayBlock = typeof (globalThis as { document?: unknown }).document === 'undefined'
