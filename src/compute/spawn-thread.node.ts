import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { setThreadSpawner } from './thread-team.ts'

/** Lets engines in this thread use helper threads of Node. They never keep the process alive. */
export function useNodeThreads(): void {
  setThreadSpawner((start) => {
    // Flags of the process are not for its threads: some (--input-type) even keep them from starting.
    const script = new URL('./thread.node.js', import.meta.url)
    const worker = new Worker(script, { workerData: start, execArgv: [] })
    worker.unref()
  }, availableParallelism())
}
