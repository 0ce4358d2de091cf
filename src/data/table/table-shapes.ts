/**
 * Named columns in whatever shape they come: by what an object can do, not by its class. So tables of other packages need
 * neither be imported nor converted.
 */
import { DataError, show } from '../../base/errors.ts'
import { isMatrix } from '../matrix/matrix.ts'
import { type Column, isTable, type Table } from './table.ts'

/** One row by name: any object that is not a list. Objects of an interface or a class have no index signature, hence the second part. */
export type TableRecord =
  | Readonly<Record<string, unknown>>
  | (object & { readonly [Symbol.iterator]?: never })

/** Columns by name: lists of the same number of cells. */
export type ColumnLists = Readonly<Record<string, ArrayLike<unknown>>>

/** A column of an Arrow table. */
export interface ArrowColumnLike {
  readonly length: number
  get?(i: number): unknown
  at?(i: number): unknown
}

/**
 * A table of another package, recognised by its methods. One of these groups is there: `getChild`, `schema` and `numRows` of
 * Arrow
 * (apache-arrow, @uwdata/flechette, and what DuckDB-Wasm returns), `columnNames` and `array` of Arquero, `toRecords` of
 * nodejs-polars, `getColumnsObjectJS` of the readers of @duckdb/node-api.
 */
export interface ForeignTable {
  readonly numRows?: number | (() => number)
  readonly schema?: unknown
  getChild?(name: string): ArrowColumnLike | null | undefined
  columnNames?(): string[]
  array?(name: string): ArrayLike<unknown>
  toRecords?(): unknown[]
  getColumnsObjectJS?(): ColumnLists
  getColumnsObject?(): ColumnLists
}

/** Anything with named columns: our tables, records, columns of arrays, tables of other packages. */
export type TableInput = Table | readonly TableRecord[] | ColumnLists | ForeignTable

/** Named columns; those of our own tables are as they are, others lists of cells. */
export interface Tabular {
  readonly rows: number
  readonly names: readonly string[]
  column(name: string): Column | ArrayLike<unknown> | undefined
}

/** Whether something has named columns, as far as its shape tells. */
export function isTabular(value: unknown): value is TableInput {
  if (typeof value !== 'object' || value === null || isMatrix(value)) return false
  if (Array.isArray(value)) return value.length > 0 && isRecord(value[0])
  return isTable(value) || isForeignTable(value) || isColumnLists(value)
}

/** The columns of anything that {@link isTabular}. */
export function tabularOf(input: TableInput): Tabular {
  if (isTable(input)) {
    const { rows, columns } = input
    return {
      rows,
      names: columns.map(({ name }) => name),
      column: (wanted) => columns.find(({ name }) => name === wanted),
    }
  }
  if (Array.isArray(input)) return ofRecords(input)
  const table = input as ForeignTable
  if (table.getChild) return ofArrow(table)
  if (table.columnNames && table.array) return ofArquero(table)
  if (table.toRecords) return ofRecords(table.toRecords() as TableRecord[])
  if (table.getColumnsObjectJS) return ofLists(table.getColumnsObjectJS())
  if (table.getColumnsObject) return ofLists(table.getColumnsObject())
  if (isColumnLists(input)) return ofLists(input)
  throw new DataError(
    `a table must be records, columns by name, or an Arrow, Arquero, Polars or DuckDB table, got ${show(input)}`,
  )
}

function ofRecords(records: readonly TableRecord[]): Tabular {
  const names = new Set<string>()
  records.forEach((record, i) => {
    if (!isRecord(record)) {
      throw new DataError(`row ${i + 1} must be an object with a value for each column, got ${show(record)}`)
    }
    for (const name of Object.keys(record)) names.add(name)
  })
  return {
    rows: records.length,
    names: [...names],
    column: (name) =>
      names.has(name)
        ? (records as readonly Readonly<Record<string, unknown>>[]).map((record) => record[name])
        : undefined,
  }
}

function ofLists(lists: ColumnLists): Tabular {
  const names = Object.keys(lists)
  const rows = names.length === 0 ? 0 : lists[names[0]].length
  const odd = names.find((name) => lists[name].length !== rows)
  if (odd !== undefined) {
    throw new DataError(
      `column ${show(odd)} has ${lists[odd].length} cells, but column ${show(names[0])} has ${rows}`,
    )
  }
  return { rows, names, column: (name) => (Object.hasOwn(lists, name) ? lists[name] : undefined) }
}

function ofArrow(table: ForeignTable): Tabular {
  const { fields } = table.schema as { fields: readonly { name: string; type?: unknown }[] }
  const rows = table.numRows as number
  return {
    rows,
    names: fields.map(({ name }) => name),
    column(wanted) {
      const field = fields.find(({ name }) => name === wanted)
      const column = field && table.getChild?.(wanted)
      if (!column) return undefined
      const cellOf = arrowCell(field.type)
      return Array.from({ length: rows }, (_, i) => cellOf(column.get ? column.get(i) : column.at?.(i)))
    },
  }
}

/** Arrow's numbers of types: Decimal, Date and Timestamp; apache-arrow has -13 to -18 for units of the last two. */
const arrowTypes = { decimal: 7, date: 8, timestamp: 10 }

/** What a value of an Arrow column is, where its type says more than the value. */
function arrowCell(type: unknown): (value: unknown) => unknown {
  const { typeId = 0, scale = 0 } = Object(type) as { typeId?: number; scale?: number }
  if (typeId === arrowTypes.date || typeId === arrowTypes.timestamp || (typeId <= -13 && typeId >= -18)) {
    return (value) =>
      typeof value === 'number' || typeof value === 'bigint' ? new Date(Number(value)) : value
  }
  if (typeId === arrowTypes.decimal) {
    return (value) => (value instanceof Uint32Array ? { value: wholeNumber(value), scale } : value)
  }
  return (value) => value
}

/** A whole number in two's complement, its lowest 32 bits first. */
function wholeNumber(words: Uint32Array): bigint {
  const whole = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n)
  return BigInt.asIntN(32 * words.length, whole)
}

function ofArquero(table: ForeignTable): Tabular {
  const names = table.columnNames?.() ?? []
  return {
    rows: (table.numRows as () => number)(),
    names,
    column: (name) => (names.includes(name) ? table.array?.(name) : undefined),
  }
}

function isForeignTable(value: object): boolean {
  const { getChild, columnNames, toRecords, getColumnsObjectJS, getColumnsObject } = value as Record<
    string,
    unknown
  >
  return [getChild, columnNames, toRecords, getColumnsObjectJS, getColumnsObject].some(
    (method) => typeof method === 'function',
  )
}

function isRecord(value: unknown): value is TableRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !ArrayBuffer.isView(value) &&
    !(value instanceof Date)
  )
}

/** Columns of arrays: a plain object all of whose values are lists. */
function isColumnLists(value: object): value is ColumnLists {
  const lists = Object.values(value)
  return (
    Object.getPrototypeOf(value) === Object.prototype &&
    lists.length > 0 &&
    !('shape' in value) &&
    lists.every((list) => Array.isArray(list) || (ArrayBuffer.isView(list) && 'length' in list))
  )
}
