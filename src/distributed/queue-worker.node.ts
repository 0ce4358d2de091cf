/**
 * A worker of a queue: takes jobs, does each on its own thread, and puts the result beside the queue before it says that the
 * job is done. The main thread stays free, so that the lock of a job is renewed however long it takes. A job that is not for
 * this worker (another version, data that it does not have) is handed back, and the reason is shown to who waits for it.
 */
import { availableParallelism, hostname } from 'node:os'
import type { Worker as Thread } from 'node:worker_threads'
import type { Job, Worker } from 'bullmq'
import { checkKnown, checkNumber } from '../base/check.ts'
import { DataError, HyperplaneError, ParameterError } from '../base/errors.ts'
import { slot } from '../base/slot.ts'
import { parseManifest, type ShardManifest } from '../data/shards/shard-manifest.ts'
import { sha256Of } from '../data/shards/write-shards.node.ts'
import { buildName } from '../engine/memory/engine-build.ts'
import { unpackError } from '../parallel/error-transfer.ts'
import { ThreadPool } from '../parallel/thread-pool.node.ts'
import { makeWorkerData } from '../parallel/worker-data.node.ts'
import { DataShelf, type DataShelfOptions } from './data-shelf.node.ts'
import type { WorkerNote } from './job-board.ts'
import {
  type PassJob,
  parseSearch,
  parseUnit,
  RefusalError,
  type SearchDocument,
  type UnitJob,
} from './job-message.ts'
import { libraryVersion } from './library-version.node.ts'
import { loadPeers } from './optional-peers.node.ts'
import { blockPlace, stateName } from './queue-shards.node.ts'
import { PREFIX, PRESENCE_SECONDS, QUEUE, RedisBoard } from './redis-board.node.ts'
import type { CellsCommand, PassCommand, StateAnswer, ThreadReport } from './thread-messages.ts'

/** Options of {@link QueueWorker.start}. */
export interface QueueWorkerOptions extends DataShelfOptions {
  /** Jobs at a time, each on its own thread. Default: as many as there are cores. */
  readonly threads?: number
  /** Seconds that a worker may be silent before its jobs are given to others. Default: 30. */
  readonly lockSeconds?: number
  /** Called with a line for people: jobs done, jobs refused, trouble with the connection. */
  readonly onLine?: (line: string) => void
  /** The script of the threads, for tests. */
  readonly script?: URL
}

/** What a worker has done. */
export interface WorkerCounts {
  readonly done: number
  readonly failed: number
  readonly refused: number
  /** Jobs that were given back when the worker was stopped. */
  readonly handedBack: number
  /** Seconds that jobs took, all threads together. */
  readonly seconds: number
  readonly resultBytes: number
  readonly bytesRead: number
  readonly bytesFetched: number
  readonly cacheHits: number
  readonly running: number
}

/** Seconds without a sign after which a job is given to another worker, as BullMQ has it: long beside a pause, short beside a job. */
const LOCK_SECONDS = 30
/** Times that a job may lose its worker (killed, out of memory) before it counts as the cause of that. */
const MOST_STALLS = 20
/** How long a refused job waits for another worker, and how long the one that refused takes none, at first and at most. */
const REFUSED_JOB_MS = 500
const FIRST_REST_MS = 1000
const LONGEST_REST_MS = 5000
/** Documents and passes that are kept in memory: those of the work in progress, and of what it alternates with. */
const KEPT_VALUES = 4

/** Workers that this process has started: all but the first have a number in their name. */
const started = slot(0)

/** A worker of a queue: takes jobs, and does each on its own thread. */
export class QueueWorker {
  readonly id: string
  private readonly board: RedisBoard
  private readonly options: QueueWorkerOptions
  private readonly threads: number
  private readonly shelf: DataShelf
  private readonly pool: ThreadPool
  private readonly searches: Kept<SearchDocument>
  private readonly manifests: Kept<ShardManifest>
  private readonly passes: Kept<Uint8Array>
  private readonly running = new Map<string, { what: string; since: string; stop: () => void }>()
  private readonly refuses = new Map<string, string>()
  private readonly since = new Date().toISOString()
  private worker: Worker | undefined
  private beat: NodeJS.Timeout | undefined
  private rest = FIRST_REST_MS
  private resting: NodeJS.Timeout | undefined
  private ending = false
  /** Whether the grace is over: what has not begun on a thread goes back, too. */
  private givesBack = false
  private counts = { done: 0, failed: 0, refused: 0, handedBack: 0, seconds: 0, resultBytes: 0 }

  private constructor(board: RedisBoard, options: QueueWorkerOptions, threads: number) {
    this.board = board
    this.options = options
    this.threads = threads
    this.shelf = new DataShelf(options)
    const document = async (hash: string): Promise<string> =>
      (await board.document(hash)) ?? gone('the search or run of this job')
    this.searches = new Kept(async (hash) => parseSearch(await document(hash)))
    this.manifests = new Kept(async (hash) => parseManifest(await document(hash)))
    this.passes = new Kept(async (hash) => {
      const bytes = await board.bytes('pass', hash)
      return bytes && sha256Of(bytes) === hash ? new Uint8Array(bytes) : gone('the pass of this job')
    })
    const { script = new URL('./job-thread.node.js', import.meta.url) } = options
    this.pool = new ThreadPool({ script, size: threads, data: () => makeWorkerData('jobs') })
    const number = started.current + 1
    started.install(number)
    this.id = `${hostname()}:${process.pid}${number > 1 ? `:${number}` : ''}`
  }

  /** Connects and begins to work. */
  static async start(url: string, options: QueueWorkerOptions = {}): Promise<QueueWorker> {
    const who = 'worker'
    checkKnown(who, options, [
      ...['threads', 'lockSeconds', 'onLine', 'script', 'places', 'cache', 'cacheBytes'],
    ])
    const { threads = availableParallelism(), lockSeconds = LOCK_SECONDS, cacheBytes } = options
    checkNumber(who, 'threads', threads, { min: 1, integer: true })
    checkNumber(who, 'lockSeconds', lockSeconds, { min: 1 })
    if (cacheBytes !== undefined) checkNumber(who, 'cacheLimit', cacheBytes, { min: 0 })
    const board = await RedisBoard.open(who, url)
    const self = new QueueWorker(board, options, threads)
    try {
      await self.begin(lockSeconds)
    } catch (error) {
      await board.close()
      throw error
    }
    return self
  }

  /** What it has done so far. */
  get status(): WorkerCounts {
    return { ...this.counts, ...this.shelf.counts, running: this.running.size }
  }

  /** The queue that it works for, without user and password. */
  get address(): string {
    return this.board.address.shown
  }

  /** Takes no more jobs, waits for those under way, gives back what is not done after this many milliseconds, and leaves. */
  async stop(graceMs = 0): Promise<void> {
    if (this.ending) {
      this.giveBack()
      return
    }
    this.ending = true
    clearInterval(this.beat)
    clearTimeout(this.resting)
    const timer = setTimeout(() => this.giveBack(), graceMs)
    await this.worker?.close()
    clearTimeout(timer)
    await this.board.leave(this.id).catch(() => {})
    await this.board.close()
  }

  private giveBack(): void {
    this.givesBack = true
    for (const { stop } of this.running.values()) stop()
  }

  private async begin(lockSeconds: number): Promise<void> {
    const peers = await loadPeers()
    await this.pool.startAll()
    await this.present()
    this.beat = setInterval(() => void this.present(), (PRESENCE_SECONDS * 1000) / 3)
    const { WaitingError, DelayedError, UnrecoverableError } = peers
    const worker = new peers.Worker(
      QUEUE,
      async (job: Job, token?: string) => {
        const outcome = await this.process(job)
        if (outcome.kind === 'done') return outcome.note
        if (outcome.kind === 'given-back') {
          await job.moveToWait(token)
          throw new WaitingError()
        }
        if (outcome.kind === 'refused') {
          await job.moveToDelayed(Date.now() + REFUSED_JOB_MS, token)
          throw new DelayedError()
        }
        const { error } = outcome
        const isLasting = error instanceof ParameterError || error instanceof DataError
        throw isLasting ? new UnrecoverableError(error.message) : error
      },
      {
        connection: this.board.duplicate() as never,
        prefix: PREFIX,
        name: this.id,
        concurrency: this.threads,
        lockDuration: 1000 * lockSeconds,
        stalledInterval: 500 * lockSeconds,
        maxStalledCount: MOST_STALLS,
        removeOnComplete: { count: 0 },
      },
    )
    worker.on('error', (error) => this.say(`trouble with the queue: ${error.message}`))
    worker.on('stalled', (id) => this.say(`job ${id.slice(0, 12)} lost its worker and goes to another one`))
    this.worker = worker
    await worker.waitUntilReady()
  }

  private async process(job: Job): Promise<Outcome> {
    const { id = '' } = job
    const begun = performance.now()
    let unit: UnitJob | undefined
    try {
      unit = parseUnit(job.data)
      this.checkMaker(unit)
      const result = await this.work(id, unit)
      if (!result) {
        this.counts.handedBack++
        return { kind: 'given-back' }
      }
      await this.board.putBytes('result', id, result)
      const seconds = (performance.now() - begun) / 1000
      this.counts.done++
      this.counts.seconds += seconds
      this.counts.resultBytes += result.length
      this.refuses.delete(subjectOf(unit))
      this.rest = FIRST_REST_MS
      return { kind: 'done', note: { worker: this.id, seconds, bytes: result.length } }
    } catch (error) {
      if (error instanceof RefusalError) {
        this.refuse(
          unit ? subjectOf(unit) : String((job.data as { search?: unknown })?.search),
          error.message,
        )
        return { kind: 'refused' }
      }
      this.counts.failed++
      this.say(`job ${id.slice(0, 12)} failed: ${(error as Error).message}`)
      return { kind: 'failed', error: error as Error }
    } finally {
      this.running.delete(id)
    }
  }

  /** Bits depend on the version and on the build of the engine. */
  private checkMaker({ library, engine }: UnitJob): void {
    if (library !== libraryVersion())
      throw new RefusalError(
        `this worker has Hyperplane ${libraryVersion()}, but the job is from ${library}: install the same version everywhere`,
      )
    if (engine !== buildName())
      throw new RefusalError(
        `this machine runs the ${buildName()} build of the engine, but the job needs the ${engine} build: results would differ in their last bits; use machines of the same kind`,
      )
  }

  /** Does a job; undefined where it was stopped. */
  private async work(id: string, unit: UnitJob): Promise<Uint8Array | undefined> {
    if (unit.kind === 'pass') return this.pass(id, unit)
    const search = await this.searches.get(unit.search)
    const path = await this.shelf.find(search.file)
    const thread = await this.pool.acquire()
    if (!thread) return undefined
    const what = `${search.job.estimator.type} on ${search.file.name}, ${unit.cells.length} cells, ${unit.units.length} fits`
    return this.onThread(thread, { kind: 'cells', id, job: unit, search, path }, what)
  }

  private async pass(id: string, unit: PassJob): Promise<Uint8Array | undefined> {
    const manifest = await this.manifests.get(unit.manifest)
    const entry = manifest.blocks[unit.block]
    if (entry?.sha256 !== unit.file.sha256)
      throw new DataError(`job: block ${unit.block} does not match the manifest`)
    const pass = await this.passes.get(unit.pass)
    const path = await this.shelf.find(unit.file, blockPlace(unit.file))
    const thread = await this.pool.acquire()
    if (!thread) return undefined
    const what = `a pass over ${unit.file.name}`
    return this.onThread(thread, { kind: 'pass', id, job: unit, pass, manifest, path }, what)
  }

  private onThread(
    thread: Thread,
    command: CellsCommand | PassCommand,
    what: string,
  ): Promise<Uint8Array | undefined> {
    if (this.givesBack) {
      this.pool.release(thread)
      return Promise.resolve(undefined)
    }
    return new Promise((resolve, reject) => {
      let isStopped = false
      const settle = (finish: () => void): void => {
        thread.off('message', listen).off('error', fail).off('exit', exit)
        finish()
      }
      const listen = (report: ThreadReport): void => {
        if (report.kind === 'load' || report.kind === 'save') {
          void this.answer(thread, command, report)
          return
        }
        settle(() => {
          this.pool.release(thread)
          if (report.kind === 'done') resolve(report.result)
          else reject(unpackError(report.error))
        })
      }
      const fail = (error: Error): void => settle(() => reject(error))
      const exit = (code: number): void =>
        settle(() => {
          if (isStopped) resolve(undefined)
          else reject(new HyperplaneError(`the thread of the job ended with exit code ${code}`))
        })
      const stop = (): void => {
        isStopped = true
        void thread.terminate()
      }
      this.running.set(command.id, { what, since: new Date().toISOString(), stop })
      thread.on('message', listen).on('error', fail).on('exit', exit)
      thread.postMessage(command)
    })
  }

  /** A state that a thread needs, or leaves. */
  private async answer(
    thread: Thread,
    { job }: CellsCommand | PassCommand,
    question: Extract<ThreadReport, { kind: 'load' | 'save' }>,
  ): Promise<void> {
    const { name } = question
    const send = (answer: StateAnswer): void => thread.postMessage(answer)
    try {
      if (job.kind !== 'pass') throw new DataError('cells keep no states')
      const key = stateName(job.run, job.file.sha256, name)
      if (question.kind === 'save') await this.board.putBytes('state', key, question.value)
      const value = question.kind === 'load' ? await this.board.bytes('state', key) : undefined
      send({ kind: 'state', name, value: value && new Uint8Array(value) })
    } catch (error) {
      send({ kind: 'state', name, value: undefined, error: (error as Error).message })
    }
  }

  /** Others may be able to do it: this worker takes nothing for a while, so that it does not get the same job again and again. */
  private refuse(subject: string, reason: string): void {
    this.counts.refused++
    if (this.refuses.get(subject) !== reason) this.say(`refused: ${reason}`)
    this.refuses.set(subject, reason)
    void this.present()
    if (this.ending || this.resting) return
    void this.worker?.pause(true)
    this.resting = setTimeout(() => {
      this.resting = undefined
      // It may have got meanwhile what it lacked.
      this.refuses.clear()
      if (!this.ending) void this.worker?.resume()
    }, this.rest)
    this.rest = Math.min(2 * this.rest, LONGEST_REST_MS)
  }

  private async present(): Promise<void> {
    const { done, failed, seconds } = this.counts
    const note: WorkerNote = {
      ...{ id: this.id, library: libraryVersion(), engine: buildName(), threads: this.threads },
      ...{ since: this.since, done, failed, seconds },
      running: Array.from(this.running, ([id, { what, since }]) => ({ id, what, since })),
      refuses: Object.fromEntries(this.refuses),
    }
    await this.board.present(note).catch(() => {})
  }

  private say(line: string): void {
    this.options.onLine?.(line)
  }
}

/** The last few values of a kind, by hash. */
class Kept<T> {
  private readonly values = new Map<string, Promise<T>>()
  private readonly fetch: (hash: string) => Promise<T>

  constructor(fetch: (hash: string) => Promise<T>) {
    this.fetch = fetch
  }

  get(hash: string): Promise<T> {
    const known = this.values.get(hash)
    if (known) return known
    const value = this.fetch(hash)
    this.values.set(hash, value)
    value.catch(() => this.values.delete(hash))
    if (this.values.size > KEPT_VALUES) this.values.delete([...this.values.keys()][0])
    return value
  }
}

/** Not lasting: the coordinator puts it there again with the next job. */
function gone(what: string): never {
  throw new HyperplaneError(`${what} is gone from the queue: start the command again`)
}

type Outcome =
  | { readonly kind: 'done'; readonly note: object }
  | { readonly kind: 'given-back' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly error: Error }

/** What workers refuse by. */
function subjectOf(unit: UnitJob): string {
  return unit.kind === 'cells' ? unit.search : unit.run
}
