/**
 * What a Parquet file says of itself at its end: columns, groups of rows, and where the bytes of each column are. It says
 * many things twice, and all that bears on the data is checked before any of it is believed: the counts of rows agree, the
 * columns of each group are those of the schema, and their bytes lie within the file without overlapping.
 */
import type { ColumnChunk, CompressionCodec, FileMetaData } from 'hyparquet'
import { parquetMetadata } from 'hyparquet/src/index.js'
import { show } from '../../base/errors.ts'
import { ByteCursor } from '../codecs/byte-cursor.ts'
import { isParquet } from '../files/data-format.ts'
import { type LeafColumn, type ParquetColumn, readSchema } from './parquet-schema.ts'
import { skipStruct } from './thrift-struct.ts'

/** What a Parquet file holds, once it is checked. */
export interface ParquetFooter {
  readonly columns: readonly ParquetColumn[]
  readonly groups: readonly RowGroup[]
  /** Rows of all groups. */
  readonly rows: number
}

/** Some rows of a table. */
export interface RowGroup {
  readonly rows: number
  /** One for each column; undefined of those that are not read. */
  readonly chunks: readonly (ChunkPlace | undefined)[]
}

/** Where the values of one column in one row group are. */
export interface ChunkPlace {
  readonly start: number
  readonly end: number
  readonly codec: CompressionCodec
  readonly rows: number
  /** Values and places of missing ones: as many as rows, or, of lists, as all their values, and one for each without any. */
  readonly values: number
}

/** "PAR1", at both ends of a file. */
const magicBytes = 4
/** The length of the footer and the magic behind it. */
const trailerBytes = 8

/** Reads and checks the footer of a Parquet file. */
export function readFooter(bytes: Uint8Array): ParquetFooter {
  const trailer = bytes.length - trailerBytes
  if (trailer < magicBytes || !isParquet(bytes)) throw new Error('the file does not start with PAR1')
  if (!isParquet(bytes.subarray(trailer + magicBytes))) throw new Error('the file does not end with PAR1')
  const start = trailer - new ByteCursor(bytes, trailer).word()
  if (start < magicBytes) throw new Error('the footer is longer than the file')
  const cursor = new ByteCursor(bytes, start, trailer)
  skipStruct(cursor)
  if (cursor.left > 0) throw new Error(`${cursor.left} bytes follow the footer's last field`)

  const metadata = parquetMetadata(bytes.subarray(start), { geoparquet: false })
  const { columns, leaves } = readSchema(metadata.schema)
  const all: ChunkPlace[] = []
  const groups = metadata.row_groups.map(({ num_rows, columns: chunks }, g) => {
    const rows = wholeNumber(num_rows, `the number of rows of row group ${g}`)
    if (chunks.length !== leaves.length) {
      throw new Error(`row group ${g} has ${chunks.length} columns where the schema has ${leaves.length}`)
    }
    const places = chunks.map((chunk, k) => chunkPlace(chunk, leaves[k], rows))
    all.push(...places)
    return { rows, chunks: columns.map(({ leaf }) => leaf && places[leaves.indexOf(leaf)]) }
  })
  checkPlaces(all, start)
  return { columns, groups, rows: totalRows(metadata, groups) }
}

function chunkPlace(
  { meta_data, file_path, crypto_metadata }: ColumnChunk,
  leaf: LeafColumn,
  rows: number,
): ChunkPlace {
  const path = leaf.path.join('.')
  const name = `column ${show(path)}`
  if (!meta_data || crypto_metadata) throw new Error(`${name} is encrypted`)
  if (file_path) throw new Error(`${name} is in another file`)
  const { type, path_in_schema, codec, num_values, total_compressed_size } = meta_data
  const isSame = path_in_schema.length === leaf.path.length && path_in_schema.join('.') === path
  if (!isSame || type !== leaf.type) {
    throw new Error(
      `a row group has ${type} ${show(path_in_schema.join('.'))} in the place of ${leaf.type} ${name}`,
    )
  }
  const values = wholeNumber(num_values, `the number of values of ${name}`)
  if (leaf.listFrom === undefined ? values !== rows : values < rows) {
    throw new Error(`${name} has ${values} values in a row group of ${rows} rows`)
  }
  const data = wholeNumber(meta_data.data_page_offset, `the place of ${name}`)
  const dictionary = wholeNumber(
    meta_data.dictionary_page_offset ?? 0,
    `the place of the dictionary of ${name}`,
  )
  const start = dictionary > 0 && dictionary < data ? dictionary : data
  return {
    start,
    end: start + wholeNumber(total_compressed_size, `the size of ${name}`),
    codec,
    rows,
    values,
  }
}

/** Chunks must lie one behind the other, between the magic and the footer. */
function checkPlaces(all: readonly ChunkPlace[], footer: number): void {
  const places = [...all].sort((a, b) => a.start - b.start)
  let end = magicBytes
  for (const place of places) {
    if (place.start < end || place.end > footer) {
      throw new Error(`the bytes from ${place.start} to ${place.end} are not those of one column alone`)
    }
    end = place.end
  }
}

function totalRows({ num_rows }: FileMetaData, groups: readonly RowGroup[]): number {
  const rows = wholeNumber(num_rows, 'the number of rows')
  const held = groups.reduce((sum, group) => sum + group.rows, 0)
  if (rows !== held) throw new Error(`the file says ${rows} rows, its row groups say ${held}`)
  return rows
}

/** A number of the footer that counts something. */
function wholeNumber(value: unknown, what: string): number {
  const number = typeof value === 'bigint' ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw new Error(`${what} must be a whole number >= 0, got ${show(value)}`)
}
