/** Thrown when bits are wanted where none are left. */
export const outOfBits = Symbol('out of bits')

/** Reads bits from bytes that come in chunks, the highest bit first. */
export class BitReader {
  private bytes = new Uint8Array(1 << 16)
  /** What is to be read lies in [at, end) of `bytes`. */
  private at = 0
  private end = 0
  /** The last bytes taken; their lowest `held` bits are not read yet. */
  private last = 0
  private held = 0

  /** Whole bytes that are left. */
  get available(): number {
    return this.end - this.at + (this.held >> 3)
  }

  append(chunk: Uint8Array): void {
    const left = this.end - this.at
    if (this.end + chunk.length > this.bytes.length) {
      const room = left + chunk.length
      const larger = room > this.bytes.length / 2 ? new Uint8Array(2 * room) : this.bytes
      larger.set(this.bytes.subarray(this.at, this.end))
      this.bytes = larger
      this.at = 0
      this.end = left
    }
    this.bytes.set(chunk, this.end)
    this.end += chunk.length
  }

  /** The next bits, 1 to 24, as a number. */
  read(count: number): number {
    while (this.held < count) {
      if (this.at === this.end) throw outOfBits
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
    this.held -= this.held & 7
  }
}
