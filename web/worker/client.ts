/** The page's side of a worker. */
import type { AllJobs, Command, JobName, Report } from './jobs.ts'

/** What a caller may add to a job. */
export interface CallOptions<N extends JobName> {
  readonly signal?: AbortSignal
  readonly onNews?: (news: AllJobs[N]['news']) => void
}

/** Thrown when a job was cancelled: nothing went wrong. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}

interface Waiting {
  readonly command: Command
  readonly resolve: (reply: never) => void
  readonly reject: (error: Error) => void
  readonly onNews: ((news: never) => void) | undefined
}

/** A worker that is told to stop has so long to do so, in milliseconds, before it is ended. */
const GRACE_MS = 200

/** A worker that does jobs. It is started with the first one. */
export class LabWorker {
  /** Whether it may be ended to cancel a job: it holds nothing that a later job needs. */
  private readonly mayEnd: boolean
  /** How many workers have been ended so far: what they held is gone. */
  ended = 0
  private worker: Worker | undefined
  private readonly waiting = new Map<number, Waiting>()
  /** Jobs that were cancelled and are not known to have stopped, and what to do once they have. */
  private readonly stopping = new Map<
    number,
    { readonly stopped: Promise<void>; readonly resolve: () => void }
  >()
  private lastId = 0

  constructor({ mayEnd }: { readonly mayEnd: boolean }) {
    this.mayEnd = mayEnd
  }

  /**
   * Does a job. Rejects with {@link Cancelled} when `signal` aborts, else with what went wrong. A worker that may be ended
   * and does not stop by itself is: jobs that wait behind the cancelled one go to the next worker.
   */
  call<N extends JobName>(
    job: N,
    ask: AllJobs[N]['ask'],
    options: CallOptions<N> = {},
  ): Promise<AllJobs[N]['reply']> {
    const { signal, onNews } = options
    if (signal?.aborted) return Promise.reject(new Cancelled())
    const id = ++this.lastId
    return new Promise((resolve, reject) => {
      const command = { id, kind: 'start', job, ask } as const
      this.waiting.set(id, { command, resolve, reject, onNews })
      signal?.addEventListener('abort', () => this.cancel(id), { once: true })
      this.send(command)
    })
  }

  /** Resolves once every cancelled job has stopped, by itself or with its worker. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.stopping.values(), ({ stopped }) => stopped))
  }

  /** Ends the worker; jobs under way are cancelled. */
  end(): void {
    for (const { reject } of this.waiting.values()) reject(new Cancelled())
    this.waiting.clear()
    this.terminate()
  }

  private cancel(id: number): void {
    const cancelled = this.waiting.get(id)
    if (!cancelled) return
    this.send({ id, kind: 'cancel' })
    if (!this.mayEnd) return
    this.waiting.delete(id)
    let resolve = () => {}
    const stopped = new Promise<void>((done) => {
      resolve = done
    })
    this.stopping.set(id, { stopped, resolve })
    cancelled.reject(new Cancelled())
    setTimeout(() => {
      if (!this.stopping.has(id)) return
      this.terminate()
      for (const { command } of this.waiting.values()) this.send(command)
    }, GRACE_MS)
  }

  private terminate(): void {
    this.worker?.terminate()
    this.worker = undefined
    this.ended++
    for (const id of [...this.stopping.keys()]) this.stop(id)
  }

  private stop(id: number): void {
    this.stopping.get(id)?.resolve()
    this.stopping.delete(id)
  }

  private send(command: Command): void {
    this.worker ??= this.start()
    this.worker.postMessage(command)
  }

  private start(): Worker {
    const worker = new Worker(new URL('./lab-worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => this.hear(data))
    worker.addEventListener('error', ({ message }) => {
      if (this.worker !== worker) return
      for (const { reject } of this.waiting.values()) reject(new Error(message || 'the worker failed'))
      this.waiting.clear()
      this.terminate()
    })
    return worker
  }

  private hear(report: Report): void {
    if (report.kind !== 'news') this.stop(report.id)
    const waiting = this.waiting.get(report.id)
    if (!waiting) return
    if (report.kind === 'news') {
      waiting.onNews?.(report.news as never)
      return
    }
    this.waiting.delete(report.id)
    if (report.kind === 'done') waiting.resolve(report.reply as never)
    else waiting.reject(report.kind === 'cancelled' ? new Cancelled() : new Error(report.message))
  }
}

/** Trains what the plane shows, again and again. */
export const liveWorker = new LabWorker({ mayEnd: false })

/** Does what takes longer: recordings, races, tuning. Files have workers of their own. */
export const jobWorker = new LabWorker({ mayEnd: true })
