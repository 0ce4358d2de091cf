/** Parquet: typed columns, possibly compressed. Numbers, whole numbers and booleans can be features. */
import { parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet/src/index.js'
import { compressors } from 'hyparquet-compressors'
import { FormatError, HyperplaneError, show } from '../base/errors.ts'
import { type ColumnOptions, Columns } from './columns.ts'
import type { Label, VectorDataset } from './dataset.ts'
import { numberFromText } from './number-text.ts'

/** How a Parquet file is to be read. */
export interface ParquetOptions extends ColumnOptions {
  /** Name of the source, for error messages. */
  readonly name?: string
  /** `'auto'`, the default, keeps labels as they are stored: text or numbers. */
  readonly labels?: 'auto' | 'number' | 'string'
}

/** Reads a Parquet file that is wholly in memory. In errors, rows count from 1. */
export async function readParquet(bytes: Uint8Array, options: ParquetOptions = {}): Promise<VectorDataset> {
  try {
    return await readTable(bytes, options)
  } catch (error) {
    if (error instanceof HyperplaneError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new FormatError(`Parquet data cannot be read: ${reason}`, { file: options.name })
  }
}

async function readTable(bytes: Uint8Array, options: ParquetOptions): Promise<VectorDataset> {
  const { name: file, labels: labelKind = 'auto' } = options
  const source = {
    byteLength: bytes.length,
    slice: (start: number, end?: number) => bytes.slice(start, end).buffer as ArrayBuffer,
  }
  const metadata = await parquetMetadataAsync(source)
  const names = parquetSchema(metadata).children.map((child) => child.element.name)
  const rows = Number(metadata.num_rows)
  if (rows === 0) throw new FormatError('no samples', { file })
  const columns = new Columns(names, names.length, options, file)
  const cols = columns.features.length
  const values = new Float64Array(rows * cols)
  const weights = columns.weight === undefined ? undefined : new Float64Array(rows)
  const labels: Label[] = new Array(rows).fill(0)

  const fail = (row: number, k: number, problem: string): never => {
    throw new FormatError(`row ${row + 1}, ${columns.title(k)} ${problem}`, { file })
  }
  const numberAt = (cell: unknown, row: number, k: number): number => {
    const value = toNumber(cell)
    return Number.isFinite(value) ? value : fail(row, k, problemOf(cell))
  }
  const labelAt = (cell: unknown, row: number, k: number): Label => {
    if (typeof cell !== 'string') {
      const value = numberAt(cell, row, k)
      return labelKind === 'string' ? String(value) : value
    }
    if (labelKind !== 'number') return cell
    const value = numberFromText(cell)
    return Number.isFinite(value) ? value : fail(row, k, problemOf(cell))
  }

  await parquetRead({
    file: source,
    metadata,
    compressors,
    onChunk: ({ columnName, columnData, rowStart }) => {
      const k = names.indexOf(columnName)
      const feature = columns.features.indexOf(k)
      for (let i = 0; i < columnData.length; i++) {
        const row = rowStart + i
        const cell: unknown = columnData[i]
        if (k === columns.label) labels[row] = labelAt(cell, row, k)
        else if (weights && k === columns.weight) {
          weights[row] = numberAt(cell, row, k)
          if (weights[row] < 0) fail(row, k, `must be >= 0, got ${weights[row]}`)
        } else values[row * cols + feature] = numberAt(cell, row, k)
      }
    },
  })
  return {
    samples: { kind: 'dense', rows, cols, values },
    labels: typeof labels[0] === 'string' ? (labels as string[]) : Float64Array.from(labels as number[]),
    ...(weights && { weights }),
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

function problemOf(cell: unknown): string {
  if (cell === null || cell === undefined) return 'is missing'
  if (typeof cell === 'number') return `must be a finite number, got ${cell}`
  if (typeof cell === 'bigint') return `must be a number that a double can hold exactly, got ${cell}`
  return `must be a number, got ${show(cell)}`
}
