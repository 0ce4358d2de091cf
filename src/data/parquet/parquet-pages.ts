/**
 * The pages of one column in one row group of a Parquet file. Each page is a header, then values, perhaps compressed and
 * with levels: how far each value is defined, which tells missing ones, and whether it continues with a list. The header's sizes
 * and counts are held against the bytes before anything is set aside for them, and against what the footer says when the last
 * page is read.
 */
import type { DecodedArray, PageHeader } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { decompressPage } from 'hyparquet/src/datapage.js'
import { show } from '../../base/errors.ts'
import { ByteCursor } from '../codecs/byte-cursor.ts'
import { crc32 } from '../codecs/crc32.ts'
import type { GrowthLimit } from '../codecs/growth-limit.ts'
import { decompressors } from './parquet-codecs.ts'
import type { ChunkPlace } from './parquet-footer.ts'
import type { LeafColumn } from './parquet-schema.ts'
import { readPlainValues, readRuns, readValues } from './parquet-values.ts'
import { skipStruct } from './thrift-struct.ts'

/** The values of a page, as they are stored, or lists of them; null for those that are missing. */
export type StoredCells = DecodedArray | readonly unknown[]

/** The pages of a column chunk, one after the other: as many cells as the chunk has rows, or an error. */
export function* readPages(
  bytes: Uint8Array,
  { start, end, codec, rows, values: all }: ChunkPlace,
  column: LeafColumn,
  growth: GrowthLimit,
): Generator<StoredCells> {
  const lists = column.listFrom === undefined ? undefined : new ListRows(column.listFrom, column.definition)
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
    const { count, encoding, values, definitions, repetitions, nulls } = openPage(
      header,
      body,
      unpack,
      column,
    )
    if (count > all - read) throw new Error(`pages hold more than the ${all} values of their column`)
    const levels = definitions && readLevels(definitions, column.definition, count)
    const present = levels
      ? levels.reduce((sum, level) => sum + Number(level === column.definition), 0)
      : count
    if (count - present !== (nulls ?? count - present))
      throw new Error(`a page says that ${nulls} values are missing, ${count - present} are`)
    const found = readValues(values, column, encoding, present, dictionary, growth)
    if (lists) yield lists.add(found, levels!, readLevels(repetitions!, 1, count))
    else yield levels && present < count ? withMissing(found, levels) : found
    read += count
  }
  if (lists) yield lists.end(rows)
  if (read !== all)
    throw new Error(`pages hold ${read} values of column ${show(column.path[0])}, the footer says ${all}`)
}

/** Puts values together to lists, which may continue from page to page. */
class ListRows {
  private readonly listFrom: number
  private readonly definition: number
  private row: unknown[] | null | undefined
  private count = 0

  constructor(listFrom: number, definition: number) {
    this.listFrom = listFrom
    this.definition = definition
  }

  /** The lists that are complete. */
  add(found: ArrayLike<unknown>, levels: Uint32Array, repetitions: Uint32Array): unknown[] {
    const done: unknown[] = []
    let next = 0
    for (let k = 0; k < levels.length; k++) {
      const level = levels[k]
      if (repetitions[k] === 0) {
        if (this.row !== undefined) done.push(this.row)
        this.row = level < this.listFrom ? null : []
        this.count++
      } else if (!this.row?.length || level <= this.listFrom) {
        throw new Error('a list goes on that never began')
      }
      if (level > this.listFrom) this.row!.push(level === this.definition ? found[next++] : null)
    }
    return done
  }

  /** The last list. */
  end(rows: number): unknown[] {
    if (this.count !== rows) throw new Error(`pages hold ${this.count} lists, the footer says ${rows}`)
    return this.row === undefined ? [] : [this.row]
  }
}

function readHeader(cursor: ByteCursor): PageHeader {
  const { bytes, at } = cursor
  skipStruct(cursor)
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, cursor.at - at)
  return parquetHeader({ view, offset: 0 })
}

/** A page of data: how many values, how they are encoded, their bytes, and those of their levels. */
interface OpenPage {
  readonly count: number
  readonly encoding: string
  readonly values: ByteCursor
  /** Undefined where no value can be missing. */
  readonly definitions: ByteCursor | undefined
  /** Of lists. */
  readonly repetitions: ByteCursor | undefined
  /** How many are missing, where the header says that. */
  readonly nulls?: number
}

/** Takes a page of data apart. In the first version all of it is compressed, in the second its values alone. */
function openPage(
  header: PageHeader,
  body: Uint8Array,
  unpack: (packed: Uint8Array, length: number) => Uint8Array,
  { definition, listFrom }: LeafColumn,
): OpenPage {
  const mayLack = definition > 0
  const isList = listFrom !== undefined
  const { type, data_page_header: first, data_page_header_v2: second, uncompressed_page_size: size } = header
  if (type === 'DATA_PAGE' && first) {
    const values = new ByteCursor(unpack(body, size))
    const count = checkCount(first.num_values)
    const level = (encoding: string): ByteCursor => {
      if (encoding !== 'RLE') throw new Error('levels of values are not run lengths')
      const length = values.word()
      const start = values.at
      values.skip(length)
      return new ByteCursor(values.bytes, start, values.at)
    }
    const repetitions = isList ? level(first.repetition_level_encoding) : undefined
    const definitions = mayLack ? level(first.definition_level_encoding) : undefined
    return { count, encoding: first.encoding, values, definitions, repetitions }
  }
  if (type !== 'DATA_PAGE_V2' || !second) throw new Error(`a page of unknown type ${show(type)}`)
  const {
    num_values,
    num_rows,
    definition_levels_byte_length: defined,
    repetition_levels_byte_length: repeated,
  } = second
  const count = checkCount(num_values)
  const split = new ByteCursor(body)
  if (
    (!isList && (num_rows !== num_values || repeated !== 0)) ||
    !(defined >= 0 && repeated >= 0) ||
    (!mayLack && defined > 0)
  ) {
    throw new Error('a page is of another kind of column')
  }
  const length = repeated + defined
  split.skip(length)
  const packed = body.subarray(length)
  if (second.is_compressed === false && packed.length !== size - length)
    throw new Error('a page has two sizes')
  const values = new ByteCursor(second.is_compressed === false ? packed : unpack(packed, size - length))
  const definitions = mayLack ? new ByteCursor(body, repeated, length) : undefined
  const repetitions = isList ? new ByteCursor(body, 0, repeated) : undefined
  return { count, encoding: second.encoding, values, definitions, repetitions, nulls: second.num_nulls }
}

/** Levels from 0 to `most`. */
function readLevels(runs: ByteCursor, most: number, count: number): Uint32Array {
  const levels = readRuns(runs, 32 - Math.clz32(most), count)
  const high = levels.find((level) => level > most)
  if (high !== undefined) throw new Error(`a level is ${high} where ${most} is the highest`)
  return levels
}

/** Of a column without lists: level 1 is a value, level 0 a missing one. */
function withMissing(found: ArrayLike<unknown>, levels: Uint32Array): unknown[] {
  let next = 0
  return Array.from(levels, (level) => (level === 1 ? found[next++] : null))
}

function checkCount(count: number): number {
  if (Number.isInteger(count) && count >= 0) return count
  throw new Error(`a page of ${count} values`)
}
