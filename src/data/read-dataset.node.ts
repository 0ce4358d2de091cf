import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ByteSource } from './byte-source.ts'
import type { VectorDataset } from './dataset.ts'
import { explainFileError } from './file-error.node.ts'
import { parseDataset, type ReadOptions } from './parse-dataset.ts'

const chunkBytes = 1 << 20

/**
 * Reads a data set from a file (a path or file URL) or from a stream of bytes: LIBSVM, CSV, TSV or Parquet; plain or
 * compressed with gzip, bzip2 or xz.
 */
export async function readDataset(
  source: string | URL | Exclude<ByteSource, string>,
  options: ReadOptions = {},
): Promise<VectorDataset> {
  if (typeof source !== 'string' && !(source instanceof URL)) return parseDataset(source, options)
  const path = source instanceof URL ? fileURLToPath(source) : source
  try {
    const file = await stat(path)
    const bytesTotal = file.isFile() ? file.size : undefined
    return await parseDataset(fileChunks(path), { name: path, bytesTotal, ...options })
  } catch (error) {
    throw explainFileError(path, error)
  }
}

/** Opens the file only when the first chunk is asked for, and closes it with the loop. */
async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: chunkBytes })
}
