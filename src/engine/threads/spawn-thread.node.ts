import { availableParallelism } from 'node:os'
import { MessageChannel, Worker } from 'node:worker_threads'
import { slot } from '../../base/slot.ts'
import type { ThreadOrder } from './thread.node.ts'
import { type Script, threadScript } from './thread-script.node.ts'
import { setThreadSpawner, type ThreadSpawner } from './thread-team.ts'

/** A thread that was started before there was work for it. */
const startedAhead = slot<Worker | undefined>(undefined)

/** Lets engines in this thread use helper threads of Node. They never keep the process alive. */
export function useNodeThreads(): void {
  setThreadSpawner(nodeSpawner(threadScript), coresToUse())
}

/** All cores, unless the environment says how many: LIBSVM's commands have no flag for it. */
function coresToUse(): number {
  const wanted = Math.floor(Number(process.env.HYPERPLANE_THREADS))
  return wanted >= 1 ? wanted : availableParallelism()
}

/** Starts a thread that the next engine will want: it takes as long to start as the rest of a command. */
export function startThreadAhead(): void {
  if (coresToUse() === 1) return
  const worker = startWorker(threadScript)
  startedAhead.install(worker)
  worker.on('exit', () => {
    if (startedAhead.current === worker) startedAhead.install(undefined)
  })
}

/** A spawner of threads of Node that run this script. */
export function nodeSpawner(script: Script): ThreadSpawner {
  let watcher: Worker | undefined
  return (start, lost) => {
    const { port1: lifeline, port2 } = new MessageChannel()
    const worker = takeWorker(script)
    let cause: string | undefined
    worker.on('error', (error) => {
      cause = error.message
    })
    worker.on('exit', (code) => lost(cause ?? `it ended with exit code ${code}`))
    tell(worker, { serve: start, lifeline: port2 })
    lifeline.unref()
    return () => {
      watcher ??= startWorker(script)
      const { memory, index } = start
      tell(watcher, { watch: { memory, index }, lifeline })
    }
  }
}

function takeWorker(script: Script): Worker {
  const worker = script === threadScript ? startedAhead.install(undefined) : undefined
  return worker ?? startWorker(script)
}

function startWorker(script: Script): Worker {
  // Flags of the process are not for its threads: some (--input-type) even keep them from starting.
  const worker = new Worker(script, { execArgv: [], eval: typeof script === 'string' })
  // Whoever gives it work listens too. Until then nothing is lost but the thread: no reason to end the process.
  worker.on('error', () => {})
  worker.unref()
  return worker
}

function tell(worker: Worker, order: ThreadOrder): void {
  worker.postMessage(order, [order.lifeline])
}
