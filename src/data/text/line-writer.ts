import { type Matrix, rowStart } from '../matrix/matrix.ts'
import { textFromNumber } from './number-text.ts'

/** A piece is handed on when it has this many bytes: as many as Node writes in one call. */
const PIECE_BYTES = 1 << 19
const SPACE = 0x20
const ZERO = 0x30

/**
 * Writes lines of LIBSVM text as bytes, piece by piece. Every number is the shortest text that reads back as the same
 * double. There are two buffers: while one piece is on its way to a file, the next goes into the other.
 */
export class LineWriter {
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

  /** What was written since the last piece. It is overwritten when the piece after the next one is started. */
  take(): Uint8Array {
    const { bytes, filled } = this
    this.bytes = this.other
    this.other = bytes
    this.filled = 0
    return bytes.subarray(0, filled)
  }

  /** Writes a text as it is. */
  text(text: string): void {
    // A character takes at most three bytes.
    this.reserve(3 * text.length)
    this.filled += this.encoder.encodeInto(text, this.bytes.subarray(this.filled)).written
  }

  /** Writes numbers with spaces between them: those at `from`, `from + step` … of a list. Of many classes, most coefficients are 0. */
  numbers(values: ArrayLike<number>, from = 0, step = 1): void {
    for (let k = from; k < values.length; k += step) {
      this.reserve(2)
      if (k > from) this.bytes[this.filled++] = SPACE
      if (Object.is(values[k], 0)) this.bytes[this.filled++] = ZERO
      else this.number(values[k])
    }
  }

  /** Writes a number. */
  number(value: number): void {
    const text = textFromNumber(value)
    this.reserve(text.length)
    for (let c = 0; c < text.length; c++) this.bytes[this.filled++] = text.charCodeAt(c)
  }

  /** Writes ` index:value` for all values of a row but zeros, and ends the line. The first column has index `base`. */
  pairs(matrix: Matrix, row: number, base: 0 | 1): void {
    const { values } = matrix
    const indices = matrix.kind === 'sparse' ? matrix.indices : undefined
    const start = rowStart(matrix, row)
    const end = rowStart(matrix, row + 1)
    let line = ''
    for (let k = start; k < end; k++) {
      if (values[k] !== 0) line += ` ${(indices ? indices[k] : k - start) + base}:${values[k]}`
    }
    this.text(`${line}\n`)
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
