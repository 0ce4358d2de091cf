/** The page's side of a worker. */
import type { Command, JobName, Jobs, Report } from './messages.ts'

/** What a caller may add to a job. */
export interface CallOptions<N extends JobName> {
  readonly signal?: AbortSignal
  readonly onNews?: (news: Jobs[N]['news']) => void
}

/** Thrown when a job was cancelled: nothing went wrong. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}

interface Waiting {
  readonly resolve: (reply: never) => void
  readonly reject: (error: Error) => void
  readonly onNews: ((news: never) => void) | undefined
}

/** A worker that does jobs. It is started with the first one. */
export class LabWorker {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0

  /** Does a job. Rejects with {@link Cancelled} when `signal` aborts, else with what went wrong. */
  call<N extends JobName>(
    job: N,
    ask: Jobs[N]['ask'],
    options: CallOptions<N> = {},
  ): Promise<Jobs[N]['reply']> {
    const { signal, onNews } = options
    if (signal?.aborted) return Promise.reject(new Cancelled())
    const id = ++this.lastId
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, onNews })
      signal?.addEventListener('abort', () => this.send({ id, kind: 'cancel' }), { once: true })
      this.send({ id, kind: 'start', job, ask })
    })
  }

  private send(command: Command): void {
    this.worker ??= this.start()
    this.worker.postMessage(command)
  }

  private start(): Worker {
    const worker = new Worker(new URL('./lab-worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => this.hear(data))
    worker.addEventListener('error', ({ message }) => {
      for (const { reject } of this.waiting.values()) reject(new Error(message || 'the worker failed'))
      this.waiting.clear()
      worker.terminate()
      this.worker = undefined
    })
    return worker
  }

  private hear(report: Report): void {
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
export const liveWorker = new LabWorker()

/** Does what takes longer: recordings, races, tuning, files. */
export const jobWorker = new LabWorker()
