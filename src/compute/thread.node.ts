/**
 * The file a helper thread runs in Node. Started without data, it is the one that watches over others: a caller that sleeps
 * until a helper is done does not hear that it has ended. The end of a thread closes its ports, its lifeline among them.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { loseThread, type ThreadStart } from './thread-control.ts'
import { serveJobs } from './thread-loop.ts'

/** A helper that is to be watched over. */
export interface WatchedThread {
  readonly memory: WebAssembly.Memory
  readonly index: number
  readonly lifeline: MessagePort
}

if (workerData) serveJobs(workerData as ThreadStart)
else {
  parentPort?.on('message', ({ memory, index, lifeline }: WatchedThread) => {
    lifeline.once('close', () => loseThread(memory, index))
  })
}
