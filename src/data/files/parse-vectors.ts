import { checkKnown, checkNumber, checkOneOf } from '../../base/check.ts'
import { FormatError, ParameterError } from '../../base/errors.ts'
import { Slice } from '../../base/pieces.ts'
import { type ByteSource, chunksOf, gather, isLending, LONG_CHUNK_BYTES } from '../codecs/byte-source.ts'
import { decompress, detectCompression, longestMagic, peek } from '../codecs/decompress.ts'
import type { GrowthOptions } from '../codecs/growth-limit.ts'
import type { CsvOptions, CsvShapeOptions } from '../csv/csv-reader.ts'
import { type LibsvmOptions, LibsvmParser } from '../libsvm/libsvm-parser.ts'
import type { VectorDataset } from '../table/dataset.ts'
import { type TableBuilderOptions, type TableDataset, vectorsOf } from '../table/table-builder.ts'
import {
  type DataFormat,
  delimiterFromContent,
  delimiterFromFirstLine,
  formatFromContent,
  formatFromName,
  HEAD_BYTES,
  isParquet,
  refusedEnding,
} from './data-format.ts'

/** Progress of reading. */
export interface ReadProgress {
  /** Bytes taken from the source, compressed if it is. */
  readonly bytesRead: number
  /** Total number of bytes, if known. */
  readonly bytesTotal?: number
}

/** Options for reading data. */
export interface VectorOptions extends LibsvmOptions, CsvShapeOptions, GrowthOptions {
  /** By default detected from the file extension, else from the content. */
  readonly format?: 'auto' | DataFormat
  /** File name of the source, for error messages and to detect the format. */
  readonly name?: string
  /** Total number of bytes, for progress, if the source does not know it. */
  readonly bytesTotal?: number
  /** Called after every chunk. */
  readonly onProgress?: (progress: ReadProgress) => void
  /** Ends the work; the promise is rejected with the reason of the signal. */
  readonly signal?: AbortSignal
}

const optionNames = [
  ...['format', 'name', 'bytesTotal', 'onProgress', 'signal', 'features', 'labels'],
  ...['indexBase', 'threads', 'delimiter', 'header', 'labelColumn', 'weightColumn', 'maxBytes'],
]

/**
 * Reads a data set of numbers from text, bytes or a stream, as `parseDataset` does: anything else, a missing cell included, is an
 * error.
 *
 * @example
 * const data = await parseVectors('a,b,class\n1,2,yes\n3,4,no\n', { format: 'csv' })
 */
export async function parseVectors(source: ByteSource, options: VectorOptions = {}): Promise<VectorDataset> {
  const opened = await openData(source, options)
  try {
    if (opened.format !== 'libsvm') return await onlyBatch(opened, options)
    return (await readLibsvm(opened, options)).data
  } finally {
    await opened.close()
  }
}

/** Data of which the format is known. */
export interface OpenedData {
  readonly format: DataFormat
  /** How many bytes of text there are, where the source says so: that is not so of a compressed one. */
  readonly length: number | undefined
  /** The first bytes, and all of them, decompressed. */
  readonly head: Uint8Array
  readonly chunks: AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** Checks the options, decompresses the source and tells its format. */
export async function openData(source: ByteSource, options: VectorOptions): Promise<OpenedData> {
  checkReadOptions('parseVectors', options)
  const opened = await openAny(source, options)
  if (!isUtf16(opened.head)) return opened
  await opened.close()
  throw new FormatError('text must be UTF-8, got UTF-16', { file: options.name })
}

/** Decompresses the source and tells its format, in whatever encoding it is. */
export async function openAny(source: ByteSource, options: VectorOptions): Promise<OpenedData> {
  const { name: file } = options
  const { head: start, all: raw } = await peek(watched(source, options), longestMagic)
  const isPlain = detectCompression(start) === undefined
  const bytes = decompress(raw, { name: file, maxBytes: options.maxBytes })
  const close = async () => {
    await bytes.return(undefined)
  }
  try {
    const { head, all: chunks } = await peek(bytes, HEAD_BYTES)
    if (head.length === 0) throw new FormatError('no samples: the input is empty', { file })
    const format = chooseFormat(options, head)
    if (format === 'libsvm' && isPlain && isLending(source)) source.lend()
    return { format, length: isPlain ? sourceLength(source, options) : undefined, head, chunks, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Checks the options of reading; `others` may stand beside them. */
export function checkReadOptions(who: string, options: VectorOptions, others: readonly string[] = []): void {
  const { format = 'auto', labels = 'auto', header = 'auto' } = options
  const { delimiter, features, threads, maxBytes } = options
  checkKnown(who, options, [...optionNames, ...others])
  checkOneOf(who, 'format', format, ['auto', 'libsvm', 'csv', 'tsv', 'parquet'])
  checkOneOf(who, 'labels', labels, ['auto', 'number', 'string'])
  if (header !== 'auto' && typeof header !== 'boolean') {
    throw new ParameterError(who, 'header', "'auto', true or false", header)
  }
  if (delimiter !== undefined && (typeof delimiter !== 'string' || delimiter.length !== 1)) {
    throw new ParameterError(who, 'delimiter', 'one character', delimiter)
  }
  if (features !== undefined) checkNumber(who, 'features', features, { min: 0, integer: true })
  if (threads !== undefined) checkNumber(who, 'threads', threads, { min: 1, integer: true })
  if (maxBytes !== undefined) checkNumber(who, 'maxBytes', maxBytes, { min: 0, infinite: true })
}

async function onlyBatch(opened: OpenedData, options: VectorOptions): Promise<VectorDataset> {
  for await (const all of tableVectors(opened, options, Number.POSITIVE_INFINITY)) return all
  throw new FormatError('no samples', { file: options.name })
}

/** The rows of CSV, TSV or Parquet as vectors: CSV in batches of about this many values, Parquet whole. */
export async function* tableVectors(
  { format, head, chunks }: OpenedData,
  options: VectorOptions,
  valuesPerBatch: number,
): AsyncGenerator<VectorDataset> {
  if (format === 'parquet') {
    yield vectorsOf(await readWholeParquet(chunks, options, { others: 'strict-numbers' }))
    return
  }
  const { csvVectorBatches } = await import('../csv/csv-reader.ts')
  yield* csvVectorBatches(chunks, csvOptions(format as 'csv' | 'tsv', head, options), valuesPerBatch)
}

/** Reads all of a Parquet file: its index is at its end. */
export async function readWholeParquet(
  chunks: AsyncIterable<Uint8Array>,
  options: VectorOptions,
  table: Pick<CsvOptions, 'known'> & TableBuilderOptions,
): Promise<TableDataset> {
  const { readParquet } = await import('../parquet/parquet-reader.ts')
  const { head: whole } = await peek(chunks, Number.POSITIVE_INFINITY)
  return await readParquet(whole, { ...tableOptions(options), ...table, maxBytes: options.maxBytes })
}

/** What {@link VectorOptions} say of CSV that starts with `head`. */
export function csvOptions(format: 'csv' | 'tsv', head: Uint8Array, options: VectorOptions): CsvShapeOptions {
  const delimiter =
    options.delimiter ??
    delimiterFromFirstLine(head) ??
    (format === 'tsv' ? '\t' : delimiterFromContent(head))
  return { ...tableOptions(options), delimiter, header: options.header }
}

/** What {@link VectorOptions} say of tables. */
function tableOptions({ name, labels, features, labelColumn, weightColumn }: VectorOptions) {
  return { name, labels, features, labelColumn, weightColumn }
}

/** What {@link VectorOptions} say of LIBSVM text. */
export function libsvmOptions({ name, labels, features, indexBase, threads }: VectorOptions): LibsvmOptions {
  return { name, labels, features, indexBase, threads }
}

function chooseFormat({ format = 'auto', name }: VectorOptions, head: Uint8Array): DataFormat {
  if (format !== 'auto') return format
  if (isParquet(head)) return 'parquet'
  const ending = name === undefined ? undefined : refusedEnding(name)
  if (ending !== undefined) {
    const others =
      'only LIBSVM text, CSV, TSV and Parquet; save the data as one of them, or specify the format'
    throw new FormatError(`${ending} files cannot be read, ${others}`, { file: name })
  }
  return (name !== undefined && formatFromName(name)) || formatFromContent(head)
}

/** Reads LIBSVM text. `base` is the index of its first feature. */
export async function readLibsvm(
  { chunks, length }: OpenedData,
  options: VectorOptions,
): Promise<{ readonly data: VectorDataset; readonly base: 0 | 1 }> {
  const parser = new LibsvmParser(libsvmOptions(options))
  if (length !== undefined) parser.expect(length)
  for await (const chunk of gather(chunks, LONG_CHUNK_BYTES)) parser.push(chunk)
  return { data: parser.end(), base: parser.base }
}

/** The chunks of `source`, while reporting progress, heeding the signal and letting other tasks run. */
async function* watched(source: ByteSource, options: VectorOptions): AsyncGenerator<Uint8Array> {
  const { signal, onProgress } = options
  const bytesTotal = sourceLength(source, options)
  let bytesRead = 0
  const slice = new Slice()
  signal?.throwIfAborted()
  for await (const chunk of chunksOf(source)) {
    yield chunk
    bytesRead += chunk.length
    onProgress?.({ bytesRead, ...(bytesTotal !== undefined && { bytesTotal }) })
    if (slice.isOver) await slice.next()
    signal?.throwIfAborted()
  }
}

/** How many bytes there are, where that is known. */
function sourceLength(source: ByteSource, { bytesTotal }: VectorOptions): number | undefined {
  return bytesTotal ?? (source instanceof Uint8Array ? source.length : undefined)
}

function isUtf16(head: Uint8Array): boolean {
  return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
}
