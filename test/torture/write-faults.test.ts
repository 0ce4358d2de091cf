import { expect, test } from 'vitest'
import { scenarios } from './commands.ts'
import type { Finding } from './report.ts'
import { tortureByWriteFaults } from './write-faults.ts'

test('commands on disks that fail say so, and lose nothing', async () => {
  const among = scenarios.filter(({ name }) =>
    ['predict', 'scale on stdout', 'tune', 'svm-train'].includes(name),
  )
  const findings: Finding[] = []
  const counts = await tortureByWriteFaults({
    seed: 3,
    count: 8,
    among,
    onFinding: (one) => findings.push(one),
  })
  expect(findings).toEqual([])
  expect(counts.faults).toBe(8)
  expect(counts.fatal).toBeGreaterThan(0)
}, 240_000)
