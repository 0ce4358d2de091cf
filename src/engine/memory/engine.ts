/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The engine: one WebAssembly memory, the primitives of `assembly/` instantiated on it, and threads that take part in
 * jobs. TypeScript decides what to compute; the engine computes it.
 *
 * Memory is an arena: `allocate` moves a pointer up, `release` moves it back to a mark. There is nothing to free by
 * hand: {@link withEngine} resets the arena when its callback is done and keeps the engine for the next caller.
 */
import { HyperplaneError } from '../../base/errors.ts'
import { slot } from '../../base/slot.ts'
import { messageOf } from '../threads/thread-control.ts'
import { type ThreadFailure, ThreadTeam } from '../threads/thread-team.ts'
import { compileEngine, currentBuild, type EngineBuild, type EngineExports } from './engine-build.ts'
import { type FieldValues, offsetOf, type StructureName, sizeOf, writeFields } from './fields.ts'
import { type Job, writeJob } from './jobs.ts'
import { QUERY_BYTES } from './structures.ts'

/** Pages of WebAssembly, of which there are at most 4 GB. */
const PAGE_BYTES = 65536
const MAX_PAGES = 65536
/** Below it live AssemblyScript's own constants and the control words of the threads. */
const ARENA_START = 65536
/** Left free of caches, of 4 GB: for scratch, and for rows that are needed only in passing. */
const RESERVE_BYTES = 256e6
/** Pages by which memory grows at least: 16 MB. */
const GROWN_PAGES = 256
/**
 * An engine that has grown beyond this is not kept for reuse: memory of WebAssembly never shrinks. K of 4,000 samples takes as
 * much.
 */
const KEPT_BYTES = 64e6

/** For how long a thread sleeps that has nothing to do but wait: short for whoever wants to stop it. */
const REST_MS = 2

/** Typed-array constructors the arena can make views of. */
type ViewConstructor<T> = {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T
  readonly BYTES_PER_ELEMENT: number
}

/** A place in the engine's memory and a typed view of it. */
export type EngineArray<T> = T & { readonly pointer: number }

/** Paths that are being followed; see {@link Engine.beginPaths}. */
export interface PathsUnderWay {
  /** Works on paths in the calling thread's workspace for about `budget` ns; true when none is left to begin. */
  work(space: number, budget: number): boolean
  /** Whether other threads are still at work. Where that is allowed, it sleeps for a moment if they are. */
  isBusy(): boolean
  /** Stops what is still running, and returns when all threads have stopped. */
  finish(): void
}

/** See the header of the file. Use {@link withEngine} rather than making one. */
export class Engine {
  readonly build: EngineBuild
  readonly exports: EngineExports
  readonly memory: WebAssembly.Memory
  /** Of the memory, as large as that is now: it takes a microsecond to ask for. */
  private buffer: ArrayBufferLike
  private readonly team: ThreadTeam
  private top = ARENA_START
  private scratch: number[] = []
  private scratchColumns = 0
  private readonly job: number
  /** The layout of a job's sums where there is only one per query. */
  private readonly oneSum: number
  private failed = false
  /** A task that has failed leaves its scratch as it is, which should be all zeros. */
  private scratchIsDirty = false

  constructor() {
    const { module, build } = compileEngine()
    this.build = build
    this.memory = shareMemory()
    this.buffer = this.memory.buffer
    this.exports = new WebAssembly.Instance(module, { env: { memory: this.memory } })
      .exports as unknown as EngineExports
    this.team = new ThreadTeam(module, this.memory)
    this.job = this.allocate(sizeOf('JOB'))
    this.oneSum = this.layOutOneSum()
  }

  private layOutOneSum(): number {
    const ends = this.array(Uint32Array, 1)
    const targets = this.array(Uint32Array, 1)
    ends[0] = 2 ** 32 - 1
    targets[0] = 0
    return this.structure('SUMS', { rows: 1, ends: ends.pointer, targets: targets.pointer, outputs: 1 })
  }

  /**
   * Threads that take part in jobs, the calling one included; `limit` caps it (1: only the calling thread). Those that are missing
   * start now, or, where the work is not `sure` to be worth that, after jobs have taken as long.
   */
  useThreads(limit: number, sure = true): void {
    this.team.resize(limit, sure)
  }

  /** Has those threads take part that were started before. */
  useStartedThreads(): void {
    this.team.resize(this.team.startedSize, false)
  }

  /** The current end of what is allocated, to be given to {@link release}. */
  mark(): number {
    return this.top
  }

  /** Forgets everything allocated since the mark was taken. */
  release(mark: number): void {
    this.top = mark
    if (this.scratch.some((pointer) => pointer >= mark)) {
      this.scratch = []
      this.scratchColumns = 0
    }
  }

  /** Bytes that can still be allocated, a reserve for passing needs left aside. */
  get spareBytes(): number {
    return MAX_PAGES * PAGE_BYTES - this.top - RESERVE_BYTES
  }

  /** Room for `bytes` bytes, on a cache-line boundary; grows the memory where needed. What is there is not cleared. */
  allocate(bytes: number): number {
    const pointer = this.top
    const end = pointer + Math.ceil(bytes / 64) * 64
    const pages = Math.ceil(end / PAGE_BYTES)
    const missing = pages - this.buffer.byteLength / PAGE_BYTES
    if (missing > 0) {
      try {
        if (pages > MAX_PAGES) throw new RangeError('beyond 4 GiB')
        this.grow(missing)
      } catch (cause) {
        const wanted = Math.ceil(end / 1e6)
        const limit =
          pages > MAX_PAGES ? 'WebAssembly has 4294 MB at most' : 'this machine does not give them'
        throw new HyperplaneError(
          `engine: ${wanted} MB are needed, but ${limit}; use fewer samples or a smaller cacheBytes`,
          { cause },
        )
      }
    }
    this.top = end
    return pointer
  }

  /** Grows by more than what is missing, where that can be had: pages cost nothing until they are used, each call some 20 µs. */
  private grow(missing: number): void {
    const room = MAX_PAGES - this.buffer.byteLength / PAGE_BYTES
    try {
      this.memory.grow(Math.min(room, Math.max(missing, GROWN_PAGES)))
    } catch {
      this.memory.grow(missing)
    }
    this.buffer = this.memory.buffer
  }

  /** A typed array in the engine's memory, not cleared. */
  array<T>(type: ViewConstructor<T>, length: number): EngineArray<T> {
    const pointer = this.allocate(length * type.BYTES_PER_ELEMENT)
    return this.view(type, pointer, length)
  }

  /** A copy of an array in the engine's memory. */
  copy<T extends Uint8Array | Uint32Array | Float64Array>(values: T): EngineArray<T> {
    const copy = this.array(values.constructor as unknown as ViewConstructor<T>, values.length)
    copy.set(values)
    return copy
  }

  /** A typed view of memory that is already allocated. */
  view<T>(type: ViewConstructor<T>, pointer: number, length: number): EngineArray<T> {
    return Object.assign(new type(this.buffer, pointer, length) as T & object, { pointer })
  }

  /** A structure in the engine's memory, the fields that are not given 0; returns where it is. */
  structure<S extends StructureName>(structure: S, fields: Partial<FieldValues<S>>): number {
    const { pointer } = this.array(Uint8Array, sizeOf(structure)).fill(0) as EngineArray<Uint8Array>
    writeFields(this.memory, structure, pointer, fields)
    return pointer
  }

  /** Makes sure that each thread has scratch for query blocks of this many columns. */
  reserveScratch(columns: number): void {
    if (columns <= this.scratchColumns && this.scratch.length >= this.team.size) return
    const bytes = sizeOf('SCRATCH') + Math.max(columns, this.scratchColumns) * QUERY_BYTES
    this.scratch = Array.from({ length: this.team.size }, () => {
      const pointer = this.allocate(bytes)
      new Uint8Array(this.memory.buffer, pointer, bytes).fill(0)
      return pointer
    })
    this.scratchColumns = columns
  }

  /**
   * Runs a job on all threads and returns when it is done. The calling thread does `meanwhile` first; whatever comes of it, the
   * job is finished. Throws when the job fails on any thread: none is at work on it then, its results are not to be
   * used, and the next job may be run.
   */
  run(job: Job, meanwhile?: () => void): void {
    const { team, scratch } = this
    const tasks = writeJob(this.memory, this.job, job, this.oneSum)
    const helped = 'alone' in job && job.alone ? 0 : meanwhile ? tasks : tasks - 1
    const called = team.begin(this.job, scratch, helped)
    const lacksHelp = helped > 0 && team.isShort
    const started = lacksHelp ? performance.now() : 0
    try {
      meanwhile?.()
    } finally {
      this.conclude(job, team.finish(this.exports, this.job, scratch, called))
    }
    if (lacksHelp) team.spend(performance.now() - started)
  }

  /**
   * Begins to follow paths on the helper threads; the calling thread takes part whenever it calls `work`. There must be
   * no other job until `finish`. Each of the three throws when a thread has failed. There are workspaces for this many threads.
   */
  beginPaths(job: Job & { readonly kind: 'paths' }, threads: number): PathsUnderWay {
    const { team, exports, scratch } = this
    const tasks = writeJob(this.memory, this.job, job, this.oneSum)
    const stop = new Int32Array(this.memory.buffer, this.job + offsetOf('JOB', 'stop'), 1)
    let called = 0
    const check = (): void => {
      const failure = team.failureOf(called)
      if (failure) throw this.failure(job, failure)
    }
    return {
      work: (space, budget) => {
        // Helpers that have just been started join in as soon as they are there.
        called = team.call(this.job, scratch, Math.min(tasks, threads) - 1, called)
        check()
        const lacksHelp = tasks > 1 && team.isShort
        const started = lacksHelp ? performance.now() : 0
        let isDone: boolean
        try {
          isDone = exports.followPaths(this.job, space, scratch[0], budget) !== 0
        } catch (cause) {
          throw this.failure(job, { who: 'the calling thread', cause })
        }
        if (lacksHelp && !isDone) team.spend(performance.now() - started)
        return isDone
      },
      isBusy: () => {
        const busy = team.isBusy(called, REST_MS)
        check()
        return busy
      },
      finish: () => {
        Atomics.store(stop, 0, 1)
        this.conclude(job, team.awaitAll(called))
      },
    }
  }

  /** Called when no thread is at work any more. */
  private conclude(job: Job, failure: ThreadFailure | undefined): void {
    const error = failure && this.failure(job, failure)
    if (this.scratchIsDirty) {
      this.scratchIsDirty = false
      const bytes = sizeOf('SCRATCH') + this.scratchColumns * QUERY_BYTES
      for (const pointer of this.scratch) new Uint8Array(this.memory.buffer, pointer, bytes).fill(0)
    }
    if (error) throw error
  }

  private failure({ kind }: Job, { who, cause }: ThreadFailure): HyperplaneError {
    this.failed = true
    this.scratchIsDirty = true
    return new HyperplaneError(`engine: ${who} failed in a job of ${kind}: ${messageOf(cause)}`, { cause })
  }

  /** False once a job has failed or a thread is gone: its user may continue, but it should not be kept. */
  get isSound(): boolean {
    return !this.failed && this.team.isWhole
  }

  /** Threads that take part in jobs, the calling one included. */
  get threads(): number {
    return this.team.size
  }

  /** Stops the threads. */
  [Symbol.dispose](): void {
    this.team.end()
  }
}

function shareMemory(): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: 2, maximum: MAX_PAGES, shared: true })
  } catch (cause) {
    const reason = 'this process has no address space left for WebAssembly memory (see ulimit -v)'
    throw new HyperplaneError(`engine: ${reason}`, { cause })
  }
}

/** The engine of the last caller, for the next one. */
const idle = slot<Engine | undefined>(undefined)
/** How large it may be, {@link KEPT_BYTES} unless there is more work to come. */
const mostKept = slot(KEPT_BYTES)

/**
 * Calls `use` with an engine whose arena is empty, and takes the engine back afterwards. The engine of the last call
 * is reused, so that small problems do not pay for a new one.
 */
export function withEngine<R>(threads: number, use: (engine: Engine) => R): R {
  const engine = takeEngine(threads)
  const mark = engine.mark()
  try {
    return use(engine)
  } finally {
    giveEngine(engine, mark)
  }
}

/**
 * An engine for a caller that cannot work inside a callback (a generator); give it back with {@link giveEngine}. Threads as in
 * {@link Engine.useThreads}.
 */
export function takeEngine(threads: number, sure = true): Engine {
  const kept = idle.install(undefined)
  const isFit = kept !== undefined && kept.build === currentBuild() && kept.isSound
  if (kept && !isFit) kept[Symbol.dispose]()
  const engine = isFit ? kept : new Engine()
  engine.useThreads(threads, sure)
  return engine
}

/** As {@link takeEngine}; undefined where there is no memory for one. */
export function tryEngine(threads: number): Engine | undefined {
  try {
    return takeEngine(threads)
  } catch {
    return undefined
  }
}

/** Takes an engine back, its arena as it was at the mark. */
export function giveEngine(engine: Engine, mark: number): void {
  engine.release(mark)
  if (idle.current === undefined && engine.memory.buffer.byteLength <= mostKept.current) idle.install(engine)
  else engine[Symbol.dispose]()
}

/** Does work of several parts: until it is done, an engine is kept from one part to the next, with its threads, however large it is. */
export async function keepingEngine<R>(work: () => Promise<R>): Promise<R> {
  mostKept.install(Number.POSITIVE_INFINITY)
  try {
    return await work()
  } finally {
    mostKept.install(KEPT_BYTES)
    const kept = idle.install(undefined)
    if (kept) giveEngine(kept, kept.mark())
  }
}
