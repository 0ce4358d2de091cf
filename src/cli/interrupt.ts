/** Runs `work` with a signal that the first Ctrl-C raises; a second Ctrl-C ends the process as usual. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const interrupt = (): void => {
    process.stderr.write('\nstopping: keeping what was reached (Ctrl-C again to quit at once)\n')
    controller.abort()
  }
  process.once('SIGINT', interrupt)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', interrupt)
  }
}
