import { FormatError } from '../../base/errors.ts'
import { BitReader, outOfBits } from './bit-reader.ts'
import { Bzip2Block, bzip2Damage } from './bzip2-block.ts'

const blockUnit = 100_000
/** More than a block can take beyond its own size: bzip2 grows what it cannot compress by 1% and a table. */
const blockMargin = 25_000
const headerBytes = 4
const blockStart = 0x314159265359
const streamEnd = 0x177245385090

/** Decompresses bzip2 data, also several streams one after the other; checksums are verified. */
export async function* bunzip2(chunks: AsyncIterable<Uint8Array>, file?: string): AsyncGenerator<Uint8Array> {
  const input = new BitReader()
  const decoder = new Decoder(input)
  try {
    for await (const chunk of chunks) {
      input.append(chunk)
      while (input.available >= decoder.wanted) yield* decoder.step()
    }
    while (input.available > 0 || decoder.inStream) yield* decoder.step()
  } catch (error) {
    if (error === outOfBits) throw new FormatError('bzip2 data is truncated', { file })
    if (error === bzip2Damage) throw new FormatError('bzip2 data is damaged', { file })
    throw error
  }
}

class Decoder {
  private readonly input: BitReader
  private block = new Bzip2Block(0)
  private checksum = 0
  /** Within a stream: between its header and its end mark. */
  inStream = false

  constructor(input: BitReader) {
    this.input = input
  }

  /** Bytes that are enough for the next step. */
  get wanted(): number {
    return this.inStream ? this.block.size + blockMargin : headerBytes
  }

  /** Decodes a header, a block or an end mark; yields the bytes of a block. */
  *step(): Generator<Uint8Array> {
    const { input } = this
    if (!this.inStream) {
      const size = blockUnit * this.header()
      if (this.block.size !== size) this.block = new Bzip2Block(size)
      this.checksum = 0
      this.inStream = true
      return
    }
    const mark = input.read(24) * 2 ** 24 + input.read(24)
    const checksum = input.word()
    if (mark === streamEnd) {
      if (checksum !== this.checksum) throw bzip2Damage
      input.toByte()
      this.inStream = false
    } else if (mark === blockStart) {
      this.checksum = (((this.checksum << 1) | (this.checksum >>> 31)) ^ checksum) >>> 0
      this.block.read(input)
      yield* this.block.bytes(checksum)
    } else throw bzip2Damage
  }

  /** The size of blocks that a header says, 1 to 9. */
  private header(): number {
    const { input } = this
    const size = input.read(24) === 0x425a68 ? input.read(8) - 0x30 : 0
    if (size < 1 || size > 9) throw bzip2Damage
    return size
  }
}
