/** The short form of the comparison with LIBSVM, LIBLINEAR and scikit-learn; see ./differential.ts. */
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { tortureByPeers } from './differential.ts'
import { findPeers } from './peers.ts'

const { missing } = findPeers()

test.skipIf(missing.length > 0 && env.CI !== 'true')(
  'random problems are solved no worse than by peers',
  {
    timeout: 300_000,
  },
  async () => {
    expect(missing).toEqual([])
    const findings: string[] = []
    const counts = await tortureByPeers({
      seed: 5,
      count: 40,
      maxRows: 200,
      withLimits: false,
      onFinding: ({ what, again }) => findings.push(`${what} (${again})`),
    })
    expect(findings).toEqual([])
    expect(counts.problems).toBe(40)
    // All three have answered, and most of what they answered could be compared.
    expect(Object.keys(counts.compared).sort()).toEqual(['liblinear-train', 'scikit-learn', 'svm-train'])
    expect(Object.values(counts.compared).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20)
  },
)
