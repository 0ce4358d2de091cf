import { fileURLToPath } from 'node:url'
import type { ByteSource } from '../codecs/byte-source.ts'
import type { VectorDataset } from '../table/dataset.ts'
import type { TableDataset } from '../table/table-builder.ts'
import { openBytes } from './file-chunks.node.ts'
import { explainFileError } from './file-error.node.ts'
import { type NumbersOnly, parseDataset, type ReadOptions } from './parse-dataset.ts'
import type { VectorOptions } from './parse-vectors.ts'

/**
 * Reads a data set from a file (a path or file URL) or from a stream of bytes: CSV, TSV or Parquet with columns of any kind
 * (numbers, categories, dates, text; cells may be missing), or LIBSVM; plain or compressed with gzip, bzip2 or xz. What was
 * inferred about columns is in `report`, and `columns` overrides it. With `columns: 'number'` nothing is inferred: all
 * columns are
 * numbers, and anything else, a missing cell included, is an error.
 *
 * @example
 * const data = await readDataset('people.csv', { labelColumn: 'left', columns: { plan: 'category', notes: 'text' } })
 */
export function readDataset(source: FileSource, options: NumbersOnly): Promise<VectorDataset>
export function readDataset(source: FileSource, options?: ReadOptions): Promise<TableDataset>
export async function readDataset(
  source: FileSource,
  options: ReadOptions | NumbersOnly = {},
): Promise<TableDataset | VectorDataset> {
  return readFrom<ReadOptions | NumbersOnly, TableDataset | VectorDataset>(source, options, (bytes, all) =>
    parseDataset(bytes, all as ReadOptions),
  )
}

/** As {@link readDataset} with `columns: 'number'`. */
export function readVectors(source: FileSource, options: VectorOptions = {}): Promise<VectorDataset> {
  return readDataset(source, { ...options, columns: 'number' })
}

/** A path, a file URL, or a stream of bytes. */
export type FileSource = string | URL | Exclude<ByteSource, string>

async function readFrom<O extends { readonly name?: string }, D>(
  source: FileSource,
  options: O,
  parse: (source: ByteSource, options: O) => Promise<D>,
): Promise<D> {
  if (typeof source !== 'string' && !(source instanceof URL)) return parse(source, options)
  const path = source instanceof URL ? fileURLToPath(source) : source
  try {
    const { bytes, ...size } = await openBytes(path)
    return await parse(bytes, { name: path, ...size, ...options })
  } catch (error) {
    throw explainFileError(path, error)
  }
}
