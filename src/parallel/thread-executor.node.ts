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
import { warnOfMissingThreads } from './thread-warning.node.ts'
import { makeWorkerData } from './worker-data.node.ts'
import { cellScript } from './worker-scripts.node.ts'

/** Options of {@link threadExecutor}. */
export interface ThreadExecutorOptions {
  /** Threads, each with a core to itself. Default: as many as there are cores. */
  readonly threads?: number
  /** The script of the threads, for tests of what happens when one ends. */
  readonly script?: URL
}

/**
 * Runs each unit on one of several threads, which get the data once. Estimators with user functions inside cannot
 * leave the calling thread; they are fitted where `fit` does it, as are all where threads cannot be started. A thread that ends is replaced, its unit tried again.
 */
export function threadExecutor(options: ThreadExecutorOptions = {}): Executor {
  const { threads = availableParallelism(), script = cellScript } = options
  checkNumber('threadExecutor', 'threads', threads, { min: 1, integer: true })
  const pool = new ThreadPool({ script, size: threads, data: () => makeWorkerData('cells') })
  const holds = new WeakMap<Worker, number>()
  let lastId = 0
  return {
    async run(work, units, hooks) {
      const { job, data } = work
      if (!job || !(await canStart(pool, hooks.signal))) {
        return inProcessExecutor({ concurrency: threads }).run(work, units, hooks)
      }
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

/** Whether threads can be started; false, and said once, where the first does not come up. True where the signal is raised. */
async function canStart(pool: ThreadPool, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    const thread = await pool.acquire(signal)
    if (!thread) return signal?.aborted === true
    await ready(thread)
    pool.release(thread)
    return true
  } catch (error) {
    pool.settleForLess()
    warnOfMissingThreads(error)
    return false
  }
}

const up = new WeakSet<Worker>()

/** Resolved when a thread has said that it is there. */
function ready(thread: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    if (up.has(thread)) return resolve()
    const settle = (finish: () => void): void => {
      thread.off('message', listen).off('error', reject).off('exit', exit)
      finish()
    }
    const listen = (): void => {
      up.add(thread)
      settle(resolve)
    }
    const exit = (code: number): void =>
      settle(() => reject(new HyperplaneError(`they end with exit code ${code}`)))
    thread.on('message', listen).on('error', reject).on('exit', exit)
  })
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
    const listen = (report: CellReport): void => {
      if (report.kind === 'ready') return
      settle(() => {
        pool.release(thread)
        if (report.kind === 'done') resolve(report.output)
        else reject(unpackError(report.error))
      })
    }
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
