/**
 * Sparse matrices whose values are all multiples of one unit: what assembly/kernel/integer-products.ts computes products of in whole
 * numbers. Counts, grey levels, decimals of a few digits, and features that are there or not are of this kind.
 */
import type { Engine, EngineArray } from '../memory/engine.ts'
import { rowsOfTask } from '../memory/layout.ts'

/** Forms of storage; see assembly/kernel/integer-products.ts. */
const NOT_WHOLE = 0
const COUNTS = 1
const PAIRS = 2
/** Rows of entries are padded to a multiple of this. */
const PADDING = 4
/** Parts of 1 that values are tried to be whole multiples of. */
const PARTS = [1, 10, 100, 1000, 10_000, 255]
const LARGEST_COUNT = 255
const LARGEST_NORM = 2 ** 31 - 1

/** The entries of a matrix. */
export interface WholeNumbers {
  readonly form: typeof COUNTS | typeof PAIRS
  /** Values are multiples of 1 / parts: of the quotient, so that decimals are what they were read as. */
  readonly parts: number
  readonly unit: number
  /** Where the entries of each row begin and, after the last one, end: byte offsets. */
  readonly ends: EngineArray<Uint32Array>
  /** One word an entry of COUNTS, two of PAIRS. */
  readonly entries: EngineArray<Uint32Array>
}

/** What there is to know of a sparse matrix in the engine. */
interface SparseRows {
  readonly engine: Engine
  readonly pointer: number
  readonly indptr: Uint32Array
  readonly exact: Float64Array
  readonly exactNorms: Float64Array
}

type Unit = Pick<WholeNumbers, 'form' | 'parts' | 'unit'>

/**
 * Adds entries to a matrix of `rows` rows if its values allow it, in units of their own or in `given` ones; undefined
 * where they do not. `pairs` tells in how many pairs of columns each row has values.
 */
export function addWhole(
  matrix: SparseRows,
  rows: number,
  pairs: Uint32Array,
  given?: Unit,
): WholeNumbers | undefined {
  const { engine, pointer, indptr, exact } = matrix
  const stored = indptr[rows]
  if (stored === 0) return undefined
  const mark = engine.mark()
  const refused = engine.array(Uint32Array, 1)
  const hasRoom = roomOf(matrix, rows)
  for (const unit of given ? [given] : possibleUnits(exact[0])) {
    if (!hasRoom(unit)) continue
    const whole = { ...unit, ...layOut(matrix, rows, unit.form, pairs) }
    announce(engine, pointer, whole)
    refused[0] = 0
    const chunk = rowsOfTask(rows, stored)
    engine.run({
      kind: 'entries',
      matrix: pointer,
      to: rows,
      chunk,
      count: unit.parts,
      refused: refused.pointer,
    })
    if (refused[0] === 0) return whole
    announce(engine, pointer, { ...whole, form: NOT_WHOLE })
    engine.release(whole.ends.pointer)
  }
  engine.release(mark)
  return undefined
}

/** Room for the entries of each row, right behind those of the row before. */
function layOut({ engine, indptr }: SparseRows, rows: number, form: number, pairs: Uint32Array) {
  const ends = engine.array(Uint32Array, rows + 1)
  const start = engine.mark()
  ends[0] = start
  for (let i = 0; i < rows; i++) {
    const count = form === COUNTS ? indptr[i + 1] - indptr[i] : pairs[i]
    ends[i + 1] = ends[i] + 4 * form * PADDING * Math.ceil(count / PADDING)
  }
  return { ends, entries: engine.array(Uint32Array, (ends[rows] - start) / 4) }
}

/** Room for entries of some rows of a matrix, which have `stored` values together at most. */
export function reserveWholeCopy(
  engine: Engine,
  pointer: number,
  { form, parts, unit }: WholeNumbers,
  rows: number,
  stored: number,
): WholeNumbers {
  const ends = engine.array(Uint32Array, rows + 1)
  const entries = engine.array(Uint32Array, (stored + (PADDING - 1) * rows) * form)
  ends[0] = entries.pointer
  const whole = { form, parts, unit, ends, entries }
  announce(engine, pointer, whole)
  return whole
}

/** Tells the matrix at `pointer` of its entries. */
function announce(
  engine: Engine,
  pointer: number,
  { form, unit, ends }: { form: number; unit: number; ends: EngineArray<Uint32Array> },
): void {
  const view = new DataView(engine.memory.buffer, pointer)
  view.setUint32(32, form, true)
  view.setUint32(36, ends.pointer, true)
  view.setFloat64(40, unit, true)
}

/** Entries of some ranges of rows, one after the other, for the matrix at `pointer`. */
export function joinWhole(
  engine: Engine,
  pointer: number,
  source: WholeNumbers,
  ranges: readonly (readonly [from: number, to: number])[],
): WholeNumbers {
  const { ends, entries, form } = source
  const words = (row: number) => (ends[row] - entries.pointer) >>> 2
  const rows = ranges.reduce((all, [from, to]) => all + to - from, 0)
  const stored = ranges.reduce((all, [from, to]) => all + words(to) - words(from), 0)
  const target = reserveWholeCopy(engine, pointer, source, rows, Math.ceil(stored / form))
  let row = 0
  let at = 0
  for (const [from, to] of ranges) {
    target.entries.set(entries.subarray(words(from), words(to)), at)
    const shift = target.entries.pointer + 4 * (at - words(from)) - entries.pointer
    for (let i = from; i < to; i++) target.ends[row + i - from + 1] = ends[i + 1] + shift
    row += to - from
    at += words(to) - words(from)
  }
  return target
}

/** Units that values may be multiples of, `first` being one of them. */
function possibleUnits(first: number): Unit[] {
  const same: Unit = { form: COUNTS, parts: 1 / first, unit: first }
  return [same, ...PARTS.map((parts): Unit => ({ form: PAIRS, parts, unit: 1 / parts }))]
}

/** Tells of units whether counts or products of these rows cannot overflow. */
function roomOf({ indptr, exactNorms }: SparseRows, rows: number): (unit: Unit) => boolean {
  let longest = 0
  let norm = 0
  for (let i = 0; i < rows; i++) {
    longest = Math.max(longest, indptr[i + 1] - indptr[i])
    norm = Math.max(norm, exactNorms[i])
  }
  return ({ form, parts }) => (form === COUNTS ? longest <= LARGEST_COUNT : norm <= LARGEST_NORM / parts ** 2)
}
