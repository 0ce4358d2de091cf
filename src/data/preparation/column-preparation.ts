/**
 * Tables as matrices. A preparation is fitted to training rows and kept in the model; it finds its columns by name, in
 * whatever order, and does the same to every row it is ever given.
 */

import { allocate } from '../../base/allocate.ts'
import { DataError, show } from '../../base/errors.ts'
import type { Matrix } from '../matrix/matrix.ts'
import { sparseRows } from '../matrix/sparse-rows.ts'
import { MS_PER_DAY } from '../table/cells.ts'
import { ColumnBuilder } from '../table/column-builder.ts'
import { MissingColumnError } from '../table/missing-column-error.ts'
import { type Column, cellsOf, type DatePart, isMissingAt, type Table } from '../table/table.ts'
import { type TableInput, tabularOf } from '../table/table-shapes.ts'
import { type ColumnEncoder, fitEncoder, settingsOfEncoder } from './column-encoder.ts'
import { normalise, termCounts, termHash } from './text-terms.ts'

/** What is known about all columns of a table: plain data that survives JSON. */
export interface ColumnPreparation {
  readonly columns: readonly ColumnEncoder[]
  /** How features are stored. */
  readonly storage: 'dense' | 'sparse'
  /** Name of the column that the labels of the training data came from. */
  readonly label?: string
}

/** Matrices with fewer values than this share are sparse, as those of scikit-learn's ColumnTransformer. */
const SPARSE_SHARE = 0.3

/**
 * Fits a preparation on the rows of a table: how its columns become features.
 *
 * @example
 * const { samples } = makeTable([{ age: 29, city: 'Paris' }, { age: 41, city: 'Rome' }])
 * const preparation = fitPreparation(samples as Table)
 * const features = applyPreparation(preparation, [{ city: 'Rome', age: 35 }])
 */
export function fitPreparation(table: Table): ColumnPreparation {
  if (table.columns.length === 0) throw new DataError('the table has no features: all columns are ignored')
  if (table.rows === 0) throw new DataError('the table has no rows')
  const columns = table.columns.map(fitEncoder)
  const sparse = applyPreparation({ columns, storage: 'sparse' }, table)
  const share = sparse.values.length / (sparse.rows * Math.max(1, sparse.cols))
  const { label } = table
  const storage = share < SPARSE_SHARE ? 'sparse' : 'dense'
  return { columns, storage, ...(label !== undefined && { label }) }
}

/** The rows of a table, of records or of anything that has named columns, as features. */
export function applyPreparation(preparation: ColumnPreparation, rows: TableInput): Matrix {
  const writers = writersOf(preparation)
  const table = matchingTable(preparation, rows)
  const cols = writers.reduce((sum, { width }) => sum + width, 0)
  const starts = startsOf(writers)
  if (preparation.storage === 'dense') {
    const values = allocate(Float64Array, table.rows * cols)
    for (let i = 0; i < table.rows; i++) {
      writers.forEach((writer, k) => {
        const at = i * cols + starts[k]
        writer.write(table.columns[k], i, (j, value) => {
          values[at + j] = value
        })
      })
    }
    return { kind: 'dense', rows: table.rows, cols, values }
  }
  return sparseRows(table.rows, cols, (i, put) => {
    writers.forEach((writer, k) => {
      writer.write(table.columns[k], i, (j, value) => put(starts[k] + j, value))
    })
  })
}

/** The name of every feature: `age`, `city=Paris`, `since year`, `body "refund"`. */
export function preparedNames(preparation: ColumnPreparation): string[] {
  return writersOf(preparation).flatMap((writer) => writer.names())
}

/**
 * Which features measure something, so that scaling is about them: numbers, dates and places in an order. Features that are 0
 * or 1, terms of texts and lists of numbers are left as they are.
 */
export function measuredFeatures(preparation: ColumnPreparation): Uint8Array {
  const measured: number[] = []
  preparation.columns.forEach((encoder, k) => {
    const { width } = writersOf(preparation)[k]
    const own = encoder.kind === 'number' || encoder.kind === 'date' || encoder.kind === 'ordinal'
    for (let j = 0; j < width; j++) measured.push(own && !(encoder.indicator && j === width - 1) ? 1 : 0)
  })
  return Uint8Array.from(measured)
}

/** The columns that a preparation knows, in its order and of its kinds; others are left out. */
function matchingTable(preparation: ColumnPreparation, rows: TableInput): Table {
  const source = tabularOf(rows)
  const columns = preparation.columns.map((encoder): Column => {
    const { name, kind } = encoder
    const own = source.column(name)
    if (own === undefined) throw new MissingColumnError(name, source.names)
    if (isTableColumn(own) && own.kind === kind) return own
    const cells = isTableColumn(own) ? cellsOf(own, source.rows) : own
    const builder = new ColumnBuilder(name, kind, settingsOfEncoder(encoder))
    for (let i = 0; i < source.rows; i++) {
      const words = builder.add(cells[i])
      if (words !== undefined) throw new DataError(`row ${i + 1}, column ${show(name)} ${words}`)
    }
    return builder.take()
  })
  return { kind: 'table', rows: source.rows, columns }
}

function isTableColumn(column: Column | ArrayLike<unknown>): column is Column {
  return 'settings' in column
}

/** Writes the features of a cell. */
interface ColumnWriter {
  readonly width: number
  names(): string[]
  write(column: Column, i: number, put: (feature: number, value: number) => void): void
}

/** Looking up terms takes maps that take long to make: they are kept as long as the preparation. */
const known = new WeakMap<ColumnPreparation, readonly ColumnWriter[]>()

function writersOf(preparation: ColumnPreparation): readonly ColumnWriter[] {
  let writers = known.get(preparation)
  if (!writers) {
    writers = preparation.columns.map(withIndicator)
    known.set(preparation, writers)
  }
  return writers
}

function startsOf(writers: readonly ColumnWriter[]): number[] {
  let start = 0
  return writers.map(({ width }) => {
    start += width
    return start - width
  })
}

function withIndicator(encoder: ColumnEncoder): ColumnWriter {
  const writer = writerOf(encoder)
  if (!encoder.indicator) return writer
  return {
    width: writer.width + 1,
    names: () => [...writer.names(), `${encoder.name} is missing`],
    write(column, i, put) {
      writer.write(column, i, put)
      if (isMissingAt(column, i)) put(writer.width, 1)
    },
  }
}

function writerOf(encoder: ColumnEncoder): ColumnWriter {
  const { name } = encoder
  switch (encoder.kind) {
    case 'number':
    case 'boolean':
      return {
        width: 1,
        names: () => [name],
        write(column, i, put) {
          const value = column.values[i] as number
          put(0, Number.isNaN(value) ? filled(encoder, i) : value)
        },
      }
    case 'date':
      return {
        width: encoder.parts.length,
        names: () => encoder.parts.map((part) => (part === 'epoch' ? name : `${name} ${part}`)),
        write(column, i, put) {
          const value = column.values[i] as number
          const ms = Number.isNaN(value) ? filled(encoder, i) : value
          encoder.parts.forEach((part, j) => {
            put(j, datePart(ms, part))
          })
        },
      }
    case 'category': {
      const places = new Map(encoder.categories.map((text, j) => [text, j]))
      return {
        width: encoder.categories.length,
        names: () => encoder.categories.map((text) => `${name}=${text}`),
        write(column, i, put) {
          const text = (column.values[i] as string | null) ?? filled(encoder, i)
          const place = places.get(text)
          if (place !== undefined) put(place, 1)
          else if (encoder.unseen === 'error') throw unseenError(encoder, i, text, encoder.categories)
          else if (encoder.unseen === 'most-frequent') put(places.get(encoder.mostFrequent) ?? 0, 1)
        },
      }
    }
    case 'ordinal':
      return {
        width: 1,
        names: () => [name],
        write(column, i, put) {
          const text = column.values[i] as string | null
          let place = text === null ? -1 : encoder.order.indexOf(text)
          if (text !== null && place < 0 && encoder.unseen === 'error') {
            throw unseenError(encoder, i, text, encoder.order)
          }
          if (place < 0) place = encoder.order.indexOf(filled(encoder, i))
          put(0, place)
        },
      }
    case 'text':
      return textWriter(encoder)
    case 'vector':
      return {
        width: encoder.width,
        names: () => Array.from({ length: encoder.width }, (_, j) => `${name} ${j}`),
        write(column, i, put) {
          if (column.kind !== 'vector') return
          if (isMissingAt(column, i)) throw missingError(encoder, i)
          if (column.width !== encoder.width) {
            throw new DataError(
              `row ${i + 1}, column ${show(name)} must be ${encoder.width} numbers, got ${column.width}`,
            )
          }
          for (let j = 0; j < encoder.width; j++) put(j, column.values[i * encoder.width + j])
        },
      }
  }
}

function textWriter(encoder: Extract<ColumnEncoder, { kind: 'text' }>): ColumnWriter {
  const { name, terms = [], idf = [], buckets = 0 } = encoder
  const write = (
    column: Column,
    i: number,
    entriesOf: (counts: Map<string, number>) => Map<number, number>,
    put: (j: number, value: number) => void,
  ) => {
    const entries = Array.from(entriesOf(termCounts((column.values[i] as string | null) ?? '', encoder)))
    entries.sort(([a], [b]) => a - b)
    const values = entries.map(([, value]) => value)
    normalise(values)
    entries.forEach(([j], k) => {
      put(j, values[k])
    })
  }
  if (encoder.vectorizer === 'hashing') {
    const entriesOf = (counts: Map<string, number>) => {
      const entries = new Map<number, number>()
      for (const [term, count] of counts) {
        const hash = termHash(term)
        const bucket = Math.abs(hash) % buckets
        entries.set(bucket, (entries.get(bucket) ?? 0) + (hash < 0 ? -count : count))
      }
      return entries
    }
    return {
      width: buckets,
      names: () => Array.from({ length: buckets }, (_, j) => `${name} #${j}`),
      write: (column, i, put) => write(column, i, entriesOf, put),
    }
  }
  const places = new Map(terms.map((term, j) => [term, j]))
  const entriesOf = (counts: Map<string, number>) => {
    const entries = new Map<number, number>()
    for (const [term, count] of counts) {
      const place = places.get(term)
      if (place !== undefined) entries.set(place, count * idf[place])
    }
    return entries
  }
  return {
    width: terms.length,
    names: () => terms.map((term) => `${name} ${JSON.stringify(term)}`),
    write: (column, i, put) => write(column, i, entriesOf, put),
  }
}

function filled<T extends number | string>(
  encoder: ColumnEncoder & { readonly fill?: { readonly value: T } },
  i: number,
): T {
  if (encoder.fill) return encoder.fill.value
  throw missingError(encoder, i)
}

function missingError({ name }: ColumnEncoder, i: number): DataError {
  return new DataError(
    `row ${i + 1}, column ${show(name)} is missing, and the model has no value to fill it with`,
  )
}

function unseenError({ name }: ColumnEncoder, i: number, text: string, seen: readonly string[]): DataError {
  const some = seen.slice(0, 10).join(', ') + (seen.length > 10 ? ', …' : '')
  return new DataError(`row ${i + 1}, column ${show(name)} must be one of ${some}, got ${show(text)}`)
}

function datePart(ms: number, part: DatePart): number {
  if (part === 'epoch') return ms / MS_PER_DAY
  const date = new Date(ms)
  if (part === 'year') return date.getUTCFullYear()
  if (part === 'month') return date.getUTCMonth() + 1
  if (part === 'day') return date.getUTCDate()
  // Sunday is 0 for JavaScript, and 6 here.
  if (part === 'weekday') return (date.getUTCDay() + 6) % 7
  return date.getUTCHours()
}
