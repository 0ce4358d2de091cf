import { setMaxListeners } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { checkNumber } from '../base/check.ts'
import { HyperplaneError } from '../base/errors.ts'
import type { FoldOutput } from '../selection/score/fold-output.ts'
import { type Executor, inProcessExecutor, runUnits, type Unit } from '../selection/search/executor.ts'
import type { CellCommand, CellReport } from './cell-messages.ts'
import { unpackError } from './error-transfer.ts'
import { ThreadPool } from './thread-pool.node.ts'

/** What {@link threadExecutor} takes. */
export interface ThreadExecutorOptions {
  /** Threads, each with a core to itself; as many as there are cores unless given. */
  readonly threads?: number
  /** The script of the threads, for tests of what happens when one ends. */
  readonly script?: URL
}

/**
 * Runs each unit on one of several threads, which get the data once. Estimators with functions of the user's inside cannot
 * leave the calling thread; they are fitted where `fit` does it. A thread that ends is replaced, its unit tried again.
 */
export function threadExecutor(options: ThreadExecutorOptions = {}): Executor {
  const { threads = availableParallelism(), script = new URL('./cell-worker.node.js', import.meta.url) } =
    options
  checkNumber('threadExecutor', 'threads', threads, { min: 1, integer: true })
  const pool = new ThreadPool(script, threads)
  const holds = new WeakMap<Worker, number>()
  let lastId = 0
  return {
    async run(work, units, hooks) {
      const { job, data } = work
      if (!job) return inProcessExecutor({ concurrency: threads }).run(work, units, hooks)
      const { signal } = hooks
      if (signal) setMaxListeners(0, signal)
      const id = ++lastId
      await runUnits(units, threads, hooks, async (unit) => {
        const thread = await pool.acquire(signal)
        if (!thread) throw new HyperplaneError('stopped before a thread was free')
        const send = (command: CellCommand): void => thread.postMessage(command)
        if (holds.get(thread) !== id) {
          send({ kind: 'job', id, job, data })
          holds.set(thread, id)
        }
        return unitOn(thread, { kind: 'unit', id, ...unit }, pool, signal)
      })
    },
  }
}

/** One unit on one thread. A signal ends the thread: a fit cannot be asked to hurry. */
function unitOn(
  thread: Worker,
  command: CellCommand & Unit,
  pool: ThreadPool,
  signal: AbortSignal | undefined,
): Promise<FoldOutput> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      thread.off('message', listen).off('error', fail).off('exit', exit)
      signal?.removeEventListener('abort', abort)
      finish()
    }
    const listen = (report: CellReport): void =>
      settle(() => {
        pool.release(thread)
        if (report.kind === 'done') resolve(report.output)
        else reject(unpackError(report.error))
      })
    const fail = (error: unknown): void => settle(() => reject(error))
    const exit = (code: number): void =>
      settle(() => reject(new HyperplaneError(`the thread that was fitting ended with exit code ${code}`)))
    const abort = (): void => {
      void thread.terminate()
    }
    thread.on('message', listen).on('error', fail).on('exit', exit)
    signal?.addEventListener('abort', abort, { once: true })
    thread.postMessage(command)
  })
}
