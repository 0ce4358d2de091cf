/** Tables of the packages that people have, as these packages make them: each goes straight into `fit` and `predict`. */
import {
  bool,
  date,
  decimal,
  fixedSizeList,
  columnFromArray as flechetteColumn,
  float32,
  float64,
  tableFromArrays,
  tableFromColumns,
  timestamp,
  utf8,
} from '@uwdata/flechette'
import * as arrow from 'apache-arrow'
import { table as arquero } from 'arquero'
import { describe, expect, it } from 'vitest'
import { collectTable, makeTable } from '../../../src/data/table/make-table.ts'
import type { Table } from '../../../src/data/table/table.ts'
import type { TableInput } from '../../../src/data/table/table-shapes.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { type DuckDb, installedTool } from '../../installed-tools.ts'

const day = (text: string) => new Date(`${text}T00:00:00Z`)
const embedding = [
  [0.5, 1, -2],
  [1.5, 0, 2],
  [0.25, 1, -1],
  [2, 0.5, 3],
]
const lists = {
  age: [30, null, 40, 52],
  city: ['Rome', 'Oslo', null, 'Rome'],
  member: [true, false, true, null],
  since: [day('2024-02-29'), day('2023-01-01'), null, day('1969-07-20')],
  price: [12.5, -3.25, 0, 1e6],
  left: ['no', 'yes', 'no', 'yes'],
}
const names = Object.keys(lists) as (keyof typeof lists)[]
const records = lists.age.map((_, i) => ({
  ...Object.fromEntries(names.map((name) => [name, lists[name][i]])),
  embedding: embedding[i],
}))
/** As our own records make them. */
const wanted = makeTable(records, { label: 'left' })
const estimator = new SVC({ scaler: 'standard' })
const decisions = estimator.fitSync(wanted).decisionFunction(records)

/** What a table is taken for, what a model of it says of the same table, and of records. */
async function expectSame(table: unknown): Promise<void> {
  const made = makeTable(table as TableInput, { label: 'left' })
  expect(made.report).toEqual(wanted.report)
  expect(made.labels).toEqual(wanted.labels)
  expect((made.samples as Table).columns).toEqual((wanted.samples as Table).columns)
  const model = await estimator.fit(table as TableInput, 'left')
  expect(model.decisionFunction(table as TableInput)).toEqual(decisions)
  expect(model.decisionFunction(records)).toEqual(decisions)
}

describe('Arrow', () => {
  it('apache-arrow: dictionaries, timestamps of any unit, decimals, lists of floats', async () => {
    const since = (type: arrow.DataType) =>
      arrow.vectorFromArray(lists.since as never, type as arrow.TimestampMillisecond)
    for (const type of [
      new arrow.TimestampSecond(),
      new arrow.TimestampMillisecond(),
      new arrow.TimestampMicrosecond(),
      new arrow.TimestampNanosecond(),
      new arrow.DateDay(),
      new arrow.DateMillisecond(),
    ]) {
      const cents = lists.price.map((price) => {
        const whole = BigInt(price * 100)
        return Uint32Array.from([0n, 32n, 64n, 96n], (bits) => Number(BigInt.asUintN(32, whole >> bits)))
      })
      await expectSame(
        new arrow.Table({
          age: arrow.vectorFromArray(lists.age, new arrow.Float64()),
          city: arrow.vectorFromArray(lists.city, new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32())),
          member: arrow.vectorFromArray(lists.member, new arrow.Bool()),
          since: since(type),
          price: arrow.vectorFromArray(cents, new arrow.Decimal(2, 12, 128)),
          left: arrow.vectorFromArray(lists.left, new arrow.Utf8()),
          embedding: arrow.vectorFromArray(
            embedding,
            new arrow.FixedSizeList(3, new arrow.Field('item', new arrow.Float32())),
          ),
        }),
      )
    }
  })

  it('apache-arrow: a table of several batches, from its file format', async () => {
    const plain = { a: Float64Array.of(1, 2, 3, 4), y: ['p', 'q', 'p', 'q'] }
    const bytes = arrow.tableToIPC(arrow.tableFromArrays(plain))
    const twice = arrow.tableFromIPC(bytes).concat(arrow.tableFromIPC(bytes))
    const { samples, labels } = makeTable(twice as TableInput, { label: 'y' })
    expect(labels).toEqual([...plain.y, ...plain.y])
    expect(samples).toMatchObject({ kind: 'dense', rows: 8, values: Float64Array.of(1, 2, 3, 4, 1, 2, 3, 4) })
  })

  it('flechette', async () => {
    await expectSame(tableFromArrays({ ...lists, embedding } as never))
    const column = (cells: readonly unknown[], type: never) => flechetteColumn(cells as never[], type)
    const typed = tableFromColumns({
      age: column(lists.age, float64() as never),
      city: column(lists.city, utf8() as never),
      member: column(lists.member, bool() as never),
      since: column(lists.since, timestamp(2) as never),
      price: column(lists.price, decimal(12, 2) as never),
      left: column(lists.left, utf8() as never),
      embedding: column(embedding, fixedSizeList(float32(), 3) as never),
    } as never)
    await expectSame(typed)
    expect(
      makeTable({ since: column(lists.since, date(0) as never).toArray(), y: [1, 0, 1, 0] } as never).report
        .columns[0].kind,
    ).toBeDefined()
  })
})

it('Arquero: a table, and what its verbs leave', async () => {
  await expectSame(arquero({ ...lists, embedding }))
  const more = arquero({ ...lists, embedding }).concat(
    arquero({
      ...{ age: [1], city: ['Paris'], member: [true], since: [null], price: [-1], left: ['no'] },
      embedding: [[0, 0, 0]],
    }),
  )
  const left = more.filter('d => d.city !== "Paris"')
  expect(left.numRows()).toBe(4)
  await expectSame(left)
})

describe('DuckDB', () => {
  const duckdb = installedTool<DuckDb>('@duckdb/node-api')
  const query = `
    select * from (values
      (30, 'Rome', true, timestamp '2024-02-29', 12.5, 'no', [0.5, 1, -2]),
      (null, 'Oslo', false, timestamp '2023-01-01', -3.25, 'yes', [1.5, 0, 2]),
      (40, null, true, null, 0, 'no', [0.25, 1, -1]),
      (52, 'Rome', null, timestamp '1969-07-20', 1000000, 'yes', [2, 0.5, 3])
    ) t(age, city, member, since, price, "left", embedding)`
  const typed = (columns: string) => query.replace('*', columns)
  const asNumbers = 'age, city, member, since, price, "left", embedding::double[] as embedding'
  const asOthers =
    "age::bigint as age, city::enum('Oslo', 'Rome') as city, member, since::date as since, price::decimal(12, 2) as price, \"left\", embedding::float[3] as embedding"

  it.each([
    ['doubles, timestamps, lists', asNumbers],
    ['64-bit whole numbers, enumerations, dates, decimals, arrays', asOthers],
  ])('a reader of a result: %s', async (_, columns) => {
    if (!duckdb) return
    const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect()
    await expectSame(await connection.runAndReadAll(typed(columns)))
    const reader = await connection.runAndReadAll(typed(columns))
    await expectSame(reader.getRowObjects())
    await expectSame(reader.getRowObjectsJS())
    await expectSame(reader.getColumnsObject())
    const rows = (await connection.stream(typed(columns))).yieldRowObjectJs()
    const collected = await collectTable(rows as never, { label: 'left' })
    expect(collected.samples).toEqual(wanted.samples)
    connection.closeSync()
  })
})

describe('nodejs-polars', () => {
  const polars = installedTool<{ DataFrame(columns: object): unknown }>('nodejs-polars', 22)

  it('a data frame', async () => {
    if (polars) await expectSame(polars.DataFrame({ ...lists, embedding }))
  })
})
