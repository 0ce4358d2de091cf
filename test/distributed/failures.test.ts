/** What goes wrong with a queue is said in words that name the fix, and the others continue. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fileReference, packResult, QueueWorker, queueExecutor, RedisBoard } from 'hyperplane/distributed'
import { generate, readDataset, SVC, writeDataset } from 'hyperplane/node'
import { tune } from 'hyperplane/selection'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliInFolder, resultOf, startCli } from '../cli/run-cli.ts'
import { TestRedis, withoutRedis } from './redis-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-failures-'))
const file = join(folder, 'moons.libsvm')
const grid = { C: [1, 10], gamma: [0.5, 2] }
let redis: TestRedis
let board: RedisBoard

describe.skipIf(withoutRedis)('a queue', () => {
  const cli = cliInFolder()

  beforeAll(async () => {
    redis = await TestRedis.start()
    board = await RedisBoard.open('test', redis.url())
    await writeDataset(file, generate('moons', { n: 100, noise: 0.3, seed: 1 }))
  })
  afterAll(async () => {
    await board?.close()
    await redis?.stop()
    rmSync(folder, { recursive: true })
  })

  /** A search over the queue. */
  async function search(change: Partial<Awaited<ReturnType<typeof fileReference>>> = {}, lookEvery = 100) {
    const executor = queueExecutor(board, { file: { ...(await fileReference(file)), ...change }, lookEvery })
    return tune(new SVC(), await readDataset(file), { grid, folds: 3, executor, refit: false })
  }

  it('with a wrong password, or none, says what to give', async () => {
    const locked = await TestRedis.start('--requirepass', 'right')
    try {
      const help = /127\.0\.0\.1:\d+: user or password is wrong; .* HYPERPLANE_QUEUE_PASSWORD/
      await expect(RedisBoard.open('test', locked.url(':wrong@'))).rejects.toThrow(help)
      await expect(RedisBoard.open('test', locked.url())).rejects.toThrow(help)
      const { code, stderr } = await cli.run('queue', locked.url('me:sesame@'), 'status')
      expect(code).toBe(1)
      expect(stderr).toMatch(help)
      expect(stderr).not.toContain('sesame')
      const open = await RedisBoard.open('test', locked.url(':right@'))
      expect((await open.status()).waiting).toBe(0)
      await open.close()
    } finally {
      await locked.stop()
    }
  })

  it('that nobody serves, or that throws keys away, is refused', async () => {
    const { code, stderr } = await cli.run('queue', 'redis://127.0.0.1:1', 'status')
    expect(code).toBe(1)
    expect(stderr).toContain('no response; is redis-server running, and is the port correct?')
    redis.command('config', 'set', 'maxmemory-policy', 'allkeys-lru')
    await expect(RedisBoard.open('test', redis.url())).rejects.toThrow(
      'CONFIG SET maxmemory-policy noeviction',
    )
    redis.command('config', 'set', 'maxmemory-policy', 'noeviction')
  })

  it('that is full says so', async () => {
    redis.command('config', 'set', 'maxmemory', '1')
    await expect(board.putBytes('state', 'x', new Uint8Array(1000))).rejects.toThrow('raise its maxmemory')
    redis.command('config', 'set', 'maxmemory', '0')
  })

  it('hands jobs that one worker refuses to another', async () => {
    const lines: string[] = []
    const poor = await QueueWorker.start(redis.url(), { threads: 1, onLine: (line) => lines.push(line) })
    // After four looks at which all workers refuse, a search is given up: the other worker has time to start.
    const searching = search({}, 5000)
    while (poor.status.refused === 0) await setTimeout(10)
    const rich = await QueueWorker.start(redis.url(), { threads: 1, places: [folder] })
    expect((await searching).cells.length).toBe(4)
    expect(lines.join()).toContain(
      'moons.libsvm: this worker has no data folder; start it with --data FOLDER',
    )
    await poor.stop()
    await rich.stop()
    expect(rich.status.done).toBeGreaterThan(0)
    expect(poor.status.done).toBe(0)
  })

  it('tells who searches when no worker has the data, and which file has another content', async () => {
    const worker = await QueueWorker.start(redis.url(), { threads: 1, places: [folder] })
    await expect(search({ sha256: 'a'.repeat(64) })).rejects.toThrow(
      /no worker can do this: .*moons\.libsvm: not the file that the job needs, whose SHA-256 begins with aaaaaaaaaaaa/,
    )
    await worker.stop()
    await board.clear()
  })

  it('has workers that refuse jobs of another version, and do those of their own', async () => {
    const worker = await QueueWorker.start(redis.url(), { threads: 1, places: [folder] })
    const job = { format: 'hyperplane-unit', version: 2, search: 'b'.repeat(64) }
    await board.post([{ id: 'future', data: job }])
    while (worker.status.refused === 0) await setTimeout(10)
    const [{ refuses }] = await board.workers()
    expect(Object.values(refuses).join()).toContain('run the same version of Hyperplane everywhere')
    await board.post([{ id: 'code', data: { ...job, version: 1, kind: 'eval', code: 'process.exit()' } }])
    let failures = (await board.status()).failures
    while (failures.length === 0) {
      await setTimeout(20)
      failures = (await board.status()).failures
    }
    expect(failures).toMatchObject([{ id: 'code', attempts: 1 }])
    expect(failures[0].reason).toContain('kind must be one of cells, pass')
    await worker.stop()
    await board.clear()
  })

  it('returns to its base after clear, and stays bounded over 10,000 jobs', async () => {
    await board.clear()
    const used = () => Number(/used_memory:(\d+)/.exec(redis.command('info', 'memory'))?.[1])
    const base = used()
    const own = await RedisBoard.open('test', redis.url())
    // A worker that is nothing but quick: the queue itself is what is looked at.
    const { Worker } = await import('bullmq')
    const worker = new Worker(
      'jobs',
      async ({ id = '' }) => own.putBytes('result', id, packResult(id, { numbers: new Float64Array(50) })),
      { connection: own.duplicate() as never, prefix: 'hyperplane', concurrency: 50 },
    )
    const { coordinate } = await import('hyperplane/distributed')
    const jobs = Array.from({ length: 10_000 }, (_, k) => ({ id: `job-${k}`, data: { k } }))
    let most = 0
    let done = 0
    await coordinate(board, jobs, {
      subject: 'memory',
      onDone: () => {
        if (++done % 500 === 0) most = Math.max(most, used() - base)
      },
      onFailed: (_, reason) => expect.fail(reason),
    })
    expect(done).toBe(10_000)
    await worker.close()
    await own.close()
    // 512 jobs and results of a kilobyte each, and the last 10,000 events.
    expect(most).toBeLessThan(8e6)
    await board.clear()
    expect(used() - base).toBeLessThan(1e6)
    expect(
      redis
        .command('keys', 'hyperplane:*')
        .split('\n')
        .filter((key) => !/:workers?(:|$)/.test(key)),
    ).toEqual([''])
  })

  it('gets the jobs of a worker back that is stopped', async () => {
    const big = join(folder, 'big.libsvm')
    await writeDataset(big, generate('moons', { n: 3000, noise: 0.4, seed: 2 }))
    const worker = startCli(
      ['worker', '--queue', redis.url(), '--threads', '1', '--data', folder, '--grace', '0', '--json'],
      folder,
    )
    const ended = resultOf(worker)
    const executor = queueExecutor(board, { file: await fileReference(big), lookEvery: 100 })
    const control = new AbortController()
    const searching = tune(new SVC(), await readDataset(big), {
      grid: { C: [1e4, 1e5], gamma: [5] },
      folds: 3,
      executor,
      refit: false,
      signal: control.signal,
    }).catch(() => undefined)
    // Whether the job has started on a thread by then, or its data are still being read.
    while ((await board.status()).active === 0) await setTimeout(20)
    worker.kill('SIGTERM')
    const { code, stdout } = await ended
    expect(code).toBe(0)
    const { handedBack, done } = JSON.parse(stdout)
    expect(handedBack + done).toBeGreaterThan(0)
    const { active, workers } = await board.status()
    expect({ active, workers }).toEqual({ active: 0, workers: [] })
    control.abort()
    await searching
  })

  it('without its packages says what to install', () => {
    const hooks = `export const resolve = (name, context, next) => {
      if (name === 'bullmq') throw Object.assign(new Error('not there'), { code: 'ERR_MODULE_NOT_FOUND' })
      return next(name, context)
    }`
    const data = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
    const register = `import { register } from 'node:module'; register(${JSON.stringify(data(hooks))})`
    const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
    const args = ['--import', data(register), main, 'queue', redis.url(), 'status']
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain('npm install bullmq ioredis')
  })
})
