/**
 * Data sets that need not fit memory, a batch of rows at a time. Reading can continue from any batch in another process:
 * LIBSVM text at the byte where it was, tables by passing over the rows that are done.
 */
import { type ByteSource, gather, LONG_CHUNK_BYTES } from '../codecs/byte-source.ts'
import { LibsvmParser, type LibsvmPosition } from '../libsvm/libsvm-parser.ts'
import { type Matrix, rowsBetween, SPARSE_VALUE_BYTES, storedValues } from '../matrix/matrix.ts'
import type { Labels, VectorDataset } from '../table/dataset.ts'
import {
  libsvmOptions,
  type OpenedData,
  openData,
  tableVectors,
  type VectorOptions,
} from './parse-vectors.ts'

/** A batch of rows. */
export interface DatasetBatch {
  /**
   * The rows. Columns of LIBSVM text are the indices of the file, from 0 on: whether the first column is 0 or 1 may be
   * known only at the end ({@link firstColumn}).
   */
  readonly dataset: VectorDataset
  /** The index of the first column, by all that has been read so far. */
  readonly firstColumn: 0 | 1
  /** Where to continue after this batch; plain data. */
  readonly position: BatchPosition
}

/** See {@link DatasetBatch}. */
export interface BatchPosition {
  /** Rows so far. */
  readonly rows: number
  /** The place in LIBSVM text. */
  readonly text?: LibsvmPosition
}

/**
 * The rows of `source` in batches of about `batchBytes` each, whatever their number; Parquet is read whole first, since its
 * index is at its end. `start` is the position of the last batch that need not come again.
 */
export async function* datasetBatches(
  source: ByteSource,
  options: VectorOptions,
  batchBytes: number,
  start: BatchPosition = { rows: 0 },
): AsyncGenerator<DatasetBatch> {
  const opened = await openData(source, options)
  try {
    if (opened.format === 'libsvm') yield* libsvmBatches(opened, options, batchBytes, start)
    else yield* tableBatches(opened, options, batchBytes, start)
  } finally {
    await opened.close()
  }
}

async function* libsvmBatches(
  { chunks }: OpenedData,
  options: VectorOptions,
  batchBytes: number,
  start: BatchPosition,
): AsyncGenerator<DatasetBatch> {
  const parser = new LibsvmParser(libsvmOptions(options))
  if (start.text) parser.goOnFrom(start.text)
  const take = (): DatasetBatch => {
    const { samples, labels } = parser.take()
    const { indices } = samples
    for (let k = 0; k < indices.length; k++) indices[k]++
    const { position } = parser
    return {
      dataset: { samples, labels },
      firstColumn: parser.base,
      position: { rows: position.rows, text: position },
    }
  }
  for await (const chunk of gather(after(chunks, start.text?.bytes ?? 0), LONG_CHUNK_BYTES)) {
    parser.push(chunk)
    if (SPARSE_VALUE_BYTES * parser.pending >= batchBytes) yield take()
  }
  parser.finish()
  const last = take()
  if (last.dataset.samples.rows > 0) yield last
}

async function* tableBatches(
  opened: OpenedData,
  options: VectorOptions,
  batchBytes: number,
  start: BatchPosition,
): AsyncGenerator<DatasetBatch> {
  const valuesPerBatch = batchBytes / Float64Array.BYTES_PER_ELEMENT
  let rows = 0
  for await (const read of tableVectors(opened, options, valuesPerBatch)) {
    const parts = opened.format === 'parquet' ? slicesOf(read, valuesPerBatch) : [read]
    for (const table of parts) {
      const skipped = Math.min(Math.max(0, start.rows - rows), table.samples.rows)
      rows += table.samples.rows
      const dataset = skipped > 0 ? rowsOf(table, skipped, table.samples.rows) : table
      if (dataset.samples.rows > 0) yield { dataset, firstColumn: 0, position: { rows } }
    }
  }
}

function* slicesOf(table: VectorDataset, valuesPerBatch: number): Generator<VectorDataset> {
  const { rows } = table.samples
  const step = Math.max(1, Math.floor((rows * valuesPerBatch) / storedValues(table.samples)))
  for (let from = 0; from < rows; from += step) yield rowsOf(table, from, Math.min(rows, from + step))
}

/** The rows from <= i < to of a data set. */
function rowsOf(dataset: VectorDataset, from: number, to: number): VectorDataset {
  const { samples, labels, weights } = dataset
  return {
    ...dataset,
    samples: rowsBetween(samples, from, to) as Matrix,
    labels: labels.slice(from, to) as Labels,
    ...(weights && { weights: weights.slice(from, to) }),
  }
}

/** The bytes after the first `count`. */
async function* after(chunks: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count
  for await (const chunk of chunks) {
    const skipped = Math.min(left, chunk.length)
    left -= skipped
    if (skipped < chunk.length) yield skipped > 0 ? chunk.subarray(skipped) : chunk
  }
}
