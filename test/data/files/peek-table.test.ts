import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { parseDataset } from '../../../src/data/files/parse-dataset.ts'
import { peekTable } from '../../../src/data/files/peek-table.ts'

const latin = Buffer.from(
  'id;age;city;since;class\n1;29,5;Zürich;03.04.2020;a\n2;;Bern;15.06.2021;b\n',
  'latin1',
)

test('tells how text is written and what columns look like, as reading does', async () => {
  const { format, text, columns, label, rows } = await peekTable(latin, { name: 'people.csv' })
  expect({ format, text, label }).toEqual({
    format: 'csv',
    text: { encoding: 'latin1', delimiter: ';', decimal: ',', header: true },
    label: 4,
  })
  expect(rows[1]).toEqual(['2', '', 'Bern', '15.06.2021', 'b'])
  const { report } = await parseDataset(latin, { name: 'people.csv' })
  expect(columns.slice(0, 4).map(({ name, kind, reason }) => ({ name, kind, reason }))).toEqual(
    report.columns.map(({ name, kind, reason }) => ({ name, kind, reason })),
  )
})

test('does what it is told about text, and returns as many rows as are wanted', async () => {
  const text = '1,5;2\n3,5;4\n5,5;6\n'
  const told = await peekTable(text, { delimiter: ',', rows: 2 })
  expect(told.columns).toHaveLength(2)
  expect(told.rows).toEqual([
    ['1', '5;2'],
    ['3', '5;4'],
  ])
  const { text: form, columns, label } = await peekTable(text, { decimal: '.' })
  expect(form).toEqual({ encoding: 'utf-8', delimiter: ';', decimal: '.', header: false })
  expect(columns.map(({ name }) => name)).toEqual(['0', '1'])
  expect(label).toBe(1)
  const long = `a,b\n${'1,2\n'.repeat(12_000)}`
  expect((await peekTable(long, { rows: Number.POSITIVE_INFINITY })).rows).toHaveLength(12_000)
  expect((await peekTable(long)).rows).toHaveLength(10)
})

test('looks at files that cannot be read, and refuses what has no rows', async () => {
  const ragged = 'a,b,class\n1,2,x\n3,y\n'
  await expect(parseDataset(ragged, { format: 'csv' })).rejects.toThrow('2 fields, but')
  expect((await peekTable(ragged, { format: 'csv' })).rows).toEqual([
    ['1', '2', 'x'],
    ['3', 'y'],
  ])
  await expect(peekTable('', { name: 'e.csv' })).rejects.toThrow('e.csv: no samples')
  await expect(peekTable(ragged, { rows: -1 })).rejects.toThrow('rows must be')
  await expect(peekTable(ragged, { encoding: 'ebcdic' as never })).rejects.toThrow('encoding must be')
})

test('knows Parquet and LIBSVM text', async () => {
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'size', data: [1.5, 2.5, 3], type: 'DOUBLE' },
        { name: 'class', data: ['x', 'y', 'x'], type: 'STRING' },
      ],
    }),
  )
  expect(await peekTable(bytes, { rows: 2 })).toEqual({
    format: 'parquet',
    columns: [
      { name: 'size', kind: 'number' },
      { name: 'class', kind: 'category' },
    ],
    label: 1,
    rows: [
      [1.5, 'x'],
      [2.5, 'y'],
    ],
  })
  expect(await peekTable('+1 1:2 3:4\n-1 2:1\n', { rows: 1 })).toEqual({
    format: 'libsvm',
    columns: [],
    rows: [['+1 1:2 3:4']],
  })
})
