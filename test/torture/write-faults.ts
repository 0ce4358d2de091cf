/**
 * Commands on disks that fail: a write, a flush or a renaming ends with ENOSPC or EIO, writes are short, or files may not
 * grow beyond a size (which the system itself sees to). A command must end well, with everything written, or with 1 and the
 * name of a file that it was asked to write; and what kills must not break (./kill-commands.ts), this must not break either.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Random } from '../../src/base/random.ts'
import { ended, Ground, type Scenario, scenarios, start } from './commands.ts'
import { caseRandom, pick } from './random-data.ts'
import type { Finding, Progress } from './report.ts'

const preload = fileURLToPath(new URL('write-fault-preload.cjs', import.meta.url))

/** What {@link tortureByWriteFaults} takes. */
export interface WriteFaultOptions {
  readonly seed: number
  /** How many faults. */
  readonly count: number
  /** The number of the first one. Default 0. */
  readonly from?: number | undefined
  readonly among?: readonly Scenario[]
  readonly onFinding?: (finding: Finding) => void
  readonly onProgress?: Progress
}

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

/** See the head of the file. */
export async function tortureByWriteFaults(options: WriteFaultOptions): Promise<WriteFaultCounts> {
  const { seed, count, from = 0, among = scenarios } = options
  const counts = { faults: 0, fatal: 0, findings: 0, by: {} as Record<string, number> }
  const ground = new Ground()
  try {
    await ground.prepare()
    for (let index = from; index < from + count; index++) {
      const random = caseRandom(seed, index)
      const scenario = among[index % among.length]
      const fault = randomFault(random, scenario)
      const { found, fatal } = await tryFault(ground, scenario, fault, random.uniform() < 0.5)
      counts.faults++
      if (fatal) counts.fatal++
      counts.by[fault.kind] = (counts.by[fault.kind] ?? 0) + 1
      for (const what of found) {
        counts.findings++
        const again = `--only write-faults --seed ${seed} --from ${index} --count 1`
        const words = `${scenario.name}, ${JSON.stringify(fault)}: ${what}`
        options.onFinding?.({ section: 'write-faults', what: words, again })
      }
      if (options.onProgress?.(index - from + 1) === false) break
    }
    return counts
  } finally {
    ground.close()
  }
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
