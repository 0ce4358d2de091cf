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
  const unit = given ? (allows(matrix, rows, given) ? given : undefined) : findUnit(matrix, rows)
  if (!unit) return undefined
  const { indptr, offsets, exact } = matrix
  const whole = reserveWhole(engine, matrix.pointer, unit, rows, countEntries(matrix, rows, unit.form))
  const { ends, entries } = whole
  let at = 0
  ends[0] = entries.pointer
  for (let i = 0; i < rows; i++) {
    const start = at
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      if (unit.form === COUNTS) {
        entries[at++] = offsets[k] / 4 + 16
      } else {
        const first = (offsets[k] & 64) === 0
        const pair = first ? offsets[k] / 2 : (offsets[k] - 64) / 2
        const multiple = Math.round(exact[k] * unit.parts)
        if (!first && at > start && entries[at - 2] === pair) {
          entries[at - 1] |= multiple << 16
        } else {
          entries[at++] = pair
          entries[at++] = first ? multiple & 0xffff : multiple << 16
        }
      }
    }
    const padded = start + Math.ceil((at - start) / (PADDING * unit.form)) * PADDING * unit.form
    entries.fill(0, at, padded)
    at = padded
    ends[i + 1] = entries.pointer + at * 4
  }
  return whole
}

/** Room for entries of up to `rows` rows, known to the matrix at `pointer`. */
export function reserveWhole(
  engine: Engine,
  pointer: number,
  { form, parts, unit }: Unit,
  rows: number,
  words: number,
): WholeNumbers {
  const ends = engine.array(Uint32Array, rows + 1)
  const entries = engine.array(Uint32Array, words)
  const view = new DataView(engine.memory.buffer, pointer)
  view.setUint32(32, form, true)
  view.setUint32(36, ends.pointer, true)
  view.setFloat64(40, unit, true)
  return { form, parts, unit, ends, entries }
}

/** Room for entries of some rows of a matrix, which have `stored` values together at most. */
export function reserveWholeCopy(
  engine: Engine,
  pointer: number,
  source: WholeNumbers,
  rows: number,
  stored: number,
): WholeNumbers {
  const words = Math.min(source.entries.length, (stored + (PADDING - 1) * rows) * source.form)
  return reserveWhole(engine, pointer, source, rows, words)
}

/** Makes `target` hold the chosen rows, in that order. */
export function gatherWhole(
  source: WholeNumbers,
  chosen: ArrayLike<number>,
  count: number,
  target: WholeNumbers,
): void {
  const { ends, entries } = source
  const { ends: toEnds, entries: to } = target
  let at = 0
  toEnds[0] = to.pointer
  for (let r = 0; r < count; r++) {
    const end = (ends[chosen[r] + 1] - entries.pointer) >>> 2
    for (let k = (ends[chosen[r]] - entries.pointer) >>> 2; k < end; k++) to[at++] = entries[k]
    toEnds[r + 1] = to.pointer + at * 4
  }
}

function findUnit(matrix: SparseRows, rows: number): Unit | undefined {
  if (matrix.indptr[rows] === 0) return undefined
  const value = matrix.exact[0]
  const units: Unit[] = PARTS.map((parts) => ({ form: PAIRS, parts, unit: 1 / parts }))
  return [{ form: COUNTS, parts: 1 / value, unit: value } as const, ...units].find((unit) =>
    allows(matrix, rows, unit),
  )
}

/** Whether a matrix can be stored in this unit. */
function allows({ exact, exactNorms, indptr }: SparseRows, rows: number, unit: Unit): boolean {
  const { form, parts } = unit
  for (let i = 0; i < rows; i++) {
    if (
      form === COUNTS ? indptr[i + 1] - indptr[i] > LARGEST_COUNT : exactNorms[i] * parts ** 2 > LARGEST_NORM
    ) {
      return false
    }
  }
  const stored = indptr[rows]
  for (let k = 0; k < stored; k++) {
    if (form === COUNTS ? exact[k] !== unit.unit : !isMultiple(exact[k], parts)) return false
  }
  return true
}

function isMultiple(value: number, parts: number): boolean {
  const multiple = Math.round(value * parts)
  return multiple / parts === value && Math.abs(multiple) <= LARGEST_MULTIPLE
}

/** Words that the entries of all rows take. */
function countEntries({ indptr, offsets }: SparseRows, rows: number, form: number): number {
  let words = 0
  for (let i = 0; i < rows; i++) {
    let count = indptr[i + 1] - indptr[i]
    if (form === PAIRS) {
      // The second of a pair needs no entry of its own.
      for (let k = indptr[i] + 1; k < indptr[i + 1]; k++) {
        if ((offsets[k] & 64) !== 0 && offsets[k - 1] === offsets[k] - 64) count--
      }
    }
    words += Math.ceil(count / PADDING) * PADDING * form
  }
  return words
}
