/** The Lab as a guest: embedded, on a phone, zoomed in, with the Back button, and with a Cancel that cancels. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { AxeResults } from 'axe-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initialState } from '../../web/state/lab-state.ts'
import { toLink } from '../../web/state/link.ts'
import { goTo, isLeftOut, LabSite, planeBox, still, trained } from './lab-site.ts'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

describe.skipIf(isLeftOut)('the Lab as a guest', { timeout: 400_000 }, () => {
  let site: LabSite
  beforeAll(async () => {
    site = await LabSite.open()
  })
  afterAll(() => site?.close())

  it('works embedded from another site, with storage blocked', async () => {
    const host = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end(
        `<title>A lecture</title><iframe src="${site.plainUrl}" width="900" height="700"></iframe>`,
      )
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    const context = await site.newContext()
    await context.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage', 'caches']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('Access is denied for this document.', 'SecurityError')
          },
        })
      }
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    // Another name of the machine: another site.
    await page.goto(`http://localhost:${(host.address() as AddressInfo).port}/`)
    const lab = page.frameLocator('iframe')
    await lab.getByText('Support vectors').first().waitFor()
    const dark = lab.getByRole('button', { name: /^Appearance/ })
    await dark.click()
    await lab.getByRole('button', { name: 'Appearance: dark' }).waitFor()
    expect(errors).toEqual([])
    await context.close()
    await new Promise((resolve) => host.close(resolve))
  })

  it('refuses a link with half a seed, and shows all points at the start', async () => {
    const source = { ...initialState.source, seed: 1.5 } as typeof initialState.source
    const { page, errors } = await site.page({
      hash: `#${await toLink({ state: { ...initialState, source } })}`,
    })
    await page.getByRole('alert').filter({ hasText: 'this link is broken' }).waitFor()
    await trained(page)
    const inside = await page.evaluate(() => {
      const { view } = lab.state()
      const { width, height } = document.querySelector('.plane')!.getBoundingClientRect()
      const reach = (view.half * width) / height
      return lab
        .points()
        .every(({ x, y }) => Math.abs(x - view.x) < 0.97 * reach && Math.abs(y - view.y) < 0.97 * view.half)
    })
    expect(inside).toBe(true)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('goes back to the part before, with what was changed', async () => {
    const { page } = await site.page()
    await goTo(page, 'Tune')
    await page.getByRole('slider', { name: 'penalty C' }).fill('3')
    await goTo(page, 'Watch')
    await page.goBack()
    await page.waitForFunction(() => lab.state().mode === 'tune')
    expect(await page.evaluate(() => lab.state().settings.C)).toBe(1000)
    await page.goBack()
    await page.waitForFunction(() => lab.state().mode === 'plane')
    expect(await page.evaluate(() => lab.state().settings.C)).toBe(1000)
    await page.goForward()
    await page.waitForFunction(() => lab.state().mode === 'tune')
    await page.context().close()
  })

  it('keeps the way forward when a link is still being made as Back is pressed', async () => {
    const { page } = await site.page()
    // Links wait for `makeLink`: the first one is started in Tune and ready only after Back.
    await page.evaluate(() => {
      const made = Response.prototype.arrayBuffer
      const slow = window as unknown as { begun: number; makeLink: () => void }
      slow.begun = 0
      const released = new Promise<void>((resolve) => {
        slow.makeLink = resolve
      })
      Response.prototype.arrayBuffer = async function () {
        slow.begun++
        await released
        return made.call(this)
      }
    })
    await goTo(page, 'Tune')
    await page.waitForFunction(() => (window as unknown as { begun: number }).begun > 0)
    await page.goBack()
    await page.waitForFunction(() => lab.state().mode === 'plane')
    await page.evaluate(() => (window as unknown as { makeLink: () => void }).makeLink())
    // What is still being made is done once the link to this part stands in the address.
    await page.getByRole('slider', { name: 'penalty C' }).fill('3')
    await page.waitForFunction(() => (window as unknown as { begun: number }).begun > 1)
    await page.goForward()
    await page.waitForFunction(() => lab.state().mode === 'tune')
    await page.context().close()
  })

  it('scrolls under a swipe, and adds a point for a tap', async () => {
    const { page } = await site.page({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await trained(page)
    await page.getByRole('button', { name: 'Clear' }).tap()
    await page.evaluate(() => scrollTo(0, 0))
    const client = await page.context().newCDPSession(page)
    await still(page)
    const box = (await page.locator('.plane').boundingBox())!
    const [x, y] = [box.x + 0.2 * box.width, box.y + 0.8 * box.height]
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dy: number) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x, y: y + dy }],
      })
    await touch('touchStart', 0)
    for (let k = 1; k <= 10; k++) await touch('touchMove', -15 * k)
    await touch('touchEnd', 0)
    await page.waitForFunction(() => scrollY > 40)
    // The swing of the swipe is over.
    await still(page)
    expect(await page.evaluate(() => lab.points().length)).toBe(0)
    await page.evaluate(() => scrollTo(0, 0))
    await still(page)
    await page.touchscreen.tap(x, y)
    await page.waitForFunction(() => lab.points().length === 1)
    await page.context().close()
  })

  it.each([
    { width: 390, height: 844, where: 'on a phone' },
    { width: 640, height: 450, where: 'at twice the size' },
  ])('keeps what has the focus in sight $where', async ({ width, height }) => {
    const { page } = await site.page({ viewport: { width, height } })
    await trained(page)
    const hidden: string[] = []
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await still(page)
    await page.locator('button, select, input').last().focus()
    // Backwards from the end: what comes next lies above, where the plane is.
    for (let k = 0; k < 30; k++) {
      await page.keyboard.press('Shift+Tab')
      await still(page)
      const found = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        const { left, top, width: w, height: h } = element.getBoundingClientRect()
        const seen = document.elementFromPoint(left + w / 2, top + h / 2)
        const isSeen = seen === element || element.contains(seen) || seen?.contains(element)
        return isSeen || element.closest('.plane') ? '' : element.outerHTML.slice(0, 80)
      })
      if (found) hidden.push(found)
    }
    expect(hidden).toEqual([])
    await page.context().close()
  })

  it('uses a wide screen', async () => {
    const { page } = await site.page({ viewport: { width: 1920, height: 1080 } })
    const box = await planeBox(page)
    expect(box.width / box.height).toBeLessThan(1.6)
    const used = await page.evaluate(() => document.querySelector('.split')!.getBoundingClientRect().width)
    expect(used).toBeGreaterThan(1600)
    await page.context().close()
  })

  it('has pages of documentation that the keyboard can scroll', async () => {
    const { page } = await site.page()
    await page.goto(`${site.plainUrl}docs/theory/primal-and-dual.html`)
    await page.setViewportSize({ width: 390, height: 700 })
    await page.evaluate(readFileSync(axePath, 'utf8'))
    const { violations } = (await page.evaluate(
      "axe.run({ runOnly: ['scrollable-region-focusable'] })",
    )) as AxeResults
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([])
    await page.context().close()
  })

  it('has what a lecture needs: keys, seeds, layers, zoom, large type, a way back', async () => {
    const { page, errors } = await site.page()
    await trained(page)
    // Keys.
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    // Layers.
    await page.getByText('Layers').click()
    await page.getByLabel('Colours').uncheck()
    await page.waitForFunction(() => lab.painted().shot?.hidden?.includes('field'))
    await page.getByText('Layers').click()
    // Zoom, by button and by wheel; pan.
    const half = () => page.evaluate(() => lab.state().view.half)
    const before = await half()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    expect(await half()).toBeCloseTo(before / 1.25, 9)
    await page.getByRole('button', { name: 'Move the view' }).click()
    const box = await planeBox(page)
    const middle = [box.x + box.width / 2, box.y + box.height / 2] as const
    const { x } = await page.evaluate(() => lab.state().view)
    await page.mouse.move(...middle)
    await page.mouse.down()
    await page.mouse.move(middle[0] - 50, middle[1], { steps: 3 })
    await page.mouse.up()
    expect(await page.evaluate(() => lab.state().view.x)).toBeGreaterThan(x)
    await page.mouse.wheel(0, -120)
    await page.waitForFunction((limit) => lab.state().view.half < limit, before / 1.3)
    expect(await page.evaluate(() => lab.points().length)).toBe(120)
    // Seeds.
    const first = await page.evaluate(() => lab.points()[0].x)
    await page.getByLabel('seed of the points').fill('7')
    await page.getByLabel('seed of the points').press('Enter')
    await page.waitForFunction((old) => lab.points()[0].x !== old, first)
    await page.getByLabel('Solver').selectOption('smo-platt')
    await page.getByLabel('random seed').fill('3')
    await page.getByLabel('random seed').press('Enter')
    await page.waitForFunction(() => lab.state().settings.seed === 3)
    // Back to the start, and back from there.
    await page.getByRole('button', { name: 'Reset' }).click()
    expect(await page.evaluate(() => [lab.state().settings.seed, lab.state().view.half])).toEqual([0, before])
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await page.evaluate(() => lab.state().settings.seed)).toBe(3)
    const size = () => page.evaluate(() => getComputedStyle(document.body).fontSize)
    const normal = Number.parseFloat(await size())
    await page.getByRole('button', { name: 'Large type' }).click()
    expect(Number.parseFloat(await size())).toBeCloseTo(1.25 * normal, 1)
    // Space and arrows in Watch.
    await goTo(page, 'Watch')
    await page.waitForFunction(() => lab.take() !== undefined)
    await page.locator('h2').first().click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    expect(await page.evaluate(() => lab.frame())).toBe(1)
    await page.keyboard.press('Space')
    await page.waitForFunction(() => lab.frame() > 2)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('can be embedded with nothing around it, and leads to the whole', async () => {
    const context = await site.newContext({ viewport: { width: 700, height: 600 } })
    const page = await context.newPage()
    await page.goto(`${site.plainUrl}?embed#story=margin`)
    await page.waitForFunction(() => lab.story() === 'margin')
    expect(await page.getByRole('navigation').count()).toBe(0)
    const [whole] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Open in the Lab' }).click(),
    ])
    await whole.waitForFunction(() => 'lab' in window && lab.story() === 'margin')
    expect(await whole.getByRole('navigation').count()).toBe(1)
    // Under a figure of the theory there is a way to the same in the Lab.
    await page.goto(`${site.plainUrl}docs/theory/more-problems.html`)
    await page.getByRole('link', { name: 'Open in the Lab' }).first().click()
    await page.waitForFunction(() => 'lab' in window && lab.state().settings.problem === 'one-class')
    await context.close()
  })

  it('ends a training at once, and opens a new file without waiting for the old', async () => {
    const { page, errors } = await site.page({
      hash: `#${await toLink({ state: { ...initialState, mode: 'data' } })}`,
    })
    const row = (i: number) =>
      `${Math.sin(i * 12.9898) % 1},${Math.cos(i * 78.233) % 1},${(i * 7919) % 13},c${(i * 31) % 2}\n`
    const large = `a,b,c,class\n${Array.from({ length: 60_000 }, (_, i) => row(i)).join('')}`
    const open = (name: string, text: string) =>
      page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByRole('slider', { name: 'penalty C' }).fill('5')
    await open('large.csv', large)
    await page.getByText(/^Training/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    // Whatever the worker is doing: the training itself would take minutes.
    await page.waitForFunction(() => document.querySelector('.activity') === null)
    expect(await page.evaluate(() => lab.result())).toBeUndefined()
    await page.getByRole('button', { name: 'Train', exact: true }).click()
    await page.getByText(/^(Training|Reading)/).waitFor()
    await open('small.csv', 'a,b,class\n1,2,x\n3,4,y\n2,1,x\n5,6,y\n0,1,x\n6,5,y\n1,1,x\n5,5,y\n')
    await page.waitForFunction(() => lab.file()?.rows === 8 && lab.result() !== undefined)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
