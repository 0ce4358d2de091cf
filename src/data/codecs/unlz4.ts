/** LZ4 blocks: runs of literal bytes, each followed by a copy from up to 64 KiB back. */
import { ByteCursor } from './byte-cursor.ts'

/** Sizes in a token have four bits; the largest one says that more follows. */
const longSize = 15
/** A copy of fewer bytes would not save any. */
const shortestCopy = 4

/** Decompresses a block that becomes just `length` bytes. */
export function unlz4(data: Uint8Array, length: number): Uint8Array {
  const cursor = new ByteCursor(data)
  const out = new Uint8Array(length)
  let fill = 0
  const reserve = (count: number): void => {
    if (fill + count > length) throw new Error(`LZ4: data become more than ${length} bytes`)
  }
  while (cursor.left > 0) {
    const token = cursor.byte()
    const literals = readSize(cursor, token >> 4)
    reserve(literals)
    cursor.skip(literals)
    out.set(data.subarray(cursor.at - literals, cursor.at), fill)
    fill += literals
    if (cursor.left === 0) break
    const offset = cursor.byte() + (cursor.byte() << 8)
    const count = shortestCopy + readSize(cursor, token & longSize)
    reserve(count)
    if (offset === 0 || offset > fill) throw new Error(`LZ4: a copy from ${offset} bytes back`)
    for (const end = fill + count; fill < end; fill++) out[fill] = out[fill - offset]
  }
  if (fill !== length) throw new Error(`LZ4: data become ${fill} bytes, not ${length}`)
  return out
}

/** As {@link unlz4}, for blocks as Hadoop writes them, each behind its two sizes; or for one block alone. */
export function unlz4Hadoop(data: Uint8Array, length: number): Uint8Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const out = new Uint8Array(length)
  let fill = 0
  for (let at = 0; at < data.length; ) {
    const size = at + 8 <= data.length ? view.getUint32(at) : length + 1
    const packed = at + 8 <= data.length ? view.getUint32(at + 4) : data.length
    if (fill + size > length || at + 8 + packed > data.length) return unlz4(data, length)
    out.set(unlz4(data.subarray(at + 8, at + 8 + packed), size), fill)
    fill += size
    at += 8 + packed
  }
  if (fill !== length) throw new Error(`LZ4: data become ${fill} bytes, not ${length}`)
  return out
}

function readSize(cursor: ByteCursor, start: number): number {
  let size = start
  if (start < longSize) return size
  for (let more = 255; more === 255; size += more) more = cursor.byte()
  return size
}
