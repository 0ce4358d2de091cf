/** Parquet files for torture: those of hyparquet-writer (pages of version 2), and pages of version 1, which it does not write. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import type { Random } from '../../src/base/random.ts'
import { join } from './mutate.ts'
import { pick } from './random-data.ts'
import { i32, i64, list, type Node, struct, text, writeNode } from './thrift-tree.ts'

type Codec = 'UNCOMPRESSED' | 'SNAPPY' | 'GZIP' | 'BROTLI' | 'ZSTD' | 'LZ4_RAW'

const codecs: Readonly<Record<Codec, number>> = {
  UNCOMPRESSED: 0,
  SNAPPY: 1,
  GZIP: 2,
  BROTLI: 4,
  ZSTD: 6,
  LZ4_RAW: 7,
}
/** What packs pages; Zstandard and LZ4 without making them smaller. */
export const compressors = {
  GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)),
  BROTLI: (bytes: Uint8Array) => new Uint8Array(brotliCompressSync(bytes)),
  ZSTD: (bytes: Uint8Array) => {
    const size = new Uint8Array(Uint32Array.of(bytes.length).buffer)
    const block = new Uint8Array(Uint32Array.of((bytes.length << 3) | 1).buffer).subarray(0, 3)
    return join(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xa0), size, block, bytes)
  },
  LZ4_RAW: (bytes: Uint8Array) => {
    const more = bytes.length - 15
    const lengths = more < 0 ? [] : [...new Array(Math.floor(more / 255)).fill(255), more % 255]
    return join(Uint8Array.of(Math.min(bytes.length, 15) << 4, ...lengths), bytes)
  },
}

/** A table of some rows: numbers, whole numbers, truth values and a label, in one of many ways of writing it. */
export function randomParquet(random: Random): Uint8Array {
  const rows = 1 + random.int(random.int(4) === 0 ? 300 : 40)
  return random.int(2) === 0 ? versionTwo(random, rows) : versionOne(random, rows)
}

function versionTwo(random: Random, rows: number): Uint8Array {
  const column = <T>(make: () => T): T[] => Array.from({ length: rows }, make)
  const nullable = random.int(2) === 0
  const encoding = (...names: ColumnSource['encoding'][]) => {
    const chosen = pick(random, [undefined, ...names])
    return chosen && { encoding: chosen }
  }
  const columnData: ColumnSource[] = [
    {
      name: 'd',
      type: 'DOUBLE',
      data: column(() => random.normal()),
      ...encoding('PLAIN', 'BYTE_STREAM_SPLIT'),
    },
    { name: 'f', type: 'FLOAT', data: column(() => random.int(9)), ...encoding('PLAIN', 'RLE_DICTIONARY') },
    {
      name: 'i',
      type: 'INT32',
      data: column(() => random.int(1000) - 500),
      ...encoding('DELTA_BINARY_PACKED', 'PLAIN'),
    },
    {
      name: 'l',
      type: 'INT64',
      data: column(() => BigInt(random.int(1000))),
      ...encoding('DELTA_BINARY_PACKED'),
    },
    { name: 'b', type: 'BOOLEAN', data: column(() => random.int(2) === 0) },
    {
      name: 'label',
      type: 'STRING',
      data: column(() => pick(random, ['a', 'bb', 'ccc', 'bbb'])),
      ...encoding('DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY', 'PLAIN'),
    },
  ]
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: columnData.map((one) => ({ ...one, nullable })),
      codec: pick(random, Object.keys(codecs) as Codec[]),
      compressors,
      rowGroupSize: pick(random, [1000, 16, 7]),
      pageSize: pick(random, [1 << 20, 64]),
      statistics: random.int(2) === 0,
    }),
  )
}

/** A file of one row group of doubles and whole numbers; pages of version 1, some with dictionaries and missing marks. */
function versionOne(random: Random, rows: number): Uint8Array {
  const codec = pick(random, ['UNCOMPRESSED', 'GZIP', 'BROTLI', 'ZSTD', 'LZ4_RAW'] as const)
  const optional = random.int(2) === 0
  const parts: Uint8Array[] = [new TextEncoder().encode('PAR1')]
  let offset = 4
  const add = (bytes: Uint8Array): void => {
    parts.push(bytes)
    offset += bytes.length
  }
  const addPage = (type: number, body: Uint8Array, header: Readonly<Record<number, Node>>): void => {
    const packed = codec === 'UNCOMPRESSED' ? body : compressors[codec](body)
    add(writeNode(struct({ 1: i32(type), 2: i32(body.length), 3: i32(packed.length), ...header })))
    add(packed)
  }
  const levels = optional
    ? withLength(join(Uint8Array.from(runHead(rows)), Uint8Array.of(1)))
    : new Uint8Array(0)
  const names = ['x', 'y']
  const chunks = names.map((name) => {
    const dictionary = random.int(2) === 0
    const start = offset
    let data = offset
    if (dictionary) {
      addPage(2, doubles([1, 2.5, -3]), { 7: struct({ 1: i32(3), 2: i32(0) }) })
      data = offset
      const places = Array.from({ length: rows }, () => random.int(3))
      const body = join(levels, Uint8Array.of(2), packedTwoBits(places))
      addPage(0, body, { 5: struct({ 1: i32(rows), 2: i32(8), 3: i32(3), 4: i32(3) }) })
    } else {
      const body = join(levels, doubles(Array.from({ length: rows }, () => random.int(100) / 8)))
      addPage(0, body, { 5: struct({ 1: i32(rows), 2: i32(0), 3: i32(3), 4: i32(3) }) })
    }
    return struct({
      2: i64(start),
      3: struct({
        1: i32(5),
        2: list([i32(0), i32(3), i32(8)], 'i32'),
        3: list([text(name)], 'binary'),
        4: i32(codecs[codec]),
        5: i64(rows),
        6: i64(offset - start),
        7: i64(offset - start),
        9: i64(data),
        11: dictionary ? i64(start) : undefined,
      }),
    })
  })
  const columns = names.map((name) => struct({ 1: i32(5), 3: i32(optional ? 1 : 0), 4: text(name) }))
  const footer = writeNode(
    struct({
      1: i32(1),
      2: list([struct({ 4: text('root'), 5: i32(names.length) }), ...columns]),
      3: i64(rows),
      4: list([struct({ 1: list(chunks), 2: i64(offset - 4), 3: i64(rows) })]),
      6: text('torture'),
    }),
  )
  return withFooter(join(...parts), footer)
}

/** The bytes before the footer of a Parquet file. */
export function parquetBody(file: Uint8Array): Uint8Array {
  const length = new DataView(file.buffer, file.byteOffset).getUint32(file.length - 8, true)
  return file.subarray(0, file.length - 8 - length)
}

/** The footer of a Parquet file. */
export function parquetFooter(file: Uint8Array): Uint8Array {
  return file.subarray(parquetBody(file).length, file.length - 8)
}

/** A Parquet file of a body and a footer. */
export function withFooter(body: Uint8Array, footer: Uint8Array): Uint8Array {
  const length = new Uint8Array(Uint32Array.of(footer.length).buffer)
  return join(body, footer, length, new TextEncoder().encode('PAR1'))
}

function doubles(values: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(values).buffer)
}

function withLength(bytes: Uint8Array): Uint8Array {
  return join(new Uint8Array(Uint32Array.of(bytes.length).buffer), bytes)
}

/** The head of a run of equal values. */
function runHead(count: number): number[] {
  const head = 2 * count
  return head < 128 ? [head] : [(head & 127) | 128, head >> 7]
}

/** Numbers below 4 as one run of groups of eight. */
function packedTwoBits(numbers: readonly number[]): Uint8Array {
  const groups = Math.ceil(numbers.length / 8)
  const bytes = new Uint8Array(2 * groups)
  numbers.forEach((number, k) => {
    bytes[k >> 2] |= number << (2 * (k & 3))
  })
  const head = 2 * groups + 1
  return join(Uint8Array.from(head < 128 ? [head] : [(head & 127) | 128, head >> 7]), bytes)
}
