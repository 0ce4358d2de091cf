import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { HyperplaneError } from '../../../src/base/errors.ts'
import { Random } from '../../../src/base/random.ts'
import { parseDataset, type ReadOptions } from '../../../src/data/files/parse-dataset.ts'
import { randomParquet } from '../../torture/parquet-files.ts'

function parquet(columnData: ColumnSource[], rowGroupSize?: number): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, ...(rowGroupSize && { rowGroupSize }) }))
}

test('numbers of all kinds are features, text is a label', async () => {
  const data = await parseDataset(
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

test.each<[ReadOptions, unknown]>([
  [{}, ['3', '4']],
  [{ labels: 'number' }, Float64Array.of(3, 4)],
])('labels with %j', async (options, labels) => {
  const data = await parseDataset(numbered, { labelColumn: 'b', weightColumn: 'w', ...options })
  expect(data.labels).toEqual(labels)
  expect(data.weights).toEqual(Float64Array.of(0.5, 2))
  expect(data.featureNames).toEqual(['a'])
})

test('numeric labels can be kept as text', async () => {
  const bytes = parquet([
    { name: 'a', data: [1, 2], type: 'DOUBLE' },
    { name: 'label', data: [0, 1], type: 'INT32' },
  ])
  expect((await parseDataset(bytes)).labels).toEqual(Float64Array.of(0, 1))
  expect((await parseDataset(bytes, { labels: 'string' })).labels).toEqual(['0', '1'])
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
  const data = await parseDataset(bytes)
  expect(data.samples.values).toEqual(Float64Array.from(a))
  expect(data.labels).toEqual(Float64Array.from(label))
})

test('files of all encodings and codecs are read as hyparquet reads them', async () => {
  for (let seed = 1; seed <= 150; seed++) {
    const bytes = randomParquet(new Random(seed))
    const { samples, labels, featureNames } = await parseDataset(bytes)
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
  expect((await parseDataset(bytes)).samples.values).toEqual(Float64Array.of(1.1, 3, 0.3, 4_000_000_000))
})

test('columns with the same name are two columns', async () => {
  const bytes = parquet([
    { name: 'a', data: [1, 2], type: 'DOUBLE' },
    { name: 'a', data: [3, 4], type: 'DOUBLE' },
    { name: 'y', data: [0, 1], type: 'INT32' },
  ])
  expect((await parseDataset(bytes)).samples.values).toEqual(Float64Array.of(1, 3, 2, 4))
})

test('missing values are found, dates are neither numbers nor text', async () => {
  const missing = parquet([
    { name: 'a', data: [1, null, 3], type: 'DOUBLE', nullable: true },
    { name: 'y', data: [0, 1, 0], type: 'INT32' },
  ])
  await expect(parseDataset(missing)).rejects.toThrow('row 2, column "a" is missing')
  const dates = parquet([
    { name: 'a', data: [new Date(0), new Date(1e9)], type: 'TIMESTAMP' },
    { name: 'y', data: [0, 1], type: 'INT32' },
  ])
  await expect(parseDataset(dates)).rejects.toThrow('column "a" is of type TIMESTAMP')
  await expect(parseDataset(dates)).rejects.toThrow(HyperplaneError)
})
