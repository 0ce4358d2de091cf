/** Whatever goes wrong on a thread of the engine, the caller is told, and nobody waits for ever. */
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import { CPaths } from '../../../src/engine/jobs/c-paths.ts'
import type { PathInput } from '../../../src/engine/jobs/path-input.ts'
import { uploadKernel } from '../../../src/engine/matrix/engine-kernel.ts'
import { type EngineMatrix, uploadMatrix } from '../../../src/engine/matrix/engine-matrix.ts'
import { Engine, giveEngine, takeEngine, withEngine } from '../../../src/engine/memory/engine.ts'
import { engineInfo } from '../../../src/engine/memory/engine-info.ts'
import { offsetOf } from '../../../src/engine/memory/fields.ts'
import { nodeSpawner } from '../../../src/engine/threads/spawn-thread.node.ts'
import {
  controlWords,
  OPEN_TO,
  stateOf,
  THREAD_BUSY,
  THREAD_ENDED,
  THREAD_IDLE,
} from '../../../src/engine/threads/thread-control.ts'
import { setThreadSpawner } from '../../../src/engine/threads/thread-team.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { estimatorMaker } from '../../../src/selection/search/estimator-params.ts'
import { sharedWorkExecutor } from '../../../src/selection/share/shared-work.ts'
import { kFold } from '../../../src/selection/split/splits.ts'
import { mostlyZeros } from '../../suites/engine-kernels.ts'

const OUTSIDE = 0xffff0000
const kernel = { kind: 'linear', gamma: 1, coef0: 0, degree: 0 } as const
// Threads cannot load TypeScript: they run what was built.
const script = new URL('../../../dist/engine/threads/thread.node.js', import.meta.url)

/** Threads that do this instead of their share of a job. */
const threadsThat = (action: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
    const { Instance } = WebAssembly
    WebAssembly.Instance = class {
      constructor(...parts) {
        this.exports = { ...new Instance(...parts).exports, work() { ${action} } }
      }
    }
    await import(${JSON.stringify(script.href)})
  `)}`,
  )

let workers: Worker[] = []
const noteWorker = (worker: Worker): number => workers.push(worker)

beforeEach(() => {
  process.on('worker', noteWorker)
})

afterEach(() => {
  process.off('worker', noteWorker)
  setThreadSpawner(() => undefined, 1)
})

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))
const states = (engine: Engine): number[] =>
  [0, 1].map((index) => Atomics.load(controlWords(engine.memory), stateOf(index)))

/** An engine of three threads, all of them there. */
async function startEngine(file = script): Promise<Engine> {
  // Node tells of new threads a little later: of none that an earlier test has started.
  await turn()
  workers = []
  setThreadSpawner(nodeSpawner(file), 3)
  const engine = new Engine()
  engine.useThreads(3)
  while (states(engine).some((state) => state !== THREAD_IDLE)) await turn()
  return engine
}

/** Waits, without a turn of the event loop, until no helper is at work. */
const untilIdle = (engine: Engine) => (): void => {
  while (states(engine).includes(THREAD_BUSY));
}

/** How many tasks of the current job have been taken. */
const tasksTaken = (engine: Engine): number =>
  Atomics.load(
    new Int32Array(engine.memory.buffer, controlWords(engine.memory)[0] + offsetOf('JOB', 'next'), 1),
    0,
  )

/** Rows of the kernel matrix as a job; pointers in `bad` lead out of the memory. */
function rowsJob(engine: Engine, matrix: EngineMatrix, count: number, bad: (query: number) => boolean) {
  const stride = Math.ceil(matrix.norms.length / 16) * 16
  const values = engine.array(Float32Array, count * stride).fill(0)
  const queries = engine.array(Uint32Array, count)
  const rows = engine.array(Uint32Array, count)
  for (let q = 0; q < count; q++) {
    // In another order where it fails: what is left in the scratch is then not what comes next.
    queries[q] = bad(q) ? count - 1 - q : q
    rows[q] = bad(q) ? OUTSIDE : values.pointer + 4 * q * stride
  }
  const job = {
    kind: 'kernel-rows',
    ...{ matrix: matrix.pointer, kernel: uploadKernel(engine, kernel), from: 0, to: matrix.norms.length },
    ...{ queryMatrix: matrix.pointer, queries: queries.pointer, count, rows: rows.pointer, parts: 1 },
  } as const
  return { job, values }
}

const samples = mostlyZeros(3, 96, 40)
const none = () => false

function expectedRows(): number[] {
  return withEngine(1, (engine) => {
    engine.reserveScratch(samples.cols)
    const { job, values } = rowsJob(engine, uploadMatrix(engine, samples, kernel), 96, none)
    engine.run(job)
    return Array.from(values)
  })
}

/** A good job; with `byHelpers` the calling thread leaves it to the others. */
function expectGoodJob(engine: Engine, matrix: EngineMatrix, byHelpers: boolean): void {
  const { job, values } = rowsJob(engine, matrix, 96, none)
  engine.run(job, byHelpers ? untilIdle(engine) : undefined)
  expect(Array.from(values)).toEqual(expectedRows())
}

describe('a trap', () => {
  it('on helpers is thrown where the job was begun; the next jobs are right, and helpers take part', async () => {
    const engine = await startEngine()
    engine.reserveScratch(samples.cols)
    const matrix = uploadMatrix(engine, samples, kernel)
    for (let round = 0; round < 3; round++) {
      const { job } = rowsJob(engine, matrix, 96, () => true)
      expect(() => engine.run(job, untilIdle(engine))).toThrow(
        /^engine: helper thread [12] failed in a job of kernel-rows: memory access out of bounds$/,
      )
      expect(states(engine)).toEqual([THREAD_IDLE, THREAD_IDLE])
      expectGoodJob(engine, matrix, true)
      expectGoodJob(engine, matrix, false)
    }
    engine[Symbol.dispose]()
  })

  it('on the calling thread stops helpers, which are at work on other tasks, before it is thrown', async () => {
    const engine = await startEngine()
    const many = mostlyZeros(5, 20_000, 40)
    engine.reserveScratch(many.cols)
    const matrix = uploadMatrix(engine, many, kernel)
    // Two tasks for the helpers, the third for the calling thread, and many that nobody may begin.
    const { job, values } = rowsJob(engine, matrix, 480, (query) => query >= 32 && query < 48)
    const untilTaken = (): void => {
      while (tasksTaken(engine) < 2);
    }
    expect(() => engine.run(job, untilTaken)).toThrow(
      /^engine: .* failed in a job of kernel-rows: memory access out of bounds$/,
    )
    expect(states(engine)).toEqual([THREAD_IDLE, THREAD_IDLE])
    expect(controlWords(engine.memory)[OPEN_TO]).toBe(0)
    expect(values.subarray(-20_000).every((value) => value === 0)).toBe(true)
    expectGoodJob(engine, uploadMatrix(engine, samples, kernel), true)
    engine[Symbol.dispose]()
  })

  it('on the only thread says so, and leaves the scratch clean', () => {
    const engine = new Engine()
    engine.reserveScratch(samples.cols)
    const matrix = uploadMatrix(engine, samples, kernel)
    expect(() => engine.run(rowsJob(engine, matrix, 96, () => true).job)).toThrow(
      /^engine: the calling thread failed in a job of kernel-rows: memory access out of bounds$/,
    )
    expectGoodJob(engine, matrix, false)
  })

  it('takes the engine out of use once it is given back', () => {
    const engine = takeEngine(1)
    const mark = engine.mark()
    giveEngine(engine, mark)
    expect(takeEngine(1)).toBe(engine)
    engine.reserveScratch(samples.cols)
    const { job } = rowsJob(engine, uploadMatrix(engine, samples, kernel), 16, () => true)
    expect(() => engine.run(job)).toThrow(/out of bounds/)
    expect(engine.isSound).toBe(false)
    giveEngine(engine, mark)
    const next = takeEngine(1)
    expect(next).not.toBe(engine)
    giveEngine(next, next.mark())
  })

  it('of any kind is reported, also what is no error', async () => {
    for (const [action, message] of [
      ['throw 7', '7'],
      ['(function f() { f() })()', 'Maximum call stack size exceeded'],
      ['throw new Error("ü".repeat(1000))', 'ü'.repeat(255)],
    ]) {
      const engine = await startEngine(threadsThat(action))
      engine.reserveScratch(samples.cols)
      const { job } = rowsJob(engine, uploadMatrix(engine, samples, kernel), 96, none)
      expect(() => engine.run(job, untilIdle(engine))).toThrow(
        new RegExp(`^engine: helper thread [12] failed in a job of kernel-rows: ${message}$`),
      )
      engine[Symbol.dispose]()
    }
  })
})

describe('a thread that ends', () => {
  it('in the middle of a job is missed by a caller who sleeps, and the engine goes on without it', async () => {
    const engine = await startEngine(threadsThat('process.exit(3)'))
    engine.reserveScratch(samples.cols)
    const matrix = uploadMatrix(engine, samples, kernel)
    expect(() => engine.run(rowsJob(engine, matrix, 96, none).job)).toThrow(
      /^engine: helper thread 1 failed in a job of kernel-rows: it has ended$/,
    )
    expect(states(engine)).toEqual([THREAD_ENDED, THREAD_ENDED])
    expect(engine.isSound).toBe(false)
    expectGoodJob(engine, matrix, false)
  })

  it('unnoticed between two jobs is missed too', async () => {
    const engine = await startEngine()
    engine.reserveScratch(samples.cols)
    const matrix = uploadMatrix(engine, samples, kernel)
    void workers[1].terminate()
    expect(() => engine.run(rowsJob(engine, matrix, 96, none).job)).toThrow(
      /^engine: helper thread 2 failed in a job of kernel-rows: it has ended$/,
    )
    expect(states(engine)).toEqual([THREAD_IDLE, THREAD_ENDED])
    expectGoodJob(engine, matrix, true)
    engine[Symbol.dispose]()
  })

  it('while nobody waits for it just takes no part any more', async () => {
    const engine = await startEngine()
    engine.reserveScratch(samples.cols)
    const matrix = uploadMatrix(engine, samples, kernel)
    await workers[0].terminate()
    expect(states(engine)).toEqual([THREAD_ENDED, THREAD_IDLE])
    expect(engine.isSound).toBe(false)
    expectGoodJob(engine, matrix, true)
    engine[Symbol.dispose]()
  })

  it('because it was told to is no failure', async () => {
    const engine = await startEngine()
    const codes = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    engine[Symbol.dispose]()
    expect(await Promise.all(codes)).toEqual([0, 0])
    expect(engine.isSound).toBe(true)
    expect(engineInfo().fewerThreads).toBeUndefined()
  })
})

describe('paths', () => {
  const data = generate('moons', { n: 400, noise: 0.3, seed: 2 })
  const everybody = Uint32Array.from({ length: 400 }, (_, i) => i)
  const input: PathInput = {
    ...{ kernel: { kind: 'rbf', gamma: 4, coef0: 0, degree: 0 }, samples: everybody, training: 400 },
    target: Float64Array.from(data.labels as Float64Array),
    lower: Float64Array.from(data.labels as Float64Array, (y) => Math.min(0, y)),
    upper: Float64Array.from(data.labels as Float64Array, (y) => Math.max(0, y)),
    ...{ tube: 0, C: Float64Array.of(1, 10), tol: 1e-3, maxSteps: 1e6, keepSolutions: true },
  }

  /** Follows paths as an asynchronous caller does. */
  async function follow(engine: Engine): Promise<void> {
    const paths = new CPaths(engine, data.samples, [input, input, input])
    try {
      while (paths.advance() !== 'done') await turn()
    } finally {
      paths.finish()
    }
  }

  it.each([
    { action: 'process.exit(3)', message: /it has ended|it ended with exit code 3/ },
    { action: 'throw new WebAssembly.RuntimeError("unreachable")', message: /unreachable/ },
  ])('are given up when a helper does $action', async ({ action, message }) => {
    const engine = await startEngine()
    await follow(engine)
    engine[Symbol.dispose]()
    const broken = await startEngine(threadsThat(action))
    const outcome = await follow(broken).catch((error: Error) => error)
    expect(outcome).toMatchObject({
      name: 'HyperplaneError',
      message: expect.stringMatching(/^engine: helper thread [12] failed in a job of (paths|distances): /),
    })
    expect(outcome).toMatchObject({ message: expect.stringMatching(message) })
    broken[Symbol.dispose]()
  })

  it('are stopped everywhere when the calling thread fails', async () => {
    const engine = await startEngine()
    const paths = new CPaths(engine, data.samples, [input, input, input])
    Object.assign(paths, { space: OUTSIDE })
    expect(() => paths.advance()).toThrow(
      /^engine: the calling thread failed in a job of paths: memory access out of bounds$/,
    )
    paths.finish()
    expect(states(engine)).toEqual([THREAD_IDLE, THREAD_IDLE])
    await follow(engine)
    engine[Symbol.dispose]()
  })

  it('a tuner hears of it', async () => {
    setThreadSpawner(nodeSpawner(threadsThat('process.exit(3)')), 3)
    const engine = takeEngine(3)
    while (states(engine).some((state) => state !== THREAD_IDLE)) await turn()
    giveEngine(engine, engine.mark())
    const cells = [1, 10, 100].map((C) => ({ C }))
    const folds = kFold(data, { folds: 3 })
    const units = cells.flatMap((_, cell) => folds.map((_, fold) => ({ cell, fold })))
    const work = { data, folds, cells, make: estimatorMaker(new SVC()), job: undefined }
    await expect(
      sharedWorkExecutor({ threads: 3 }).run(work, units, {
        signal: undefined,
        onResult: () => {},
        onFailure: () => {},
      }),
    ).rejects.toThrow(/^engine: helper thread [12] failed in a job of /)
  })
})

describe('a thread that cannot be started', () => {
  it('leaves its work to the others, and engineInfo says why', async () => {
    setThreadSpawner(nodeSpawner(new URL('./no-such-file.js', import.meta.url)), 3)
    expect(engineInfo()).toMatchObject({ threads: 3, singleThreaded: undefined, fewerThreads: undefined })
    const engine = new Engine()
    engine.useThreads(3)
    engine.reserveScratch(samples.cols)
    const matrix = uploadMatrix(engine, samples, kernel)
    expectGoodJob(engine, matrix, false)
    while (states(engine).some((state) => state !== THREAD_ENDED)) await turn()
    expectGoodJob(engine, matrix, false)
    expect(engine.isSound).toBe(false)
    expect(engineInfo()).toMatchObject({
      threads: 1,
      singleThreaded: expect.stringMatching(
        /^threads could not be started: Cannot find module .*no-such-file/,
      ),
      fewerThreads: expect.stringMatching(/^Cannot find module .*no-such-file/),
    })
  })

  it('may be one of several', () => {
    const spawn = nodeSpawner(script)
    setThreadSpawner((start, lost) => {
      if (start.index > 0) throw new Error('too many threads')
      return spawn(start, lost)
    }, 4)
    const engine = new Engine()
    engine.useThreads(4)
    expect(engine.threads).toBe(2)
    expect(engineInfo()).toMatchObject({
      ...{ threads: 2, singleThreaded: undefined, fewerThreads: 'too many threads' },
    })
    engine.reserveScratch(samples.cols)
    expectGoodJob(engine, uploadMatrix(engine, samples, kernel), false)
    engine[Symbol.dispose]()
  })
})
