/**
 * Sparse matrices whose values are all multiples of one unit: what assembly/whole.ts computes products of in whole
 * numbers. Counts, grey levels, decimals of a few digits, and features that are there or not are of this kind.
 */
import type { Engine, EngineArray } from './engine.ts'

/** Forms of storage; see assembly/whole.ts. */
const COUNTS = 1
const PAIRS = 2
/** Rows of entries are padded to a multiple of this. */
const PADDING = 4
/** Parts of 1 that values are tried to be whole multiples of. */
const PARTS = [1, 10, 100, 1000, 10_000, 255]
const LARGEST_MULTIPLE = 32767
const LARGEST_COUNT = 255
const LARGEST_NORM = 2 ** 31 - 1
/** Adding it and taking it away rounds to a whole number. */
const ROUND = 1.5 * 2 ** 52
const NONE = -1

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
  readonly pointer: number
  readonly indptr: Uint32Array
  /** column · 64 */
  readonly offsets: Uint32Array
  readonly exact: Float64Array
  readonly exactNorms: Float64Array
}

type Unit = Pick<WholeNumbers, 'form' | 'parts' | 'unit'>

/**
 * Adds entries to a matrix of `rows` rows if its values allow it, in units of their own or in `given` ones; undefined
 * where they do not.
 */
export function addWhole(
  engine: Engine,
  matrix: SparseRows,
  rows: number,
  given?: Unit,
): WholeNumbers | undefined {
  for (const unit of given ? [given] : possibleUnits(matrix, rows)) {
    const mark = engine.mark()
    const stored = matrix.indptr[rows]
    const { ends, entries } = makeEntries(engine, unit.form, rows, stored)
    const words = hasRoom(matrix, rows, unit) ? fillEntries(matrix, rows, unit, ends, entries) : NONE
    if (words === NONE) {
      engine.release(mark)
      continue
    }
    engine.release(entries.pointer + Math.ceil(words / 16) * 64)
    const whole = { ...unit, ends, entries: engine.view(Uint32Array, entries.pointer, words) }
    announce(engine, matrix.pointer, whole)
    return whole
  }
  return undefined
}

/** Room for entries of some rows of a matrix, which have `stored` values together at most. */
export function reserveWholeCopy(
  engine: Engine,
  pointer: number,
  { form, parts, unit }: WholeNumbers,
  rows: number,
  stored: number,
): WholeNumbers {
  const whole = { form, parts, unit, ...makeEntries(engine, form, rows, stored) }
  whole.ends[0] = whole.entries.pointer
  announce(engine, pointer, whole)
  return whole
}

/** Room for the entries of `rows` rows with `stored` values. */
function makeEntries(engine: Engine, form: number, rows: number, stored: number) {
  const ends = engine.array(Uint32Array, rows + 1)
  return { ends, entries: engine.array(Uint32Array, (stored + (PADDING - 1) * rows) * form) }
}

/** Tells the matrix at `pointer` of its entries. */
function announce(engine: Engine, pointer: number, { form, unit, ends }: WholeNumbers): void {
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

function possibleUnits({ indptr, exact }: SparseRows, rows: number): Unit[] {
  if (indptr[rows] === 0) return []
  const same: Unit = { form: COUNTS, parts: 1 / exact[0], unit: exact[0] }
  return [same, ...PARTS.map((parts): Unit => ({ form: PAIRS, parts, unit: 1 / parts }))]
}

/** Whether counts or products of these rows cannot overflow. */
function hasRoom({ indptr, exactNorms }: SparseRows, rows: number, { form, parts }: Unit): boolean {
  const largest = LARGEST_NORM / parts ** 2
  for (let i = 0; i < rows; i++) {
    if (form === COUNTS ? indptr[i + 1] - indptr[i] > LARGEST_COUNT : exactNorms[i] > largest) return false
  }
  return true
}

/** Returns how many words the entries took, or NONE when a value is not a multiple of the unit. */
function fillEntries(
  { indptr, offsets, exact }: SparseRows,
  rows: number,
  { form, parts, unit }: Unit,
  ends: EngineArray<Uint32Array>,
  entries: EngineArray<Uint32Array>,
): number {
  const group = PADDING * form
  let at = 0
  ends[0] = entries.pointer
  for (let i = 0; i < rows; i++) {
    const start = at
    const end = indptr[i + 1]
    if (form === COUNTS) {
      for (let k = indptr[i]; k < end; k++) {
        if (exact[k] !== unit) return NONE
        entries[at++] = (offsets[k] >>> 2) + 16
      }
    } else {
      for (let k = indptr[i]; k < end; ) {
        const pair = offsets[k] >>> 7
        let both = 0
        for (; k < end && offsets[k] >>> 7 === pair; k++) {
          const multiple = exact[k] * parts + ROUND - ROUND
          if (multiple / parts !== exact[k] || Math.abs(multiple) > LARGEST_MULTIPLE) return NONE
          both |= (multiple & 0xffff) << ((offsets[k] & 64) >>> 2)
        }
        entries[at++] = pair << 6
        entries[at++] = both
      }
    }
    const padded = start + Math.ceil((at - start) / group) * group
    while (at < padded) entries[at++] = 0
    ends[i + 1] = entries.pointer + at * 4
  }
  return at
}
