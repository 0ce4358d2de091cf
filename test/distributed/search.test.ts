/** Searches over a queue have the bits of local ones. Threads cannot load TypeScript, so this tests the built package. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileReference, QueueScores, QueueWorker, queueExecutor, RedisBoard } from 'hyperplane/distributed'
import {
  generate,
  LinearSVC,
  NuSVC,
  NuSVR,
  OneClassSVM,
  rbf,
  readDataset,
  SVC,
  SVR,
  writeDataset,
} from 'hyperplane/node'
import {
  type EstimatorSpec,
  type Executor,
  estimatorMaker,
  estimatorSpec,
  kFold,
  makeJob,
  sharedWorkExecutor,
  type Tunable,
  type TuneOptions,
  tune,
} from 'hyperplane/selection'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { TestRedis, withoutRedis } from './redis-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-search-'))
const path = (name: string) => join(folder, name)
let redis: TestRedis
let workers: QueueWorker[] = []
let board: RedisBoard

describe.skipIf(withoutRedis)('a search over a queue', () => {
  beforeAll(async () => {
    redis = await TestRedis.start()
    const moons = generate('moons', { n: 120, noise: 0.3, seed: 3 })
    await writeDataset(path('moons.libsvm'), moons)
    const labels = moons.labels.map((label, i) => (i % 3 === 0 ? 2 : (label as number)))
    await writeDataset(path('three.libsvm'), { ...moons, labels: Float64Array.from(labels) })
    const normal = moons.labels.map((label) => (label === moons.labels[0] ? 1 : -1))
    await writeDataset(path('normal.libsvm'), { ...moons, labels: Float64Array.from(normal) })
    await writeDataset(path('curve.libsvm'), generate('sine', { n: 90, noise: 0.2, seed: 5 }))
    for (let k = 0; k < 2; k++)
      workers.push(await QueueWorker.start(redis.url(), { threads: 1, places: [folder] }))
    board = await RedisBoard.open('test', redis.url())
  })
  afterAll(async () => {
    for (const worker of workers) await worker.stop()
    workers = []
    await board?.close()
    await redis?.stop()
    rmSync(folder, { recursive: true })
  })

  const executorFor = async (name: string) =>
    queueExecutor(board, { file: await fileReference(path(name)), lookEvery: 200 })

  /** All of a model but its clocks. */
  const bitsOf = (model: object | undefined): string => {
    expect(model).toBeDefined()
    return JSON.stringify(model, (key, part) =>
      key === 'seconds' ? undefined : ArrayBuffer.isView(part) ? Array.from(part as Float64Array) : part,
    )
  }

  it.each<[string, string, Tunable, TuneOptions]>([
    [
      'grid',
      'moons.libsvm',
      new SVC(),
      { grid: { C: [0.1, 1, 10], gamma: [0.1, 1] }, scoring: 'roc-auc', calibrate: 'sigmoid' },
    ],
    [
      'grid of many classes, scaled',
      'three.libsvm',
      new SVC({ scaler: 'standard' }),
      { grid: { C: [1, 10], gamma: [0.1, 1] } },
    ],
    [
      'random',
      'curve.libsvm',
      new SVR(),
      { ranges: { C: { from: 0.1, to: 10 }, gamma: { from: 0.1, to: 2 } }, budget: { cells: 6 } },
    ],
    [
      'halving',
      'curve.libsvm',
      new NuSVR(),
      { search: 'halving', grid: { C: [0.1, 1, 10], nu: [0.3, 0.6, 0.9] } },
    ],
    [
      'adaptive',
      'moons.libsvm',
      new NuSVC({ kernel: rbf() }),
      { search: 'adaptive', rounds: 1, grid: { nu: [0.3, 0.5], gamma: [0.5, 2] } },
    ],
    ['cells on their own', 'moons.libsvm', new LinearSVC(), { grid: { C: [0.1, 1] } }],
    [
      'outliers',
      'normal.libsvm',
      new OneClassSVM(),
      { grid: { nu: [0.1, 0.4], gamma: [0.5, 2] }, scoring: 'accuracy' },
    ],
  ])('%s: table and model are those of a local one', async (_, name, estimator, options) => {
    const data = await readDataset(path(name))
    const here = await tune(estimator, data, { ...options, seed: 7 })
    const there = await tune(estimator, data, { ...options, seed: 7, executor: await executorFor(name) })
    const table = ({ cells }: typeof here) => cells.map(({ seconds, ...cell }) => cell)
    expect(table(there)).toEqual(table(here))
    expect(there.bestParams).toEqual(here.bestParams)
    expect(bitsOf(there.model)).toBe(bitsOf(here.model))
  })

  it('a table: what is learned about its columns is learned on each fold, there as here', async () => {
    const random = new Random(11)
    const cities = ['Rome', 'Oslo', 'Lima']
    const lines = Array.from({ length: 90 }, (_, i) => {
      const city = cities[random.int(3)]
      const age = random.uniform() < 0.1 ? '' : (20 + 40 * random.uniform()).toFixed(1)
      const left = (city === 'Rome') !== random.uniform() < 0.2
      return `${age};${city};${2000 + (i % 20)}-03-01;g${i % 9};${left ? 'yes' : 'no'}`
    })
    const text = ['age;city;since;person;left', ...lines, ''].join('\n')
    writeFileSync(path('people.csv'), text)
    const read = {
      labelColumn: 'left',
      groupColumn: 'person',
      columns: { since: 'date' },
      indicator: true,
    } as const
    const data = await readDataset(path('people.csv'), read)
    const groups = data.groups as readonly string[]
    const options = {
      ...{ grid: { C: [0.1, 10], gamma: [0.1, 1] }, seed: 7 },
      folds: { kind: 'group-k-fold', folds: 3, groups },
    } as const
    const executor = queueExecutor(board, {
      file: await fileReference(path('people.csv')),
      read,
      lookEvery: 200,
    })
    const here = await tune(new SVC({ scaler: 'standard' }), data, options)
    const there = await tune(new SVC({ scaler: 'standard' }), data, { ...options, executor })
    expect(there.cells.map(({ seconds, ...cell }) => cell)).toEqual(
      here.cells.map(({ seconds, ...cell }) => cell),
    )
    expect(bitsOf(there.model)).toBe(bitsOf(here.model))
    expect(there.model?.preparation?.columns.length).toBe(3)
  })

  it.each<[string, TuneOptions, object]>([
    ['groups', {}, { groupColumn: 'patient' }],
    ['time', { folds: { kind: 'time-series', gap: 3 } }, { timeColumn: 'patient' }],
  ])('by %s: the folds are the same there', async (_, options, read) => {
    const { samples, labels } = generate('moons', { n: 90, noise: 0.3, seed: 4 })
    const { values } = samples as { values: Float64Array }
    const lines = Array.from(
      labels,
      (label, i) => `${(i * 7) % 15},${values[2 * i]},${values[2 * i + 1]},${label}`,
    )
    writeFileSync(path('visits.csv'), `patient,a,b,label\n${lines.join('\n')}\n`)
    const data = await readDataset(path('visits.csv'), read)
    const grid = { C: [0.1, 1], gamma: [0.5, 2] }
    const here = await tune(new SVC(), data, { ...options, grid })
    const file = await fileReference(path('visits.csv'))
    const executor = queueExecutor(board, { file, read, lookEvery: 200 })
    const there = await tune(new SVC(), data, { ...options, grid, executor })
    const table = ({ cells }: typeof here) => cells.map(({ seconds, ...cell }) => cell)
    expect(table(there)).toEqual(table(here))
    const { groups, times, ...bare } = data
    expect(table(await tune(new SVC(), bare, { grid }))).not.toEqual(table(here))
  })

  it('gives every decision to the bit, and each unit once', async () => {
    const data = await readDataset(path('curve.libsvm'))
    const estimator = new SVR({ kernel: rbf() })
    const cells = [0.1, 1, 100].flatMap((C) => [0.1, 2].map((gamma) => ({ C, gamma })))
    const job = await makeJob(
      data,
      estimatorSpec(estimator) as EstimatorSpec,
      { kind: 'k-fold', folds: 3, seed: 1 },
      cells,
    )
    const folds = kFold(data, { folds: 3, seed: 1, stratify: false })
    const work = {
      data,
      folds,
      cells,
      make: estimatorMaker(estimator),
      job: { ...job, folds: folds.map(({ train, test }) => ({ train: [...train], test: [...test] })) },
    }
    const units = cells.flatMap((_, cell) => folds.map((_, fold) => ({ cell, fold })))
    const collect = async (executor: Executor) => {
      const found = new Map<string, unknown>()
      await executor.run(work, units, {
        onResult: ({ cell, fold, output: { seconds, ...output } }) => {
          expect(found.has(`${cell} ${fold}`)).toBe(false)
          found.set(
            `${cell} ${fold}`,
            JSON.parse(
              JSON.stringify(output, (_, part) =>
                ArrayBuffer.isView(part) ? Array.from(part as Float64Array) : part,
              ),
            ),
          )
        },
        onFailure: ({ error }) => {
          throw error
        },
      })
      return new Map([...found].sort())
    }
    const here = await collect(sharedWorkExecutor())
    expect(here.size).toBe(units.length)
    // `seconds` of each problem is a clock, not a result.
    const plain = (found: Map<string, unknown>) =>
      JSON.stringify([...found]).replace(/"seconds":[-\d.e]+,?/g, '')
    expect(plain(await collect(await executorFor('curve.libsvm')))).toBe(plain(here))
  })

  it('goes on where it stopped, on another machine', async () => {
    const data = await readDataset(path('moons.libsvm'))
    const estimator = new SVC()
    const grid = { C: [0.1, 1, 10], gamma: [0.1, 0.5, 2] }
    const spec = estimatorSpec(estimator) as EstimatorSpec
    const job = await makeJob(data, spec, { kind: 'k-fold', folds: 4, seed: 2 }, [])
    const search = async (signal?: AbortSignal, onCell?: () => void) => {
      const own = await RedisBoard.open('test', redis.url())
      const store = await QueueScores.open(own, job, 'accuracy')
      const executor = queueExecutor(own, { file: await fileReference(path('moons.libsvm')), lookEvery: 100 })
      try {
        const options = { grid, folds: 4, seed: 2, executor, store, refit: false } as const
        const found = await tune(estimator, data, {
          ...options,
          ...(signal && { signal }),
          ...(onCell && { onCell }),
        })
        return { found, known: store.known, store }
      } finally {
        await own.close()
      }
    }
    const control = new AbortController()
    const stopped = await search(control.signal, () => control.abort()).catch((error) => error)
    expect(stopped.found?.complete ?? false).toBe(false)
    const { found, known } = await search()
    expect(known).toBeGreaterThan(0)
    const here = await tune(estimator, data, { grid, folds: 4, seed: 2, refit: false })
    expect(found.cells.map(({ scores }) => scores)).toEqual(here.cells.map(({ scores }) => scores))
    // Workers may still be at jobs of the search that was stopped: their results would come after the clearing.
    await expect.poll(async () => (await board.status()).active).toBe(0)
    await board.clear()
  })

  it('leaves nothing in the queue', async () => {
    expect(await board.status()).toMatchObject({ waiting: 0, active: 0, delayed: 0, failed: 0 })
    const left = redis
      .command('keys', 'hyperplane:*')
      .split('\n')
      .filter((key) => !/:(jobs:|worker)/.test(key))
    expect(left.filter((key) => key !== '')).toEqual([])
    expect(workers.reduce((sum, { status }) => sum + status.done, 0)).toBeGreaterThan(20)
  })
})
