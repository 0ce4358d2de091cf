/** Training on shards over a queue has the bits of training in this process. Threads need the built package. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QueueWorker, queueShardExecutor, RedisBoard } from 'hyperplane/distributed'
import { generate, writeDataset } from 'hyperplane/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ShardStore } from '../../src/data/shards/shard-store.node.ts'
import { writeShards } from '../../src/data/shards/write-shards.node.ts'
import { fitOnShards, type ShardEstimator } from '../../src/estimators/fitting/fit-on-shards.node.ts'
import { LinearSVC as OwnLinearSVC } from '../../src/estimators/linear-svc.ts'
import { SVC as OwnSVC } from '../../src/estimators/svc.ts'
import { SVR as OwnSVR } from '../../src/estimators/svr.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { TestRedis, withoutRedis } from './redis-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-queue-shards-'))
let redis: TestRedis
let board: RedisBoard
let worker: QueueWorker

describe.skipIf(withoutRedis)('training over a queue', () => {
  beforeAll(async () => {
    redis = await TestRedis.start()
    worker = await QueueWorker.start(redis.url(), { threads: 2, places: [folder] })
    board = await RedisBoard.open('test', redis.url())
  })
  afterAll(async () => {
    await worker?.stop()
    await board?.close()
    await redis?.stop()
    rmSync(folder, { recursive: true })
  })

  async function storeOf(name: string, kind: 'moons' | 'sine'): Promise<ShardStore> {
    const file = join(folder, `${name}.libsvm`)
    await writeDataset(file, generate(kind, { n: 240, noise: 0.3, seed: 8 }))
    const target = join(folder, name)
    await writeShards(file, target, { rows: 60 })
    return ShardStore.open(target)
  }

  it.each<[string, 'moons' | 'sine', ShardEstimator]>([
    ['svc', 'moons', new OwnSVC({ kernel: rbf({ gamma: 1 }), C: 10 })],
    ['svr', 'sine', new OwnSVR({ kernel: rbf({ gamma: 1 }), C: 10 })],
    ['linear-svc', 'moons', new OwnLinearSVC({ loss: 'hinge' })],
    ['linear-svc-squared', 'moons', new OwnLinearSVC()],
  ])('%s: the model has the bits of a local one', async (name, kind, estimator) => {
    const store = await storeOf(name, kind)
    const together = store.manifest.blocks.length
    expect(together).toBe(4)
    const options = { memoryBytes: 64e6, together, rounds: 12 }
    const here = await fitOnShards(estimator, store, options)
    const executor = await queueShardExecutor(board, store, { lookEvery: 100 })
    const there = await fitOnShards(estimator, store, { ...options, executor })
    const plain = ({ model }: typeof here) =>
      JSON.stringify(model, (key, part) =>
        key === 'seconds' ? undefined : ArrayBuffer.isView(part) ? Array.from(part as Float64Array) : part,
      )
    expect(plain(there)).toBe(plain(here))
    expect(there.isComplete).toBe(true)
    await executor.finish()
  })

  it('leaves no pass and no state behind', async () => {
    expect(worker.status.done).toBeGreaterThan(20)
    expect(worker.status.failed).toBe(0)
    const left = redis.command('keys', 'hyperplane:*').split('\n')
    expect(left.filter((key) => /:(pass|result|state|document):/.test(key))).toEqual([])
  })
})
