/**
 * The codecs of Parquet's pages. A page says how long it becomes, and must become just that: those of hyparquet's decoders
 * that fill up with zeros what the data do not give are asked again in a way that shows it.
 */
import type { Compressors } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { BrotliOutput } from 'hyparquet-compressors/src/brotli.streams.js'
import { ByteCursor } from '../codecs/byte-cursor.ts'
import { crc32 } from '../codecs/crc32.ts'
import { unlz4, unlz4Hadoop } from '../codecs/unlz4.ts'
import { unzstd } from '../codecs/unzstd.ts'

/**
 * The Brotli decoder would make more room whenever data ask for it, and ten bytes can ask for 16 MiB. It sets its buffer once
 * when it begins; to set it again is an error.
 */
const buffers = new WeakMap<BrotliOutput, Uint8Array>()
Object.defineProperty(BrotliOutput.prototype, 'buffer', {
  get(this: BrotliOutput) {
    return buffers.get(this)
  },
  set(this: BrotliOutput, bytes: Uint8Array) {
    if (buffers.has(this)) throw new Error(`Brotli: data become more than ${buffers.get(this)!.length} bytes`)
    buffers.set(this, bytes)
  },
})

/** Decoders by the name of their codec, each of data and of the length they become. */
export const decompressors: Compressors = {
  SNAPPY(data, length) {
    const given = new ByteCursor(data).varint()
    if (given !== length) throw new Error(`Snappy: data become ${given} bytes, not ${length}`)
    return compressors.SNAPPY!(data, length)
  },
  GZIP(data, length) {
    const bytes = compressors.GZIP!(data, length)
    // The last eight bytes of a member are its checksum and its length.
    const end = new ByteCursor(data, Math.max(0, data.length - 8))
    if (end.word() !== crc32(bytes) || end.word() !== length) throw new Error('gzip: data are damaged')
    return bytes
  },
  BROTLI(data, length) {
    const bytes = compressors.BROTLI!(data, length)
    if (fits(() => compressors.BROTLI!(data, length - 1)))
      throw new Error(`Brotli: data become less than ${length} bytes`)
    return bytes
  },
  ZSTD: unzstd,
  LZ4: unlz4Hadoop,
  LZ4_RAW: unlz4,
}

/** Whether data need no more room than they are given. */
function fits(decompress: () => unknown): boolean {
  try {
    decompress()
    return true
  } catch {
    return false
  }
}
