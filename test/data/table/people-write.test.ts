/** Cells as people write them: units, currencies, months by name, strokes for nothing, codes with leading zeros. */
import { expect, it } from 'vitest'
import { parseDataset } from '../../../src/data/files/parse-dataset.ts'
import { describePreparation } from '../../../src/data/preparation/describe-preparation.ts'
import { dateFromText } from '../../../src/data/table/cells.ts'
import type { Column } from '../../../src/data/table/table.ts'
import '../../../src/models/machines/use-tables.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { formatJsonModel } from '../../../src/models/files/format-json-model.ts'
import { parseModel } from '../../../src/models/files/parse-model.ts'
import { crossValidate } from '../../../src/selection/score/cross-validate.ts'

/** What columns of cells are taken for, and their values. */
async function read(columns: Readonly<Record<string, readonly string[]>>, delimiter = ';') {
  const names = Object.keys(columns)
  const rows = columns[names[0]].map((_, i) => [...names.map((name) => columns[name][i]), i % 2 ? 'a' : 'b'])
  const text = [[...names, 'label'], ...rows].map((row) => row.join(delimiter)).join('\n')
  const data = await parseDataset(text, { format: 'csv', delimiter })
  const said = Object.fromEntries(data.report.columns.map(({ name, kind, reason }) => [name, [kind, reason]]))
  const table = 'columns' in data.samples ? data.samples.columns : []
  const values = Object.fromEntries(
    table.map(({ name, values: own }: Column) => [name, Array.from<unknown>(own)]),
  )
  return { data, said, values }
}

it('reads numbers with one unit, and says which', async () => {
  const { said, values } = await read({
    price: ['$1,234.50', '-$3', '($20)', '$7'],
    share: ['12.5 %', '3 %', '0 %', '100 %'],
    weight: ['80 kg', '7 kg', '65 kg', '1 kg'],
    speed: ['80km/h', '7km/h', '65km/h', '1km/h'],
    mixed: ['$5', '€5', '$6', '€7'],
    seat: ['12A', '13A', '14A', '12A'],
    change: ['\u22120.5', '1', '2', '-3'],
  })
  expect(said).toMatchObject({
    price: ['number', 'in $'],
    share: ['number', 'in %'],
    weight: ['number', 'in kg'],
    speed: ['number', 'in km/h'],
    mixed: ['category', undefined],
    seat: ['category', undefined],
    change: ['number', undefined],
  })
  expect(values).toMatchObject({
    price: [1234.5, -3, -20, 7],
    share: [12.5, 3, 0, 100],
    weight: [80, 7, 65, 1],
    change: [-0.5, 1, 2, -3],
  })
})

it('reads decimal commas beside units, and a target with one', async () => {
  const text = ['qm;Preis', '80,5;1.234,50 €', '60,0;900,00 €', '70,5;1.000,00 €'].join('\n')
  const { labels, report } = await parseDataset(text, { format: 'csv' })
  expect(Array.from<unknown>(labels)).toEqual([1234.5, 900, 1000])
  expect(report.notes).toContain('labels are numbers in €')
})

it('keeps the unit in the model: other units are refused, bare numbers are not', async () => {
  const { data } = await read({ weight: ['80 kg', '7 kg', '65 kg', '1 kg'] })
  const fitted = await new SVC().fit(data as never)
  const model = parseModel(formatJsonModel(fitted)) as typeof fitted
  expect(describePreparation(model.preparation)).toEqual(['weight: number in kg'])
  const decide = (weight: unknown) => model.decisionFunction([{ weight }] as never)
  expect(decide('80 kg')).toEqual(decide(80))
  expect(() => decide('80 lb')).toThrow('row 1, column "weight" must be a number in kg, got "80 lb"')
})

it('takes strokes and words for missing among numbers and dates, and says so', async () => {
  const { said, values } = await read({
    age: ['31', '-', '45', 'unknown'],
    since: ['2020-01-01', '2021-01-01', '--', '2022-01-01'],
    sign: ['-', '+', '-', '+'],
    answer: ['yes', 'no', 'unknown', 'yes'],
  })
  expect(said).toEqual({
    age: ['number', '"-" counts as missing'],
    since: ['date', '"--" counts as missing'],
    sign: ['category', undefined],
    answer: ['category', undefined],
  })
  expect(values.age).toEqual([31, Number.NaN, 45, Number.NaN])
})

it('evaluates a column whose few values are in one fold alone', async () => {
  const rows = Array.from({ length: 30 }, (_, i) => i)
  const { data } = await read({
    x: rows.map((i) => String(i % 7)),
    rare: rows.map((i) => (i === 3 ? '7' : '')),
    note: rows.map((i) => (i === 4 ? 'seen' : '')),
  })
  const { scores } = await crossValidate(new SVC({ scaler: 'standard' }), data as never, { folds: 3 })
  expect(scores[0].scores).toHaveLength(3)
})

it('takes codes for categories, crosses for marks, and phone numbers for nothing', async () => {
  const phones = Array.from({ length: 30 }, (_, i) => `+49 30 ${1234567 + 7 * i}`)
  const { said } = await read({
    phone: phones,
    zip: phones.map((_, i) => ['01099', '80331', '04109'][i % 3]),
    marked: phones.map((_, i) => (i % 4 ? '' : 'x')),
    aktiv: phones.map((_, i) => (i % 3 ? 'ja' : 'Nein')),
  })
  expect(said.phone[0]).toBe('ignored')
  expect(said.zip).toEqual(['category', 'digits with leading zeros are codes'])
  expect(said.marked).toEqual(['category', 'at most one value: the feature is whether the cell is missing'])
  expect(said.aktiv).toEqual(['boolean', undefined])
})

it.each([
  ['Jan 5, 2024', '2024-01-05'],
  ['January 5th, 2024', '2024-01-05'],
  ['5-Jan-24', '2024-01-05'],
  ['5. Januar 2024', '2024-01-05'],
  ['31 Dez 1999', '1999-12-31'],
  ['5 Jan 2024 3:45 PM', '2024-01-05T15:45'],
  ['2024-01-05T12:00:00Z', '2024-01-05T12:00'],
])('%s is a date in any order', (text, iso) => {
  for (const format of ['ymd'] as const) {
    expect(dateFromText(text, format)).toBe(Date.parse(iso.includes('T') ? `${iso}Z` : iso))
  }
})

it.each([
  ['5/31/24', 'mdy', '2024-05-31'],
  ['31.05.24', 'dmy', '2024-05-31'],
  ['5/31/2024 12:30 AM', 'mdy', '2024-05-31T00:30'],
  ['1.2.10', 'dmy', undefined],
  ['5 Foo 2024', 'ymd', undefined],
  ['31 Feb 2024', 'ymd', undefined],
] as const)('%s as %s', (text, format, iso) => {
  const value = dateFromText(text, format)
  expect(value).toBe(iso === undefined ? Number.NaN : Date.parse(iso.includes('T') ? `${iso}Z` : iso))
})
