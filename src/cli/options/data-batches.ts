/** LIBSVM text that need not fit memory, for commands that look at every row once: some thousand rows at a time. */
import { stat } from 'node:fs/promises'
import { DataError } from '../../base/errors.ts'
import { type DatasetBatch, datasetBatches } from '../../data/files/dataset-batches.ts'
import { FileChunks } from '../../data/files/file-chunks.node.ts'
import { explainFileError } from '../../data/files/file-error.node.ts'
import type { MatchedModel } from '../../data/files/parse-dataset.ts'
import { openData, type ReadProgress, type VectorOptions } from '../../data/files/parse-vectors.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import type { TableDataset } from '../../data/table/table-builder.ts'
import { counted, number } from '../report/output.ts'
import type { TableFlags } from '../tables/table-options.ts'
import { LateBar } from '../terminal/late-bar.ts'
import { type DataFlags, readMatchingData, readOptionsFrom } from './data-options.ts'

/** So much of the data at a time: enough work for all threads, little beside what the program takes itself. */
const BATCH_BYTES = 16e6

/** What a later row said of the rows before it: they must be read again, with these options. */
class ReadAgain extends DataError {
  readonly options: VectorOptions

  constructor(message: string, options: VectorOptions) {
    super(message)
    this.options = options
  }
}

/** Some rows of the data, or all of them. */
export type RowBatch = Omit<TableDataset, 'report'>

/** How {@link throughBatches} works. */
export interface BatchOptions {
  /** Whether `work` cannot begin again, because others have seen what it made of the rows. */
  readonly isFinal?: boolean
  /** Memory for the values of a batch. */
  readonly batchBytes?: number
}

/**
 * Has `work` go through the data of a file in batches: LIBSVM text a part at a time, anything else in one. Where index 0 turns out to be used after all,
 * and earlier rows were misread, `work` begins again, unless it cannot.
 */
export async function throughBatches<T>(
  path: string,
  flags: DataFlags & TableFlags,
  wanted: MatchedModel & { readonly features?: number | undefined },
  work: (batches: AsyncIterable<RowBatch>) => Promise<T>,
  { isFinal = false, batchBytes = BATCH_BYTES }: BatchOptions = {},
): Promise<T> {
  const read = readOptionsFrom(flags)
  if (wanted.preparation || !(await isLibsvmFile(path, read))) {
    return work(only(await readMatchingData(path, flags, wanted)))
  }
  let more: VectorOptions = {}
  for (;;) {
    const bar = new LateBar('reading', path)
    try {
      return await work(batchesOf(path, { ...read, ...more }, batchBytes, bar))
    } catch (error) {
      if (!(error instanceof ReadAgain) || isFinal) throw error
      more = error.options
    } finally {
      bar.stop()
    }
  }
}

/** Whether a path leads to LIBSVM text: to a file, that is, as streams cannot be read again. */
async function isLibsvmFile(path: string, options: VectorOptions): Promise<boolean> {
  if (path === '-' || !(await stat(path).catch(() => undefined))?.isFile()) return false
  try {
    const opened = await openData(new FileChunks(path), { name: path, ...options })
    await opened.close()
    return opened.format === 'libsvm'
  } catch {
    // Whoever reads it says what is wrong.
    return false
  }
}

async function* only(dataset: RowBatch): AsyncGenerator<RowBatch> {
  yield dataset
}

async function* batchesOf(
  path: string,
  options: VectorOptions,
  batchBytes: number,
  bar: LateBar,
): AsyncGenerator<VectorDataset> {
  let rows = 0
  const { size: bytesTotal } = await stat(path)
  const onProgress = ({ bytesRead }: ReadProgress) =>
    bar.update('reading', bytesRead / bytesTotal, `${number(bytesRead / 1e6, 3)} MB, ${counted(rows, 'row')}`)
  try {
    const read = { name: path, bytesTotal, ...options, onProgress }
    let first: DatasetBatch | undefined
    for await (const batch of datasetBatches(new FileChunks(path), read, batchBytes)) {
      first ??= batch
      checkConsistent(path, first, batch, rows)
      rows += batch.dataset.samples.rows
      yield fromFirstColumn(batch)
    }
  } catch (error) {
    throw explainFileError(path, error)
  }
}

function checkConsistent(path: string, first: DatasetBatch, batch: DatasetBatch, rows: number): void {
  if (batch.firstColumn !== first.firstColumn) {
    const after = `after ${counted(rows, 'row')}`
    throw new ReadAgain(`${path}: index 0 occurs only ${after}: say so with --index-base 0`, { indexBase: 0 })
  }
}

/** LIBSVM's columns come by the indices of the file. */
function fromFirstColumn({ dataset, firstColumn }: DatasetBatch): VectorDataset {
  const { samples } = dataset
  if (firstColumn === 0 || samples.kind === 'dense') return dataset
  const { indices, cols } = samples
  for (let k = 0; k < indices.length; k++) indices[k]--
  return { ...dataset, samples: { ...samples, cols: Math.max(0, cols - 1) } }
}
