import { setMaxListeners } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { HyperplaneError } from '../base/errors.ts'
import { slot } from '../base/slot.ts'
import { MOST_CERTIFICATES } from '../certify/summarise-certificates.ts'
import { storedValues } from '../data/matrix/matrix.ts'
import { engineExists, forgoEngine } from '../engine/memory/engine-build.ts'
import { availableThreads } from '../engine/threads/thread-team.ts'
import { type FitRunner, type FitTask, runInSlices } from '../estimators/fitting/fit-runner.ts'
import { classTurns } from '../solve/driver/solve-task.ts'
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
 * is its own problem, several threads take turns with them.
 */
export const fitOnThread: FitRunner = (task) => {
  const count = threadsWorth(task)
  return count > 1 ? fitInTurns(task, new Array<FitRunner>(count).fill(fitOnOneThread)) : fitOnOneThread(task)
}

/** Solves on the calling thread, which has nothing else to do; others take turns where each class is its own problem. */
export const fitHere: FitRunner = (task) => {
  const helpers = engineExists() ? threadsWorth(task) - 1 : 0
  return helpers > 0
    ? fitInTurns(task, [runInSlices, ...new Array<Participant>(helpers).fill(helpOnThread)])
    : runInSlices(task)
}

/** Values that threads read in all, for a thread more to be worth its start: some ten milliseconds of a pass over them. */
const WORTH_A_THREAD = 3e6
/** Values that may be copied for threads beyond the first, in all: 8 bytes each and the index. */
const MOST_COPIED = 100e6

/** How many threads are worth it for a task: one, except where each class is its own problem. */
function threadsWorth({ problem, options }: FitTask): number {
  if (problem.task !== 'rest' || problem.kernel || options.trace) return 1
  const { classCount, samples } = problem
  if (classCount > MOST_CERTIFICATES) return 1
  const stored = storedValues(samples)
  return Math.min(
    options.threads ?? availableThreads(),
    classCount,
    1 + Math.floor((stored * classCount) / WORTH_A_THREAD),
    1 + Math.floor(MOST_COPIED / stored),
  )
}

/** Solves for some of the classes of a task; nothing where it cannot. */
type Participant = (task: FitTask) => Promise<Solved | undefined>

/** All take turns with the classes until none is left; where one fails the others are aborted. */
async function fitInTurns(task: FitTask, participants: readonly Participant[]): Promise<Solved> {
  const failure = new AbortController()
  const { signal: given } = task.options
  const signal = given ? AbortSignal.any([given, failure.signal]) : failure.signal
  // Threads of their own would be more than there are cores.
  const share = { ...task, turns: classTurns(), options: { ...task.options, signal, threads: 1 } }
  const fits = participants.map(async (participant) => {
    try {
      return await participant(share)
    } catch (error) {
      failure.abort()
      throw error
    }
  })
  await Promise.allSettled(fits)
  const shares = await Promise.all(fits)
  return joinSolved(shares.filter((solved) => solved !== undefined))
}

const fitOnOneThread: FitRunner = async (task) => {
  const { options } = task
  // Many fits may share a signal: that is no leak to warn of.
  if (options.signal) setMaxListeners(0, options.signal)
  const { kernel } = { kernel: undefined, ...task.problem }
  const portable = kernel?.portable ?? true
  const thread = portable ? await acquireLike(options.signal) : undefined
  return thread ? solveOn(thread, task, useEngine.current ?? false) : runInSlices(task)
}

/** On a thread that has an engine, as the calling one has: results must not depend on who takes a turn. */
const helpOnThread: Participant = async (task) => {
  const thread = await pool.acquire(task.options.signal).catch(() => undefined)
  if (!thread) return undefined
  const has = await engineOf(thread)
  if (has === true) return solveOn(thread, task, true)
  if (has === false) pool.release(thread)
  return undefined
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
    const known = engineOf(thread)
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

function engineOf(thread: Worker): Promise<boolean | Error> {
  const known = engines.get(thread) ?? readyOf(thread)
  engines.set(thread, known)
  return known
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

function solveOn(thread: Worker, task: FitTask, engine: boolean): Promise<Solved> {
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
      send({ kind: 'solve', job: { engine, ...packJob(task) } })
      if (signal?.aborted) abort()
    } catch (error) {
      settle(() => {
        pool.release(thread)
        reject(error)
      })
    }
  })
}

function packJob(task: FitTask): Omit<FitJob, 'engine'> {
  const {
    signal: _signal,
    onProgress,
    onStep,
    onModelStep: _onModelStep,
    checkpoint,
    ...plain
  } = task.options
  return {
    task: packTask(task),
    options: plain,
    checkpoint: checkpoint && { entries: checkpoint.packed(), everyMs: checkpoint.everyMs },
    wantsProgress: onProgress !== undefined,
    wantsSteps: onStep !== undefined,
  }
}

function packTask({ problem, solver, solverOptions, turns }: FitTask): PackedTask {
  const { kernel, ...plain } = { kernel: undefined, ...problem }
  return { problem: plain, kernel: kernel?.spec, solver: solver.name, solverOptions, turns }
}
