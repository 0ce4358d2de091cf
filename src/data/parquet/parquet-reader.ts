/**
 * Parquet: typed columns, possibly compressed. Numbers, whole numbers and booleans can be features of vectors; tables have
 * text and dates, too.
 */
import { FormatError, HyperplaneError, show } from '../../base/errors.ts'
import { GrowthLimit, type GrowthOptions } from '../codecs/growth-limit.ts'
import { loadZstd } from '../codecs/unzstd.ts'
import { type ColumnOptions, Columns, type KnownColumns } from '../table/columns.ts'
import type { Label, VectorDataset } from '../table/dataset.ts'
import { checkChoices } from '../table/make-table.ts'
import { TableBuilder, type TableBuilderOptions, type TableDataset } from '../table/table-builder.ts'
import { numberFromText, numberProblem } from '../text/number-text.ts'
import { cellReader } from './parquet-cells.ts'
import { type ParquetFooter, readFooter } from './parquet-footer.ts'
import { readPages } from './parquet-pages.ts'

/** How a Parquet file is to be read. */
export interface ParquetOptions extends ColumnOptions, GrowthOptions {
  /** Name of the source, for error messages. */
  readonly name?: string
  /** `'auto'`, the default, keeps labels as they are stored: text or numbers. */
  readonly labels?: 'auto' | 'number' | 'string'
}

/** The same for tables. */
export interface ParquetTableOptions extends ParquetOptions, TableBuilderOptions {
  readonly known?: KnownColumns
}

/** Reads a Parquet file that is wholly in memory. In errors, rows count from 1. */
export function readParquet(bytes: Uint8Array, options: ParquetOptions = {}): Promise<VectorDataset> {
  return readWith(bytes, options, (footer) => readVectors(bytes, footer, options))
}

/** As {@link readParquet}, with columns of any kind. */
export function readParquetTable(
  bytes: Uint8Array,
  options: ParquetTableOptions = {},
): Promise<TableDataset> {
  return readWith(bytes, options, (footer) => readTable(bytes, footer, options))
}

async function readWith<T>(
  bytes: Uint8Array,
  options: ParquetOptions,
  read: (footer: ParquetFooter) => T,
): Promise<T> {
  try {
    const footer = readFooter(bytes)
    const codecs = footer.groups.flatMap(({ chunks }) => chunks.map(({ codec }) => codec))
    if (codecs.includes('ZSTD')) await loadZstd()
    return read(footer)
  } catch (error) {
    if (error instanceof HyperplaneError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new FormatError(`Parquet data cannot be read: ${reason}`, { file: options.name })
  }
}

function readTable(
  bytes: Uint8Array,
  { columns: schema, groups, rows }: ParquetFooter,
  options: ParquetTableOptions,
): TableDataset {
  const { name: file } = options
  if (rows === 0) throw new FormatError('no samples', { file })
  const names = schema.map(({ name }) => name)
  const columns = new Columns(names, names.length, options, file, options.known)
  checkChoices(file ?? '<input>', options, names)
  const growth = new GrowthLimit('Parquet data', options, file)
  growth.consumed(bytes.length)
  growth.produced(Float64Array.BYTES_PER_ELEMENT * rows * names.length)
  const cells = schema.map((column, k) => {
    const cellOf = cellReader(column, true)
    const own: unknown[] = []
    for (const { chunks } of groups) {
      for (const page of readPages(bytes, chunks[k], column, growth)) {
        for (let i = 0; i < page.length; i++) own.push(page[i] === null ? null : cellOf(page[i]))
      }
    }
    return own
  })
  const builder = new TableBuilder(columns, names, (k) => cells[k], options)
  const row: unknown[] = new Array(names.length)
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < names.length; k++) row[k] = cells[k][i]
    const bad = builder.add(row)
    if (bad) throw new FormatError(`row ${i + 1}, ${columns.title(bad.column)} ${bad.words}`, { file })
  }
  return builder.build()
}

function readVectors(bytes: Uint8Array, footer: ParquetFooter, options: ParquetOptions): VectorDataset {
  const { name: file, labels: labelKind = 'auto' } = options
  const { columns: schema, groups, rows } = footer
  if (rows === 0) throw new FormatError('no samples', { file })
  const names = schema.map(({ name }) => name)
  const columns = new Columns(names, names.length, options, file)
  const cols = columns.features.length
  const growth = new GrowthLimit('Parquet data', options, file)
  growth.consumed(bytes.length)
  growth.produced(Float64Array.BYTES_PER_ELEMENT * rows * names.length)
  const values = new Float64Array(rows * cols)
  const weights = new Float64Array(columns.weight === undefined ? 0 : rows)
  const labels: Label[] = new Array(rows).fill(0)

  /** Hands every cell of column k to `take`, which returns what is wrong with it, if anything is. */
  const forEachCell = (k: number, take: (cell: unknown, row: number) => string | undefined): void => {
    const cellOf = cellReader(schema[k])
    let row = 0
    for (const { chunks } of groups) {
      for (const cells of readPages(bytes, chunks[k], schema[k], growth)) {
        for (let i = 0; i < cells.length; i++, row++) {
          const problem = take(cells[i] === null ? null : cellOf(cells[i]), row)
          if (problem) throw new FormatError(`row ${row + 1}, ${columns.title(k)} ${problem}`, { file })
        }
      }
    }
  }
  for (const [j, k] of columns.features.entries()) {
    forEachCell(k, (cell, row) => {
      values[row * cols + j] = toNumber(cell)
      const problem = problemOf(cell)
      return row === 0 && typeof cell === 'string' ? problem + columns.labelHint() : problem
    })
  }
  if (columns.weight !== undefined) {
    forEachCell(columns.weight, (cell, row) => {
      weights[row] = toNumber(cell)
      return problemOf(cell) ?? (weights[row] < 0 ? `must be >= 0, got ${weights[row]}` : undefined)
    })
  }
  if (columns.label !== undefined) {
    forEachCell(columns.label, (cell, row) => {
      const text = typeof cell === 'string'
      if (text && labelKind === 'number') {
        const number = numberFromText(cell)
        labels[row] = number
        return Number.isFinite(number) ? undefined : numberProblem(cell)
      }
      labels[row] = text ? cell : labelKind === 'string' ? String(cell) : toNumber(cell)
      return text ? undefined : problemOf(cell)
    })
  }
  return {
    samples: { kind: 'dense', rows, cols, values },
    labels: typeof labels[0] === 'string' ? (labels as string[]) : Float64Array.from(labels as number[]),
    ...(columns.weight !== undefined && { weights }),
    featureNames: columns.featureNames!,
  }
}

/** The cell as a number; NaN when it is none, or a whole number that a double cannot hold. */
function toNumber(cell: unknown): number {
  if (typeof cell === 'number') return cell
  if (typeof cell === 'boolean') return Number(cell)
  if (typeof cell === 'bigint' && BigInt(Number(cell)) === cell) return Number(cell)
  return Number.NaN
}

/** Why the cell cannot be a feature or weight; undefined when it can. */
function problemOf(cell: unknown): string | undefined {
  if (Number.isFinite(toNumber(cell))) return undefined
  if (cell === null || cell === undefined) return 'is missing'
  if (typeof cell === 'number') return `must be a finite number, got ${cell}`
  if (typeof cell === 'bigint') return `must be a number that a double can hold exactly, got ${cell}`
  return `must be a number, got ${show(cell)}`
}
