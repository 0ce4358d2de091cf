/**
 * LIBSVM lines written by the engine: rows are copied in, every run of lines is a task with room of its own for the text
 * (see assembly/text/format.ts). Runs that hold very small or large numbers are left to TypeScript. The text does not depend on who writes it.
 */
import {
  formatLines,
  type LibsvmLines,
  type LineFormatter,
  writeLine,
} from '../../data/libsvm/libsvm-lines.ts'
import { type Matrix, rowStart } from '../../data/matrix/matrix.ts'
import { LineWriter } from '../../data/text/line-writer.ts'
import { LONGEST_NUMBER_TEXT } from '../../data/text/number-text.ts'
import { type Engine, type EngineArray, giveEngine, tryEngine } from '../memory/engine.ts'
import { readFields, sizeOf, writeFields } from '../memory/fields.ts'

/** Where lines are cut. */
export interface FormatCuts {
  /** Values of a run from which on it is long enough, and the most lines it has. */
  readonly run?: number
  /** Runs that are written together. */
  readonly runs?: number
  /** Fewer values are not worth the start of an engine, or, where it runs, the call. */
  readonly values?: number
}

/** A longer row is left to others. */
const LONGEST_ROW = 1 << 22
/** ` index:value` with an index of 32 bits. */
const LONGEST_PAIR = 12 + LONGEST_NUMBER_TEXT
/** The engine writes eight bytes at a time. */
const PADDING = 16

/** A formatter that uses the engine; see the header of the file. Threads take part that were started already. */
export function formatOnEngine({ run = 1 << 14, runs = 4, values = 1 << 9 }: FormatCuts = {}): LineFormatter {
  return (lines) => {
    const { matrix, leading } = lines
    const numbers = matrix.values.length + (typeof leading === 'function' ? 0 : leading.length)
    const isWorth = numbers >= values && longestRow(matrix) <= LONGEST_ROW
    const engine = isWorth ? tryEngine(1) : undefined
    engine?.useStartedThreads()
    return engine ? writeRuns(engine, lines, run, runs) : formatLines(lines)
  }
}

function* writeRuns(engine: Engine, lines: LibsvmLines, run: number, most: number): Generator<Uint8Array> {
  const mark = engine.mark()
  const beginnings = new LineWriter()
  const writer = new LineWriter()
  const pieces: [Uint8Array, Uint8Array] = [new Uint8Array(0), new Uint8Array(0)]
  try {
    let triesEngine = true
    for (let from = 0; from < lines.count; ) {
      const cuts = cutRuns(lines, from, run, most)
      const texts: RunText[] = triesEngine ? formatRuns(engine, lines, cuts, beginnings) : []
      triesEngine = texts.some(({ end }) => end > 0)
      for (let r = 0; r + 1 < cuts.length; r++) {
        const { out, end } = texts[r] ?? { out: 0, end: 0 }
        if (end > 0) {
          yield copyOut(engine, out, end, pieces)
          pieces.reverse()
        } else {
          for (let i = cuts[r]; i < cuts[r + 1]; i++) writeLine(writer, lines, i)
          yield writer.take()
        }
      }
      engine.release(mark)
      from = cuts[cuts.length - 1]
    }
  } finally {
    giveEngine(engine, mark)
  }
}

/** The first lines of the next few runs, and where the last of these ends. */
function cutRuns(lines: LibsvmLines, from: number, run: number, most: number): number[] {
  const { count, leading, matrix, rows } = lines
  const before = typeof leading === 'function' ? 0 : leading.length / count
  const cuts = [from]
  for (let i = from; i < count && cuts.length <= most; ) {
    const first = i
    for (let values = 0; i < count && values < run && i - first < run; i++) {
      values += before + lengthOf(matrix, rows ? rows[i] : i)
    }
    cuts.push(i)
  }
  return cuts
}

/** Where the text of a run is in the engine; its end is 0 when the engine cannot write it. */
interface RunText {
  readonly out: number
  readonly end: number
}

/** Has the runs between the cuts written, in memory that the caller releases. */
function formatRuns(
  engine: Engine,
  lines: LibsvmLines,
  cuts: readonly number[],
  writer: LineWriter,
): RunText[] {
  const { matrix, rows, base, leading } = lines
  const runs = cuts.length - 1
  const count = cuts[runs] - cuts[0]
  const rowOf = (i: number) => (rows ? rows[i] : i)
  let stored = 0
  for (let i = cuts[0]; i < cuts[runs]; i++) stored += lengthOf(matrix, rowOf(i))
  const fields = engine.allocate(runs * sizeOf('LINES'))
  const isText = typeof leading === 'function'
  const textEnds = engine.array(Uint32Array, isText ? count : 0)
  const rowEnds = engine.array(Uint32Array, count).fill(0)
  const values = engine.array(Float64Array, stored)
  const indices = engine.array(Uint32Array, matrix.kind === 'sparse' ? stored : 0)
  let at = 0
  const starts = cuts.map(() => ({ at: 0, length: 0 }))
  for (let r = 0, i = cuts[0]; r < runs; r++) {
    starts[r] = { at, length: writer.length }
    // Lines without values end where they begin.
    if (stored === 0 && !isText) i = cuts[r + 1]
    for (; i < cuts[r + 1]; i++) {
      const row = rowOf(i)
      const start = rowStart(matrix, row)
      const end = rowStart(matrix, row + 1)
      values.set(matrix.values.subarray(start, end), at)
      if (matrix.kind === 'sparse') indices.set(matrix.indices.subarray(start, end), at)
      at += end - start
      rowEnds[i - cuts[0]] = at - starts[r].at
      if (!isText) continue
      writer.text(leading(i))
      textEnds[i - cuts[0]] = writer.length
    }
  }
  starts[runs] = { at, length: writer.length }
  const text = engine.copy(writer.take())
  for (let k = 0; k < textEnds.length; k++) textEnds[k] += text.pointer
  const numbers = isText ? undefined : copyNumbers(engine, leading, lines.count, cuts[0], count)
  const numberCount = numbers ? numbers.length / count : 0
  const outs = Array.from({ length: runs }, (_, r) => {
    const [before, after] = [starts[r], starts[r + 1]]
    const first = cuts[r] - cuts[0]
    const own = cuts[r + 1] - cuts[r]
    const beginnings = after.length - before.length + own * (1 + numberCount * (1 + LONGEST_NUMBER_TEXT))
    const out = engine.allocate(beginnings + (after.at - before.at) * LONGEST_PAIR + PADDING)
    writeFields(engine.memory, 'LINES', fields + r * sizeOf('LINES'), {
      count: own,
      text: text.pointer + before.length,
      textEnds: textEnds.pointer + 4 * first,
      numberCount,
      numbers: numbers ? numbers.pointer + 8 * first : 0,
      stride: count,
      rowEnds: rowEnds.pointer + 4 * first,
      indices: matrix.kind === 'sparse' ? indices.pointer + 4 * before.at : 0,
      values: values.pointer + 8 * before.at,
      base,
      out,
    })
    return out
  })
  engine.run({ kind: 'format', runs: fields, count: runs })
  return outs.map((out, r) => ({
    out,
    end: readFields(engine.memory, 'LINES', fields + r * sizeOf('LINES')).end,
  }))
}

/** The numbers that `count` lines from line `first` on begin with, as [number][line]; `all` lines have some. */
function copyNumbers(
  engine: Engine,
  numbers: Float64Array,
  all: number,
  first: number,
  count: number,
): EngineArray<Float64Array> {
  const columns = numbers.length / all
  const copy = engine.array(Float64Array, columns * count)
  for (let c = 0; c < columns; c++) {
    copy.set(numbers.subarray(c * all + first, c * all + first + count), c * count)
  }
  return copy
}

/** Copies a text into the first of two pieces, which is enlarged where it is too small. */
function copyOut(engine: Engine, from: number, to: number, pieces: [Uint8Array, Uint8Array]): Uint8Array {
  if (pieces[0].length < to - from) pieces[0] = new Uint8Array(2 * (to - from))
  const piece = pieces[0].subarray(0, to - from)
  piece.set(engine.view(Uint8Array, from, to - from))
  return piece
}

function lengthOf(matrix: Matrix, row: number): number {
  return rowStart(matrix, row + 1) - rowStart(matrix, row)
}

function longestRow(matrix: Matrix): number {
  let longest = 0
  for (let i = 0; i < matrix.rows; i++) longest = Math.max(longest, lengthOf(matrix, i))
  return longest
}
