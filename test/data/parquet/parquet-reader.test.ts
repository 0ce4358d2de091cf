import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { HyperplaneError } from '../../../src/base/errors.ts'
import { Random } from '../../../src/base/random.ts'
import { parseDataset } from '../../../src/data/files/parse-dataset.ts'
import { parseVectors, type VectorOptions } from '../../../src/data/files/parse-vectors.ts'
import type { Table } from '../../../src/data/table/table.ts'
import { type DuckDb, installedTool } from '../../installed-tools.ts'
import { randomParquet } from '../../torture/parquet-files.ts'

function parquet(columnData: ColumnSource[], rowGroupSize?: number): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, ...(rowGroupSize && { rowGroupSize }) }))
}

test('numbers of all kinds are features, text is a label', async () => {
  const data = await parseVectors(
    parquet([
      { name: 'double', data: [0.1, -1e300, 5e-324], type: 'DOUBLE' },
      { name: 'float', data: [0.5, 0.25, 3], type: 'FLOAT' },
      { name: 'class', data: ['x', 'y', 'x'], type: 'STRING' },
      { name: 'int', data: [1, -2, 3], type: 'INT32' },
      { name: 'long', data: [1n, -(2n ** 53n), 7n], type: 'INT64' },
      { name: 'flag', data: [true, false, true], type: 'BOOLEAN' },
    ]),
  )
  expect(data.featureNames).toEqual(['double', 'float', 'int', 'long', 'flag'])
  expect(data.labels).toEqual(['x', 'y', 'x'])
  expect(data.samples).toEqual({
    kind: 'dense',
    rows: 3,
    cols: 5,
    values: Float64Array.of(0.1, 0.5, 1, 1, 1, -1e300, 0.25, -2, -(2 ** 53), 0, 5e-324, 3, 3, 7, 1),
  })
})

const numbered = parquet([
  { name: 'a', data: [1, 2], type: 'DOUBLE' },
  { name: 'b', data: ['3', '4'], type: 'STRING' },
  { name: 'w', data: [0.5, 2], type: 'DOUBLE' },
])

test.each<[VectorOptions, unknown]>([
  [{}, ['3', '4']],
  [{ labels: 'number' }, Float64Array.of(3, 4)],
])('labels with %j', async (options, labels) => {
  const data = await parseVectors(numbered, { labelColumn: 'b', weightColumn: 'w', ...options })
  expect(data.labels).toEqual(labels)
  expect(data.weights).toEqual(Float64Array.of(0.5, 2))
  expect(data.featureNames).toEqual(['a'])
})

test('numeric labels can be kept as text', async () => {
  const bytes = parquet([
    { name: 'a', data: [1, 2], type: 'DOUBLE' },
    { name: 'label', data: [0, 1], type: 'INT32' },
  ])
  expect((await parseVectors(bytes)).labels).toEqual(Float64Array.of(0, 1))
  expect((await parseVectors(bytes, { labels: 'string' })).labels).toEqual(['0', '1'])
})

test('row groups keep their order', async () => {
  const count = 1000
  const a = Array.from({ length: count }, (_, i) => i / 3)
  const label = Array.from({ length: count }, (_, i) => i % 7)
  const bytes = parquet(
    [
      { name: 'a', data: a, type: 'DOUBLE' },
      { name: 'label', data: label, type: 'INT32' },
    ],
    64,
  )
  const data = await parseVectors(bytes)
  expect(data.samples.values).toEqual(Float64Array.from(a))
  expect(data.labels).toEqual(Float64Array.from(label))
})

test('files of all encodings and codecs are read as hyparquet reads them', async () => {
  for (let seed = 1; seed <= 150; seed++) {
    const bytes = randomParquet(new Random(seed))
    const { samples, labels, featureNames } = await parseVectors(bytes)
    const rows = await parquetReadObjects({ file: bytes.slice().buffer as ArrayBuffer, compressors })
    expect(samples.rows).toBe(rows.length)
    const wanted = rows.flatMap((row) => featureNames!.map((name) => Number(row[name])))
    expect(samples.values).toEqual(Float64Array.from(wanted))
    expect(Array.from(labels as ArrayLike<unknown>)).toEqual(rows.map((row) => row.label ?? row.y))
  }
})

test('decimals are rounded once; whole numbers may be unsigned', async () => {
  const schema = [
    { name: 'root', num_children: 3 },
    {
      name: 'price',
      type: 'INT32',
      repetition_type: 'REQUIRED',
      converted_type: 'DECIMAL',
      scale: 1,
      precision: 5,
    },
    { name: 'count', type: 'INT32', repetition_type: 'REQUIRED', converted_type: 'UINT_32' },
    { name: 'y', type: 'INT32', repetition_type: 'REQUIRED' },
  ] as const
  const columnData = [
    { name: 'price', data: [1.1, 0.3] },
    { name: 'count', data: [3, 4_000_000_000] },
    { name: 'y', data: [0, 1] },
  ]
  const bytes = new Uint8Array(parquetWriteBuffer({ columnData, schema: [...schema] }))
  expect((await parseVectors(bytes)).samples.values).toEqual(Float64Array.of(1.1, 3, 0.3, 4_000_000_000))
})

test('columns with the same name are two columns', async () => {
  const bytes = parquet([
    { name: 'a', data: [1, 2], type: 'DOUBLE' },
    { name: 'a', data: [3, 4], type: 'DOUBLE' },
    { name: 'y', data: [0, 1], type: 'INT32' },
  ])
  expect((await parseVectors(bytes)).samples.values).toEqual(Float64Array.of(1, 3, 2, 4))
})

test('missing values are found, dates are neither numbers nor text', async () => {
  const missing = parquet([
    { name: 'a', data: [1, null, 3], type: 'DOUBLE', nullable: true },
    { name: 'y', data: [0, 1, 0], type: 'INT32' },
  ])
  await expect(parseVectors(missing)).rejects.toThrow('row 2, column "a" is missing')
  const dates = parquet([
    { name: 'a', data: [new Date(0), new Date(1e9)], type: 'TIMESTAMP' },
    { name: 'y', data: [0, 1], type: 'INT32' },
  ])
  await expect(parseVectors(dates)).rejects.toThrow('column "a" is of type TIMESTAMP')
  await expect(parseVectors(dates)).rejects.toThrow(HyperplaneError)
})

test('lists of numbers, also those that are missing, are vectors', async () => {
  const schema = [
    { name: 'root', num_children: 2 },
    { name: 'e', converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'FLOAT', repetition_type: 'OPTIONAL' },
    { name: 'y', type: 'INT32', repetition_type: 'REQUIRED' },
  ] as const
  const lists = (data: unknown[]) => {
    const columnData = [
      { name: 'e', data },
      { name: 'y', data: data.map((_, i) => i % 2) },
    ]
    return new Uint8Array(
      parquetWriteBuffer({ columnData: columnData as never, schema: [...schema], rowGroupSize: 2 }),
    )
  }
  const { samples, report } = await parseDataset(lists([[1, 0.5], null, [-2, 3], [4, 5], null]))
  expect(report.columns).toEqual([{ name: 'e', kind: 'vector', chosen: false, missing: 2 }])
  const nothing = Number.NaN
  expect((samples as Table).columns[0].values).toEqual(
    Float64Array.of(1, 0.5, nothing, nothing, -2, 3, 4, 5, nothing, nothing),
  )
  const uneven = await parseDataset(lists([[1], [2, 3]]))
  expect(uneven.report.columns[0]).toMatchObject({
    kind: 'ignored',
    reason: 'its lists have different lengths, such as 1 and 2',
  })
  await expect(parseDataset(lists([[1, null]]))).rejects.toThrow('must be a list of finite numbers')
  await expect(parseVectors(lists([[1, 2]]))).rejects.toThrow('column "e" is nested')
})

test('lists of numbers are vectors, structures are ignored, ignored columns need not be readable', async () => {
  const duckdb = installedTool<DuckDb>('@duckdb/node-api')
  if (!duckdb) return
  const path = join(mkdtempSync(join(tmpdir(), 'hyperplane-')), 'lists.parquet')
  const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect()
  for (const version of ['v1', 'v2']) {
    await connection.run(`
      copy (
        select i::float[2] as e, i[1] as first, {'a': 1, 'b': [i]} as s, map {'k': 1} as m, list_resize([1, 2], i[1]::int % 3) as odd,
          ['x', 'y'] as words, case when i[1] % 7 = 0 then null else i end as holes,
          timestamptz '2024-02-29 12:00:00+00' + to_days(i[1]::int) as at, if(i[1] % 2 = 0, 'even', 'odd') as y
        from (select [k, k / 4]::double[] as i from range(3000) t(k))
      ) to '${path}' (format parquet, parquet_version ${version}, row_group_size 2048, compression zstd)`)
    const { samples, report, labels } = await parseDataset(readFileSync(path))
    expect(report.columns.map(({ name, kind, reason, missing }) => [name, kind, reason, missing])).toEqual([
      ['e', 'vector', undefined, 0],
      ['first', 'number', undefined, 0],
      ['s', 'ignored', 'its cells are objects', 0],
      ['m', 'ignored', 'its cells are objects', 0],
      ['odd', 'ignored', 'its lists have different lengths, such as 0 and 1', 0],
      ['words', 'ignored', 'its lists do not contain numbers', 0],
      ['holes', 'vector', undefined, 429],
      ['at', 'date', undefined, 0],
    ])
    const [e, first, holes, at] = (samples as Table).columns
    expect(e.values.length).toBe(6000)
    expect(Array.from({ length: 3000 }, (_, k) => [k, k / 4]).flat()).toEqual(
      Array.from(e.values as Float64Array),
    )
    expect(first.values[2999]).toBe(2999)
    expect([holes.values[14], holes.values[15], holes.values[16]]).toEqual([Number.NaN, Number.NaN, 8])
    expect(at.values[1]).toBe(Date.parse('2024-03-01T12:00:00Z'))
    expect(labels[2999]).toBe('odd')
    await expect(parseVectors(readFileSync(path))).rejects.toThrow('column "e" is nested')
    const chosen = { columns: { e: 'ignored', words: 'ignored' }, labelColumn: 'y' } as const
    expect((await parseDataset(readFileSync(path), chosen)).report.columns[0]).toMatchObject({
      kind: 'ignored',
    })
    await expect(parseDataset(readFileSync(path), { columns: { odd: 'vector' } })).rejects.toThrow(
      'row 2, column "odd" must be 0 numbers as in the previous rows, got 1',
    )
  }
  await connection.run(`copy (select [1, null]::double[] as e, 1 as y) to '${path}' (format parquet)`)
  await expect(parseDataset(readFileSync(path))).rejects.toThrow(
    'row 1, column "e" must be a list of finite numbers, got NaN among them',
  )
})
