/**
 * Structures of Thrift's compact protocol, of which Parquet's footer and page headers are made. A list says how long it is
 * before its elements come, and a reader that believes it sets memory aside for that many. Here a structure is walked through
 * first: no list is longer than the bytes that follow, nothing reaches beyond the end, the nesting is bounded.
 */
import type { ByteCursor } from '../codecs/byte-cursor.ts'

/** Types of fields, by the numbers that the protocol gives them. */
const stop = 0
const yes = 1
const no = 2
const byte = 3
const int16 = 4
const int32 = 5
const int64 = 6
const double = 7
const binary = 8
const list = 9
const struct = 12

/** The footer needs eight: file, row group, column, its metadata, statistics, a box, and lists between them. */
const deepest = 16

/** Moves `cursor` past the structure that starts at it; throws where it is not well-formed. */
export function skipStruct(cursor: ByteCursor, depth = 0): void {
  let field = 0
  for (;;) {
    const head = cursor.byte()
    const type = head & 0x0f
    if (type === stop) return
    const next = head >> 4 > 0 ? field + (head >> 4) : cursor.varint() / 2
    // An odd number stands for a negative one.
    if (!(Number.isInteger(next) && next > field)) throw new Error('fields of a structure do not ascend')
    field = next
    if (type !== yes && type !== no) skipValue(cursor, type, depth)
  }
}

function skipValue(cursor: ByteCursor, type: number, depth: number): void {
  if (depth > deepest) throw new Error('structures are nested too deeply')
  switch (type) {
    case byte:
      cursor.skip(1)
      return
    case int16:
    case int32:
      cursor.varint()
      return
    case int64:
      cursor.skipLongVarint()
      return
    case double:
      cursor.skip(8)
      return
    case binary:
      cursor.skip(cursor.varint())
      return
    case list: {
      const head = cursor.byte()
      const size = head >> 4 < 15 ? head >> 4 : cursor.varint()
      const element = head & 0x0f
      if (size > cursor.left) throw new Error(`a list of ${size} elements in ${cursor.left} bytes`)
      for (let k = 0; k < size; k++)
        skipValue(cursor, element === yes || element === no ? byte : element, depth + 1)
      return
    }
    case struct:
      skipStruct(cursor, depth + 1)
      return
    default:
      throw new Error(`a value of unknown type ${type}`)
  }
}
