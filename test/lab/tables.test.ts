/** An ordinary table in the Lab: how it is read, prepared, tuned on, predicted and reported, as the command line does it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { Random } from 'hyperplane'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliInFolder } from '../cli/run-cli.ts'
import { downloaded, goTo, isLeftOut, LabSite } from './lab-site.ts'

const cli = cliInFolder()

/** People with an id, missing ages, a decimal comma, a category, a date and a label, as a German spreadsheet program writes them. */
function people(count: number): Buffer {
  const random = new Random(3)
  const cities = ['Zürich', 'Bern', 'Genf']
  const lines = Array.from({ length: count }, (_, i) => {
    const age = 20 + random.int(45)
    const income = (2000 + 6000 * random.uniform()).toFixed(2).replace('.', ',')
    const city = random.int(3)
    const day = `${10 + random.int(18)}.0${1 + random.int(9)}.${2010 + random.int(9)}`
    const isGone = age < 38 !== (city === 1 && random.uniform() < 0.5)
    return `${1000 + i};${i % 30 === 7 ? '' : age};${income};${cities[city]};${day};${isGone ? 'yes' : 'no'}`
  })
  return Buffer.from(`id;age;income;city;joined;left\r\n${lines.join('\r\n')}\r\n`, 'latin1')
}

const table = people(120)
writeFileSync(cli.path('people.csv'), table)
/** Other columns, in another order, without labels; a city and an age that training did not have. */
const strangers =
  'city;age;shoe;joined;income\nBern;30;44;03.04.2015;2500,5\nOslo;;38;05.06.2012;4000\nGenf;61;40;11.12.2016;7100,25\n'
writeFileSync(cli.path('strangers.csv'), strangers)

async function open(page: Page, name: string, content: Buffer | string): Promise<void> {
  await page.setInputFiles('input.to-open', { name, mimeType: 'text/plain', buffer: Buffer.from(content) })
}

async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() => lab.result() !== undefined && document.querySelector('.activity') === null)
}

const download = (page: Page, button: string) => downloaded(page, button, cli.folder)

/** The column of predictions in a file that was saved. */
function predictions(path: string, column: number): string[] {
  const [, ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map((line) => line.split(';')[column])
}

describe.skipIf(isLeftOut)('tables in the Lab', { timeout: 400_000 }, () => {
  let site: LabSite
  beforeAll(async () => {
    site = await LabSite.open()
  })
  afterAll(() => site?.close())

  it('prepares columns, tunes and predicts as the command line does', async () => {
    const { page, errors } = await site.page()
    await goTo(page, 'Your data')
    await open(page, 'people.csv', table)
    await atRest(page)
    // What was told from the text.
    expect(await page.getByLabel('Delimiter').inputValue()).toBe(';')
    expect(await page.getByLabel('Decimal sign').inputValue()).toBe(',')
    expect(await page.getByLabel('Encoding').inputValue()).toBe('latin1')
    await page.getByRole('cell', { name: 'Zürich' }).first().waitFor()
    // The words about the columns are those of the command line.
    const { stdout } = await cli.run('train', 'people.csv')
    const columns = (await page.evaluate(() => lab.file()?.columns)) as string[]
    expect(columns[1]).toMatch(/^number, 4 missing filled with median \d+$/)
    for (const [k, name] of ['age', 'income', 'city', 'joined'].entries()) {
      expect(stdout).toContain(`${name}: ${columns[k + 1]}\n`)
    }
    expect(columns[0]).toContain('ignored: an id')
    expect(await page.getByRole('button', { name: 'Model, LIBSVM' }).count()).toBe(0)

    // The same tuner: on all samples it finds what the command line finds.
    await page.getByRole('slider', { name: 'held out' }).fill('0')
    await page.getByLabel('Search').selectOption('grid')
    await page.getByRole('button', { name: 'Tune on this file' }).click()
    await page.waitForFunction(() => lab.tuned()?.isComplete)
    await atRest(page)
    const found = (await page.evaluate(() => lab.tuned()))!
    const tuned = await cli.json('tune', 'people.csv', '--scale', 'standard')
    expect(found.cells).toHaveLength(110)
    expect(found.best?.params).toEqual(tuned.bestParams)
    expect(found.best?.mean).toBeCloseTo(tuned.bestScore, 12)
    const { C, kernel } = await page.evaluate(() => lab.state().fileModel)
    expect({ C, gamma: kernel.gamma }).toEqual(tuned.bestParams)

    // The model predicts the raw table on the command line as in the Lab.
    const json = await download(page, 'Model, JSON')
    const predict = async (name: string, content: Buffer | string) => {
      await page.setInputFiles('input.to-predict', {
        name,
        mimeType: 'text/csv',
        buffer: Buffer.from(content),
      })
      return download(page, 'Save as CSV')
    }
    const labels = async (name: string) => (await cli.json('predict', name, json)).labels
    const own = await predict('people.csv', table)
    expect(readFileSync(own, 'utf8').split('\n')[0]).toBe(
      'id;age;income;city;joined;left;predicted;decision value',
    )
    expect(predictions(own, 6)).toEqual(await labels('people.csv'))
    await page.getByText(/The file has the column “left”, too: \d+ of 120 predictions agree/).waitFor()
    const others = await predict('strangers.csv', strangers)
    expect(predictions(others, 5)).toEqual(await labels('strangers.csv'))
    await page.getByText(/^age: 1 missing cell filled with the median of the training rows, \d+\.$/).waitFor()
    await page.getByText('city: 1 cell with values that the model does not know (Oslo)').waitFor()
    // A column that is missing is named.
    await page.setInputFiles('input.to-predict', {
      name: 'few.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('city,age,joined\nBern,30,2015-04-03\n'),
    })
    await page
      .getByRole('alert')
      .filter({ hasText: /few\.csv: no column is named .income./ })
      .waitFor()

    const page2 = readFileSync(await download(page, 'Report, HTML'), 'utf8')
    expect(page2).toMatch(/^<!doctype html>/)
    expect(page2).toContain(columns[3])
    expect(page2).toContain('How the parameters were chosen')
    expect(page2.match(/<svg [^>]*role="img"/g)).toHaveLength(6)
    expect(page2).not.toContain('<script')
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('reads a table as it is told to, by keyboard and on a phone', async () => {
    const { page, errors } = await site.page({ viewport: { width: 390, height: 844 }, isolated: false })
    await goTo(page, 'Your data')
    await open(page, 'people.csv', table)
    await atRest(page)
    // By keyboard: a letter chooses in a menu that has the focus, which it keeps.
    const city = page.getByLabel('Column city')
    await city.focus()
    await page.keyboard.press('i')
    await page.getByText('ignored (chosen)').waitFor()
    await atRest(page)
    expect(await city.evaluate((menu) => menu === document.activeElement)).toBe(true)
    // What cannot be is said, and not done.
    await city.selectOption('number')
    await page
      .getByRole('alert')
      .filter({ hasText: /people\.csv:2:4: .*must be a number/ })
      .waitFor()
    expect(await city.inputValue()).toBe('ignored')
    await city.selectOption('category')
    await page.getByText('category, 3 values').waitFor()
    await page.getByLabel('Missing cells').selectOption('drop')
    await page.getByText('4 rows with missing cells left out.').waitFor()
    await atRest(page)
    expect(await page.evaluate(() => lab.file()?.rows)).toBe(116)
    // Another label: numbers with many values are targets.
    await page.getByLabel('Column income').selectOption('label')
    await page.waitForFunction(() => lab.result()?.targets !== undefined)
    expect(await page.getByLabel('Label column').inputValue()).toBe('2')
    // A file that is refused is shown, too, so that it can be read in another way.
    const odd = `${'a|b,c|y\n1|2,5|u\n2|3,5|v\n'}${'3|1,5|u\n4|2|v\n'.repeat(6)}`
    await open(page, 'odd.txt', odd)
    await atRest(page)
    await page.getByLabel('Delimiter').selectOption(',')
    await page.getByRole('alert').filter({ hasText: 'odd.txt' }).waitFor()
    expect(await page.getByLabel('Delimiter').inputValue()).toBe('|')
    await open(page, 'ragged.csv', 'a,b\n1;x,1\n2;y\n3;x\n4;y\n')
    await page.getByRole('alert').filter({ hasText: 'ragged.csv' }).waitFor()
    expect(await page.getByRole('heading', { name: 'ragged.csv' }).count()).toBe(1)
    await page.getByLabel('First line').selectOption('data')
    await page.getByRole('alert').filter({ hasText: 'ragged.csv:3' }).waitFor()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('keeps the cells of a search that is cancelled, and the model', async () => {
    const { page, errors } = await site.page()
    await goTo(page, 'Your data')
    // So many that the search cannot end before it is cancelled.
    await open(page, 'people.csv', people(3000))
    await atRest(page)
    const accuracy = await page.evaluate(() => lab.result()?.accuracy)
    await page.getByLabel('Search').selectOption('grid')
    await page.getByRole('button', { name: 'Tune on this file' }).click()
    await page.getByText(/^Tuning: \d+ of 550 fits, best so far/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText(/The search was cancelled after \d+ of 550 fits; what is done can be used/).waitFor()
    const { cells, isComplete, best } = (await page.evaluate(() => lab.tuned()))!
    expect(isComplete).toBe(false)
    expect(cells.length).toBeGreaterThan(0)
    expect(await page.evaluate(() => lab.result()?.accuracy)).toBe(accuracy)
    await page
      .getByRole('button', { name: /^Use C/ })
      .first()
      .click()
    expect(await page.evaluate(() => lab.state().fileModel.C)).toBe(best?.params.C)
    // The worker was ended: it reads the file again, and trains.
    await page.getByRole('button', { name: 'Train', exact: true }).click()
    await page.getByRole('region', { name: 'Models so far' }).getByRole('row').nth(2).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('takes the formats of the readers, and says what helps with others', async () => {
    const { page, errors } = await site.page()
    await goTo(page, 'Your data')
    const records = Array.from({ length: 24 }, (_, i) => ({
      size: i,
      colour: i % 3 ? 'red' : null,
      kind: i < 12 ? 'a' : 'b',
    }))
    const tables: readonly (readonly [string, string, string])[] = [
      ['t.json', JSON.stringify(records), 'json'],
      ['t.jsonl', records.map((row) => JSON.stringify(row)).join('\n'), 'json'],
      [
        't.tsv',
        `size\tcolour\tkind\n${records.map((row) => `${row.size}\t${row.colour ?? ''}\t${row.kind}`).join('\n')}`,
        'tsv',
      ],
      [
        't.libsvm',
        records.map(({ size, kind }) => `${kind === 'a' ? 1 : -1} 1:${size} 3:1`).join('\n'),
        'libsvm',
      ],
    ]
    for (const [name, text, format] of tables) {
      await open(page, name, text)
      await page.waitForFunction((wanted) => lab.preview()?.name === wanted, name)
      await atRest(page)
      expect(await page.evaluate(() => lab.preview()?.peek.format)).toBe(format)
      expect(await page.evaluate(() => lab.file()?.rows)).toBe(24)
    }
    const helped: readonly (readonly [string, string, RegExp])[] = [
      ['t.xlsx', 'PK\x03\x04....[Content_Types].xml', /Excel workbook.*save the sheet as CSV/],
      ['t.zip', 'PK\x03\x04....a.csv', /ZIP archive\. Unpack it/],
      ['t.png', '\x89PNG\r\n', /this is an image.*one row per image/],
      ['t.pdf', '%PDF-1.7', /PDF document/],
      ['t.csv', '<!DOCTYPE html><html>', /web page/],
      ['t.npy', '\x93NUMPY', /NumPy array.*savetxt/],
      ['u.json', '{"a": 1', /u\.json: not JSON/],
    ]
    for (const [name, start, words] of helped) {
      await open(page, name, Buffer.from(start, 'latin1'))
      await page.getByRole('alert').filter({ hasText: words }).waitFor()
      expect(await page.evaluate(() => lab.preview()?.name)).toBe('t.libsvm')
    }
    expect(errors).toEqual([])
    await page.context().close()
  })
})
