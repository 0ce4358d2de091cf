/** Work that takes a while: a bar while it lasts, and what Ctrl-C does to it. */

import { LateBar } from '../terminal/late-bar.ts'
import { EXIT_FAILED } from './failure.ts'
import { counted, notice } from './output.ts'

/** What stops work whose state is kept: whoever ends it from outside may want to continue later. */
export const CTRL_C_AND_TERM: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']

/** How work is shown, and what stops it. */
export interface LongWork {
  /** What is being done: `fitting`. */
  readonly title: string
  /** What it is made of: `fold`. */
  readonly part: string
  /** What progress counts, if that is something else. */
  readonly step?: string
  /** Default: Ctrl-C. */
  readonly signals?: readonly NodeJS.Signals[] | undefined
}

/** What such work takes: it returns what it reached when the signal is raised. */
export interface WorkOptions {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
}

/** Work was interrupted before there was anything to keep. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/**
 * Runs work with a bar until it is done or interrupted, says what was kept, and sets the exit code. Throws {@link Interrupted} when
 * nothing was reached.
 */
export async function keepingReached<T extends { readonly complete: boolean }>(
  { title, part, step = part, signals }: LongWork,
  work: (options: WorkOptions) => Promise<T>,
  reached: (result: T) => number,
): Promise<T> {
  const bar = new LateBar(title, `0 ${step}s`)
  const onProgress = (done: number, total: number): void =>
    bar.update(title, done / total, `${done} of ${total} ${step}s`)
  const result = await untilInterrupted(async (signal) => {
    try {
      return await work({ signal, onProgress })
    } catch (error) {
      if (signal.aborted && (error as Error).name === 'AbortError') return undefined
      throw error
    } finally {
      bar.stop()
    }
  }, signals)
  if (!result) throw new Interrupted(`stopped before any ${part} was finished`)
  if (result.complete) return result
  process.exitCode = EXIT_FAILED
  const them = reached(result) === 1 ? 'it' : 'them'
  process.stderr.write(`stopped after ${counted(reached(result), part)}: what follows covers only ${them}\n`)
  return result
}

/** Runs `work` with a signal that the first Ctrl-C raises; a second Ctrl-C ends the process as usual. */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signals: readonly NodeJS.Signals[] = ['SIGINT'],
): Promise<T> {
  const controller = new AbortController()
  const interrupt = (): void => {
    notice('\nstopping: keeping the results so far (press Ctrl-C again to quit immediately)')
    controller.abort()
  }
  for (const name of signals) process.once(name, interrupt)
  try {
    return await work(controller.signal)
  } finally {
    for (const name of signals) process.off(name, interrupt)
  }
}
