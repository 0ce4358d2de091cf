import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { setThreadSpawner } from './thread-team.ts'

/** Lets engines in this thread use helper threads of Node. They never keep the process alive. */
export function useNodeThreads(): void {
  setThreadSpawner((start) => {
    const worker = new Worker(new URL('./thread.node.js', import.meta.url), { workerData: start })
    worker.unref()
  }, availableParallelism())
}
