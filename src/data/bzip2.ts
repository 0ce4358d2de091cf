import bzip2 from 'unbzip2-stream/lib/bzip2.js'
import { FormatError } from '../base/errors.ts'
import { joinBytes } from './byte-source.ts'

const blockUnit = 100_000
/** More than a block can take beyond its own size: bzip2 grows what it cannot compress by 1% and a table. */
const blockMargin = 25_000
const headerBytes = 4

/** Thrown by the bit reader when the bytes run out inside a header or block. */
const outOfBytes = Symbol('out of bytes')

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
    if (error === outOfBytes) throw new FormatError('bzip2 data is truncated', { file })
    if (error instanceof Error && error.name === 'Bzip2Error') {
      throw new FormatError('bzip2 data is damaged', { file })
    }
    throw error
  }
}

class Decoder {
  private readonly input: BitReader
  private buffer = new Int32Array(0)
  private readonly output = new ByteSink()
  private checksum = 0
  /** Within a stream: between its header and its end mark. */
  inStream = false

  constructor(input: BitReader) {
    this.input = input
  }

  /** Bytes that are enough for the next step. */
  get wanted(): number {
    return this.inStream ? this.buffer.length + blockMargin : headerBytes
  }

  /** Decodes a header, a block or an end mark; yields the bytes of a block. */
  *step(): Generator<Uint8Array> {
    const { input, output } = this
    if (!this.inStream) {
      this.buffer = new Int32Array(blockUnit * bzip2.header(input.read))
      this.checksum = 0
      this.inStream = true
      return
    }
    const checksum = bzip2.decompress(
      input.read,
      output.write,
      this.buffer,
      this.buffer.length,
      this.checksum,
    )
    if (checksum === null) this.inStream = false
    else {
      this.checksum = checksum
      yield output.take()
    }
  }
}

class BitReader {
  private bytes: Uint8Array = new Uint8Array(0)
  private at = 0
  private bit = 0

  get available(): number {
    return this.bytes.length - this.at
  }

  append(chunk: Uint8Array): void {
    this.bytes = joinBytes([this.bytes.subarray(this.at), chunk])
    this.at = 0
  }

  readonly read = (count: number | null): number => {
    if (count === null) {
      if (this.bit > 0) this.at++
      this.bit = 0
      return 0
    }
    const { bytes } = this
    let { at, bit } = this
    let result = 0
    let left = count
    while (left > 0) {
      if (at === bytes.length) throw outOfBytes
      const take = Math.min(left, 8 - bit)
      result = (result << take) | ((bytes[at] >> (8 - bit - take)) & ((1 << take) - 1))
      left -= take
      bit += take
      if (bit === 8) {
        bit = 0
        at++
      }
    }
    this.at = at
    this.bit = bit
    return result
  }
}

class ByteSink {
  private bytes = new Uint8Array(blockUnit)
  private length = 0

  readonly write = (byte: number): void => {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(2 * this.length)
      larger.set(this.bytes)
      this.bytes = larger
    }
    this.bytes[this.length++] = byte
  }

  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length)
    this.length = 0
    return taken
  }
}
