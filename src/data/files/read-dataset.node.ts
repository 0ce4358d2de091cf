import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ByteSource } from '../codecs/byte-source.ts'
import type { VectorDataset } from '../table/dataset.ts'
import type { TableDataset } from '../table/table-builder.ts'
import { FileChunks } from './file-chunks.node.ts'
import { explainFileError } from './file-error.node.ts'
import { parseDataset, type ReadOptions } from './parse-dataset.ts'
import { parseTable, type ReadTableOptions } from './parse-table.ts'

/** As long as chunks of files. */
const chunkBytes = 1 << 18

/**
 * Reads a data set from a file (a path or file URL) or from a stream of bytes: LIBSVM, CSV, TSV or Parquet; plain or
 * compressed with gzip, bzip2 or xz.
 *
 * @example
 * const data = await readDataset('heart.csv', { labelColumn: 'disease' })
 */
export async function readDataset(source: FileSource, options: ReadOptions = {}): Promise<VectorDataset> {
  return readFrom(source, options, parseDataset)
}

/**
 * Reads a data set with columns of any kind (numbers, categories, dates, text; cells may be missing) from a file or a stream:
 * CSV, TSV or Parquet. What was inferred is in `report`; `columns` overrules it.
 *
 * @example
 * const data = await readTable('people.csv', { labelColumn: 'left', columns: { plan: 'category', notes: 'text' } })
 */
export async function readTable(source: FileSource, options: ReadTableOptions = {}): Promise<TableDataset> {
  return readFrom(source, options, parseTable)
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
    const file = await stat(path)
    if (!file.isFile()) return await parse(pipeChunks(path), { name: path, ...options })
    return await parse(new FileChunks(path), { name: path, bytesTotal: file.size, ...options })
  } catch (error) {
    throw explainFileError(path, error)
  }
}

/** Opens the pipe or device only when the first chunk is asked for, and closes it with the loop. */
async function* pipeChunks(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: chunkBytes })
}
