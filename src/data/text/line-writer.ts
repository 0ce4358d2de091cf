import type { Matrix } from '../matrix/matrix.ts'
import { LONGEST_NUMBER_TEXT, NumberBytes, writeWhole } from './number-bytes.ts'

/** Bytes from which on a piece is handed on: as much as Node writes at a time. */
const PIECE_BYTES = 1 << 19
/** ` index:value` with an index of 32 bits. */
const LONGEST_PAIR = 12 + LONGEST_NUMBER_TEXT
const NEWLINE = 0x0a
const SPACE = 0x20
const COLON = 0x3a

/**
 * Writes lines of LIBSVM text as bytes, piece by piece. Every number is the shortest text that reads back as the same
 * double. There are two buffers: while one piece is on its way to a file, the next goes into the other.
 */
export class LineWriter {
  private readonly numbers = new NumberBytes()
  private readonly encoder = new TextEncoder()
  private bytes = new Uint8Array(PIECE_BYTES)
  private other = new Uint8Array(PIECE_BYTES)
  private filled = 0

  /** Bytes written since the last piece. */
  get length(): number {
    return this.filled
  }

  /** True when there is enough for a piece. */
  get isFull(): boolean {
    return this.filled >= PIECE_BYTES
  }

  /** What was written since the last piece. It is overwritten when the piece after the next one is begun. */
  take(): Uint8Array {
    const { bytes, filled } = this
    this.bytes = this.other
    this.other = bytes
    this.filled = 0
    return bytes.subarray(0, filled)
  }

  /** Writes a text as it is. */
  text(text: string): void {
    this.reserve(3 * text.length)
    this.filled += this.encoder.encodeInto(text, this.bytes.subarray(this.filled)).written
  }

  /** Writes a number. */
  number(value: number): void {
    this.reserve(LONGEST_NUMBER_TEXT)
    this.filled = this.numbers.write(this.bytes, this.filled, value)
  }

  /** Writes ` index:value` for all values of a row but zeros, and ends the line. The first column has index `base`. */
  pairs(matrix: Matrix, row: number, base: 0 | 1): void {
    const { values, cols } = matrix
    const indices = matrix.kind === 'sparse' ? matrix.indices : undefined
    const start = matrix.kind === 'sparse' ? matrix.indptr[row] : row * cols
    const end = matrix.kind === 'sparse' ? matrix.indptr[row + 1] : start + cols
    this.reserve((end - start) * LONGEST_PAIR + 1)
    const { bytes, numbers } = this
    let at = this.filled
    for (let k = start; k < end; k++) {
      const value = values[k]
      if (value === 0) continue
      bytes[at++] = SPACE
      at = writeWhole(bytes, at, (indices ? indices[k] : k - start) + base)
      bytes[at++] = COLON
      at = numbers.write(bytes, at, value)
    }
    bytes[at++] = NEWLINE
    this.filled = at
  }

  /** Makes room for so many more bytes. */
  private reserve(more: number): void {
    const needed = this.filled + more
    if (needed <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(needed, 2 * this.bytes.length))
    larger.set(this.bytes.subarray(0, this.filled))
    this.bytes = larger
  }
}
