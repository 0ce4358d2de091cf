/**
 * Commands are killed (SIGKILL) at random moments, some of them again and again while they go on where they stopped. Then
 * outputs must be old or whole and inputs untouched, and the same command must end as if nothing had been.
 */
import { readdirSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/base/random.ts'
import { ended, Ground, type Scenario, scenarios, start } from './commands.ts'
import { caseRandom, pick } from './random-data.ts'
import type { Finding, Progress } from './report.ts'

/** What {@link tortureByKills} takes. */
export interface KillOptions {
  readonly seed: number
  /** How many kills. */
  readonly count: number
  /** The number of the first one. Default 0. */
  readonly from?: number | undefined
  readonly among?: readonly Scenario[]
  readonly onFinding?: (finding: Finding) => void
  readonly onProgress?: Progress
}

/** What was counted. */
export interface KillCounts {
  readonly kills: number
  /** Of them, those that met the command at its work; the others came after its end. */
  readonly met: number
  /** Of those, while a file was being written. */
  readonly writing: number
  readonly findings: number
  readonly by: Readonly<Record<string, number>>
}

/** See the head of the file. */
export async function tortureByKills(options: KillOptions): Promise<KillCounts> {
  const { seed, count, from = 0, among = scenarios } = options
  const counts = { kills: 0, met: 0, writing: 0, findings: 0, by: {} as Record<string, number> }
  const ground = new Ground()
  try {
    await ground.prepare()
    for (let index = from; index < from + count; index++) {
      const random = caseRandom(seed, index)
      const scenario = among[index % among.length]
      const found = await killAndFinish(ground, scenario, random, counts)
      counts.by[scenario.name] = (counts.by[scenario.name] ?? 0) + 1
      for (const what of found) {
        counts.findings++
        const again = `--only kills --seed ${seed} --from ${index} --count 1`
        options.onFinding?.({ section: 'kills', what: `${scenario.name}: ${what}`, again })
      }
      if (options.onProgress?.(index - from + 1) === false) break
    }
    return counts
  } finally {
    ground.close()
  }
}

async function killAndFinish(
  ground: Ground,
  scenario: Scenario,
  random: Random,
  counts: { kills: number; met: number; writing: number },
): Promise<string[]> {
  const before = random.uniform() < 0.5
  const place = ground.newPlace(scenario, before)
  const { ms } = await ground.reference(scenario)
  const found: string[] = []
  // What goes on where it stopped is stopped several times.
  const times = scenario.grows ? 1 + random.int(3) : 1
  for (let time = 0; time < times; time++) {
    const child = start(place, scenario.command, scenario)
    const end = ended(child)
    const whileWriting = random.uniform() < 0.5 && !scenario.prints
    const wait = ms * random.uniform() * pick(random, [0.3, 1, 1.2])
    const isWriting = () => readdirSync(place).some((name) => name.endsWith('.tmp'))
    if (whileWriting) await until(isWriting, () => child.exitCode !== null)
    else await sleep(wait)
    child.kill('SIGKILL')
    const { code } = await end
    counts.kills++
    if (code === null) counts.met++
    if (isWriting()) counts.writing++
    found.push(...(await ground.damage(scenario, place, before)))
  }
  found.push(...(await ground.finish(scenario, place)))
  rmSync(place, { recursive: true })
  return found
}

/** Waits for a moment that is soon over; `never` says that it will not come any more. */
async function until(isThere: () => boolean, never: () => boolean): Promise<void> {
  while (!isThere() && !never()) await new Promise((resolve) => setImmediate(resolve))
}
