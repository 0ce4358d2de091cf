/** Points held out, and the plane seen in space. */
import { linear, makeDataset, SVC } from 'hyperplane'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isHeldOut } from '../../web/plane/is-held-out.ts'
import { initialState } from '../../web/state/lab-state.ts'
import { toLink } from '../../web/state/link.ts'
import { isLeftOut, LabSite, trained } from './lab-site.ts'

describe.skipIf(isLeftOut)('beyond the training points', { timeout: 400_000 }, () => {
  let site: LabSite
  beforeAll(async () => {
    site = await LabSite.open()
  })
  afterAll(() => site?.close())

  it('holds points out, and shows their error along C and γ', async () => {
    const source = { kind: 'preset', name: 'moons', size: 80, noise: 0.3, seed: 2 } as const
    const settings = { ...initialState.settings, kernel: linear().spec as { kind: 'linear' }, C: 1 }
    const state = { ...initialState, source, settings, heldOut: 0.3 }
    const { page, errors } = await site.page({ hash: `#${await toLink({ state })}` })
    await trained(page)
    const { picture, points } = await page.evaluate(() => ({
      picture: lab.shown()!.picture,
      points: lab.points(),
    }))
    // The same split and the same machine in Node.
    const [seen, unseen] = [false, true].map((flag) => points.filter((_, i) => isHeldOut(i, 0.3) === flag))
    const data = (list: typeof points) =>
      makeDataset(
        list.map(({ x, y }) => [x, y]),
        list.map(({ c }) => c),
      )
    const model = await new SVC({ kernel: linear(), C: 1 }).fit(data(seen))
    const share = (list: typeof points) => {
      const predicted = model.predict(data(list).samples) as ArrayLike<number>
      return list.filter(({ c }, i) => predicted[i] === c).length / list.length
    }
    expect(picture.score).toBeCloseTo(share(seen), 9)
    expect(picture.testScore).toBeCloseTo(share(unseen), 9)
    points.forEach((_, i) => {
      if (isHeldOut(i, 0.3)) expect(picture.coefficients[i]).toBe(0)
    })
    await page.getByText('hollow: held out').waitFor()
    await page.getByRole('img', { name: 'Share of errors along C' }).waitFor()
    await page.getByLabel('Kernel', { exact: true }).selectOption('rbf')
    await page.getByRole('button', { name: 'along γ' }).click()
    await page.getByRole('img', { name: 'Share of errors along γ' }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('lifts circles onto a bowl that a plane cuts, loaded when it is wanted', async () => {
    const source = { kind: 'preset', name: 'circles', size: 100, noise: 0.05, seed: 1 } as const
    const view = { x: 0, y: 0, half: 1.3, stretch: 1 }
    const { page, errors, scripts } = await site.page({
      hash: `#${await toLink({ state: { ...initialState, source, view } })}`,
    })
    await trained(page)
    const before = scripts.size
    await page.getByRole('button', { name: 'See it in 3D' }).click()
    const space = page.getByRole('application', { name: /Surface in space/ })
    await space.waitFor()
    await expect.poll(() => scripts.size).toBeGreaterThan(before)
    const picture = () => space.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
    // More than its background: it has been painted.
    await page.waitForFunction(
      (canvas) => {
        const { width, height } = canvas as HTMLCanvasElement
        const pixels = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height).data
        return new Set(new Uint32Array(pixels.buffer)).size > 10
      },
      await space.locator('canvas').elementHandle(),
    )
    const first = await picture()
    await space.focus()
    for (let k = 0; k < 5; k++) await page.keyboard.press('ArrowRight')
    await expect.poll(picture).not.toBe(first)
    await page.getByRole('button', { name: /^lift to/ }).click()
    // No line parts a disc from the ring around it; a plane does, once they are lifted.
    await page.getByText('100.0% of the points are on their own side').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })
})
