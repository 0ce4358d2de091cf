/**
 * Lines of LIBSVM text to be written: something at the beginning, then ` index:value` for all values of a row but zeros. This
 * is a seam for speed: what writes them faster than {@link formatLines} (the engine does) is installed by the entry of a
 * platform, so that writers need not know about engines.
 */
import { slot } from '../../base/slot.ts'
import type { Matrix } from '../matrix/matrix.ts'
import { LineWriter } from '../text/line-writer.ts'

/** See the header of the file. */
export interface LibsvmLines {
  readonly count: number
  /** What line i begins with: the numbers at i, i + count … of a list (a label, or coefficients), or a text. */
  readonly leading: Float64Array | ((i: number) => string)
  readonly matrix: Matrix
  /** The row of the matrix in each line; absent where line i has row i. */
  readonly rows?: ArrayLike<number>
  /** What the first column is called. */
  readonly base: 0 | 1
}

/**
 * Makes the bytes of lines, piece by piece, each a number of whole lines. A piece is overwritten when the next but one is
 * requested.
 */
export type LineFormatter = (lines: LibsvmLines) => Iterable<Uint8Array>

/** The bytes of a header and of the lines behind it. */
export function* formatWithHeader(header: readonly string[], lines: LibsvmLines): Generator<Uint8Array> {
  yield new TextEncoder().encode(`${header.join('\n')}\n`)
  yield* lineFormatter.current(lines)
}

/** The text of such pieces. */
export function textOfPieces(pieces: Iterable<Uint8Array>): string {
  const decoder = new TextDecoder()
  return Array.from(pieces, (piece) => decoder.decode(piece)).join('')
}

/** Writes lines with a {@link LineWriter}. */
export function* formatLines(lines: LibsvmLines): Generator<Uint8Array> {
  const writer = new LineWriter()
  for (let i = 0; i < lines.count; i++) {
    writeLine(writer, lines, i)
    if (writer.isFull) yield writer.take()
  }
  yield writer.take()
}

/** Writes line i. */
export function writeLine(writer: LineWriter, lines: LibsvmLines, i: number): void {
  const { count, leading, matrix, rows, base } = lines
  if (typeof leading === 'function') writer.text(leading(i))
  else writer.numbers(leading, i, count)
  writer.pairs(matrix, rows ? rows[i] : i, base)
}

/** The formatter that writers use. */
export const lineFormatter = slot<LineFormatter>(formatLines)
