/**
 * The pages of one column in one row group of a Parquet file. Each page is a header, then values, perhaps compressed and
 * with marks for those that are missing. The header's sizes and counts are held against the bytes before anything is set
 * aside for them, and against what the footer says when the last page is read.
 */
import type { DecodedArray, PageHeader, SchemaElement } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { decompressPage } from 'hyparquet/src/datapage.js'
import { show } from '../../base/errors.ts'
import { ByteCursor } from '../codecs/byte-cursor.ts'
import { crc32 } from '../codecs/crc32.ts'
import type { GrowthLimit } from '../codecs/growth-limit.ts'
import { decompressors } from './parquet-codecs.ts'
import type { ChunkPlace } from './parquet-footer.ts'
import { readPlainValues, readRuns, readValues } from './parquet-values.ts'
import { skipStruct } from './thrift-struct.ts'

/** The values of a page, as they are stored; null for those that are missing. */
export type StoredCells = DecodedArray | readonly unknown[]

/** The pages of a column chunk, one after the other: as many values as the chunk has rows, or an error. */
export function* readPages(
  bytes: Uint8Array,
  { start, end, codec, rows }: ChunkPlace,
  column: SchemaElement,
  growth: GrowthLimit,
): Generator<StoredCells> {
  const cursor = new ByteCursor(bytes, start, end)
  let dictionary: DecodedArray | undefined
  let read = 0
  for (let page = 0; cursor.left > 0; page++) {
    const header = readHeader(cursor)
    const { type, compressed_page_size: length, uncompressed_page_size: size } = header
    if (!(length >= 0 && length <= cursor.left && size >= 0)) {
      throw new Error(`a page of ${length} bytes in ${cursor.left} bytes`)
    }
    const body = bytes.subarray(cursor.at, cursor.at + length)
    cursor.skip(length)
    growth.produced(size)
    if (header.crc !== undefined && header.crc >>> 0 !== crc32(body)) throw new Error('a page is damaged')
    const unpack = (packed: Uint8Array, length: number): Uint8Array =>
      length === 0 ? new Uint8Array(0) : decompressPage(packed, length, codec, decompressors)
    if (type === 'DICTIONARY_PAGE') {
      const count = header.dictionary_page_header?.num_values
      if (page > 0 || count === undefined) throw new Error('a dictionary is out of place')
      dictionary = readPlainValues(new ByteCursor(unpack(body, size)), column, checkCount(count))
      continue
    }
    const { count, encoding, values, levels, nulls } = openPage(header, body, unpack, column)
    if (count > rows - read) throw new Error(`pages hold more than the ${rows} values of their column`)
    const missing = levels && missingValues(levels, count)
    const absent = missing?.count ?? 0
    if (absent !== (nulls ?? absent))
      throw new Error(`a page says that ${nulls} values are missing, ${absent} are`)
    const found = readValues(values, column, encoding, count - absent, dictionary, growth)
    yield missing ? withMissing(found, missing.levels) : found
    read += count
  }
  if (read !== rows)
    throw new Error(`pages hold ${read} values of column ${show(column.name)}, the footer says ${rows}`)
}

function readHeader(cursor: ByteCursor): PageHeader {
  const { bytes, at } = cursor
  skipStruct(cursor)
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, cursor.at - at)
  return parquetHeader({ view, offset: 0 })
}

/** A page of data: how many values, how they are encoded, their bytes, and those of the marks for missing ones. */
interface OpenPage {
  readonly count: number
  readonly encoding: string
  readonly values: ByteCursor
  readonly levels: ByteCursor | undefined
  /** How many are missing, where the header says that. */
  readonly nulls?: number
}

/** Takes a page of data apart. In the first version all of it is compressed, in the second its values alone. */
function openPage(
  header: PageHeader,
  body: Uint8Array,
  unpack: (packed: Uint8Array, length: number) => Uint8Array,
  column: SchemaElement,
): OpenPage {
  const optional = column.repetition_type === 'OPTIONAL'
  const { type, data_page_header: first, data_page_header_v2: second, uncompressed_page_size: size } = header
  if (type === 'DATA_PAGE' && first) {
    const values = new ByteCursor(unpack(body, size))
    const count = checkCount(first.num_values)
    if (!optional) return { count, encoding: first.encoding, values, levels: undefined }
    if (first.definition_level_encoding !== 'RLE')
      throw new Error('marks of missing values are not run lengths')
    const length = values.word()
    const start = values.at
    values.skip(length)
    return { count, encoding: first.encoding, values, levels: new ByteCursor(values.bytes, start, values.at) }
  }
  if (type !== 'DATA_PAGE_V2' || !second) throw new Error(`a page of unknown type ${show(type)}`)
  const {
    num_values,
    num_rows,
    definition_levels_byte_length: length,
    repetition_levels_byte_length,
  } = second
  const count = checkCount(num_values)
  const split = new ByteCursor(body)
  if (
    num_rows !== num_values ||
    repetition_levels_byte_length !== 0 ||
    !(length >= 0) ||
    (!optional && length > 0)
  ) {
    throw new Error('a page is of a nested column')
  }
  split.skip(length)
  const packed = body.subarray(length)
  if (second.is_compressed === false && packed.length !== size - length)
    throw new Error('a page has two sizes')
  const values = new ByteCursor(second.is_compressed === false ? packed : unpack(packed, size - length))
  const levels = optional ? new ByteCursor(body, 0, length) : undefined
  return { count, encoding: second.encoding, values, levels, nulls: second.num_nulls }
}

/** Which values are missing: their level is 0, that of the others 1. Undefined when none is. */
function missingValues(
  marks: ByteCursor,
  count: number,
): { readonly levels: Uint32Array; readonly count: number } | undefined {
  const levels = readRuns(marks, 1, count)
  const missing = levels.reduce((sum, level) => sum + 1 - level, 0)
  return missing > 0 ? { levels, count: missing } : undefined
}

function withMissing(found: ArrayLike<unknown>, levels: Uint32Array): unknown[] {
  let next = 0
  return Array.from(levels, (level) => (level === 1 ? found[next++] : null))
}

function checkCount(count: number): number {
  if (Number.isInteger(count) && count >= 0) return count
  throw new Error(`a page of ${count} values`)
}
