import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/**
 * Threads that run one script. They start when they are needed, at most as many as the machine runs at a time, and
 * wait to be used again. A thread that waits does not keep the process alive.
 */
export class ThreadPool {
  private readonly script: URL
  private size: number
  private readonly idle: Worker[] = []
  private readonly queue: ((thread: Worker) => void)[] = []
  private running = 0

  constructor(script: URL, size = availableParallelism()) {
    this.script = script
    this.size = size
  }

  /**
   * A thread for the caller alone, as soon as there is one; undefined when `signal` aborts before that. Give it back
   * with {@link release}.
   */
  async acquire(signal?: AbortSignal): Promise<Worker | undefined> {
    if (signal?.aborted) return undefined
    const thread = this.idle.pop() ?? (this.running < this.size ? this.start() : undefined)
    thread?.ref()
    return thread ?? this.wait(signal)
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

  /** Ends a thread that was acquired, and starts none in its place; false, and nothing is done, where it is the last one. */
  retire(thread: Worker): boolean {
    if (this.size <= 1) return false
    this.size--
    void thread.terminate()
    return true
  }

  private wait(signal: AbortSignal | undefined): Promise<Worker | undefined> {
    return new Promise((resolve) => {
      const leave = () => {
        this.queue.splice(this.queue.indexOf(take), 1)
        resolve(undefined)
      }
      const take = (thread: Worker) => {
        signal?.removeEventListener('abort', leave)
        resolve(thread)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.queue.push(take)
    })
  }

  private start(): Worker {
    // Flags of the process are not for its threads: some (--input-type) even keep them from starting.
    const thread = new Worker(this.script, { execArgv: [] })
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
