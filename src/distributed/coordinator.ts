/**
 * Gets jobs done by whoever takes them. It posts a window of them, hears of those that have settled, and looks at all open ones
 * every few seconds: what it hears is a hint that may be lost, what it sees decides. A job that has vanished with its result
 * (a queue that lost its last second) is posted again. Results stay on the board until they are handed over, so that
 * another coordinator with the same jobs continues where this one died.
 */
import { HyperplaneError } from '../base/errors.ts'
import type { JobBoard, JobState, PostedJob, WorkerNote } from './job-board.ts'

/** How a coordinator works. */
export interface CoordinatorOptions {
  /** Jobs on the board at most, which bounds the memory of the queue. Default: 512, or two for each thread that works. */
  readonly window?: number
  /** Milliseconds between two looks at all open jobs. */
  readonly lookEvery?: number
  /** Called at every look: who works, and how many jobs are settled. */
  readonly onLook?: (state: CoordinatorState) => void
}

/** Where the work stands. */
export interface CoordinatorState {
  readonly done: number
  readonly failed: number
  readonly total: number
  readonly workers: readonly WorkerNote[]
  /** Seconds since the work began. */
  readonly seconds: number
}

/** Who hears what came of the jobs. */
export interface JobListener {
  readonly signal?: AbortSignal | undefined
  /** The hash of the search or run that the jobs belong to: workers refuse by it. */
  readonly subject: string
  /** Called before jobs are posted: stores what they refer to, and does again if it was lost. */
  prepare?(): Promise<unknown>
  onDone(id: string, result: Uint8Array): void
  onFailed(id: string, reason: string): void
}

/** Jobs that are open at a time, at least: enough for 256 threads before it is known how many there are. */
const WINDOW = 512
/** One that a thread works on, and one that it continues with. */
const JOBS_PER_THREAD = 2
/** A look costs a few commands per open job: every two seconds it is no load, and a lost message costs no more than that. */
const LOOK_EVERY = 2000
/** How long news is gathered before it is acted upon: no worker waits for it, as there are more jobs on the board. */
const GATHER_MS = 20
const never = new Promise<void>(() => {})
/** Names asked about in one go. */
const CHUNK = 128
/**
 * Looks at which all workers refuse before the work is given up: longer than a worker rests, which may have what it lacked by the
 * time it tries again.
 */
const REFUSED_LOOKS = 4

/** Resolved when every job is settled and has been reported, each exactly once, or the signal is raised. */
export async function coordinate(
  board: JobBoard,
  jobs: readonly PostedJob[],
  listener: JobListener,
  options: CoordinatorOptions = {},
): Promise<void> {
  await new Coordination(board, jobs, listener, options).run()
}

class Coordination {
  private readonly board: JobBoard
  private readonly listener: JobListener
  private readonly options: CoordinatorOptions
  private readonly total: number
  /** Not yet posted, the next one last. */
  private readonly waiting: PostedJob[]
  private readonly open = new Map<string, PostedJob>()
  private readonly heard = new Set<string>()
  private wake: () => void = () => {}
  private done = 0
  private failed = 0
  private refusedLooks = 0
  /** Of all workers, when they were last looked at. */
  private threads = 0
  private readonly started: number

  constructor(
    board: JobBoard,
    jobs: readonly PostedJob[],
    listener: JobListener,
    options: CoordinatorOptions,
  ) {
    this.board = board
    this.listener = listener
    this.options = options
    // The same job twice is one job.
    this.waiting = [...new Map(jobs.map((job) => [job.id, job])).values()].reverse()
    this.total = this.waiting.length
    this.started = board.now()
  }

  async run(): Promise<void> {
    const { board, listener, options } = this
    const { lookEvery = LOOK_EVERY } = options
    const { signal } = listener
    const stopListening = board.listen((id) => {
      this.heard.add(id)
      this.wake()
    })
    const stop = (): void => this.wake()
    signal?.addEventListener('abort', stop)
    try {
      await this.look()
      let lookAt = board.now() + lookEvery
      while (!signal?.aborted && this.open.size + this.waiting.length > 0) {
        await this.fill(options.window ?? Math.max(WINDOW, JOBS_PER_THREAD * this.threads))
        if (this.open.size === 0) continue
        if (this.heard.size === 0) {
          const woken = new Promise<void>((resolve) => {
            this.wake = resolve
          })
          if (!signal?.aborted) await board.wait(Math.max(0, lookAt - board.now()), woken)
        }
        // Those that settle at about the same time are looked at together: a look costs as much for many as for one.
        if (this.heard.size < this.open.size && !signal?.aborted) await board.wait(GATHER_MS, never)
        if (signal?.aborted) break
        const heard = [...this.heard].filter((id) => this.open.has(id))
        this.heard.clear()
        await this.settle(heard, false)
        if (board.now() < lookAt) continue
        await this.settle([...this.open.keys()], true)
        await this.look()
        lookAt = board.now() + lookEvery
      }
      if (signal?.aborted) await board.withdraw([...this.open.keys()])
    } finally {
      stopListening()
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Posts jobs up to the window; those whose result is there already are settled instead. */
  private async fill(window: number): Promise<void> {
    while (this.open.size < window && this.waiting.length > 0) {
      const next = this.waiting.splice(-Math.min(CHUNK, window - this.open.size)).reverse()
      for (const job of next) this.open.set(job.id, job)
      // A failure of an earlier run says nothing of this one.
      await this.settle(
        next.map(({ id }) => id),
        true,
        true,
      )
    }
  }

  /** Looks at jobs: reports what is settled, and posts what is missing. */
  private async settle(ids: readonly string[], post: boolean, first = false): Promise<void> {
    for (let from = 0; from < ids.length; from += CHUNK) {
      const chunk = ids.slice(from, from + CHUNK)
      const states = await this.board.look(chunk)
      const missing: PostedJob[] = []
      const settled: string[] = []
      const failed: string[] = []
      states.forEach((state, k) => {
        const id = chunk[k]
        const job = this.open.get(id)
        if (!job) return
        if (state.kind === 'missing' || (first && state.kind === 'failed')) {
          missing.push(job)
          if (state.kind === 'failed') failed.push(id)
        } else if (this.report(id, state)) (state.kind === 'failed' ? failed : settled).push(id)
      })
      await this.board.drop(settled)
      await this.board.withdraw(failed)
      if (!post || missing.length === 0) continue
      await this.listener.prepare?.()
      await this.board.post(missing)
    }
  }

  private report(id: string, state: JobState): boolean {
    if (state.kind === 'done') {
      this.open.delete(id)
      this.done++
      this.listener.onDone(id, state.result)
      return true
    }
    if (state.kind !== 'failed') return false
    this.open.delete(id)
    this.failed++
    this.listener.onFailed(id, state.reason)
    return true
  }

  private async look(): Promise<void> {
    const { board, total, done, failed, listener } = this
    const workers = await board.workers()
    this.threads = workers.reduce((sum, worker) => sum + worker.threads, 0)
    this.options.onLook?.({ done, failed, total, workers, seconds: (board.now() - this.started) / 1000 })
    const reasons = workers.map(({ id, refuses }) => ({ id, reason: refuses[listener.subject] }))
    const all = workers.length > 0 && reasons.every(({ reason }) => reason !== undefined)
    this.refusedLooks = all ? this.refusedLooks + 1 : 0
    if (this.refusedLooks < REFUSED_LOOKS) return
    await board.withdraw([...this.open.keys()])
    throw new HyperplaneError(
      `no worker can do this: ${reasons.map(({ id, reason }) => `${id}: ${reason}`).join('; ')}`,
    )
  }
}
