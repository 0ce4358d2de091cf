/** The plane: points, presets, links, the keyboard, and what the page requires. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyLink, goTo, isLeftOut, LabSite, planeBox, trained } from './lab-site.ts'

describe.skipIf(isLeftOut)('the plane of the Lab', { timeout: 400_000 }, () => {
  let site: LabSite
  beforeAll(async () => {
    site = await LabSite.open()
  })
  afterAll(() => site?.close())

  it.each([
    { isolated: true, where: 'served by the command' },
    { isolated: false, where: 'from a plain server of static files' },
  ])('trains on points that are clicked, $where', async ({ isolated }) => {
    const { page, errors, strangers, scripts } = await site.page({ isolated })
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(isolated)
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('click to add points to the plane').waitFor()
    const box = await planeBox(page)
    const click = (x: number, y: number) => page.mouse.click(box.x + x * box.width, box.y + y * box.height)
    await page.getByRole('button', { name: 'Add points of class 1' }).click()
    await click(0.2, 0.3)
    await click(0.3, 0.6)
    await page.getByText('two classes are needed').waitFor()
    await page.getByRole('button', { name: 'Add points of class 2' }).click()
    await click(0.7, 0.4)
    await click(0.8, 0.7)
    await trained(page)
    const before = await page.evaluate(() => lab.shown()?.picture)
    expect(before?.kind).toBe('binary')
    expect(before?.score).toBe(1)
    expect(before?.certificates[0].stopReason).toBe('converged')

    await page.mouse.move(box.x + 0.7 * box.width, box.y + 0.4 * box.height)
    await page.mouse.down()
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.5 * box.height, { steps: 4 })
    await page.mouse.up()
    await trained(page)
    const moved = await page.evaluate(() => lab.shown()?.picture.bias)
    expect(moved).not.toBe(before?.bias)

    await page.getByRole('button', { name: 'Add points of class 3' }).click()
    await click(0.5, 0.9)
    await trained(page)
    expect(await page.evaluate(() => lab.shown()?.picture.kind)).toBe('multi')
    await page.getByRole('button', { name: 'Erase points' }).click()
    await click(0.5, 0.9)
    expect(await page.evaluate(() => lab.points().length)).toBe(4)
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await page.evaluate(() => lab.points().length)).toBe(5)
    await page.getByRole('button', { name: 'Redo' }).click()
    expect(await page.evaluate(() => lab.points().length)).toBe(4)

    expect(errors).toEqual([])
    expect(strangers).toEqual([])
    const compressed = [...scripts.values()].reduce((sum, script) => sum + gzipSync(script).length, 0)
    expect(scripts.size).toBeGreaterThan(1)
    // The engine is there once: its build with SIMD, of which the other one is made.
    const binaries = [...scripts.values()].flatMap((script) => String(script).match(/AGFzbQE/g) ?? [])
    expect(binaries).toHaveLength(1)
    // The budget of the first load; stories and space come when they are requested.
    expect(compressed).toBeLessThan(350_000)
    await page.context().close()
  })

  it('trains on every preset, and follows its sliders', async () => {
    const { page, errors } = await site.page()
    const menu = page.getByLabel('Preset')
    const names = await menu
      .locator('option')
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value))
    expect(names).toEqual(
      expect.arrayContaining([
        'blobs',
        'moons',
        'circles',
        'xor',
        'spirals',
        'checkerboard',
        'iris',
        'example37',
      ]),
    )
    for (const name of names) {
      await menu.selectOption(name)
      await trained(page)
      const stops = await page.evaluate(() => lab.shown()?.picture.certificates.map((one) => one.stopReason))
      expect(new Set(stops), name).toEqual(new Set(['converged']))
    }
    await menu.selectOption('circles')
    await page.getByLabel('Kernel').selectOption('rbf')
    for (const [problem, kind] of [
      ['nu-svc', 'binary'],
      ['one-class', 'one-class'],
      ['svr', 'regression'],
      ['svc', 'binary'],
    ]) {
      await page.getByLabel('Problem').selectOption(problem)
      await trained(page)
      const { picture } = (await page.evaluate(() => lab.shown()))!
      expect(picture.kind).toBe(kind)
      expect(picture.certificates.map((one) => one.stopReason)).toEqual(['converged'])
    }
    await page.getByLabel('noise').focus()
    await page.keyboard.press('ArrowRight')
    await trained(page)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('makes and paints thousands of points, and takes them back', async () => {
    const { page, errors } = await site.page()
    await trained(page)
    await page.getByRole('slider', { name: 'points' }).fill('3.2')
    await page.waitForFunction(() => lab.points().length === 1580)
    await trained(page)
    await page.waitForFunction(() => lab.painted().shot?.field === lab.shown()?.picture)
    // Shades of two colours, points, rings and lines: what the worker has painted is seen some frames later.
    await page.waitForFunction(() => {
      const canvas = document.querySelector('.plane canvas') as HTMLCanvasElement
      const { width, height } = canvas
      const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D
      context.drawImage(canvas, 0, 0)
      return new Set(new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)).size > 100
    })
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await page.evaluate(() => lab.points().length)).toBe(120)
    await trained(page)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('lifts three points from a line, where no line parts them, to where one does', async () => {
    const { page } = await site.page()
    await page.getByLabel('Preset').selectOption('example37')
    await trained(page)
    expect(await page.evaluate(() => lab.shown()?.picture.score)).toBeLessThan(1)
    await page.getByRole('button', { name: 'Lift to (x, x²)' }).click()
    await trained(page)
    expect(await page.evaluate(() => lab.shown()?.picture.score)).toBe(1)
    expect(await page.evaluate(() => lab.points().map(({ y }) => y))).toEqual([1, 0, 1])
    // The line was for these points only.
    expect(await page.evaluate(() => lab.state().settings.kernel.kind)).toBe('linear')
    await page.getByLabel('Preset').selectOption('sine')
    expect(await page.evaluate(() => lab.state().settings.kernel.kind)).toBe('rbf')
    await page.context().close()
  })

  it('is restored by its link', async () => {
    const { page } = await site.page()
    const box = await planeBox(page)
    await page.mouse.click(box.x + 0.1 * box.width, box.y + 0.9 * box.height)
    await page.getByLabel('Kernel').selectOption('sum')
    await page.getByRole('slider', { name: 'penalty C' }).focus()
    await page.keyboard.press('ArrowLeft')
    await trained(page)
    const saved = await page.evaluate(() => ({ state: lab.state(), points: lab.points() }))
    const hash = await copyLink(page)
    const again = await site.page({ hash })
    await trained(again.page)
    expect(await again.page.evaluate(() => ({ state: lab.state(), points: lab.points() }))).toEqual(saved)
    const broken = await site.page({ hash: `${hash.slice(0, 30)}` })
    expect(await broken.page.getByRole('alert').textContent()).toContain('this link is broken')
    await trained(broken.page)
    for (const one of [page, again.page, broken.page]) await one.context().close()
  })

  it('can be worked with the keyboard alone', async () => {
    const { page, errors } = await site.page()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const focusOn = async (name: string) => {
      for (let k = 0; k < 80; k++) {
        await press('Tab')
        const found = await page.evaluate(() => {
          const { activeElement: element } = document
          const label = element?.id ? document.querySelector(`label[for="${element.id}"]`)?.textContent : ''
          return element?.getAttribute('aria-label') ?? (label || element?.textContent)
        })
        if (found === name) return
      }
      throw new Error(`no way to ${name} with the Tab key`)
    }
    await focusOn('Clear')
    await press('Enter')
    expect(await page.evaluate(() => lab.points().length)).toBe(0)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await focusOn('Plane with points')
    await press('1', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Enter', 'ArrowUp', 'ArrowUp', 'Enter')
    await press('2', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Enter')
    await trained(page)
    const placed = await page.evaluate(() => lab.points())
    expect(placed.map(({ c }) => c)).toEqual([0, 0, 1])
    await press('m', 'ArrowDown', 'm')
    const carried = await page.evaluate(() => lab.points())
    expect(carried[2].y).toBeLessThan(placed[2].y)
    await press('n', 'Delete')
    expect(await page.evaluate(() => lab.points().length)).toBe(2)
    await press('Control+z')
    expect(await page.evaluate(() => lab.points().length)).toBe(3)
    await focusOn('penalty C')
    const C = await page.evaluate(() => lab.state().settings.C)
    await press('ArrowRight')
    expect(await page.evaluate(() => lab.state().settings.C)).toBeGreaterThan(C)
    for (const [name, mode] of [
      ['Watch', 'watch'],
      ['Race', 'race'],
      ['Tune', 'tune'],
      ['Your data', 'data'],
    ]) {
      await focusOn(name)
      await press('Enter')
      expect(await page.evaluate(() => lab.state().mode)).toBe(mode)
    }
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('works offline once it has been loaded', async () => {
    const { page } = await site.page({ serviceWorkers: 'allow' })
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
      while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20))
    })
    await page.context().setOffline(true)
    await page.reload()
    await page.waitForFunction(() => 'lab' in window)
    await trained(page)
    const link = page.locator('details a').first()
    const answer = await page.evaluate(
      async (href) => (await (await fetch(href)).text()).includes('<h1'),
      (await link.getAttribute('href')) as string,
    )
    expect(answer).toBe(true)
    await goTo(page, 'Watch')
    await page.waitForFunction(() => lab.take() !== undefined)
    await page.context().close()
  })
})
