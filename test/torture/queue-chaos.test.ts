/** The short form of the chaos of ./queue-chaos.ts, with a fixed seed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate, writeDataset } from 'hyperplane/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resultOf, startCli } from '../cli/run-cli.ts'
import { TestRedis, withoutRedis } from '../distributed/redis-server.ts'
import { modelOf, runInChaos, tableOf } from './queue-chaos.ts'

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-chaos-'))
let redis: TestRedis

describe.skipIf(withoutRedis)('in chaos', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    redis = await TestRedis.start('--appendonly', 'yes')
    await writeDataset(join(folder, 'moons.libsvm'), generate('moons', { n: 500, noise: 0.35, seed: 4 }))
  })
  afterAll(async () => {
    await redis?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const quiet = async (...args: string[]) => {
    const { code, stdout, stderr } = await resultOf(startCli(args, folder))
    expect(code, stderr).toBe(0)
    return stdout
  }

  it('a search ends with the table and the model of a quiet one', async () => {
    const command = [
      'tune',
      'moons.libsvm',
      '--json',
      '--C',
      '1,100,10000',
      '--gamma',
      '0.1,0.3,1,3,10',
      '-o',
    ]
    const expected = tableOf(await quiet(...command, 'quiet.json'))
    const plan = { workerKills: 3, coordinatorKills: 2, redisRestarts: 1, sleeps: 1, seed: 11 }
    const { stdout, counts } = await runInChaos(
      redis,
      folder,
      [...command, 'chaos.json', '--queue', redis.url()],
      plan,
    )
    expect(tableOf(stdout)).toBe(expected)
    expect(modelOf(folder, 'chaos.json')).toBe(modelOf(folder, 'quiet.json'))
    expect(
      counts.workerKills + counts.coordinatorKills + counts.redisRestarts + counts.sleeps,
    ).toBeGreaterThan(2)
  })

  it.each([
    ['kernel', ['--C', '100', '--gamma', '1', '--tol', '1e-5']],
    ['linear', ['--type', 'linear-svc', '--loss', 'hinge', '--rounds', '12', '--together', '10']],
  ])('%s training ends with the model of a quiet one in one process', async (name, flags) => {
    await quiet('shard', 'moons.libsvm', '-o', name, '--rows', '50')
    const command = ['train', name, ...flags, '-o']
    await quiet(...command, `${name}.quiet.json`)
    const plan = { workerKills: 3, coordinatorKills: 2, redisRestarts: 1, sleeps: 1, seed: 12 }
    const { counts } = await runInChaos(
      redis,
      folder,
      [...command, `${name}.json`, '--queue', redis.url()],
      plan,
    )
    expect(modelOf(folder, `${name}.json`)).toBe(modelOf(folder, `${name}.quiet.json`))
    expect(
      counts.workerKills + counts.coordinatorKills + counts.redisRestarts + counts.sleeps,
    ).toBeGreaterThan(2)
    const left = redis.command('keys', 'hyperplane:*').split('\n')
    expect(left.filter((key) => /:(pass|state):/.test(key))).toEqual([])
  })
})
