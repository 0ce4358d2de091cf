/**
 * The long form of ./queue-chaos.ts: searches and trainings over a queue, one after the other, until so many workers, commands and
 * servers were killed. Each must end with the bits of a quiet run.
 *
 *   node test/torture/queue-chaos.js [--kills 50] [--seed 1]        after npm run build
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { TestRedis } from '../distributed/redis-server.ts'
import { type ChaosCounts, modelOf, runCommand, runInChaos, tableOf } from './queue-chaos.ts'

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } })
const wanted = Number(values.kills ?? 50)
const folder = mkdtempSync(join(tmpdir(), 'hyperplane-chaos-'))
const redis = await TestRedis.start('--appendonly', 'yes')
const total: ChaosCounts = { workerKills: 0, coordinatorKills: 0, redisRestarts: 0, sleeps: 0, starts: 0 }
const quiet = async (args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await runCommand(args, folder)
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return stdout
}

const kinds = [
  { name: 'search', args: ['tune', 'moons.libsvm', '--C', '1,100,10000', '--gamma', '0.1,0.3,1,3,10'] },
  {
    name: 'search of numbers',
    args: ['tune', 'sine.libsvm', '--type', 'svr', '--C', '1,100', '--gamma', '0.1,1,10'],
  },
  { name: 'kernel training', args: ['train', 'moons.shards', '--C', '100', '--gamma', '1'] },
  {
    name: 'linear training',
    args: ['train', 'moons.shards', '--type', 'linear-svc', '--loss', 'hinge', '--rounds', '30'],
  },
]

let runs = 0
let different = 0
try {
  for (const args of [
    ['generate', 'moons', '-n', '1500', '--noise', '0.35', '--seed', '4', '-o', 'moons.libsvm'],
    ['generate', 'sine', '-n', '800', '--noise', '0.2', '--seed', '4', '-o', 'sine.libsvm'],
    ['shard', 'moons.libsvm', '-o', 'moons.shards', '--rows', '100'],
  ])
    await quiet(args)
  const expected: string[] = []
  for (const { args } of kinds) {
    // In one process blocks of linear machines descend one after the other: the quiet run is one over the queue.
    const { stdout } = await runInChaos(
      redis,
      folder,
      [...args, '--json', '-o', 'quiet.json', '--queue', redis.url()],
      {
        ...{ workerKills: 0, coordinatorKills: 0, redisRestarts: 0, sleeps: 0, seed: 0 },
      },
    )
    expected.push(`${args[0] === 'tune' ? tableOf(stdout) : ''}${modelOf(folder, 'quiet.json')}`)
  }
  for (let seed = Number(values.seed ?? 1); total.workerKills < wanted; seed++) {
    const kind = runs++ % kinds.length
    const { name, args } = kinds[kind]
    const command = [...args, '--json', '-o', 'chaos.json', '--queue', redis.url()]
    const plan = { workerKills: 8, coordinatorKills: 2, redisRestarts: 1, sleeps: 1, seed }
    const { stdout, counts } = await runInChaos(redis, folder, command, plan)
    const found = `${args[0] === 'tune' ? tableOf(stdout) : ''}${modelOf(folder, 'chaos.json')}`
    if (found !== expected[kind]) different++
    for (const key of Object.keys(total) as (keyof ChaosCounts)[]) total[key] += counts[key]
    console.log(JSON.stringify({ seed, name, same: found === expected[kind], ...counts }))
  }
  const { code, stdout } = await runCommand(['queue', redis.url(), 'clear', '--json'], folder)
  console.log(JSON.stringify({ runs, different, ...total, clear: code === 0 ? JSON.parse(stdout) : code }))
} finally {
  await redis.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = different === 0 ? 0 : 1
