import { describe, expect, it } from 'vitest'
import { coordinate } from '../../src/distributed/coordinator.ts'
import type { JobBoard, JobState, PostedJob, WorkerNote } from '../../src/distributed/job-board.ts'

/** A board in memory with its own clock: `step` is called at every wait and does what workers would. */
class FakeBoard implements JobBoard {
  time = 0
  readonly states = new Map<string, JobState>()
  readonly posted: string[] = []
  mostOpen = 0
  notes: WorkerNote[] = []
  withdrawn: string[] = []
  private hear: (id: string) => void = () => {}
  readonly step: (board: FakeBoard) => void

  constructor(step: (board: FakeBoard) => void) {
    this.step = step
  }

  post(jobs: readonly PostedJob[]): Promise<void> {
    for (const { id } of jobs) {
      this.posted.push(id)
      if (!this.states.has(id)) this.states.set(id, { kind: 'open' })
    }
    const open = [...this.states.values()].filter(({ kind }) => kind === 'open').length
    this.mostOpen = Math.max(this.mostOpen, open)
    return Promise.resolve()
  }
  look(ids: readonly string[]): Promise<JobState[]> {
    return Promise.resolve(ids.map((id) => this.states.get(id) ?? { kind: 'missing' }))
  }
  drop(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.states.delete(id)
    return Promise.resolve()
  }
  withdraw(ids: readonly string[]): Promise<void> {
    this.withdrawn.push(...ids)
    for (const id of ids) if (this.states.get(id)?.kind === 'failed') this.states.delete(id)
    return Promise.resolve()
  }
  listen(settled: (id: string) => void): () => void {
    this.hear = settled
    return () => {
      this.hear = () => {}
    }
  }
  workers(): Promise<WorkerNote[]> {
    return Promise.resolve(this.notes)
  }
  now(): number {
    return this.time
  }
  wait(ms: number): Promise<void> {
    this.time += Math.max(1, ms)
    this.step(this)
    return Promise.resolve()
  }
  /** Finishes an open job; whether that is heard is another matter. */
  finish(id: string, state: JobState, heard: boolean): void {
    this.states.set(id, state)
    if (heard) this.hear(id)
  }
  get open(): string[] {
    return [...this.states].filter(([, { kind }]) => kind === 'open').map(([id]) => id)
  }
}

const jobs = Array.from({ length: 300 }, (_, k) => ({ id: `job-${k}`, data: {} }))
const done = (id: string): JobState => ({ kind: 'done', result: new TextEncoder().encode(id) })

async function run(board: FakeBoard, signal?: AbortSignal, window = 64) {
  const results: string[] = []
  const failures: string[] = []
  await coordinate(
    board,
    jobs,
    {
      signal,
      subject: 'search',
      onDone: (id, bytes) => {
        expect(new TextDecoder().decode(bytes)).toBe(id)
        results.push(id)
      },
      onFailed: (id, reason) => failures.push(`${id}: ${reason}`),
    },
    { window, lookEvery: 100 },
  )
  return { results, failures }
}

describe('coordinate', () => {
  it('reports every job once, within its window, whatever is heard', async () => {
    let k = 0
    const board = new FakeBoard((own) => {
      for (const id of own.open.slice(0, 7)) own.finish(id, done(id), k++ % 3 !== 0)
    })
    const { results } = await run(board)
    expect(results.length).toBe(300)
    expect(new Set(results).size).toBe(300)
    expect(board.mostOpen).toBeLessThanOrEqual(64)
    expect(board.states.size).toBe(0)
  })

  it('posts again what has vanished, and reads what was there before', async () => {
    let k = 0
    const board = new FakeBoard((own) => {
      for (const id of own.open.slice(0, 5)) {
        if (k++ % 4 === 0) own.states.delete(id)
        else own.finish(id, done(id), true)
      }
    })
    for (const { id } of jobs.slice(100, 150)) board.states.set(id, done(id))
    const { results } = await run(board)
    expect(new Set(results).size).toBe(300)
    expect(results.length).toBe(300)
    expect(board.posted.filter((id) => id === 'job-120')).toEqual([])
    expect(board.posted.length).toBeGreaterThan(250)
  })

  it('reports failures of this run, and tries those of an earlier one again', async () => {
    const board = new FakeBoard((own) => {
      for (const id of own.open)
        own.finish(id, id === 'job-7' ? { kind: 'failed', reason: 'no' } : done(id), true)
    })
    board.states.set('job-9', { kind: 'failed', reason: 'long ago' })
    const { results, failures } = await run(board)
    expect(failures).toEqual(['job-7: no'])
    expect(results).toContain('job-9')
    expect(results.length).toBe(299)
  })

  it('withdraws what is open when it is stopped', async () => {
    const control = new AbortController()
    const board = new FakeBoard((own) => {
      own.finish('job-0', done('job-0'), true)
      control.abort()
    })
    const { results } = await run(board, control.signal, 10)
    expect(results.length).toBeLessThanOrEqual(1)
    expect(board.withdrawn.length).toBeGreaterThan(0)
  })

  it('gives up when every worker refuses, and says why', async () => {
    const board = new FakeBoard(() => {})
    const note = {
      library: '',
      engine: '',
      threads: 1,
      since: '',
      done: 0,
      failed: 0,
      seconds: 0,
      running: [],
    }
    board.notes = [
      { ...note, id: 'a:1', refuses: { search: 'no such file' } },
      { ...note, id: 'b:2', refuses: { search: 'another version' } },
    ]
    await expect(run(board)).rejects.toThrow('no worker can do this: a:1: no such file; b:2: another version')
    board.notes = [...board.notes.slice(0, 1), { ...note, id: 'c:3', refuses: {} }]
    let waits = 0
    const patient = new FakeBoard((own) => {
      if (++waits > 5) for (const id of own.open) own.finish(id, done(id), true)
    })
    patient.notes = board.notes
    expect((await run(patient)).results.length).toBe(300)
  })
})
