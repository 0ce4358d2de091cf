import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ByteSource } from '../codecs/byte-source.ts'
import type { VectorDataset } from '../table/dataset.ts'
import { FileChunks } from './file-chunks.node.ts'
import { explainFileError } from './file-error.node.ts'
import { parseDataset, type ReadOptions } from './parse-dataset.ts'

/** As long as chunks of files. */
const chunkBytes = 1 << 18

/**
 * Reads a data set from a file (a path or file URL) or from a stream of bytes: LIBSVM, CSV, TSV or Parquet; plain or
 * compressed with gzip, bzip2 or xz.
 *
 * @example
 * const data = await readDataset('heart.csv', { labelColumn: 'disease' })
 */
export async function readDataset(
  source: string | URL | Exclude<ByteSource, string>,
  options: ReadOptions = {},
): Promise<VectorDataset> {
  if (typeof source !== 'string' && !(source instanceof URL)) return parseDataset(source, options)
  const path = source instanceof URL ? fileURLToPath(source) : source
  try {
    const file = await stat(path)
    if (!file.isFile()) return await parseDataset(pipeChunks(path), { name: path, ...options })
    return await parseDataset(new FileChunks(path), { name: path, bytesTotal: file.size, ...options })
  } catch (error) {
    throw explainFileError(path, error)
  }
}

/** Opens the pipe or device only when the first chunk is asked for, and closes it with the loop. */
async function* pipeChunks(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: chunkBytes })
}
