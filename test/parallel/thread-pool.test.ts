import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { ThreadPool } from '../../src/parallel/thread-pool.node.ts'

/** A thread that says its number, or ends when told to. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', (message) => (message === 'end' ? process.exit(3) : parentPort.postMessage(threadId)))
  `)}`,
)

async function ask(thread: Worker | undefined): Promise<number> {
  thread?.postMessage('who')
  const [id] = await once(thread as Worker, 'message')
  return id
}

describe('threads', () => {
  test('are used again', async () => {
    const pool = new ThreadPool({ script, size: 2 })
    const first = (await pool.acquire()) as Worker
    const id = await ask(first)
    pool.release(first)
    const second = (await pool.acquire()) as Worker
    expect(await ask(second)).toBe(id)
    await second.terminate()
  })

  test('are no more than the size; who waits is served in turn', async () => {
    const pool = new ThreadPool({ script, size: 1 })
    const thread = (await pool.acquire()) as Worker
    const served: number[] = []
    const waiting = [1, 2, 3].map((number) =>
      pool.acquire().then((next) => {
        served.push(number)
        expect(next).toBe(thread)
        pool.release(next as Worker)
      }),
    )
    await new Promise((resolve) => setTimeout(resolve))
    expect(served).toEqual([])
    pool.release(thread)
    await Promise.all(waiting)
    expect(served).toEqual([1, 2, 3])
    await thread.terminate()
  })

  test('that end make room for others', async () => {
    const pool = new ThreadPool({ script, size: 1 })
    const thread = (await pool.acquire()) as Worker
    const id = await ask(thread)
    const next = pool.acquire()
    thread.postMessage('end')
    const successor = (await next) as Worker
    expect(await ask(successor)).not.toBe(id)
    pool.release(successor)
    // One that ends while it waits is not handed out either.
    await successor.terminate()
    const third = (await pool.acquire()) as Worker
    expect(third).not.toBe(successor)
    await third.terminate()
  })
})

describe('a signal', () => {
  test('that has aborted gets no thread', async () => {
    expect(await new ThreadPool({ script, size: 1 }).acquire(AbortSignal.abort())).toBeUndefined()
  })

  test('ends the waiting, and the place in the queue is free', async () => {
    const pool = new ThreadPool({ script, size: 1 })
    const thread = (await pool.acquire()) as Worker
    const controller = new AbortController()
    const aborted = pool.acquire(controller.signal)
    const patient = pool.acquire()
    controller.abort()
    expect(await aborted).toBeUndefined()
    pool.release(thread)
    expect(await patient).toBe(thread)
    await thread.terminate()
  })
})
