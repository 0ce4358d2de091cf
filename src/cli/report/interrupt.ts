/** What Ctrl-C does to work that takes a while. */
import { EXIT_FAILED } from './failure.ts'
import { counted } from './output.ts'

/**
 * As {@link untilInterrupted}, for work that says whether it was completed. Says what was kept, and sets the exit code.
 * Undefined when nothing was reached.
 */
export async function keepingReached<T extends { readonly complete: boolean }>(
  part: string,
  work: (signal: AbortSignal) => Promise<T>,
  reached: (result: T) => number,
  signals?: readonly NodeJS.Signals[],
): Promise<T | undefined> {
  const result = await untilInterrupted(async (signal) => {
    try {
      return await work(signal)
    } catch (error) {
      if (signal.aborted && (error as Error).name === 'AbortError') return undefined
      throw error
    }
  }, signals)
  if (result?.complete) return result
  process.exitCode = EXIT_FAILED
  process.stderr.write(
    result
      ? `stopped after ${counted(reached(result), part)}: what follows is of ${reached(result) === 1 ? 'it' : 'them'} alone\n`
      : `stopped before a ${part} was done\n`,
  )
  return result
}

/** What stops work that is kept: who ends it from outside may want it to go on later. */
export const CTRL_C_AND_TERM: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']

/** Runs `work` with a signal that the first Ctrl-C raises; a second Ctrl-C ends the process as usual. */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signals: readonly NodeJS.Signals[] = ['SIGINT'],
): Promise<T> {
  const controller = new AbortController()
  const interrupt = (): void => {
    process.stderr.write('\nstopping: keeping what was reached (Ctrl-C again to quit at once)\n')
    controller.abort()
  }
  for (const name of signals) process.once(name, interrupt)
  try {
    return await work(controller.signal)
  } finally {
    for (const name of signals) process.off(name, interrupt)
  }
}
