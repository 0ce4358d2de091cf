import { tableFromArrays } from '@uwdata/flechette'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { Matrix as MlMatrix } from 'ml-matrix'
import { describe, expect, it } from 'vitest'
import { parseDataset } from '../../../src/data/files/parse-dataset.ts'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { collectTable, makeTable } from '../../../src/data/table/make-table.ts'
import type { Table } from '../../../src/data/table/table.ts'
import { OneClassSVM } from '../../../src/estimators/one-class-svm.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'

const records = [
  { age: 30, city: 'Rome', member: true, since: new Date('2024-02-29'), left: 'no' },
  { age: null, city: 'Oslo', member: false, since: new Date('2023-01-01'), left: 'yes' },
  { age: 40, city: null, member: true, since: null, left: 'no' },
]
const lists = Object.fromEntries(
  Object.keys(records[0]).map((name) => [name, records.map((record) => record[name as 'age'])]),
) as unknown as Record<string, unknown[]>
const wanted = makeTable(records, { label: 'left' })
const columnNames = () => Object.keys(lists)

describe('named columns in any shape', () => {
  it.each<[string, unknown]>([
    ['columns of arrays', lists],
    ['an Arrow table', tableFromArrays(lists as never)],
    ['an Arquero table', { columnNames, array: (name: string) => lists[name], numRows: () => 3 }],
    ['a Polars frame', { columns: columnNames(), toRecords: () => records }],
    ['a DuckDB reader', { columnNames, getColumnsObjectJS: () => lists }],
    ['another table', wanted.samples],
  ])('%s', (name, source) => {
    const label = name === 'another table' ? ['no', 'yes', 'no'] : 'left'
    const made = makeTable(source as never, { label })
    expect(made.labels).toEqual(wanted.labels)
    expect((made.samples as { columns: unknown }).columns).toEqual(
      (wanted.samples as { columns: unknown }).columns,
    )
    expect(wanted.report.columns.map(({ kind }) => kind)).toEqual(['number', 'category', 'boolean', 'date'])
  })

  it('records that come one after the other', async () => {
    async function* rows() {
      yield records[0]
      yield records.slice(1)
    }
    expect(await collectTable(rows(), { label: 'left' })).toEqual(wanted)
  })

  it('cells of DuckDB: decimals, timestamps, days and lists', () => {
    const { samples } = makeTable({
      price: [
        { value: 1250n, scale: 2, width: 10 },
        { value: 3n, scale: 0, width: 4 },
      ],
      at: [{ micros: 1_700_000_000_000_000n }, null],
      day: [{ days: 1 }, { days: 2 }],
      embedding: [{ items: [1, 2] }, { items: [3, 4] }],
      many: [2n, 3n],
      label: ['a', 'b'],
    })
    const [price, at, day, embedding, many] = (samples as Table).columns
    expect([price.kind, at.kind, day.kind, embedding.kind, many.kind]).toEqual([
      'number',
      'date',
      'date',
      'vector',
      'number',
    ])
    expect(price.values).toEqual(Float64Array.of(12.5, 3))
    expect(at.values).toEqual(Float64Array.of(1_700_000_000_000, Number.NaN))
    expect(embedding.values).toEqual(Float64Array.of(1, 2, 3, 4))
  })

  it('Parquet with missing cells, text and timestamps', async () => {
    const columnData = [
      { name: 'age', data: lists.age, type: 'DOUBLE', nullable: true },
      { name: 'city', data: lists.city, type: 'STRING', nullable: true },
      { name: 'since', data: lists.since, type: 'TIMESTAMP', nullable: true },
      { name: 'left', data: lists.left, type: 'STRING' },
    ]
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData: columnData as never }))
    const { samples, report, labels } = await parseDataset(bytes, { labelColumn: 'left' })
    expect(report.columns.map(({ kind, missing }) => [kind, missing])).toEqual([
      ['number', 1],
      ['category', 1],
      ['date', 1],
    ])
    expect(labels).toEqual(['no', 'yes', 'no'])
    const [, , since] = (samples as Table).columns
    expect(since.values).toEqual(
      Float64Array.of(Date.parse('2024-02-29'), Date.parse('2023-01-01'), Number.NaN),
    )
  })

  it('refuses columns of different lengths, and records that are none', () => {
    expect(() => makeTable({ a: [1, 2], label: [1] })).toThrow(
      'column "label" has 1 cells, but column "a" has 2',
    )
    expect(() => makeTable([{ a: 1, label: 1 }, 7] as never)).toThrow('row 2 must be an object')
    expect(() => makeTable([{ a: 1 }])).toThrow('label is required: the name of a column')
  })
})

describe('fit(X, y)', () => {
  const X = [
    [0, 0],
    [0, 1],
    [2, 2],
    [3, 2],
  ]
  const y = ['a', 'a', 'b', 'b']
  const values = Float32Array.from(X.flat())

  it.each<[string, unknown]>([
    ['lists', X],
    ['a Float32Array with its shape', { values, shape: [4, 2] }],
    ['a tensor', { shape: [4, 2], dataSync: () => values }],
    ['an ndarray', { shape: [4, 2], data: values }],
    ['a matrix of ml-matrix', new MlMatrix(X)],
  ])('takes %s', async (_, rows) => {
    const model = await new SVC().fit(rows as never, y)
    expect(model.predict(rows as never)).toEqual(y)
    expect(toMatrix(rows as never)).toMatchObject({ rows: 4, cols: 2 })
  })

  it('takes records and the name of a column, tensors of labels, and options behind them', async () => {
    const people = X.map(([a, b], i) => ({ a, b: String.fromCharCode(97 + b), y: y[i] }))
    const model = await new SVC().fit(people, 'y', { onProgress: () => {} })
    expect(
      model.predict([
        { b: 'c', a: 3 },
        { a: 0, b: 'a' },
      ]),
    ).toEqual(['b', 'a'])
    const regression = new SVR({ C: 100 }).fitSync(X, { dataSync: () => Float32Array.of(1, 2, 3, 4) })
    expect(regression.predict([[0, 0]])[0]).toBeCloseTo(1, 0)
  })

  it('one class needs no labels, and ignores them', async () => {
    const alone = await new OneClassSVM().fit(X)
    expect((await new OneClassSVM().fit(X, y)).dualCoef).toEqual(alone.dualCoef)
    const named = await new OneClassSVM().fit([
      { a: 1, b: 'x' },
      { a: 2, b: 'y' },
    ])
    expect(named.predict([{ a: 1, b: 'x' }])).toHaveLength(1)
  })
})
