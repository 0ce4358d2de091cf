/** A thread that is started before there is an engine serves the first engine that wants one. */
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
// Threads cannot load TypeScript: they run what was built.
import { Engine } from '../../../dist/engine/memory/engine.js'
import '../../../dist/engine/memory/all-builds.js'
import { controlWords, stateOf, THREAD_IDLE } from '../../../src/engine/threads/thread-control.ts'

type Spawning = typeof import('../../../src/engine/threads/spawn-thread.node.ts')
const built = '../../../dist/engine/threads/spawn-thread.node.js'
const { startThreadAhead, useNodeThreads }: Spawning = await import(built)

let workers: Worker[] = []
const noteWorker = (worker: Worker): number => workers.push(worker)
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))

beforeEach(async () => {
  await turn()
  workers = []
  process.on('worker', noteWorker)
})

afterEach(() => {
  process.off('worker', noteWorker)
})

async function startEngine(): Promise<Engine> {
  const engine = new Engine()
  engine.useThreads(2)
  const state = () => Atomics.load(controlWords(engine.memory), stateOf(0))
  while (state() !== THREAD_IDLE) await turn()
  return engine
}

describe.skipIf(availableParallelism() === 1)('a thread started ahead', () => {
  it('serves one engine; the next one starts its own', async () => {
    useNodeThreads()
    startThreadAhead()
    await turn()
    expect(workers).toHaveLength(1)
    const first = await startEngine()
    expect(workers).toHaveLength(1)
    const second = await startEngine()
    expect(workers).toHaveLength(2)
    for (const engine of [first, second]) engine[Symbol.dispose]()
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))))
  })

  it('is not waited for when it has ended', async () => {
    useNodeThreads()
    startThreadAhead()
    await turn()
    await workers[0].terminate()
    const engine = await startEngine()
    expect(workers).toHaveLength(2)
    engine[Symbol.dispose]()
  })
})
