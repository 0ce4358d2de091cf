/** The worker of a file in the Lab, beside a worker of the browser that does as it is told here. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FileWorker } from '../../web/data/file-worker.ts'
import type { FileRequest } from '../../web/files/file-messages.ts'
import { Cancelled } from '../../web/worker/client.ts'
import type { Command } from '../../web/worker/jobs.ts'

/** Opens files, trains only on the file it has open, and keeps at the first fit whatever it is told. */
class Stubborn extends EventTarget {
  static readonly all: Stubborn[] = []
  readonly jobs: string[] = []
  isEnded = false

  constructor() {
    super()
    Stubborn.all.push(this)
  }

  postMessage(command: Command): void {
    if (command.kind === 'cancel') return
    const { id, job } = command
    this.jobs.push(job)
    if (job === 'fit' && Stubborn.all.length === 1) return
    const isOpen = job === 'open' || this.jobs.includes('open')
    const data = isOpen
      ? { id, kind: 'done', reply: { job } }
      : { id, kind: 'failed', message: 'no file is open' }
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
  }

  terminate(): void {
    this.isEnded = true
  }
}

describe('the worker of a file', () => {
  beforeEach(() => {
    Stubborn.all.length = 0
    vi.useFakeTimers()
    vi.stubGlobal('Worker', Stubborn)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it.each([
    ['before the worker is ended', 0],
    ['after the worker was ended', 1000],
  ])('reads the file again for a training that is asked for %s', async (_, wait) => {
    const worker = new FileWorker({ name: 'a.csv', bytes: new Uint8Array(), choices: {} })
    await worker.open()
    const controller = new AbortController()
    const first = worker.fit({} as FileRequest, { signal: controller.signal })
    const ended = expect(first).rejects.toThrow(Cancelled)
    await vi.advanceTimersByTimeAsync(1)
    controller.abort()
    await ended
    await vi.advanceTimersByTimeAsync(wait)
    const second = worker.fit({} as FileRequest)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await second).toEqual({ job: 'fit' })
    expect(Stubborn.all.map(({ jobs }) => jobs)).toEqual([
      ['open', 'fit'],
      ['open', 'fit'],
    ])
    expect(Stubborn.all.map(({ isEnded }) => isEnded)).toEqual([true, false])
  })
})
