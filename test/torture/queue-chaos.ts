/**
 * Chaos for a queue: a search and trainings while workers and the command are killed, Redis is restarted and a worker sleeps past its
 * lock. Every run must end with what a quiet run gives, to the bit. The long form: `node test/torture/queue-chaos.js --kills 50`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Random } from '../../src/base/random.ts'
import type { TestRedis } from '../distributed/redis-server.ts'
import { resultOf } from '../suites/child-result.ts'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** How much is broken. */
export interface ChaosPlan {
  readonly workerKills: number
  readonly coordinatorKills: number
  readonly redisRestarts: number
  readonly sleeps: number
  readonly seed: number
}

/** What was broken. */
export interface ChaosCounts {
  workerKills: number
  coordinatorKills: number
  redisRestarts: number
  sleeps: number
  /** How often the command was started. */
  starts: number
}

/** Seconds a worker may be silent in these runs. */
const LOCK_SECONDS = 1
const WORKERS = 2

/** Runs a command again and again until it ends by itself, while things are broken; returns its output and what was done to it. */
export async function runInChaos(
  redis: TestRedis,
  folder: string,
  command: readonly string[],
  plan: ChaosPlan,
): Promise<{ readonly stdout: string; readonly counts: ChaosCounts }> {
  const random = new Random(plan.seed)
  const counts: ChaosCounts = { workerKills: 0, coordinatorKills: 0, redisRestarts: 0, sleeps: 0, starts: 0 }
  const start = (args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [main, ...args], { cwd: folder, env: { ...process.env, DEBUG: '' } })
  const startWorker = (): ChildProcess =>
    start([
      'worker',
      '--queue',
      redis.url(),
      '--threads',
      '1',
      '--data',
      folder,
      '--lock',
      String(LOCK_SECONDS),
    ])
  const workers = Array.from({ length: WORKERS }, startWorker)
  const actions = deal(plan, random)
  let coordinator = start(command)
  let output = resultOf(coordinator)
  counts.starts++
  try {
    for (;;) {
      const ended = await Promise.race([
        output.then((result) => result),
        setTimeout(150 + 450 * random.uniform()),
      ])
      if (ended) {
        if (ended.code === 0) return { stdout: ended.stdout, counts }
        throw new Error(`exit code ${ended.code}: ${ended.stderr}`)
      }
      const action = actions.pop()
      const victim = random.int(WORKERS)
      if (action === 'worker') {
        workers[victim].kill('SIGKILL')
        workers[victim] = startWorker()
        counts.workerKills++
      } else if (action === 'coordinator') {
        coordinator.kill('SIGKILL')
        await output
        coordinator = start(command)
        output = resultOf(coordinator)
        counts.coordinatorKills++
        counts.starts++
      } else if (action === 'redis') {
        await redis.kill(random.uniform() < 0.5 ? 'SIGKILL' : 'SIGTERM')
        await redis.begin()
        counts.redisRestarts++
      } else if (action === 'sleep') {
        const sleeper = workers[victim]
        sleeper.kill('SIGSTOP')
        await setTimeout(2500 * LOCK_SECONDS)
        sleeper.kill('SIGCONT')
        counts.sleeps++
      }
    }
  } finally {
    for (const child of [...workers, coordinator]) child.kill('SIGKILL')
  }
}

/** Runs a command to its end. */
export function runCommand(
  args: readonly string[],
  folder: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return resultOf(spawn(process.execPath, [main, ...args], { cwd: folder }))
}

/** All actions in an order that the seed decides. */
function deal(plan: ChaosPlan, random: Random): string[] {
  const actions = [
    ...Array<string>(plan.workerKills).fill('worker'),
    ...Array<string>(plan.coordinatorKills).fill('coordinator'),
    ...Array<string>(plan.redisRestarts).fill('redis'),
    ...Array<string>(plan.sleeps).fill('sleep'),
  ]
  for (let k = actions.length - 1; k > 0; k--) {
    const other = random.int(k + 1)
    ;[actions[k], actions[other]] = [actions[other], actions[k]]
  }
  return actions
}

/** A table of a search without clocks: parameters and scores. */
export function tableOf(stdout: string): string {
  const { cells, bestParams } = JSON.parse(stdout) as {
    cells: { params: object; scores: number[]; failures?: unknown }[]
    bestParams: object
  }
  return JSON.stringify([bestParams, cells.map(({ params, scores, failures }) => [params, scores, failures])])
}

/** A model file without clocks. */
export function modelOf(folder: string, name: string): string {
  return JSON.stringify(JSON.parse(readFileSync(join(folder, name), 'utf8')), (key, value) =>
    key === 'seconds' ? undefined : value,
  )
}
