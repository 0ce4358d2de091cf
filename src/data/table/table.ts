/**
 * Tables: named columns of cells, each column of one kind. Plain data, as matrices are. What becomes of a column (which
 * categories, which median) is not decided here but learned from the training rows: ../preparation/.
 */
import { allocate } from '../../base/allocate.ts'
import { pickNumbers } from '../../base/lists.ts'

/** What the cells of a column are. */
export const columnKinds = ['number', 'boolean', 'category', 'ordinal', 'date', 'text', 'vector'] as const

/** See {@link columnKinds}. */
export type ColumnKind = (typeof columnKinds)[number]

/** The order of day, month and year in dates that are written as text. */
export const dateFormats = ['ymd', 'dmy', 'mdy'] as const

/** See {@link dateFormats}. */
export type DateFormat = (typeof dateFormats)[number]

/** What can be made of a date; `epoch` is days since 1970, `weekday` counts from Monday, 0. All are in UTC. */
export const dateParts = ['epoch', 'year', 'month', 'day', 'weekday', 'hour'] as const

/** See {@link dateParts}. */
export type DatePart = (typeof dateParts)[number]

/** How to fill a missing cell; `drop` leaves its row out of the training data. */
export type Fill = 'median' | 'most-frequent' | 'drop' | { readonly value: number | string }

/** What becomes of a category that training did not see: no feature is set, an error, or the most frequent one. */
export const unseenPolicies = ['ignore', 'error', 'most-frequent'] as const

/** See {@link unseenPolicies}. */
export type Unseen = (typeof unseenPolicies)[number]

/** How a column becomes features; settings that do not apply to its kind are ignored. */
export interface ColumnSettings {
  /** Default: the median of numbers and dates, the most frequent value of booleans and categories. */
  readonly fill?: Fill
  /** Add a feature that says whether the cell was missing. Default false. */
  readonly indicator?: boolean
  /**
   * For categories and ordinal columns. Default 'ignore': no feature is set or, in an ordinal column, the cell counts as
   * missing.
   */
  readonly unseen?: Unseen
  /** Maximum number of categories with a feature; the most frequent ones are kept. Default 1000. */
  readonly maxCategories?: number
  /** The values of an ordinal column, the smallest first. */
  readonly order?: readonly string[]
  /** Unit of the numbers, such as $, % or kg. Default: the unit that all cells have. */
  readonly unit?: string
  /** Features made from a date. Default ['epoch']. */
  readonly parts?: readonly DatePart[]
  /** Order of day, month and year. Default: inferred from the cells. */
  readonly dateFormat?: DateFormat
  /** How terms are counted: by a vocabulary with the rarity of each term, or by hash values. Default 'tf-idf'. */
  readonly vectorizer?: 'tf-idf' | 'hashing'
  /** Whether text is split into words or characters. Default 'word'. */
  readonly analyzer?: 'word' | 'char'
  /** Shortest and longest sequence of words (or characters) to count. Default [1, 1]. */
  readonly ngrams?: readonly [min: number, max: number]
  /** Maximum number of features of a text column. Default 20000, or 65536 with hashing. */
  readonly maxFeatures?: number
}

/** The choice for a column: its kind, `ignored`, or settings with or without a kind; without one, the kind is inferred. */
export type ColumnChoice =
  | ColumnKind
  | 'ignored'
  | ({ readonly kind?: ColumnKind | 'ignored' } & ColumnSettings)

interface AnyColumn {
  readonly name: string
  readonly settings: ColumnSettings
}

/** Cells that are kept as numbers: dates are milliseconds since 1970, truth values 0 and 1. NaN where one is missing. */
export interface NumberColumn extends AnyColumn {
  readonly kind: 'number' | 'boolean' | 'date'
  readonly values: Float64Array
}

/** Text cells; null if missing. */
export interface TextColumn extends AnyColumn {
  readonly kind: 'category' | 'ordinal' | 'text'
  readonly values: readonly (string | null)[]
}

/** Cells that are lists of the same number of numbers, such as embeddings, row-major; NaN where one is missing. */
export interface VectorColumn extends AnyColumn {
  readonly kind: 'vector'
  readonly width: number
  readonly values: Float64Array
}

/** A column of a {@link Table}. */
export type Column = NumberColumn | TextColumn | VectorColumn

/** Named columns of equal length. Make one with `makeTable`, `parseDataset` or `readDataset`. */
export interface Table {
  readonly kind: 'table'
  readonly rows: number
  readonly columns: readonly Column[]
  /** Name of the column that the labels came from. */
  readonly label?: string
}

/** True for our own tables. */
export function isTable(value: unknown): value is Table {
  return (value as { kind?: unknown } | null)?.kind === 'table'
}

/** The chosen rows, in the order given (repeats allowed). */
export function selectTableRows(table: Table, chosen: ArrayLike<number>): Table {
  const list = Array.from(chosen)
  const columns = table.columns.map((column): Column => {
    if (column.kind === 'vector') {
      const { width, values: all } = column
      const values = allocate(Float64Array, list.length * width)
      list.forEach((i, r) => {
        values.set(all.subarray(i * width, (i + 1) * width), r * width)
      })
      return { ...column, values }
    }
    if (column.values instanceof Float64Array) {
      return { ...(column as NumberColumn), values: pickNumbers(column.values, chosen) }
    }
    const { values } = column
    return { ...(column as TextColumn), values: list.map((i) => values[i]) }
  })
  return { ...table, rows: list.length, columns }
}

/** Whether cell i of a column is missing. */
export function isMissingAt(column: Column, i: number): boolean {
  if (column.kind === 'vector') return Number.isNaN(column.values[i * column.width])
  return column.values instanceof Float64Array ? Number.isNaN(column.values[i]) : column.values[i] === null
}

/** How many cells of a column are missing. */
export function missingCells(column: Column, rows: number): number {
  let count = 0
  for (let i = 0; i < rows; i++) if (isMissingAt(column, i)) count++
  return count
}

/** The cells of a column as they would stand in a record. */
export function cellsOf(column: Column, rows: number): unknown[] {
  return Array.from({ length: rows }, (_, i) => {
    if (isMissingAt(column, i)) return null
    if (column.kind === 'vector') return column.values.subarray(i * column.width, (i + 1) * column.width)
    if (column.kind === 'date') return new Date(column.values[i])
    if (column.kind === 'boolean') return column.values[i] === 1
    return column.values[i]
  })
}
