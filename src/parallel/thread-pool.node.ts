import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Script } from '../engine/threads/thread-script.node.ts'

/** What a {@link ThreadPool} is made of. */
export interface PoolOptions {
  /** What the threads run. */
  readonly script: Script | (() => Promise<Script>)
  /** How many there may be. Default: as many as the machine runs at a time. */
  readonly size?: number
  /** What each gets when it starts. */
  readonly data?: () => unknown
}

/**
 * Threads that run one script. They start when they are needed, at most as many as the machine runs at a time, and
 * wait to be used again. A thread that waits does not keep the process alive.
 */
export class ThreadPool {
  private readonly options: PoolOptions
  private script: Script | undefined
  private size: number
  private readonly idle: Worker[] = []
  private readonly queue: ((thread: Worker | undefined) => void)[] = []
  private running = 0

  constructor(options: PoolOptions) {
    this.options = options
    this.size = options.size ?? availableParallelism()
  }

  /**
   * A thread for the caller alone, as soon as there is one; undefined when `signal` aborts before that, and when there are
   * none. Give it back with {@link release}.
   */
  async acquire(signal?: AbortSignal): Promise<Worker | undefined> {
    const { script } = this.options
    this.script ??= typeof script === 'function' ? await script() : script
    if (signal?.aborted) return undefined
    const thread = this.idle.pop() ?? (this.running < this.size ? this.start() : undefined)
    thread?.ref()
    return thread ?? (this.size > 0 ? this.wait(signal) : undefined)
  }

  /** Takes a thread back: to the next in the queue, or to wait. */
  release(thread: Worker): void {
    const next = this.queue.shift()
    if (next) {
      next(thread)
      return
    }
    thread.unref()
    this.idle.push(thread)
  }

  /** Starts all threads, for who knows that there will be work. */
  async startAll(): Promise<void> {
    const { script } = this.options
    this.script ??= typeof script === 'function' ? await script() : script
    while (this.running < this.size) this.release(this.start())
  }

  /** Ends a thread that was acquired, and starts none in its place; false, and nothing is done, where it is the last one. */
  retire(thread: Worker): boolean {
    if (this.size <= 1) return false
    this.size--
    void thread.terminate()
    return true
  }

  /** A thread did not start: there will be no more than there are now. False where there are none. */
  settleForLess(): boolean {
    this.size = Math.min(this.size, this.running)
    if (this.size === 0) for (const take of this.queue.splice(0)) take(undefined)
    return this.size > 0
  }

  private wait(signal: AbortSignal | undefined): Promise<Worker | undefined> {
    return new Promise((resolve) => {
      const leave = () => {
        this.queue.splice(this.queue.indexOf(take), 1)
        resolve(undefined)
      }
      const take = (thread: Worker | undefined) => {
        signal?.removeEventListener('abort', leave)
        resolve(thread)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.queue.push(take)
    })
  }

  private start(): Worker {
    // Flags of the process are not for its threads: some (--input-type) even keep them from starting.
    const { script = '' } = this
    const workerData = this.options.data?.()
    const thread = new Worker(script, { execArgv: [], eval: typeof script === 'string', workerData })
    this.running++
    thread.once('exit', () => this.forget(thread))
    return thread
  }

  /** A thread has ended, whatever the reason; another one may be waiting for its place. */
  private forget(thread: Worker): void {
    this.running--
    const position = this.idle.indexOf(thread)
    if (position >= 0) this.idle.splice(position, 1)
    if (this.running < this.size) this.queue.shift()?.(this.start())
  }
}
