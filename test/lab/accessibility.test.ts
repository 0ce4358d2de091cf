/** axe-core finds nothing to complain of, in any part of the Lab, light or dark, wide or narrow. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initialState } from '../../web/state/lab-state.ts'
import { goTo, isLeftOut, LabSite, linkTo } from './lab-site.ts'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe-core complains of; nothing else of its report is made. */
async function complaints(page: Page, where = 'document'): Promise<string[]> {
  const run = `axe.run(${where}, { resultTypes: ['violations'] }).then(({ violations }) => violations)`
  const violations = (await page.evaluate(run)) as AxeResults['violations']
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`)
}

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
        await page.setInputFiles('input.to-open', {
          name: 'd.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(
            `a,b,city,class\n${'1,2,Rome,x\n3,,Oslo,y\n2,1,Rome,x\n5,6,Bern,y\n'.repeat(8)}`,
          ),
        })
        await page.waitForFunction(() => lab.result() !== undefined)
        await page.getByRole('button', { name: 'Tune on this file' }).click()
        await page.waitForFunction(
          () => lab.tuned()?.isComplete && document.querySelector('.activity') === null,
        )
        await page.setInputFiles('input.to-predict', {
          name: 'e.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('city,b,a\nParis,1,2\nRome,,3\n'),
        })
        await page.getByRole('button', { name: 'Save as CSV' }).waitFor()
      }
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
      })
      expect(await complaints(page), part).toEqual([])
      // Nothing sticks out at the side.
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, part).toBeLessThanOrEqual(0)
    }
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('has nothing to complain of in what solvers show, and in any stop of the story, on a phone', async () => {
    const { settings } = initialState
    const blobs = { kind: 'preset', name: 'blobs', size: 30, noise: 1.2, seed: 4 } as const
    const iris = { kind: 'preset', name: 'iris', size: 150, noise: 0, seed: 1 } as const
    const linear = { ...settings, kernel: { kind: 'linear' }, C: 1, tol: 0.1 } as const
    const { page, errors } = await site.page({ viewport: { width: 390, height: 844 } })
    const axe = readFileSync(axePath, 'utf8')
    for (const [name, part] of Object.entries({
      pegasos: { mode: 'watch', source: blobs, settings: { ...linear, solver: 'pegasos' } },
      svr: { mode: 'watch', source: { ...blobs, name: 'sine' }, settings: { ...settings, problem: 'svr' } },
      pair: { mode: 'watch', source: iris },
      votes: { mode: 'plane', source: iris, votes: true },
    } as const)) {
      // A pointer that rests on a point of the plane would have its votes shown.
      await page.mouse.move(0, 0)
      // What follows # alone loads nothing.
      await page.goto(site.isolatedUrl + (await linkTo(part)))
      await page.reload()
      await page.waitForFunction(() => 'lab' in window)
      if (part.mode === 'watch') {
        await page.waitForFunction(() => lab.take() !== undefined)
        await page.getByRole('button', { name: 'One step forward' }).click()
      } else await page.getByText('Votes of the pairs').waitFor()
      await page.evaluate(axe)
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
      })
      expect(await complaints(page), name).toEqual([])
    }
    await goTo(page, 'Story')
    const stops = await page.getByLabel('Stop of the story').locator('option').count()
    for (let k = 1; k <= stops; k++) {
      await page.getByRole('heading', { name: new RegExp(`^${k}\\. `) }).waitFor()
      expect(await complaints(page, "'.story'"), `stop ${k}`).toEqual([])
      if (k < stops) await page.getByRole('button', { name: 'Next', exact: true }).click()
    }
    expect(errors).toEqual([])
    await page.context().close()
  })
})
