/**
 * The file a helper thread runs in Node. It is told what to do when it runs, not when it is started, so that it can be started
 * before that is known: either it serves an engine, or it watches over others that do. A caller that sleeps until a helper
 * is done does not hear that it has ended; but the end of a thread closes its ports, its lifeline among them.
 */
import { type MessagePort, parentPort } from 'node:worker_threads'
import { loseThread, type ThreadStart } from './thread-control.ts'
import { serveJobs } from './thread-loop.ts'

/** What a thread is told, in a message. */
export type ThreadOrder =
  /** To serve an engine, holding an end of its lifeline. */
  | { readonly serve: ThreadStart; readonly lifeline: MessagePort }
  /** To listen whether the helper of an engine has ended, at the other end of its lifeline. */
  | { readonly watch: Omit<ThreadStart, 'module'>; readonly lifeline: MessagePort }

parentPort?.on('message', (order: ThreadOrder) => {
  if ('serve' in order) {
    serveJobs(order.serve)
    parentPort?.close()
  } else {
    const { memory, index } = order.watch
    order.lifeline.once('close', () => loseThread(memory, index))
  }
})
