/**
 * The LIBSVM (SVMlight) text format, read byte by byte as it arrives:
 *
 *     line   = label [ "qid:" whole ] { index ":" number } [ "#" comment ]
 *     number = [ sign ] digits [ "." digits ] [ ( "e" | "E" ) [ sign ] digits ]
 *
 * Only whole lines are parsed: the tail of a chunk waits until its newline has come, so a chunk may end anywhere.
 */
import { checkKnown, checkNumber, checkOneOf } from '../../base/check.ts'
import { DataError, FormatError, ParameterError, show, type TextPosition } from '../../base/errors.ts'
import { Blocks } from '../matrix/column-blocks.ts'
import type { SparseMatrix } from '../matrix/matrix.ts'
import type { VectorDataset } from '../table/dataset.ts'
import { NumberScanner } from '../text/number-scanner.ts'
import { isNotFiniteText, numberProblem } from '../text/number-text.ts'
import { type PlainLines, plainLineReader, readNoLines } from './plain-lines.ts'

/** How LIBSVM text is to be read. */
export interface LibsvmOptions {
  /** Name of the source, for error messages. */
  readonly name?: string
  /**
   * Whether the first column is written as 1 (LIBSVM's own convention) or as 0. `'auto'`, the default, takes 0 when
   * index 0 occurs anywhere, else 1. Precomputed kernels (`0:serial`) come out with the serial in column 0.
   */
  readonly indexBase?: 'auto' | 0 | 1
  /** Number of columns; by default the largest index. A larger index is an error. */
  readonly features?: number
  /**
   * Labels are numbers, or words without `:` and `,`. `'auto'`, the default, lets the first label decide; a mix is
   * an error. `'string'` keeps every label as its text.
   */
  readonly labels?: 'auto' | 'number' | 'string'
  /** Number of threads that may read a long text. Default: all. The result does not depend on it. */
  readonly threads?: number
}

/** A data set whose samples are sparse rows: what LIBSVM text gives. */
export type SparseDataset = VectorDataset & { readonly samples: SparseMatrix }

/** Where a parser is after it has handed over its rows; plain data. */
export interface LibsvmPosition {
  readonly bytes: number
  readonly lines: number
  readonly rows: number
  readonly largest: number
  readonly zeroSeen: boolean
  readonly labelKind: 'auto' | 'number' | 'string'
}

const tab = 0x09
const newline = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const hash = 0x23
const zero = 0x30
const nine = 0x39
const colon = 0x3a

/** The largest index whose column count still fits 32 bits. */
const largestIndex = 0xfffffffe
/**
 * Threads are started for a text of this length (32 MiB). On two cores a command that reads 16 MB takes as long with a helper as
 * without, and a fourth more CPU time; 47 MB take 50 ms less.
 */
const longText = 1 << 25
/** From this many bytes on, what was parsed predicts what is to come; room is made for 5% more, so that it nearly always fits. */
const reserveFrom = 1 << 19
const reserveMargin = 1.05
const byteOrderMark = [0xef, 0xbb, 0xbf]
const queryMark = [0x71, 0x69, 0x64, colon]
/** A mark of byte order is one only at the start of the text; elsewhere it is part of a word. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** Words with other bytes would become equal where they are not. */
const wordDecoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
/** Row ends are kept in 32 bits. */
const mostValues = 0xffffffff
/** An unfinished line is kept until it ends: one that never does must not take all memory. */
const longestLine = 2 ** 28

/**
 * Reads a whole LIBSVM text: a string, or the bytes of one.
 *
 * @example
 * const { samples, labels } = parseLibsvm('+1 1:0.5 3:2\n-1 2:1\n')
 */
export function parseLibsvm(text: string | Uint8Array, options: LibsvmOptions = {}): SparseDataset {
  const parser = new LibsvmParser(options)
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  parser.expect(bytes.length)
  // The first part tells how much room the rest takes.
  parser.push(bytes.subarray(0, reserveFrom))
  parser.push(bytes.subarray(reserveFrom))
  return parser.end()
}

/**
 * Incremental reader of LIBSVM text: {@link push} bytes as they come, then {@link end}.
 *
 * Comments and blank lines are passed over, `qid:` is checked and skipped, explicit zeros are not stored. Values are
 * correctly rounded.
 */
export class LibsvmParser {
  private readonly name: string | undefined
  private readonly indexBase: 'auto' | 0 | 1
  private readonly features: number | undefined
  /** The largest index allowed. */
  private readonly limit: number
  private readonly threads: number
  private readonly wantedLabels: 'auto' | 'number' | 'string'
  private labelKind: 'auto' | 'number' | 'string'

  private readonly scanner = new NumberScanner()
  private readonly indices = new Blocks(Uint32Array)
  private readonly values = new Blocks(Float64Array)
  private readonly rowEnds = new Blocks(Uint32Array)
  private readonly numbers = new Blocks(Float64Array)
  private words: string[] = []

  /** The bytes of an unfinished line. */
  private tail = new Uint8Array(1024)
  private tailLength = 0
  private line = 0
  private lineStart = 0
  private bytesParsed = 0
  private bytesExpected = 0
  /** Bytes after which room is made for the rest. */
  private reserveAt = Number.POSITIVE_INFINITY
  /** Values stored, and rows that {@link take} has handed over. */
  private stored = 0
  private taken = 0
  private zeroSeen = false
  private largest = -1
  private largestPlace: TextPosition = {}

  constructor(options: LibsvmOptions = {}) {
    const { name, indexBase = 'auto', features, labels = 'auto', threads = Number.MAX_SAFE_INTEGER } = options
    const who = 'parseLibsvm'
    checkKnown(who, options, ['name', 'indexBase', 'features', 'labels', 'threads'])
    if (indexBase !== 'auto' && indexBase !== 0 && indexBase !== 1) {
      throw new ParameterError(who, 'indexBase', "'auto', 0 or 1", indexBase)
    }
    if (features !== undefined) {
      checkNumber(who, 'features', features, { min: 0, max: largestIndex, integer: true })
    }
    this.name = name
    this.indexBase = indexBase
    this.features = features
    this.limit = features === undefined ? largestIndex : indexBase === 0 ? features - 1 : features
    this.threads = checkNumber(who, 'threads', threads, { min: 1, integer: true })
    this.wantedLabels = checkOneOf(who, 'labels', labels, ['auto', 'number', 'string'])
    this.labelKind = labels
  }

  /** Tells how many bytes are to come. It need not be true: it helps to set memory aside in one piece. */
  expect(bytes: number): void {
    this.bytesExpected = bytes
    this.reserveAt = reserveFrom
  }

  /** Parses all lines that `chunk` completes. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): void {
    let start = 0
    if (this.tailLength > 0) {
      start = chunk.indexOf(newline) + 1
      if (start > 0) {
        this.keep(chunk.subarray(0, start))
        this.parseTail()
      }
    }
    const end = chunk.lastIndexOf(newline) + 1
    this.parseRun(chunk, start, end)
    this.keep(chunk.subarray(end))
  }

  /** Parses what is left and returns the data set. The parser is then spent. */
  end(): SparseDataset {
    this.finish()
    const { base } = this
    const { samples, labels } = this.take()
    const needed = Math.max(this.largest + 1 - base, 0)
    const cols = this.features ?? needed
    if (needed > cols) throw new FormatError(this.beyond(this.largest), this.largestPlace)
    const { indices } = samples
    // 32 bits turn the −1 of index 0 into 0 here.
    if (base === 0) for (let k = 0; k < indices.length; k++) indices[k]++
    return { samples: { ...samples, cols }, labels }
  }

  /** Parses the last line, where no newline ends it, and checks that there was something. */
  finish(): void {
    if (this.tailLength > 0) {
      this.keep(Uint8Array.of(newline))
      this.parseTail()
    }
    if (this.taken + this.rowEnds.length === 0) throw new FormatError('no samples', { file: this.name })
    if (this.largest < 0 && this.labelKind === 'string') {
      throw new FormatError('only words, and no index:value pair', { file: this.name })
    }
  }

  /**
   * Hands over the rows of all lines so far and goes on without them. Columns are indices less 1 in 32 bits, whatever the
   * base: which one it is may not be known yet. `cols` is the largest index so far, and one more.
   */
  take(): SparseDataset {
    const rows = this.rowEnds.length
    const indptr = new Uint32Array(rows + 1)
    indptr.set(this.rowEnds.join(), 1)
    const indices = this.indices.join()
    const values = this.values.join()
    const labels = this.labelKind === 'string' ? this.words : this.numbers.join()
    this.words = []
    this.stored = 0
    this.taken += rows
    return { samples: { kind: 'sparse', rows, cols: this.largest + 1, indptr, indices, values }, labels }
  }

  /** Index of the first column, by what has been read: 0 when index 0 has occurred or was requested, else 1. */
  get base(): 0 | 1 {
    if (this.indexBase !== 'auto') return this.indexBase
    return this.zeroSeen ? 0 : 1
  }

  /** How far the text is parsed, and what its lines have settled for the rest; right after {@link take}. */
  get position(): LibsvmPosition {
    const { bytesParsed: bytes, line: lines, taken: rows, largest, zeroSeen, labelKind } = this
    return { bytes, lines, rows, largest, zeroSeen, labelKind }
  }

  /** Makes a fresh parser continue where another one was: the text before that position is not pushed again. */
  goOnFrom({ bytes, lines, rows, largest, zeroSeen, labelKind }: LibsvmPosition): void {
    this.bytesParsed = bytes
    this.line = lines
    this.taken = rows
    this.largest = largest
    this.zeroSeen = zeroSeen
    this.labelKind = labelKind
  }

  /** Values that the next {@link take} will hand over. */
  get pending(): number {
    return this.stored
  }

  private keep(bytes: Uint8Array): void {
    const length = this.tailLength + bytes.length
    if (length > longestLine) {
      const place = { file: this.name, line: this.line + 1 }
      throw new FormatError(`the line is longer than ${longestLine} bytes`, place)
    }
    if (length > this.tail.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.tail.length))
      larger.set(this.tail.subarray(0, this.tailLength))
      this.tail = larger
    }
    this.tail.set(bytes, this.tailLength)
    this.tailLength = length
  }

  private parseTail(): void {
    this.parseRun(this.tail, 0, this.tailLength)
    this.tailLength = 0
  }

  /** Has plain lines read by whatever is fastest, the others by {@link parseLines}. */
  private parseRun(bytes: Uint8Array, start: number, end: number): void {
    if (this.bytesParsed >= this.reserveAt) this.reserve()
    const rules = {
      least: this.indexBase === 1 ? 1 : 0,
      most: this.limit,
      threads: Math.max(this.bytesExpected, this.bytesParsed + end - start) < longText ? 1 : this.threads,
      labelCount: 1,
    }
    const read = this.labelKind === 'string' || this.limit < 0 ? readNoLines : plainLineReader.current
    read(bytes, start, end, rules, (from, to, lines) => {
      if (lines && this.labelKind !== 'string') this.append(lines)
      else this.parseLines(bytes, from, to)
      this.bytesParsed += to - from
      if (this.stored > mostValues) throw new DataError(`there are more than ${mostValues} values`)
    })
  }

  private append(plain: PlainLines): void {
    const { labels, rowEnds, indices, values, largest } = plain
    if (largest > this.largest) {
      this.largest = largest
      const line = this.line + plain.largestLine
      this.largestPlace = { file: this.name, line, column: plain.largestColumn }
    }
    if (plain.zeroSeen) this.zeroSeen = true
    if (labels.length > 0) this.labelKind = 'number'
    addToAll(rowEnds, this.stored)
    this.rowEnds.append(rowEnds)
    this.numbers.append(labels)
    this.indices.append(indices)
    this.values.append(values)
    this.stored += values.length
    this.line += plain.lines
  }

  /** Sets memory aside for all that is expected, by what has come so far. */
  private reserve(): void {
    const growth = (reserveMargin * this.bytesExpected) / this.bytesParsed
    for (const blocks of [this.indices, this.values, this.rowEnds, this.numbers]) {
      blocks.reserve(Math.ceil(growth * blocks.length))
    }
    this.reserveAt = Number.POSITIVE_INFINITY
  }

  /** Parses the lines in [start, end) of `bytes`. The last byte is a newline: every inner loop stops there at last. */
  private parseLines(bytes: Uint8Array, start: number, end: number): void {
    const { scanner, limit } = this
    const beforeFirst = this.indexBase === 1 ? 0 : -1
    let at = start
    if (this.line === 0 && startsWith(bytes, at, byteOrderMark)) at += byteOrderMark.length

    while (at < end) {
      this.line++
      this.lineStart = at
      let byte = bytes[at]
      while (byte === space || byte === tab || byte === carriageReturn) byte = bytes[++at]
      if (byte === newline || byte === hash) {
        at = bytes.indexOf(newline, at) + 1
        continue
      }
      at = this.parseQuery(bytes, this.parseLabel(bytes, at))
      let previous = beforeFirst
      let token = at
      for (;;) {
        byte = bytes[at]
        while (byte === space || byte === tab || byte === carriageReturn) byte = bytes[++at]
        if (byte === newline || byte === hash) break

        token = at
        let index = 0
        while (byte >= zero && byte <= nine) {
          index = index * 10 + (byte - zero)
          byte = bytes[++at]
        }
        if (byte !== colon || at === token) throw this.badPair(bytes, token)
        if (index <= previous || index > limit) throw this.badIndex(index, previous, token)
        previous = index
        const value = scanner.scan(bytes, ++at)
        // x - x is NaN for NaN and for infinities.
        if (value - value !== 0 || !endsToken(bytes[scanner.end])) {
          throw this.badNumber(`value of index ${index}`, bytes, at)
        }
        at = scanner.end
        if (index === 0) this.zeroSeen = true
        if (value !== 0) {
          this.indices.push(index - 1)
          this.values.push(value)
          this.stored++
        }
      }
      if (previous > this.largest) {
        this.largest = previous
        this.largestPlace = this.place(token)
      }
      this.rowEnds.push(this.stored)
      at = bytes.indexOf(newline, at) + 1
    }
  }

  /** Takes in the label that starts at `start`; returns where it ends. */
  private parseLabel(bytes: Uint8Array, start: number): number {
    const value = this.scanner.scan(bytes, start)
    const isNumber = value - value === 0 && endsToken(bytes[this.scanner.end])
    if (isNumber && this.labelKind !== 'string') {
      this.labelKind = 'number'
      this.numbers.push(value)
      return this.scanner.end
    }
    const end = tokenEnd(bytes, start)
    const word = decoder.decode(bytes.subarray(start, end))
    if (word.includes(':')) throw this.error(`label is missing: the line starts with ${show(word)}`, start)
    if (this.wantedLabels !== 'string') {
      if (word.includes(',')) throw this.error(`one label per line is allowed, got ${show(word)}`, start)
      if (this.labelKind === 'number' || isNotFiniteText(word)) throw this.badNumber('label', bytes, start)
      if (isNumber) throw this.error(`label must be a word as on the lines before, got ${show(word)}`, start)
    }
    this.labelKind = 'string'
    this.words.push(this.checkedWord(bytes, start, end))
    return end
  }

  /** The label in [start, end), which must be UTF-8. */
  private checkedWord(bytes: Uint8Array, start: number, end: number): string {
    try {
      return wordDecoder.decode(bytes.subarray(start, end))
    } catch {
      throw this.error('label must be UTF-8 text', start)
    }
  }

  /** Passes over a query id; returns where it ends. */
  private parseQuery(bytes: Uint8Array, start: number): number {
    let at = start
    while (bytes[at] === space || bytes[at] === tab) at++
    if (!startsWith(bytes, at, queryMark)) return start
    const end = tokenEnd(bytes, at)
    const id = decoder.decode(bytes.subarray(at + queryMark.length, end))
    if (!/^\d+$/.test(id)) throw this.error(`qid must be a whole number, got ${show(id)}`, at)
    return end
  }

  private badPair(bytes: Uint8Array, start: number): FormatError {
    const text = decoder.decode(bytes.subarray(start, tokenEnd(bytes, start)))
    if (text.startsWith('qid:')) return this.error('qid must come right after the label', start)
    if (!text.includes(':')) return this.error(`expected index:value, got ${show(text)}`, start)
    return this.error(`index must be a whole number, got ${show(text.slice(0, text.indexOf(':')))}`, start)
  }

  private badIndex(index: number, previous: number, start: number): FormatError {
    if (index === 0 && this.indexBase === 1)
      return this.error('indices must start from 1, got 0: add 1 to all of them', start)
    if (index <= previous) return this.error(`indices must ascend, got ${index} after ${previous}`, start)
    return this.error(this.beyond(index), start)
  }

  private beyond(index: number): string {
    if (this.features === undefined) return `index must be at most ${largestIndex}, got ${index}`
    return `index ${index} is beyond the ${this.features} features that were requested`
  }

  private badNumber(what: string, bytes: Uint8Array, start: number): FormatError {
    const text = decoder.decode(bytes.subarray(start, tokenEnd(bytes, start)))
    return this.error(`${what} ${numberProblem(text)}`, start)
  }

  private error(message: string, at: number): FormatError {
    return new FormatError(message, this.place(at))
  }

  private place(at: number): TextPosition {
    return { file: this.name, line: this.line, column: at - this.lineStart + 1 }
  }
}

/** True for white space, newline and `#`. */
/** A function of its own: V8 compiles it sooner than all that is around the loop. */
function addToAll(numbers: Uint32Array, term: number): void {
  for (let r = 0; r < numbers.length; r++) numbers[r] += term
}

function endsToken(byte: number): boolean {
  return byte === space || byte === newline || byte === carriageReturn || byte === tab || byte === hash
}

function tokenEnd(bytes: Uint8Array, start: number): number {
  let at = start
  while (!endsToken(bytes[at])) at++
  return at
}

function startsWith(bytes: Uint8Array, at: number, prefix: readonly number[]): boolean {
  return prefix.every((byte, k) => bytes[at + k] === byte)
}
