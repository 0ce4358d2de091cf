/**
 * A seam for speed. Most lines of LIBSVM text are plain: a number, then `index:number` pairs, nothing else. Something
 * faster than the parser of this folder may read those (the engine does, on all threads). The parser reads what it does not
 * take, and reports mistakes. A faster reader is installed by the entry of a platform, so that readers need not know about
 * engines.
 */
import { slot } from '../../base/slot.ts'

/** Rules for a reader of plain lines. */
export interface LineRules {
  /** Smallest index allowed. */
  readonly least: number
  /** Largest index allowed. */
  readonly most: number
  /** How many threads may take part. */
  readonly threads: number
  /** How many numbers a line begins with: a label, or the coefficients of a support vector. */
  readonly labelCount: number
}

/** What plain lines hold. The arrays are borrowed: they are valid until the function that gets them returns. */
export interface PlainLines {
  /** Number of lines, blank ones included. */
  readonly lines: number
  /** Labels of the rows, `labelCount` each. */
  readonly labels: Float64Array
  /** For each row, how many values are stored up to its end. */
  readonly rowEnds: Uint32Array
  /** Indices less 1, in 32 bits. */
  readonly indices: Uint32Array
  /** Values, correctly rounded, without zeros. */
  readonly values: Float64Array
  /** True when the index 0 occurs. */
  readonly zeroSeen: boolean
  /** The largest index (`least` − 1 when rows have none) and where it is first, lines counted from 1; −1 without rows. */
  readonly largest: number
  readonly largestLine: number
  readonly largestColumn: number
}

/** Takes the lines in [from, to); undefined when they are not plain. */
export type LineTaker = (from: number, to: number, lines: PlainLines | undefined) => void

/**
 * Reads the lines in [start, end) of `bytes`, of which the last byte is a newline, and hands them to `take`, piece by
 * piece and in order.
 */
export type PlainLineReader = (
  bytes: Uint8Array,
  start: number,
  end: number,
  rules: LineRules,
  take: LineTaker,
) => void

/** Takes no line for plain. */
export const readNoLines: PlainLineReader = (_bytes, start, end, _rules, take) => take(start, end, undefined)

/** The reader that the parser asks first. */
export const plainLineReader = slot<PlainLineReader>(readNoLines)
