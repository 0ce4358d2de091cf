/**
 * Threads that take part in jobs. Each helper thread has one control word in the shared memory:
 *
 *   0 absent   not started yet: jobs go on without it
 *   1 idle     waits (spins a little, then sleeps) for its word to change
 *   2 busy     takes tasks of the current job, then sets its word back to idle
 *   3 ended    told to stop
 *
 * Handing out a job is one store and one wake-up a thread; no message is ever posted. A helper that is only now ready takes
 * part in the job under way, if that is open: it calls itself busy first and looks then, whoever has given out the job
 * closes it first and looks then who is busy, so that they never miss each other.
 */
import type { EngineExports } from './engine-build.ts'

export const THREAD_IDLE = 1
export const THREAD_BUSY = 2
export const THREAD_ENDED = 3

/**
 * Byte offset in the engine's memory: the current job, then for each helper its control word and its scratch, then how many
 * helpers may join the job by themselves.
 */
const CONTROL = 49152
const MAX_HELPERS = 30
/** Where that number is; 0 while there is no such job. */
export const OPEN_TO = 1 + 2 * MAX_HELPERS
/** Turns of a spinning loop: some tens of microseconds. */
export const SPINS = 4000

/** What a helper thread is started with. */
export interface ThreadStart {
  readonly module: WebAssembly.Module
  readonly memory: WebAssembly.Memory
  readonly index: number
}

/** Starts a helper thread; how depends on where we run. */
export type ThreadSpawner = (start: ThreadStart) => void

let spawn: ThreadSpawner | undefined
let available = 1

/** Tells how to start helper threads and how many cores there are. Without this, everything runs on one thread. */
export function setThreadSpawner(spawner: ThreadSpawner, cores: number): void {
  spawn = spawner
  available = cores
}

/** How many threads a run gets when it asks for all. */
export function availableThreads(): number {
  return spawn ? Math.min(available, MAX_HELPERS + 1) : 1
}

/** The control words of a team: [job, (state, scratch) of each helper, open to]. */
export function controlWords(memory: WebAssembly.Memory): Int32Array {
  return new Int32Array(memory.buffer, CONTROL, OPEN_TO + 1)
}

/** The helpers of one engine. */
export class ThreadTeam {
  private readonly module: WebAssembly.Module
  private readonly memory: WebAssembly.Memory
  private readonly control: Int32Array
  private started = 0
  private active = 0

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
    return this.started + 1
  }

  /** Sets the number of threads that take part; starts helpers where there are too few, lets idle ones sleep. */
  resize(threads: number): void {
    this.active = Math.max(0, Math.min(threads, availableThreads()) - 1)
    for (; this.started < this.active; this.started++) {
      spawn?.({ module: this.module, memory: this.memory, index: this.started })
    }
  }

  /** Ends all helpers. */
  end(): void {
    this.active = 0
    for (let t = 0; t < this.started; t++) {
      Atomics.store(this.control, 1 + 2 * t, THREAD_ENDED)
      Atomics.notify(this.control, 1 + 2 * t)
    }
    this.started = 0
  }

  /**
   * Runs the job at `job` on this thread, on every helper that is there and on those that come while it lasts. `scratch` holds
   * one pointer a thread.
   * This thread does `meanwhile` first; whatever comes of it, the job is finished.
   */
  run(
    exports: EngineExports,
    job: number,
    scratch: readonly number[],
    tasks: number,
    meanwhile?: () => void,
  ): void {
    const helpers = Math.min(this.active, meanwhile ? tasks : tasks - 1)
    const { control } = this
    this.call(job, scratch, helpers, 0)
    Atomics.store(control, OPEN_TO, helpers)
    try {
      meanwhile?.()
    } finally {
      exports.work(job, scratch[0])
      Atomics.store(control, OPEN_TO, 0)
      for (let t = 0; t < helpers; t++) this.await(1 + 2 * t)
    }
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
      const state = 1 + 2 * t
      control[state + 1] = scratch[t + 1]
      if (Atomics.compareExchange(control, state, THREAD_IDLE, THREAD_BUSY) === THREAD_IDLE) {
        Atomics.notify(control, state)
        called |= 1 << t
      }
    }
    return called
  }

  /** Whether any of these helpers is still at work. */
  isBusy(called: number): boolean {
    for (let t = 0; called >> t; t++) {
      if ((called >> t) & 1 && Atomics.load(this.control, 1 + 2 * t) === THREAD_BUSY) return true
    }
    return false
  }

  /** Waits for these helpers. */
  awaitAll(called: number): void {
    for (let t = 0; called >> t; t++) if ((called >> t) & 1) this.await(1 + 2 * t)
  }

  private await(state: number): void {
    const { control } = this
    for (let spin = 0; Atomics.load(control, state) === THREAD_BUSY; spin++) {
      if (spin > SPINS && mayBlock) Atomics.wait(control, state, THREAD_BUSY)
    }
  }
}

/** A page's main thread may not sleep; it spins. */
const mayBlock = typeof (globalThis as { document?: unknown }).document === 'undefined'
