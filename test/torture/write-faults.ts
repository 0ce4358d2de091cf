/**
 * Commands on disks that fail: a write, a flush or a renaming ends with ENOSPC or EIO, writes are short, or files may not
 * grow beyond a size (which the system itself sees to). A command must end well, with everything written, or with 1 and the
 * name of a file that it was asked to write; and what kills must not break (./kill-commands.ts), this must not break either.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Random } from '../../src/base/random.ts'
import { countOne } from './cases.ts'
import { type DisturbOptions, disturbCommands, ended, type Ground, type Scenario, start } from './commands.ts'
import { pick } from './random-data.ts'

const preload = fileURLToPath(new URL('write-fault-preload.cjs', import.meta.url))

/** What was counted. */
export interface WriteFaultCounts {
  readonly faults: number
  /** Of them, those that a command had to give up for; the others it never met, or got over. */
  readonly fatal: number
  readonly findings: number
  readonly by: Readonly<Record<string, number>>
}

type Fault =
  | { readonly kind: 'ENOSPC' | 'EIO' | 'short'; readonly at: number }
  | { readonly kind: 'limit'; readonly blocks: number }

/** See the header of the file. */
export async function tortureByWriteFaults(options: DisturbOptions): Promise<WriteFaultCounts> {
  const counts = { faults: 0, fatal: 0, by: {} }
  const findings = await disturbCommands('write-faults', options, async (ground, scenario, one) => {
    const fault = randomFault(one.random, scenario)
    const { found, fatal } = await tryFault(ground, scenario, fault, one.random.uniform() < 0.5)
    counts.faults++
    if (fatal) counts.fatal++
    countOne(counts.by, fault.kind)
    for (const what of found) one.find(`${scenario.name}, ${JSON.stringify(fault)}: ${what}`)
  })
  return { ...counts, findings }
}

function randomFault(random: Random, { grows }: Scenario): Fault {
  const kind = pick(random, ['ENOSPC', 'EIO', 'short', 'limit'] as const)
  if (kind === 'limit') return { kind, blocks: random.int(64) }
  // A file is a write or a few, a flush and a renaming; a journal is a write for each score.
  return { kind, at: random.int(grows ? 130 : 6) }
}

async function tryFault(
  ground: Ground,
  scenario: Scenario,
  fault: Fault,
  before: boolean,
): Promise<{ found: string[]; fatal: boolean }> {
  const place = ground.newPlace(scenario, before)
  const around =
    fault.kind === 'limit'
      ? { shell: `ulimit -f ${fault.blocks};` }
      : { env: { HYPERPLANE_FAULT: JSON.stringify(fault), NODE_OPTIONS: `--require ${preload}` } }
  const { code, stderr } = await ended(start(place, scenario.command, scenario, around))
  const found = await ground.damage(scenario, place, before)
  if (code === 0) found.push(...(await ground.missing(scenario, place)))
  else if (code !== 1) found.push(`it ended with ${code}: ${stderr.trim()}`)
  else if (!namesAFile(stderr, scenario)) found.push(`no file was named: ${stderr.trim()}`)
  if (fault.kind === 'short' && code !== 0) found.push(`short writes were too much: ${stderr.trim()}`)
  found.push(...(await ground.finish(scenario, place)))
  rmSync(place, { recursive: true })
  return { found, fatal: code !== 0 }
}

function namesAFile(stderr: string, { writes, grows = [], prints }: Scenario): boolean {
  const names = prints ? ['stdout'] : [...writes, ...grows]
  return names.some((name) => new RegExp(`^(error: )?${name}: `, 'm').test(stderr))
}
