import { expect, test } from 'vitest'
import { scenarios } from './commands.ts'
import { tortureByKills } from './kill-commands.ts'
import type { Finding } from './report.ts'

test('commands that are killed lose nothing, and end the same way afterwards', async () => {
  const among = scenarios.filter(({ name }) =>
    ['predict', 'scale', 'tune', 'svm-train', 'cv with a checkpoint'].includes(name),
  )
  const findings: Finding[] = []
  const counts = await tortureByKills({ seed: 5, count: 5, among, onFinding: (one) => findings.push(one) })
  expect(findings).toEqual([])
  expect(counts.kills).toBeGreaterThanOrEqual(5)
  expect(counts.met).toBeGreaterThan(0)
}, 240_000)
