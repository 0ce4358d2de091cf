import { describe, expect, test } from 'vitest'
import { tableLines } from '../../../src/cli/tables/table-lines.ts'
import { parseDataset } from '../../../src/data/files/parse-dataset.ts'
import { peekTable } from '../../../src/data/files/peek-table.ts'

const noHeader =
  'no header: columns are numbered from 0 (use header: true if the first line contains their names)'
const namedByNumbers =
  'the first line contains the column names, some of them numbers (use header: false if it is data)'

async function lines(text: string, options = {}): Promise<string[]> {
  return tableLines(await parseDataset(text, { format: 'csv', ...options }))
}

describe('what is guessed about CSV of numbers is said', () => {
  test('that there is no header, and where the labels are', async () => {
    expect(await lines('1.5,2,0\n3,4,1\n')).toEqual([
      noHeader,
      'labels are taken from the last column, 2 (labelColumn chooses another)',
      '2: label',
    ])
  })

  test('the last column of a header, but not as a guess where its name says it', async () => {
    expect(await lines('a,b,left\n1,2,0\n3,4,1\n')).toEqual([
      'labels are taken from the last column, "left", as none is named label, class, target, y (labelColumn chooses another)',
      'left: label',
    ])
    expect(await lines('a,Class,b\n1,2,0\n3,4,1\n')).toEqual(['Class: label'])
  })

  test('nothing where it was chosen', async () => {
    expect(await lines('1,2,0\n3,4,1\n', { header: false, labelColumn: 0 })).toEqual(['0: label'])
  })
})

describe('a header with numbers in it', () => {
  test.each([
    ['years above other numbers', 'country,2019,2020\nFR,1.5,2\nDE,3,4\n'],
    ['a year below a word above a number', 'id,2019,kind\n1,1.5,a\n2,3,b\n'],
    ['places as pandas writes them', '0,1,2,target\n0.5,1.5,2,1\n3,4,5,0\n'],
  ])('%s', async (_, text) => {
    const { report, samples } = await parseDataset(text, { format: 'csv' })
    expect(samples.rows).toBe(2)
    expect(report.notes).toContain(namedByNumbers)
    expect((await peekTable(text, { format: 'csv' })).text?.header).toBe(true)
    expect((await peekTable(text, { format: 'csv', header: false })).rows).toHaveLength(3)
  })

  test.each([
    ['years in data too', 'FR,2019,2020\nDE,1999,2001\n'],
    ['numbers that do not count up', 'FR,7,2\nDE,3,4\n'],
    ['a missing cell above a number', 'NA,1,2\n5,3,9\n'],
    ['rows that count up', '1,2,yes\n3,4,0\n'],
    ['one row', 'FR,2019,2020\n'],
  ])('not: %s', async (_, text) => {
    const { text: form, rows } = await peekTable(text, { format: 'csv' })
    expect(form?.header).toBe(false)
    expect(rows.length).toBe(text.trim().split('\n').length)
  })
})

describe('whole numbers beyond 2^53', () => {
  const rows = (cells: string[]) => `n,y\n${cells.map((cell, i) => `${cell},${i % 2}\n`).join('')}`

  test('in a column are said to be rounded', async () => {
    const said = await lines(rows(['9007199254740993', '9007199254740995', '5']))
    expect(said).toContain(
      "n: number (whole numbers beyond 2^53 are rounded (columns: { … : 'category' } or 'ignored' if they are ids))",
    )
    expect(await lines(rows(['9007199254740992', '10000000000000000000', '5']))).toEqual(['y: label'])
  })

  test('in labels too, unless they are kept as text', async () => {
    const text = 'a,y\n1,9007199254740993\n2,9007199254740992\n'
    expect(await lines(text)).toContain('labels: whole numbers beyond 2^53 are rounded')
    const { labels, report } = await parseDataset(text, { format: 'csv', labels: 'string' })
    expect(labels).toEqual(['9007199254740993', '9007199254740992'])
    expect(report.notes).toEqual([])
  })
})

test('a missing label says how to leave such rows out', async () => {
  const text = 'a,y\n1,\n2,1\n3,0\n'
  await expect(parseDataset(text, { format: 'csv' })).rejects.toThrow(
    `<input>:2:2: label in column "y" is missing; use fill: 'drop' to leave out such rows`,
  )
  expect((await parseDataset(text, { format: 'csv', fill: 'drop' })).report.dropped).toBe(1)
  // Numbers alone are never left out.
  await expect(parseDataset(text, { format: 'csv', columns: 'number' })).rejects.toThrow(/is missing$/)
})

describe('lines that start with #', () => {
  const cause = 'the line starts with #, but CSV has no comments; remove such lines'

  test.each([
    ['before the header', '# measured, 2024\na,b,y\n1,2,0\n', 1],
    ['a comment of one field', '# measured\na,b,y\n1,2,0\n', 1],
    ['between rows', 'a,b,y\n1,2,0\n# night\n3,4,1\n', 3],
  ])('%s are named as the cause', async (_, text, line) => {
    await expect(parseDataset(text, { format: 'csv' })).rejects.toThrow(`<input>:${line}: ${cause}`)
  })

  test('may name the first column', async () => {
    expect((await parseDataset('#a,b,y\n1,2,0\n3,4,1\n')).featureNames).toEqual(['#a', 'b'])
  })
})

describe('a first line that names the delimiter', () => {
  test.each([
    ['a semicolon', 'sep=;\r\na;b;y\r\n1,5;2;0\r\n3;4,5;1\r\n'],
    ['a bar, in quotes', '"sep=|"\na|b|y\n1.5|2|0\n3|4.5|1\n'],
    ['a character that is not looked for', '\ufeffSEP=^\na^b^y\n1.5^2^0\n3^4.5^1\n'],
  ])('%s', async (_, text) => {
    const data = await parseDataset(text, { name: 'table.csv' })
    expect(data.featureNames).toEqual(['a', 'b'])
    expect(data.samples).toMatchObject({ rows: 2, values: Float64Array.of(1.5, 2, 3, 4.5) })
    expect(data.report.notes).toContain('the first line names the delimiter (sep=)')
    expect((await peekTable(text, { name: 'table.csv' })).columns.map(({ name }) => name)).toEqual([
      'a',
      'b',
      'y',
    ])
  })

  test('lines are counted with it', async () => {
    await expect(parseDataset('sep=;\na;y\n1;0\n2\n', { name: 'table.csv' })).rejects.toThrow(
      'table.csv:4: 1 field, but the first record has 2',
    )
  })
})

test.each(['rows.jsonl', 'rows.ndjson.gz', 'sheet.xlsx', 'rows.zip', 'rows.csv.zst'])(
  '%s is refused by its ending',
  async (name) => {
    const text = '{"a":1,"y":0}\n{"a":2,"y":1}\n'
    const ending = /\.[a-z]+(?=(\.gz)?$)/.exec(name)?.[0]
    const words = `${name}: ${ending} files cannot be read, only LIBSVM text, CSV, TSV and Parquet`
    await expect(parseDataset(text, { name })).rejects.toThrow(words)
    await expect(parseDataset(text, { name, columns: 'number' })).rejects.toThrow(words)
    // The ending does not matter where the format is given.
    expect((await parseDataset('a,y\n1,0\n2,1\n', { name, format: 'csv' })).samples.rows).toBe(2)
  },
)
