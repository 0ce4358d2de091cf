import { joinBytes } from './byte-source.ts'

/** Data that a decoder cannot read; the message says what they are ("is truncated"). */
export class DecodeError extends Error {}

/** Reads bits from bytes that come in chunks, the highest bit first. */
export class BitReader {
  private readonly chunks: AsyncIterator<Uint8Array>
  private bytes: Uint8Array = new Uint8Array(0)
  /** Position of the next byte. */
  private at = 0
  /** The last bytes taken; their lowest `held` bits, fewer than 8, are not read yet. */
  private last = 0
  private held = 0

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.chunks = chunks
  }

  /** Waits until `count` bytes can be read, or all that are left; returns whether there are any. */
  async fill(count: number): Promise<boolean> {
    const parts = [this.bytes.subarray(this.at)]
    let length = parts[0].length
    while (length < count) {
      const { done, value } = await this.chunks.next()
      if (done) break
      parts.push(value)
      length += value.length
    }
    if (parts.length > 1) {
      this.bytes = joinBytes(parts)
      this.at = 0
    }
    return length > 0
  }

  /** The next bits, 1 to 24, as a number. */
  read(count: number): number {
    while (this.held < count) {
      if (this.at === this.bytes.length) throw new DecodeError('is truncated')
      this.last = (this.last << 8) | this.bytes[this.at++]
      this.held += 8
    }
    this.held -= count
    return (this.last >>> this.held) & ((1 << count) - 1)
  }

  /** The next 32 bits. */
  word(): number {
    return this.read(16) * 2 ** 16 + this.read(16)
  }

  /** Moves on to the next whole byte. */
  toByte(): void {
    this.held = 0
  }
}
