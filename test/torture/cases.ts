/** The cases of a section, each with random its own numbers, and what is found in them. */
import type { Random } from '../../src/base/random.ts'
import { caseRandom } from './random-data.ts'
import type { Finding, Progress } from './report.ts'

/** Which cases to try, and who hears of them. */
export interface CaseOptions {
  readonly seed: number
  /** How many cases. */
  readonly count: number
  /** The number of the first one; given, this is a finding looked at again. Default 0. */
  readonly from?: number | undefined
  readonly onFinding?: ((finding: Finding) => void) | undefined
  readonly onProgress?: Progress | undefined
}

/** One case: its number, its random numbers, and where to say what must not be. */
export interface TortureCase {
  readonly index: number
  readonly random: Random
  readonly find: (what: string) => void
}

/** Tries the cases one after the other until they, or the time, are over; returns all findings. */
export async function tryCases(
  section: string,
  { seed, count, from = 0, onFinding, onProgress }: CaseOptions,
  attempt: (one: TortureCase) => Promise<void> | void,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let index = from; index < from + count; index++) {
    const again = `--only ${section} --seed ${seed} --from ${index} --count 1`
    const find = (what: string) => {
      findings.push({ section, what, again })
      onFinding?.({ section, what, again })
    }
    await attempt({ index, random: caseRandom(seed, index), find })
    if (onProgress?.(index - from + 1) === false) break
  }
  return findings
}

/** Counts one more under a name. */
export function countOne(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
