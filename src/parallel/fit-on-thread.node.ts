import { setMaxListeners } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { HyperplaneError } from '../base/errors.ts'
import { slot } from '../base/slot.ts'
import { MOST_CERTIFICATES } from '../certify/summarise-certificates.ts'
import { storedValues } from '../data/matrix/matrix.ts'
import { forgoEngine } from '../engine/memory/engine-build.ts'
import { availableThreads } from '../engine/threads/thread-team.ts'
import { type FitRunner, type FitTask, runInSlices } from '../estimators/fitting/fit-runner.ts'
import { joinSolved, type Solved } from '../solve/driver/solved.ts'
import { unpackError } from './error-transfer.ts'
import type { FitCommand, FitJob, FitReport, PackedTask } from './fit-messages.ts'
import { ThreadPool } from './thread-pool.node.ts'
import { warnOfMissingThreads } from './thread-warning.node.ts'
import { makeWorkerData } from './worker-data.node.ts'
import { fitScript } from './worker-scripts.node.ts'

const pool = new ThreadPool({ script: fitScript, data: () => makeWorkerData('fits') })

/**
 * Solves on another thread, so that the calling one stays free; data are copied there. Kernels made of user functions cannot
 * leave their thread: they are solved on the calling one, in slices. So is everything where threads cannot
 * be started, which is said once, and a task that was aborted before a thread was free, which takes no time. Where each class
 * is its own problem, several threads share them.
 */
export const fitOnThread: FitRunner = (task) => {
  const shares = sharesOf(task)
  return shares.length > 1 ? fitShares(task, shares) : fitOnOneThread(task)
}

/** Values that threads read in all, for a thread more to be worth its start: some ten milliseconds of a pass over them. */
const WORTH_A_THREAD = 3e6
/** Values that may be copied for threads beyond the first, in all: 8 bytes each and the index. */
const MOST_COPIED = 100e6

/** The classes that each thread solves for, one after the other alternately; a single share where threads are not worth it. */
function sharesOf({ problem, options, classes }: FitTask): number[][] {
  if (problem.task !== 'rest' || problem.kernel || classes || options.trace) return []
  const { classCount, samples } = problem
  const stored = storedValues(samples)
  const count = Math.min(
    options.threads ?? availableThreads(),
    classCount,
    1 + Math.floor((stored * classCount) / WORTH_A_THREAD),
    1 + Math.floor(MOST_COPIED / stored),
  )
  const shares = Array.from({ length: count }, (): number[] => [])
  for (let c = 0; c < classCount; c++) shares[c % count].push(c)
  return classCount <= MOST_CERTIFICATES ? shares : []
}

/** All shares; where one fails the others are aborted. */
async function fitShares(task: FitTask, shares: readonly number[][]): Promise<Solved> {
  const failure = new AbortController()
  const { signal: given } = task.options
  const signal = given ? AbortSignal.any([given, failure.signal]) : failure.signal
  const fits = shares.map(async (numbers) => {
    try {
      const solved = await fitOnOneThread({ ...task, classes: numbers, options: { ...task.options, signal } })
      return { numbers, solved }
    } catch (error) {
      failure.abort()
      throw error
    }
  })
  await Promise.allSettled(fits)
  return joinSolved(await Promise.all(fits))
}

const fitOnOneThread: FitRunner = async (task) => {
  const { options } = task
  // Many fits may share a signal: that is no leak to warn of.
  if (options.signal) setMaxListeners(0, options.signal)
  const { kernel } = { kernel: undefined, ...task.problem }
  const portable = kernel?.portable ?? true
  const thread = portable ? await acquireLike(options.signal) : undefined
  return thread ? solveOn(thread, task) : runInSlices(task)
}

/** Whether each thread has an engine, from when it has said so; and whether the first one had. */
const engines = new WeakMap<Worker, Promise<boolean | Error>>()
const first = slot<Promise<boolean | Error> | undefined>(undefined)
const useEngine = slot<boolean | undefined>(undefined)

/** A thread with an engine if the first one had: there may be memory for the engines of some threads and not of others. */
async function acquireLike(signal: AbortSignal | undefined): Promise<Worker | undefined> {
  for (;;) {
    const thread = await acquire(signal)
    if (!thread) return undefined
    const known = engines.get(thread) ?? readyOf(thread)
    engines.set(thread, known)
    if (!first.current) first.install(known)
    const has = await known
    if (has instanceof Error) {
      if (first.current === known) first.install(undefined)
      if (!pool.settleForLess()) warnOfMissingThreads(has)
      continue
    }
    useEngine.install(useEngine.current ?? (await first.current) === true)
    if (!has && useEngine.current && pool.retire(thread)) continue
    // The last thread there is decides.
    useEngine.install(useEngine.current && has)
    if (!useEngine.current) forgoEngine()
    return thread
  }
}

/** A thread of the pool; undefined when the signal comes first, and where none can be started. */
async function acquire(signal: AbortSignal | undefined): Promise<Worker | undefined> {
  try {
    return await pool.acquire(signal)
  } catch (error) {
    if (!pool.settleForLess()) warnOfMissingThreads(error)
    return undefined
  }
}

/** What a thread says first: whether it has an engine; or why it ended before that. */
function readyOf(thread: Worker): Promise<boolean | Error> {
  return new Promise((resolve) => {
    let cause: unknown
    const listen = (report: FitReport) => {
      if (report.kind === 'ready') settle(report.engine)
    }
    const fail = (error: unknown) => {
      cause = error
    }
    const end = (code: number) =>
      settle(cause instanceof Error ? cause : new HyperplaneError(`they end with exit code ${code}`))
    const settle = (said: boolean | Error) => {
      thread.off('message', listen).off('error', fail).off('exit', end)
      resolve(said)
    }
    thread.on('message', listen).on('error', fail).once('exit', end)
  })
}

function solveOn(thread: Worker, task: FitTask): Promise<Solved> {
  const { signal, onProgress, onStep, checkpoint } = task.options
  return new Promise((resolve, reject) => {
    /** What a callback of the user's threw: the job is aborted, and ends with it. */
    let thrown: { readonly error: unknown } | undefined
    const send = (command: FitCommand) => thread.postMessage(command)
    const abort = () => send({ kind: 'abort' })
    const settle = (finish: () => void) => {
      thread.off('message', listen).off('error', fail).off('exit', exit)
      signal?.removeEventListener('abort', abort)
      finish()
    }
    const hear = (call: () => void) => {
      if (thrown) return
      try {
        call()
      } catch (error) {
        thrown = { error }
        abort()
      }
    }
    const listen = (report: FitReport) => {
      if (report.kind === 'ready') return
      if (report.kind === 'progress') return hear(() => onProgress?.(report.progress))
      if (report.kind === 'keep') return hear(() => checkpoint?.putPacked(report.name, report.packed))
      if (report.kind === 'steps') {
        for (const step of report.steps) hear(() => onStep?.(step))
        return
      }
      settle(() => {
        pool.release(thread)
        if (thrown) reject(thrown.error)
        else if (report.kind === 'done') resolve(report.solved)
        else reject(unpackError(report.error))
      })
    }
    // A thread that failed outside a job (out of memory, say) has ended: the pool forgets it by itself.
    const fail = (error: unknown) => settle(() => reject(error))
    const exit = (code: number) =>
      settle(() => reject(new HyperplaneError(`the thread that was solving ended with exit code ${code}`)))
    thread.on('message', listen).on('error', fail).on('exit', exit)
    signal?.addEventListener('abort', abort)
    try {
      send({ kind: 'solve', job: packJob(task) })
      if (signal?.aborted) abort()
    } catch (error) {
      settle(() => {
        pool.release(thread)
        reject(error)
      })
    }
  })
}

function packJob(task: FitTask): FitJob {
  const {
    signal: _signal,
    onProgress,
    onStep,
    onModelStep: _onModelStep,
    checkpoint,
    ...plain
  } = task.options
  return {
    engine: useEngine.current ?? false,
    task: packTask(task),
    options: plain,
    checkpoint: checkpoint && { entries: checkpoint.packed(), everyMs: checkpoint.everyMs },
    wantsProgress: onProgress !== undefined,
    wantsSteps: onStep !== undefined,
  }
}

function packTask({ problem, solver, solverOptions, classes }: FitTask): PackedTask {
  const { kernel, ...plain } = { kernel: undefined, ...problem }
  return { problem: plain, kernel: kernel?.spec, solver: solver.name, solverOptions, classes }
}
