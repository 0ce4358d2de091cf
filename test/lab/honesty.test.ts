/** What the Lab says is true: of runs, scores, races, certificates and files. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { generate, makeDataset, selectSamples } from 'hyperplane'
import { formatCsv, formatLibsvm } from 'hyperplane/formats'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initialState } from '../../web/state/lab-state.ts'
import { cliInFolder } from '../cli/run-cli.ts'
import { copyLink, goTo, isLeftOut, LabSite, linkTo, train, trained } from './lab-site.ts'

const cli = cliInFolder()

async function openFile(page: Page, name: string, text: string): Promise<void> {
  await page.setInputFiles('input[type=file]', { name, mimeType: 'text/plain', buffer: Buffer.from(text) })
}

async function download(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  const path = cli.path(file.suggestedFilename())
  await file.saveAs(path)
  return path
}

describe.skipIf(isLeftOut)('the Lab says what is true', { timeout: 400_000 }, () => {
  let site: LabSite
  beforeAll(async () => {
    site = await LabSite.open()
  })
  afterAll(() => site?.close())

  it('waits for points that are being made, and names its limits', async () => {
    const many = { kind: 'preset', name: 'moons', size: 1100, noise: 0.3, seed: 1 } as const
    const { page, errors } = await site.page({ hash: await linkTo({ mode: 'race', source: many }) })
    await page.getByRole('button', { name: 'Race again' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByText('Race takes up to 1,500 points.').waitFor()
    await goTo(page, 'Watch')
    await page.getByText('Watch takes at most 1,000 points, and there are 1,100').waitFor()
    const few = { ...many, size: 1050 }
    const tuned = await site.page({
      hash: await linkTo({ mode: 'tune', source: few, tune: { ...initialState.tune, steps: 3, folds: 2 } }),
    })
    await tuned.page.waitForFunction(() => lab.cells().length === 9 && lab.cells().every(Boolean))
    expect(await tuned.page.getByRole('alert').count()).toBe(0)
    expect([...errors, ...tuned.errors]).toEqual([])
    await page.context().close()
    await tuned.page.context().close()
  })

  it('calls rings and bounds of a run what they are, and draws working sets', async () => {
    const { page, errors } = await site.page({ hash: await linkTo({ mode: 'watch' }) })
    await page.waitForFunction(() => lab.take() !== undefined)
    const legend = page.locator('.legend')
    await legend.getByText('0 < α < C').first().waitFor()
    for (let k = 0; k < 8; k++) await page.getByRole('button', { name: 'One step forward' }).click()
    // During the run most free samples are off the margin: the legend must not say otherwise of now.
    await legend.getByText('at the optimum').first().waitFor()
    await page.getByText(/^b_low − b_up = .*no bias satisfies all samples yet/).waitFor()
    await page.getByRole('button', { name: 'To the end' }).click()
    await page.getByText('so the run may end').waitFor()
    await page.getByRole('img', { name: 'b_low and b_up, closing on −b' }).waitFor()
    const closing = await page.evaluate(() => {
      const { recording } = lab.take()!
      const last = recording.frames - 1
      return { up: recording.bounds!.up[last], low: recording.bounds!.low[last], bias: recording.bias[last] }
    })
    expect(-closing.bias).toBeGreaterThan(Math.min(closing.up, closing.low) - 1e-9)
    expect(-closing.bias).toBeLessThan(Math.max(closing.up, closing.low) + 1e-9)
    await page.getByLabel('Solver').selectOption('working-set')
    await page.waitForFunction(() => lab.take()?.recording.sets !== undefined)
    await page.getByRole('button', { name: 'One step forward' }).click()
    const sets = await page.evaluate(() => lab.take()!.recording.sets!.map((set) => set.length))
    expect(sets.length).toBeGreaterThan(3)
    expect(sets[0]).toBe(10)
    await page.getByText(`Round 1 of ${sets.length}`).waitFor()
    await page.waitForFunction(
      () => lab.painted().shot?.over?.filter(({ kind }) => kind === 'member').length === 10,
    )
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('shows the frame of Watch that a link holds', async () => {
    const { page } = await site.page({ hash: await linkTo({ mode: 'watch' }) })
    await page.waitForFunction(() => lab.take() !== undefined)
    await page.getByRole('slider', { name: /^Step \d+ of/ }).fill('7')
    const again = await site.page({ hash: await copyLink(page) })
    await again.page.waitForFunction(() => lab.take() !== undefined)
    expect(await again.page.evaluate(() => lab.frame())).toBe(7)
    await page.context().close()
    await again.page.context().close()
  })

  it('repeats short races, and declares no winner among equals', async () => {
    // Three points: every solver takes microseconds.
    const points = [
      { x: -1, y: 0, c: 0 },
      { x: 1, y: 0, c: 1 },
      { x: 1.5, y: 1, c: 1 },
    ] as const
    const { page } = await site.page({
      hash: await linkTo({ mode: 'race', source: { kind: 'drawn', points }, race: ['smo-mvp', 'smo'] }),
    })
    const result = page.getByRole('region', { name: 'Result' })
    await result.waitFor()
    const runs = await page.evaluate(() => lab.race()!.runs.map(({ times }) => times))
    for (const times of runs) expect(times.length).toBeGreaterThanOrEqual(5)
    const said = (await result.textContent())!
    expect(said).toMatch(/median of \d+ runs/)
    expect(said).toMatch(/\d+ steps/)
    const quarter = (times: number[], share: number) => times[Math.floor(share * times.length)]
    const [a, b] = runs.toSorted((one, other) => one[one.length >> 1] - other[other.length >> 1])
    const isClear = quarter(a, 0.75) < quarter(b, 0.25)
    expect(said.includes('was first')).toBe(isClear)
    expect(said.includes('too close to tell apart')).toBe(!isClear)
    await page.context().close()
  })

  it('says what a certificate means where the gap stays wide, and on which points a score was taken', async () => {
    const kernel = { kind: 'polynomial', gamma: 1000, coef0: 1, degree: 8 } as const
    const { page, errors } = await site.page({
      hash: await linkTo({ settings: { ...initialState.settings, kernel } }),
    })
    await trained(page)
    const [certificate] = await page.evaluate(() => lab.shown()!.picture.certificates)
    const share = (certificate.primal + certificate.dual) / certificate.primal
    if (certificate.stopReason === 'converged' && share > 0.02) {
      await page.getByText('the tolerance leaves the optimum open that far').waitFor()
    }
    // Numbers stay in their own column.
    const overlaps = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('.facts dd')].map((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return range.getBoundingClientRect()
      })
      return boxes.some((a, i) =>
        boxes.some(
          (b, j) => i < j && a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top,
        ),
      )
    })
    expect(overlaps).toBe(false)
    await page.getByText('Correct, training points').waitFor()
    await page.getByLabel('Preset').selectOption('sine')
    await page.getByText('R², training points').waitFor()
    // A Gaussian has a width, and γ is not it; the factor of a polynomial is none.
    await page.getByRole('slider', { name: 'factor γ' }).waitFor()
    await page.getByLabel('Kernel').selectOption('rbf')
    await page.getByRole('slider', { name: 'inverse width γ' }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('chooses γ by the spread of a file, and exports it for LIBSVM with its scaling', async () => {
    const two = generate('blobs', { n: 160, features: 6, spread: 6, seed: 4 })
    // Features of different sizes, so that only a scaler makes them equal.
    const { values, cols } = two.samples
    const rows = Array.from({ length: 160 }, (_, i) =>
      Array.from({ length: cols }, (_unused, j) => values[i * cols + j] * 10 ** (j - 2)),
    )
    const data = makeDataset(rows, two.labels)
    const { page, errors } = await site.page({ hash: await linkTo({ mode: 'data' }) })
    await openFile(page, 'sizes.libsvm', formatLibsvm(data))
    await page.waitForFunction(() => lab.result() !== undefined)
    expect(await page.evaluate(() => lab.state().fileModel.kernel.gamma)).toBe('scale')
    // The plane keeps its own.
    expect(await page.evaluate(() => lab.state().settings.kernel.gamma)).toBe(1)
    writeFileSync(cli.path('sizes.libsvm'), formatLibsvm(data))
    const json = await download(page, 'Model, JSON')
    const expected = await predictions('sizes.libsvm', json)
    // A Gaussian over features of different scales cannot have them folded in: it is said before the click.
    await page.getByText('cannot be folded into the vectors').waitFor()
    const model = await download(page, 'Model, LIBSVM')
    const ranges = await download(page, 'Ranges, svm-scale')
    const scaled = spawnSync(process.execPath, [
      'dist/cli/svm-scale.js',
      '-r',
      ranges,
      cli.path('sizes.libsvm'),
    ])
    writeFileSync(cli.path('scaled.libsvm'), scaled.stdout)
    expect(await predictions('scaled.libsvm', model)).toEqual(expected)
    // A linear machine can.
    await page.getByLabel('Kernel').selectOption('linear')
    await train(page)
    await page.getByText('multiplied into the support vectors').waitFor()
    const linear = await predictions('sizes.libsvm', await download(page, 'Model, JSON'))
    expect(await predictions('sizes.libsvm', await download(page, 'Model, LIBSVM'))).toEqual(linear)
    expect(errors).toEqual([])
    await page.context().close()

    async function predictions(file: string, model: string): Promise<string[]> {
      const { stdout } = await cli.run('predict', file, model, '--json')
      return JSON.parse(stdout).labels ?? stdout
    }
  })

  it('does not take a frequent class for success, and tells many classes apart', async () => {
    const blobs = generate('blobs', { n: 400, features: 2, spread: 30, seed: 5 })
    const rare = Array.from({ length: 400 }, (_, i) => i).filter(
      (i) => (blobs.labels as Float64Array)[i] === 1 || i < 24,
    )
    const few = selectSamples(blobs, Uint32Array.from(rare))
    const labels = Array.from(few.labels as Float64Array, (label) => (label === 1 ? 'fine' : 'fraud'))
    const { page, errors } = await site.page({ hash: await linkTo({ mode: 'data' }) })
    await openFile(page, 'fraud.csv', formatCsv(makeDataset(few.samples, labels)))
    await page.waitForFunction(() => lab.result() !== undefined)
    const { confusion } = (await page.evaluate(() => lab.result()))!
    expect(confusion[1][1]).toBe(0)
    await page.getByRole('alert').filter({ hasText: 'No sample of “fraud” was found' }).waitFor()
    await page.getByText('always “fine”').waitFor()
    await page.getByRole('img', { name: 'ROC: “fraud” is positive' }).waitFor()
    await page.getByLabel('Rare classes weigh as much').check()
    await train(page)
    await page.waitForFunction(() => lab.result()!.confusion[1][1] > 0)

    const letters = Array.from({ length: 260 }, (_, i) => ({ x: i % 26, y: (i * 7) % 5, label: i % 26 }))
    const text = letters.map(({ x, y, label }) => `${x},${y},${String.fromCharCode(97 + label)}\n`).join('')
    await openFile(page, 'letters.csv', `u,v,letter\n${text}`)
    await page.waitForFunction(() => lab.result()?.confusion.length === 26)
    const marks = await page.locator('.class-key svg').evaluateAll((all) => all.map((mark) => mark.outerHTML))
    expect(new Set(marks).size).toBe(26)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
