/**
 * LIBSVM lines on the engine: the text is copied in, cut at line ends into runs, and every run is a task with room of
 * its own for what it may hold (see assembly/text/parse.ts). What a run becomes does not depend on who parses it. There is
 * room for two windows of runs: while helpers parse one, the calling thread takes away what came of the other.
 */
import {
  type LineRules,
  type LineTaker,
  type PlainLineReader,
  type PlainLines,
  readNoLines,
} from '../../data/libsvm/plain-lines.ts'
import { placeIn } from '../matrix/samples-in-place.ts'
import { type Engine, giveEngine, tryEngine } from '../memory/engine.ts'
import { readFields, sizeOf, writeFields } from '../memory/fields.ts'

/** Where text is cut, in bytes. */
export interface LineCuts {
  /** Least length of a run. By default its text and what comes of it fit the second-level cache of a core. */
  readonly run?: number
  /** Most length of a window that is not a single line. */
  readonly window?: number
  /** Shorter texts are not worth the start of an engine: V8 begins to optimise the parser of a longer one, which takes more. */
  readonly text?: number
  /** Shorter texts are not worth the start of threads: they take 10 ms, a start takes 60. Longer files come in pieces of 1 MB. */
  readonly threaded?: number
}

/** A longer line is left to others: the engine would need seven times its length. */
const LONGEST_LINE = 1 << 24
/** Numbers written longer than this are left to others. */
const LONGEST_NUMBER = 1000
/** The parser looks at eight bytes at a time. */
const PADDING = 8
const NEWLINE = 0x0a

/**
 * A reader of plain lines that uses the engine; see the header of the file. Where there is no engine, it takes no line
 * for plain.
 */
export function linesOnEngine({
  run = 1 << 16,
  window = 1 << 19,
  text = 1 << 13,
  threaded = 3 << 18,
}: LineCuts = {}): PlainLineReader {
  return (bytes, start, end, rules, take) => {
    const length = end - start
    const engine = length < text ? undefined : tryEngine(length < threaded ? 1 : rules.threads)
    if (!engine) return readNoLines(bytes, start, end, rules, take)
    const mark = engine.mark()
    try {
      const { labelCount } = rules
      let next = new LineWindow(engine, window, run, labelCount)
      let parsed = new LineWindow(engine, window, run, labelCount)
      for (let from = start; from < end; ) {
        const cuts = cutWindow(bytes, from, end, window, run)
        const to = cuts[cuts.length - 1]
        if (to - from > LONGEST_LINE) {
          parsed.give(take)
          take(from, to, undefined)
        } else {
          if (to - from > next.length) next = new LineWindow(engine, to - from, run, labelCount)
          next.load(bytes, cuts)
          next.parse(rules, () => parsed.give(take))
          const empty = parsed
          parsed = next
          next = empty
        }
        from = to
      }
      parsed.give(take)
    } finally {
      giveEngine(engine, mark)
    }
  }
}

/** Where the runs of the next window begin and end: right behind newlines. A long line has its own window. */
function cutWindow(bytes: Uint8Array, start: number, end: number, window: number, run: number): number[] {
  const cuts = [start]
  for (let at = start; at < end; ) {
    at = at + run >= end ? end : bytes.indexOf(NEWLINE, at + run - 1) + 1
    if (cuts.length > 1 && at - start > window) break
    cuts.push(at)
  }
  return cuts
}

/**
 * Room for the text of some runs and for what comes of them. The runs share one array of each kind, and where their
 * parts begin follows from their place in the text: a pair takes at least four bytes (` 1:1`), a row hardly ever less, one of
 * several labels two, and open numbers are rare.
 */
class LineWindow {
  readonly length: number
  private readonly engine: Engine
  private readonly labelCount: number
  /** A label takes at least 2 to this power bytes. */
  private readonly labelBits: number
  private readonly pointers: Record<
    'text' | 'runs' | 'labels' | 'rowEnds' | 'indices' | 'values' | 'open',
    number
  >
  /** Where the runs that are loaded begin and end. */
  private cuts: readonly number[] = []

  /** Room for `length` bytes of text in runs of at least `run` bytes. */
  constructor(engine: Engine, length: number, run: number, labelCount: number) {
    const runs = Math.ceil(length / run) + 1
    const items = (length >> 2) + runs
    this.engine = engine
    this.labelCount = labelCount
    this.labelBits = labelCount > 1 ? 1 : 2
    this.length = length
    this.pointers = {
      text: engine.allocate(length + 2 * PADDING),
      runs: engine.allocate(runs * sizeOf('RUN')),
      labels: engine.allocate(((length >> this.labelBits) + runs) * 8),
      rowEnds: engine.allocate(items * 4),
      indices: engine.allocate(items * 4),
      values: engine.allocate(items * 8),
      open: engine.allocate(((items >> 4) + runs) * sizeOf('OPEN')),
    }
  }

  /** Takes in the text of the runs between the cuts. */
  load(bytes: Uint8Array, cuts: readonly number[]): void {
    const { pointers, engine } = this
    const [start] = cuts
    const end = cuts[cuts.length - 1]
    this.cuts = cuts
    const place = placeIn(engine, bytes)
    // Copies between memory that is shared and memory that is not are fast only when both are aligned alike.
    const text = place === undefined ? pointers.text + ((bytes.byteOffset + start) & 7) : place + start
    if (place === undefined) engine.view(Uint8Array, text, end - start).set(bytes.subarray(start, end))
    for (let r = 0; r + 1 < cuts.length; r++) {
      const item = ((cuts[r] - start) >> 2) + r
      const room = ((cuts[r + 1] - start) >> 2) + r + 1 - item
      writeFields(engine.memory, 'RUN', this.run(r), {
        from: text + cuts[r] - start,
        to: text + cuts[r + 1] - start,
        labels: pointers.labels + 8 * (((cuts[r] - start) >> this.labelBits) + r),
        labelCount: this.labelCount,
        rowEnds: pointers.rowEnds + 4 * item,
        indices: pointers.indices + 4 * item,
        values: pointers.values + 8 * item,
        open: pointers.open + sizeOf('OPEN') * ((item >> 4) + r),
        maxRows: room,
        maxOpen: (room >> 4) + 1,
      })
    }
  }

  /** Parses what is loaded, on all threads; the calling one does `meanwhile` first. */
  parse({ least, most }: LineRules, meanwhile: () => void): void {
    const count = this.cuts.length - 1
    this.engine.run({ kind: 'parse', runs: this.pointers.runs, count, from: least, to: most }, meanwhile)
  }

  /** Hands on what was parsed, once. */
  give(take: LineTaker): void {
    const { cuts } = this
    this.cuts = []
    for (let r = 0; r + 1 < cuts.length; r++) take(cuts[r], cuts[r + 1], this.lines(r))
  }

  private run(r: number): number {
    return this.pointers.runs + r * sizeOf('RUN')
  }

  /** What run `r` holds; undefined when it is not plain. */
  private lines(r: number): PlainLines | undefined {
    const { engine } = this
    const run = readFields(engine.memory, 'RUN', this.run(r))
    if (run.plain === 0 || !this.settleOpen(run.open, run.openCount)) return undefined
    return {
      lines: run.lines,
      labels: engine.view(Float64Array, run.labels, run.rows * this.labelCount),
      rowEnds: engine.view(Uint32Array, run.rowEnds, run.rows),
      indices: engine.view(Uint32Array, run.indices, run.stored),
      values: engine.view(Float64Array, run.values, run.stored),
      zeroSeen: run.zeroSeen === 1,
      largest: run.largest - 1,
      largestLine: run.largestLine,
      largestColumn: run.largestColumn,
    }
  }

  /** Rounds the numbers that the parser left open; false when one is too small or too large to be stored. */
  private settleOpen(pointer: number, count: number): boolean {
    const { memory } = this.engine
    for (let e = 0; e < count; e++) {
      const open = readFields(memory, 'OPEN', pointer + e * sizeOf('OPEN'))
      const length = open.to - open.from
      if (length > LONGEST_NUMBER) return false
      const text = new Uint8Array(memory.buffer, open.from, length)
      const value = Number(String.fromCharCode(...text))
      if (value === 0 || !Number.isFinite(value)) return false
      new Float64Array(memory.buffer, open.value, 1)[0] = value
    }
    return true
  }
}
