import { availableParallelism } from 'node:os'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { WatchedThread } from './thread.node.ts'
import { setThreadSpawner, type ThreadSpawner } from './thread-team.ts'

/** Lets engines in this thread use helper threads of Node. They never keep the process alive. */
export function useNodeThreads(): void {
  setThreadSpawner(nodeSpawner(new URL('./thread.node.js', import.meta.url)), availableParallelism())
}

/** A spawner of threads of Node that run this script. */
export function nodeSpawner(script: URL): ThreadSpawner {
  // Flags of the process are not for its threads: some (--input-type) even keep them from starting.
  const execArgv: string[] = []
  let watcher: Worker | undefined
  return (start, lost) => {
    const { port1: lifeline, port2 } = new MessageChannel()
    const workerData = { ...start, lifeline: port2 }
    const worker = new Worker(script, { workerData, transferList: [port2], execArgv })
    let cause: string | undefined
    worker.on('error', (error) => {
      cause = error.message
    })
    worker.on('exit', (code) => lost(cause ?? `it ended with exit code ${code}`))
    worker.unref()
    lifeline.unref()
    return () => {
      if (!watcher) {
        watcher = new Worker(script, { execArgv })
        // Without it, everything is as good but for helpers that end: no reason to end the process.
        watcher.on('error', () => {})
        watcher.unref()
      }
      const watched: WatchedThread = { memory: start.memory, index: start.index, lifeline }
      watcher.postMessage(watched, [lifeline])
    }
  }
}
