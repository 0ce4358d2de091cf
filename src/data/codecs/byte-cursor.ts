/** Reads bytes one after the other and never beyond their end. */
export class ByteCursor {
  /** Position of the next byte. */
  at: number
  readonly bytes: Uint8Array
  /** Position behind the last byte. */
  readonly end: number

  /** A cursor over [at, end) of `bytes`. */
  constructor(bytes: Uint8Array, at = 0, end: number = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  /** Bytes that are left. */
  get left(): number {
    return this.end - this.at
  }

  /** The next byte. */
  byte(): number {
    this.skip(1)
    return this.bytes[this.at - 1]
  }

  /** The next four bytes as a whole number, the lowest byte first. */
  word(): number {
    this.skip(4)
    const { bytes, at } = this
    return (bytes[at - 4] | (bytes[at - 3] << 8) | (bytes[at - 2] << 16) | (bytes[at - 1] << 24)) >>> 0
  }

  /** Passes over `count` bytes. */
  skip(count: number): void {
    if (count > this.left) throw new Error(`${count} bytes are expected, but ${this.left} are left`)
    this.at += count
  }

  /** A whole number below 2^32 in groups of seven bits, the lowest group first (LEB128). */
  varint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) {
        if (value >= 2 ** 32) break
        return value
      }
    }
    throw new Error('a number has more than 32 bits')
  }

  /** Passes over a number of up to 64 bits that is written as in {@link varint}. */
  skipLongVarint(): void {
    for (let k = 0; k < 10; k++) if (this.byte() < 0x80) return
    throw new Error('a number has more than 64 bits')
  }
}
