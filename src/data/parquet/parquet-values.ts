/**
 * The encodings of values in Parquet's pages. Every count is held against the bytes first, so that time and memory are
 * bounded by them, or by the rows of the table where a run stands for many values.
 */
import type { DecodedArray, ParquetType, SchemaElement } from 'hyparquet'
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js'
import { byteStreamSplit } from 'hyparquet/src/encoding.js'
import { readPlain } from 'hyparquet/src/plain.js'
import { show } from '../../base/errors.ts'
import { ByteCursor } from '../codecs/byte-cursor.ts'
import type { GrowthLimit } from '../codecs/growth-limit.ts'

/** Bytes of a value of the types that have a fixed size. */
const sizes: Readonly<Partial<Record<ParquetType, number>>> = {
  INT32: 4,
  INT64: 8,
  INT96: 12,
  FLOAT: 4,
  DOUBLE: 8,
}

/** What writers use: a block has 128 values or a multiple, a part of it 32 or a multiple. No block needs more. */
const largestBlock = 1 << 20

/** The `count` values that are left in `cursor`, all of it. */
export function readValues(
  cursor: ByteCursor,
  column: SchemaElement,
  encoding: string,
  count: number,
  dictionary: DecodedArray | undefined,
  growth: GrowthLimit,
): DecodedArray {
  const { type } = column
  if (count === 0) return []
  switch (encoding) {
    case 'PLAIN':
      return readPlainValues(cursor, column, count)
    case 'PLAIN_DICTIONARY':
    case 'RLE_DICTIONARY':
      return readDictionaryValues(cursor, count, dictionary)
    case 'RLE':
      if (type !== 'BOOLEAN') break
      cursor.word()
      return Array.from(readRuns(cursor, 1, count), (bit) => bit === 1)
    case 'BYTE_STREAM_SPLIT':
      checkSize(cursor, column, count)
      return readWith(cursor, (reader) => byteStreamSplit(reader, count, type!, column.type_length))
    case 'DELTA_BINARY_PACKED':
      if (type === 'INT32') return readDeltas(cursor, new Int32Array(count))
      if (type === 'INT64') return readDeltas(cursor, new BigInt64Array(count))
      break
    case 'DELTA_LENGTH_BYTE_ARRAY':
      if (type !== 'BYTE_ARRAY') break
      return cutTexts(cursor, readDeltas(cursor, new Int32Array(count)))
    case 'DELTA_BYTE_ARRAY':
      if (type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY')
        return readSharedStarts(cursor, count, growth)
  }
  throw new Error(`values of type ${type} in the unknown encoding ${show(encoding)}`)
}

/** The `count` values that `cursor` holds one after the other, and nothing else. */
export function readPlainValues(cursor: ByteCursor, column: SchemaElement, count: number): DecodedArray {
  const { type } = column
  if (type === 'BYTE_ARRAY') {
    const texts: Uint8Array[] = []
    for (let k = 0; k < count; k++) texts.push(take(cursor, cursor.word()))
    checkEnd(cursor)
    return texts
  }
  checkSize(cursor, column, count)
  return readWith(cursor, (reader) => readPlain(reader, type!, count, column.type_length))
}

function readDictionaryValues(
  cursor: ByteCursor,
  count: number,
  dictionary: DecodedArray | undefined,
): DecodedArray {
  if (!dictionary) throw new Error('a dictionary is missing')
  const places = readRuns(cursor, cursor.byte(), count)
  return Array.from(places, (place) => {
    if (place >= dictionary.length) throw new Error(`value ${place} of a dictionary of ${dictionary.length}`)
    return dictionary[place]
  })
}

/**
 * `count` numbers of `width` bits in runs: one number many times, or groups of eight different ones, of which the last may be
 * cut off behind the last number. Numbers of no bits are zeros and need no runs.
 */
export function readRuns(cursor: ByteCursor, width: number, count: number): Uint32Array {
  if (width > 32) throw new Error(`numbers of ${width} bits`)
  const numbers = new Uint32Array(count)
  for (let filled = 0; filled < count && width > 0; ) {
    const head = cursor.varint()
    const length = head & 1 ? 8 * (head >>> 1) : head >>> 1
    const wanted = Math.min(length, count - filled)
    if (length === 0 || (wanted < length && !(head & 1)))
      throw new Error(`a run of ${length} where ${wanted} are wanted`)
    if (head & 1) readPacked(cursor, width, numbers.subarray(filled, filled + wanted), (length * width) / 8)
    else {
      let number = 0
      for (let shift = 0; shift < width; shift += 8) number += cursor.byte() * 2 ** shift
      if (number >= 2 ** width) throw new Error(`a number of ${width} bits is ${number}`)
      numbers.fill(number, filled, filled + wanted)
    }
    filled += wanted
  }
  return numbers
}

/** Fills `numbers` from bits, the lowest first, and moves `cursor` by `length` bytes, or to its end. */
function readPacked(cursor: ByteCursor, width: number, numbers: Uint32Array, length: number): void {
  const { bytes, at: start } = cursor
  cursor.skip(Math.ceil((numbers.length * width) / 8))
  cursor.at = Math.min(cursor.end, start + length)
  let at = start
  let bit = 0
  for (let k = 0; k < numbers.length; k++) {
    let number = 0
    for (let have = 0; have < width; ) {
      const part = Math.min(8 - bit, width - have)
      number |= ((bytes[at] >> bit) & ((1 << part) - 1)) << have
      have += part
      bit += part
      if (bit === 8) {
        bit = 0
        at++
      }
    }
    numbers[k] = number
  }
}

/** Numbers as differences: the head of their blocks is checked, hyparquet reads the rest. */
function readDeltas<A extends Int32Array | BigInt64Array>(cursor: ByteCursor, numbers: A): A {
  const head = new ByteCursor(cursor.bytes, cursor.at, cursor.end)
  const block = head.varint()
  const parts = head.varint()
  const total = head.varint()
  if (block === 0 || block % 128 > 0 || block > largestBlock || (block / parts) % 32 !== 0) {
    throw new Error(`blocks of ${block} differences in ${parts} parts`)
  }
  if (total !== numbers.length) throw new Error(`${total} differences where ${numbers.length} are wanted`)
  return readWith(cursor, (reader) => {
    deltaBinaryUnpack(reader, numbers.length, numbers)
    return numbers
  })
}

/** Texts that share their start with the one before: how much, then what follows it. */
function readSharedStarts(cursor: ByteCursor, count: number, growth: GrowthLimit): Uint8Array[] {
  const shared = readDeltas(cursor, new Int32Array(count))
  const ends = cutTexts(cursor, readDeltas(cursor, new Int32Array(count)))
  let before = new Uint8Array(0)
  return ends.map((end, k) => {
    if (!(shared[k] >= 0 && shared[k] <= before.length)) throw new Error('a text shares more than there is')
    const text = new Uint8Array(shared[k] + end.length)
    growth.produced(text.length)
    text.set(before.subarray(0, shared[k]))
    text.set(end, shared[k])
    before = text
    return text
  })
}

function cutTexts(cursor: ByteCursor, lengths: Int32Array): Uint8Array[] {
  const texts = Array.from(lengths, (length) => take(cursor, length))
  checkEnd(cursor)
  return texts
}

function take(cursor: ByteCursor, length: number): Uint8Array {
  if (length < 0) throw new Error(`a text of ${length} bytes`)
  cursor.skip(length)
  return cursor.bytes.subarray(cursor.at - length, cursor.at)
}

/** Lets hyparquet read on where `cursor` is. */
function readWith<T>(cursor: ByteCursor, read: (reader: { view: DataView; offset: number }) => T): T {
  const { bytes, at, end } = cursor
  // A copy: hyparquet makes views of what lies around, and numbers must be aligned.
  const own = bytes.slice(at, end)
  const reader = { view: new DataView(own.buffer), offset: 0 }
  const result = read(reader)
  cursor.skip(reader.offset)
  return result
}

/** Throws unless `cursor` holds just `count` values of a fixed size. */
function checkSize({ left }: ByteCursor, { type, type_length }: SchemaElement, count: number): void {
  const size = type === 'FIXED_LEN_BYTE_ARRAY' ? type_length : sizes[type!]
  const wanted = type === 'BOOLEAN' ? Math.ceil(count / 8) : count * (size ?? Number.NaN)
  if (left !== wanted || size === 0) throw new Error(`${count} values of type ${type} in ${left} bytes`)
}

function checkEnd({ left }: ByteCursor): void {
  if (left > 0) throw new Error(`${left} bytes follow the last text`)
}
