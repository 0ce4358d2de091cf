/**
 * Commands are killed (SIGKILL) at random moments, some of them again and again while they continue where they stopped. Then
 * outputs must be old or whole and inputs untouched, and the same command must end as if nothing had been.
 */
import { readdirSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/base/random.ts'
import { countOne } from './cases.ts'
import { type DisturbOptions, disturbCommands, ended, type Ground, type Scenario, start } from './commands.ts'
import { pick } from './random-data.ts'

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

/** See the header of the file. */
export async function tortureByKills(options: DisturbOptions): Promise<KillCounts> {
  const counts = { kills: 0, met: 0, writing: 0, by: {} }
  const findings = await disturbCommands('kills', options, async (ground, scenario, { random, find }) => {
    countOne(counts.by, scenario.name)
    const found = await killAndFinish(ground, scenario, random, counts)
    for (const what of found) find(`${scenario.name}: ${what}`)
  })
  return { ...counts, findings }
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
  // What continues where it stopped is stopped several times.
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
