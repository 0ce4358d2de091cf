import { expect, test } from 'vitest'
import { tortureLimits } from './limits.ts'

test('stopped at any yield and by any limit, every solver returns a feasible point, its best one', async () => {
  const { findings, problems, stops, by } = await tortureLimits({ seed: 1, count: 40 })
  expect(findings.map(({ what }) => what)).toEqual([])
  expect(problems).toBe(40)
  expect(stops).toBeGreaterThan(200)
  expect(Object.keys(by.solver).length).toBeGreaterThan(8)
  expect(by.end.aborted).toBeGreaterThan(100)
})
