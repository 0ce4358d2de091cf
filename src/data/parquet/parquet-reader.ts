/**
 * Parquet: typed columns, possibly compressed. Numbers, truth values, text, dates and lists of numbers become columns of a table;
 * structures, maps and types without a meaning here are ignored, as is said in the report.
 */
import { FormatError, HyperplaneError, show } from '../../base/errors.ts'
import { GrowthLimit, type GrowthOptions } from '../codecs/growth-limit.ts'
import { loadZstd } from '../codecs/unzstd.ts'
import { plainNumbers } from '../table/cells.ts'
import { type ColumnOptions, Columns, type KnownColumns } from '../table/columns.ts'
import { type InferredColumn, inferColumn } from '../table/infer-column.ts'
import { checkChoices } from '../table/make-table.ts'
import { TableBuilder, type TableBuilderOptions, type TableDataset } from '../table/table-builder.ts'
import { cellReader } from './parquet-cells.ts'
import { type ParquetFooter, readFooter } from './parquet-footer.ts'
import { readPages } from './parquet-pages.ts'
import type { LeafColumn } from './parquet-schema.ts'

/** How a Parquet file is to be read. */
export interface ParquetOptions extends ColumnOptions, GrowthOptions, TableBuilderOptions {
  /** Name of the source, for error messages. */
  readonly name?: string
  readonly known?: KnownColumns
}

/** Stands for a value that is not read. */
const opaque = Object.freeze({})

/** Reads a Parquet file that is wholly in memory. In errors, rows count from 1. */
export function readParquet(bytes: Uint8Array, options: ParquetOptions = {}): Promise<TableDataset> {
  return readWith(bytes, options, (footer) => readRows(bytes, footer, options))
}

/** What the cells of the columns look like, and the first rows, at most so many. */
export function peekParquet(
  bytes: Uint8Array,
  options: ParquetOptions,
  most: number,
): Promise<{
  readonly columns: readonly ({ readonly name: string } & InferredColumn)[]
  readonly rows: readonly (readonly unknown[])[]
}> {
  return readWith(bytes, options, (footer) => {
    const cells = cellsOf(bytes, footer, options, () => true)
    const columns = footer.columns.map(({ name }, k) => ({
      name,
      ...inferColumn(name, Array.from(cells[k]), plainNumbers),
    }))
    const rows = Array.from({ length: Math.min(most, footer.rows) }, (_, i) => cells.map((own) => own[i]))
    return { columns, rows }
  })
}

async function readWith<T>(
  bytes: Uint8Array,
  options: ParquetOptions,
  read: (footer: ParquetFooter) => T,
): Promise<T> {
  try {
    const footer = readFooter(bytes)
    const codecs = footer.groups.flatMap(({ chunks }) => chunks.map((chunk) => chunk?.codec))
    if (codecs.includes('ZSTD')) await loadZstd()
    return read(footer)
  } catch (error) {
    if (error instanceof HyperplaneError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new FormatError(`Parquet data cannot be read: ${reason}`, { file: options.name })
  }
}

/** The cells of all columns; those of columns that are not wanted, or cannot be read, are opaque. */
function cellsOf(
  bytes: Uint8Array,
  { columns: schema, groups, rows }: ParquetFooter,
  options: ParquetOptions,
  isWanted: (k: number) => boolean,
): ArrayLike<unknown>[] {
  const growth = new GrowthLimit('Parquet data', options, options.name)
  growth.consumed(bytes.length)
  growth.produced(Float64Array.BYTES_PER_ELEMENT * rows * schema.length)
  return schema.map(({ name, leaf }, k): ArrayLike<unknown> => {
    const cellOf = isWanted(k) ? storedCell(name, leaf, options) : undefined
    if (!leaf || !cellOf) return new Array(rows).fill(opaque)
    const own: unknown[] = []
    for (const { chunks } of groups) {
      const place = chunks[k]!
      growth.produced(Float64Array.BYTES_PER_ELEMENT * (place.values - place.rows))
      for (const page of readPages(bytes, place, leaf, growth)) {
        for (let i = 0; i < page.length; i++) own.push(page[i] === null ? null : cellOf(page[i]))
      }
    }
    return own
  })
}

function readRows(bytes: Uint8Array, footer: ParquetFooter, options: ParquetOptions): TableDataset {
  const { rows } = footer
  const { name: file } = options
  if (rows === 0) throw new FormatError('no samples', { file })
  const names = footer.columns.map(({ name }) => name)
  const columns = new Columns(names, names.length, options, file, options.known)
  checkChoices(file ?? '<input>', options, names)
  const isWanted = (k: number) => !columns.features.includes(k) || !isLeftOut(names[k], options)
  const cells = cellsOf(bytes, footer, options, isWanted)
  const builder = new TableBuilder(columns, names, (k) => Array.from(cells[k]), { ...options, isTyped: true })
  const row: unknown[] = new Array(names.length)
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < names.length; k++) row[k] = cells[k][i]
    const bad = builder.add(row)
    if (bad) throw new FormatError(`row ${i + 1}, ${columns.title(bad.column)} ${bad.words}`, { file })
  }
  return builder.take()
}

/** Whether a feature is not wanted: then it need not be readable. */
function isLeftOut(name: string, { columns = {}, others }: ParquetOptions): boolean {
  if (!Object.hasOwn(columns, name)) return others === 'ignored'
  const choice = columns[name]
  return (typeof choice === 'object' ? choice.kind : choice) === 'ignored'
}

/** What makes a cell of a stored value, or of a list of them; undefined where there is no such thing. */
function storedCell(
  name: string,
  leaf: LeafColumn | undefined,
  { others }: ParquetOptions,
): ((stored: unknown) => unknown) | undefined {
  const isStrict = others === 'strict-numbers'
  if (isStrict && (!leaf || leaf.listFrom !== undefined)) throw new Error(`column ${show(name)} is nested`)
  const cellOf = leaf && cellReader({ ...leaf, name }, !isStrict)
  if (!cellOf && isStrict) {
    const what = leaf?.logical_type?.type ?? leaf?.converted_type ?? leaf?.type
    throw new Error(`column ${show(name)} is of type ${what}, which is neither numbers nor text`)
  }
  if (!cellOf || leaf?.listFrom === undefined) return cellOf
  return (list) => (list as unknown[]).map((stored) => (stored === null ? null : cellOf(stored)))
}
