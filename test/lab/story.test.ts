/** The story from its first stop to its last, every task done as a reader would; and what a point says of itself. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLeftOut, LabSite, planeBox, trained } from './lab-site.ts'

/** Where a point is on the screen. */
async function placeOf(page: Page, x: number, y: number): Promise<[number, number]> {
  const box = await planeBox(page)
  const { view } = await page.evaluate(() => lab.state())
  const scale = box.height / (2 * view.half)
  return [
    box.x + box.width / 2 + ((x - view.x) * scale) / view.stretch,
    box.y + box.height / 2 - (y - view.y) * scale,
  ]
}

/** Points at the first point for which `is` holds, by its multiplier and y f. */
async function pointAt(page: Page, is: (alpha: number, margin: number) => boolean): Promise<void> {
  const found = await page.evaluate(() => {
    const { picture, points } = lab.shown()!
    return (points as { x: number; y: number; c: number }[]).map((point, i) => ({
      ...point,
      alpha: Math.abs(picture.coefficients[i]),
      margin: (point.c === picture.classes[1] ? 1 : -1) * picture.values[i],
    }))
  })
  const { x, y } = found.find(({ alpha, margin }) => is(alpha, margin))!
  await page.mouse.move(...(await placeOf(page, x, y)))
}

const slide = (page: Page, name: string, value: string) => page.getByRole('slider', { name }).fill(value)

/** How each task is done. */
const tasks: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async 'two-points'(page) {
    await page.mouse.move(...(await placeOf(page, 1, 0.4)))
    await page.mouse.down()
    await page.mouse.move(...(await placeOf(page, 0.4, 1)), { steps: 3 })
    await page.mouse.up()
  },
  async margin(page) {
    await page.getByRole('button', { name: 'Erase points' }).click()
    await page.mouse.click(...(await placeOf(page, -3, 0.3)))
  },
  outlier: (page) => slide(page, 'penalty C', '-1'),
  slack: (page) => pointAt(page, (_, margin) => margin < 0),
  dual: (page) => slide(page, 'penalty C', '-2'),
  async cases(page) {
    await pointAt(page, (alpha) => alpha === 0)
    await pointAt(page, (alpha) => alpha > 0 && alpha < 1)
    await pointAt(page, (alpha) => alpha === 1)
  },
  lift: (page) => page.getByRole('button', { name: 'Lift to (x, x²)' }).click(),
  kernels: (page) => slide(page, 'inverse width γ', '3'),
  async box(page) {
    await page.waitForFunction(() => lab.take() !== undefined)
    for (let k = 0; k < 40 && !(await page.evaluate(() => lab.done().includes('box'))); k++) {
      await page.keyboard.press('ArrowRight')
    }
  },
  async pair(page) {
    await page.getByRole('button', { name: 'Race again' }).waitFor()
    await page.getByLabel('SMO, maximal violating pair').check()
    await page.getByRole('button', { name: 'Race again' }).click()
  },
  async noise(page) {
    await page.waitForFunction(() => lab.take()?.settings.solver === 'pegasos')
    await page.keyboard.press('End')
  },
  async validation(page) {
    await page.waitForFunction(() => lab.cells().length === 49 && lab.cells().every(Boolean))
    const { C, gamma } = (await page.evaluate(() =>
      lab.cells().find((cell) => cell!.training > 0.985 && cell!.training - cell!.validation >= 0.1),
    ))!
    await page
      .getByRole('button', { name: new RegExp(`for C ${C}, γ ${gamma}$`) })
      .first()
      .click()
  },
  async classes(page) {
    await page.mouse.click(...(await placeOf(page, 2, 2.6)))
    await page.mouse.click(...(await placeOf(page, 2.2, 2.8)))
  },
  tube: (page) => slide(page, 'tube ε', '0.6'),
  'one-class': (page) => slide(page, 'fraction ν', '0.5'),
}

describe.skipIf(isLeftOut)('the story of the Lab', { timeout: 400_000 }, () => {
  let site: LabSite
  beforeAll(async () => {
    site = await LabSite.open()
  })
  afterAll(() => site?.close())

  it('goes from two points to one class, and notices what is done', async () => {
    const { page, errors, scripts } = await site.page()
    const before = scripts.size
    await page.getByRole('button', { name: 'Story', exact: true }).click()
    await page.waitForFunction(() => lab.story() === 'two-points')
    // Text and card come when they are requested.
    await expect.poll(() => scripts.size).toBeGreaterThan(before)
    for (const [name, act] of Object.entries(tasks)) {
      await page.waitForFunction((stop) => lab.story() === stop, name)
      expect(await page.evaluate(() => location.hash)).toBe(`#story=${name}`)
      await page.locator('main:not([aria-busy=true])').waitFor()
      if ((await page.evaluate(() => lab.state().mode)) === 'plane') await trained(page)
      expect(await page.evaluate(() => lab.done()), name).not.toContain(name)
      // Every letter of its formulas has a word.
      const unexplained = await page.evaluate(() => {
        const known = [...document.querySelectorAll('.symbols div')].flatMap(
          ({ children: [letter, words] }) => (words.textContent === '' ? [] : [letter.textContent]),
        )
        const letters = [...document.querySelectorAll('.story mi')].map(({ textContent }) => textContent)
        return letters.filter((one) => !['i', 'j', 'e', 'max', ...known].includes(one))
      })
      expect(unexplained, name).toEqual([])
      await act(page)
      await page.waitForFunction((stop) => lab.done().includes(stop), name)
      await page.locator('.task.done').waitFor()
      await page.keyboard.press('PageDown')
    }
    await page.goBack()
    await page.waitForFunction(() => lab.story() === 'tube')
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('opens at the stop of a link, on a phone too', async () => {
    const { page, errors } = await site.page({ hash: '#story=slack', viewport: { width: 390, height: 844 } })
    await page.getByRole('heading', { name: '4. Slack' }).waitFor()
    await trained(page)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    // Nothing reaches out of the card.
    const beyond = await page.evaluate(() => {
      const { right } = document.querySelector('.story')!.getBoundingClientRect()
      const all = [...document.querySelectorAll('.story *:not(math, math *)')]
      return all.filter((one) => one.getBoundingClientRect().right > right).map(({ outerHTML }) => outerHTML)
    })
    expect(beyond).toEqual([])
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByRole('heading', { name: '5. The dual' }).waitFor()
    await page.getByRole('button', { name: 'Leave the story' }).click()
    await page.waitForFunction(() => lab.story() === undefined)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('says of a point what its multiplier is, and shows its kernel', async () => {
    const { page, errors } = await site.page()
    await trained(page)
    await page.getByText('y = +1').first().waitFor()
    await pointAt(page, (alpha) => alpha === 10)
    await page.getByText('α = 10 of at most 10').first().waitFor()
    await page.getByText('a bounded support vector').waitFor()
    // By the keyboard: the next point is inspected.
    await page.mouse.move(5, 5)
    await page.locator('.plane').focus()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: /^Point \d+/ }).waitFor()
    await page.getByText('They are equal: Σ y α = 0.').waitFor()
    await page.getByLabel('Show k(x, ·) on the plane').check()
    await page.locator('.strip > svg').hover({ position: { x: 200, y: 30 } })
    await page.waitForFunction(() => lab.painted().shot?.field?.kind === 'kernel')
    const most = await page.evaluate(() => Math.max(...lab.painted().shot!.field!.fields[0]))
    expect(most).toBeGreaterThan(0.9)
    expect(most).toBeLessThanOrEqual(1)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
