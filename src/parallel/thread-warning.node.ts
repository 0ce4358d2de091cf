import { slot } from '../base/slot.ts'
import { messageOf } from '../engine/threads/thread-control.ts'

const warned = slot(false)

/**
 * Says, once in a process, that work goes on without threads: as a warning of Node, which programs hear as
 * `process.on('warning')` and silence with --no-warnings.
 */
export function warnOfMissingThreads(cause: unknown): void {
  if (warned.install(true)) return
  const message =
    `threads cannot be started here (${messageOf(cause)}); ` +
    'fits run on the calling thread, in slices, with the same results'
  process.emitWarning(message, { type: 'HyperplaneWarning', code: 'HYPERPLANE_NO_THREADS' })
}
