/**
 * Sparse matrices whose values are all multiples of one unit: what assembly/kernel/integer-products.ts computes products of in whole
 * numbers. Counts, grey levels, decimals of a few digits, and features that are there or not are of this kind.
 */
import type { Engine, EngineArray } from '../memory/engine.ts'
import { writeFields } from '../memory/fields.ts'
import { rowsOfTask } from '../memory/jobs.ts'
import { ENTRIES_PADDING, FORMS } from '../memory/structures.ts'

/** Parts of 1 that values are tried to be whole multiples of. */
const PARTS = [1, 10, 100, 1000, 10_000, 255]
/** Counts are bytes. */
const LARGEST_COUNT = 255
/** Products are added up in i32; by Cauchy and Schwarz none is larger than the largest squared norm. */
const LARGEST_NORM = 2 ** 31 - 1
/** Values that are tried before room is made for all: where they are no multiples of a unit, these few tell as a rule. */
const TRIED = 64

/** The entries of a matrix. */
export interface IntegerEntries {
  readonly form: typeof FORMS.counts | typeof FORMS.pairs
  /** Values are multiples of 1 / parts: of the quotient, so that decimals are what they were read as. */
  readonly parts: number
  readonly unit: number
  /** Where the entries of each row begin and, after the last one, end: byte offsets. */
  readonly ends: EngineArray<Uint32Array>
  /** One word per entry of COUNTS, two per entry of PAIRS. */
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

type Unit = Pick<IntegerEntries, 'form' | 'parts' | 'unit'>

/**
 * Adds entries to a matrix of `rows` rows if its values allow it, in their own units or in `given` ones; undefined
 * where they do not. `pairs` tells in how many pairs of columns each row has values.
 */
export function addIntegers(
  matrix: SparseRows,
  rows: number,
  pairs: Uint32Array,
  given?: Unit,
): IntegerEntries | undefined {
  const { engine, pointer, indptr, exact } = matrix
  const stored = indptr[rows]
  if (stored === 0) return undefined
  const mark = engine.mark()
  const refused = engine.array(Uint32Array, 1)
  const hasRoom = roomOf(matrix, rows)
  const tried = exact.subarray(0, Math.min(stored, TRIED))
  for (const unit of given ? [given] : possibleUnits(exact[0])) {
    if (!hasRoom(unit) || !areMultiples(tried, unit)) continue
    const integers = { ...unit, ...layOut(matrix, rows, unit.form, pairs) }
    announce(engine, pointer, integers)
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
    if (refused[0] === 0) return integers
    announce(engine, pointer, { ...integers, form: FORMS.floating })
    engine.release(integers.ends.pointer)
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
    const count = form === FORMS.counts ? indptr[i + 1] - indptr[i] : pairs[i]
    ends[i + 1] = ends[i] + 4 * form * ENTRIES_PADDING * Math.ceil(count / ENTRIES_PADDING)
  }
  return { ends, entries: engine.array(Uint32Array, (ends[rows] - start) / 4) }
}

/** Room for entries of some rows of a matrix, which have `stored` values together at most. */
export function reserveIntegers(
  engine: Engine,
  pointer: number,
  { form, parts, unit }: IntegerEntries,
  rows: number,
  stored: number,
): IntegerEntries {
  const ends = engine.array(Uint32Array, rows + 1)
  const entries = engine.array(Uint32Array, (stored + (ENTRIES_PADDING - 1) * rows) * form)
  ends[0] = entries.pointer
  const integers = { form, parts, unit, ends, entries }
  announce(engine, pointer, integers)
  return integers
}

/** Tells the matrix at `pointer` of its entries. */
function announce(
  engine: Engine,
  pointer: number,
  { form, unit, ends }: { form: number; unit: number; ends: EngineArray<Uint32Array> },
): void {
  writeFields(engine.memory, 'MATRIX', pointer, { form, unit, entryEnds: ends.pointer })
}

/** Entries of some ranges of rows, one after the other, for the matrix at `pointer`. */
export function joinIntegers(
  engine: Engine,
  pointer: number,
  source: IntegerEntries,
  ranges: readonly (readonly [from: number, to: number])[],
): IntegerEntries {
  const { ends, entries, form } = source
  const words = (row: number) => (ends[row] - entries.pointer) >>> 2
  const rows = ranges.reduce((all, [from, to]) => all + to - from, 0)
  const stored = ranges.reduce((all, [from, to]) => all + words(to) - words(from), 0)
  const target = reserveIntegers(engine, pointer, source, rows, Math.ceil(stored / form))
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
  const same: Unit = { form: FORMS.counts, parts: 1 / first, unit: first }
  return [same, ...PARTS.map((parts): Unit => ({ form: FORMS.pairs, parts, unit: 1 / parts }))]
}

/** Whether values are what the entries of a unit can hold, but for their range. */
function areMultiples(values: Float64Array, { form, parts, unit }: Unit): boolean {
  for (let k = 0; k < values.length; k++) {
    const value = form === FORMS.counts ? unit : Math.round(values[k] * parts) / parts
    if (value !== values[k]) return false
  }
  return true
}

/** Tells of units whether counts or products of these rows cannot overflow. */
function roomOf({ indptr, exactNorms }: SparseRows, rows: number): (unit: Unit) => boolean {
  let longest = 0
  let norm = 0
  for (let i = 0; i < rows; i++) {
    longest = Math.max(longest, indptr[i + 1] - indptr[i])
    norm = Math.max(norm, exactNorms[i])
  }
  return ({ form, parts }) =>
    form === FORMS.counts ? longest <= LARGEST_COUNT : norm <= LARGEST_NORM / parts ** 2
}
