/** axe-core finds nothing to complain of, in any part of the Lab, light or dark, wide or narrow. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goTo, isLeftOut, LabSite } from './lab-site.ts'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

describe.skipIf(isLeftOut)('accessibility of the Lab', { timeout: 400_000 }, () => {
  let site: LabSite
  beforeAll(async () => {
    site = await LabSite.open()
  })
  afterAll(() => site?.close())

  it.each([
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 390 },
  ] as const)('has nothing to complain of ($colorScheme, $width pixels)', async ({ colorScheme, width }) => {
    const { page, errors } = await site.page({ colorScheme, viewport: { width, height: 900 } })
    // The page's content security policy allows no script of others: axe comes in through the debugger.
    await page.evaluate(readFileSync(axePath, 'utf8'))
    for (const part of ['Plane', 'Watch', 'Race', 'Tune', 'Your data', 'Story']) {
      await goTo(page, part)
      if (part === 'Story') await page.getByRole('heading', { name: '1. Two points' }).waitFor()
      if (part === 'Watch') {
        await page.waitForFunction(() => lab.take() !== undefined)
        await page.getByRole('button', { name: 'One step forward' }).click()
      }
      if (part === 'Race') await page.getByRole('button', { name: 'Replay' }).waitFor()
      if (part === 'Tune')
        await page.waitForFunction(() => lab.cells().length === 49 && lab.cells().every(Boolean))
      if (part === 'Your data') {
        await page.setInputFiles('input[type=file]', {
          name: 'd.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('a,b,class\n1,2,x\n3,4,y\n2,1,x\n5,6,y\n0,1,x\n6,5,y\n1,1,x\n5,5,y\n'),
        })
        await page.waitForFunction(() => lab.result() !== undefined)
      }
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
      })
      const { violations } = (await page.evaluate('axe.run()')) as AxeResults
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`),
        part,
      ).toEqual([])
      // Nothing sticks out at the side.
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, part).toBeLessThanOrEqual(0)
    }
    expect(errors).toEqual([])
    await page.context().close()
  })
})
