/**
 * Draws the bounds of f32 rows in. Worst cases add up the errors of all terms, which mostly cancel where there are many: they
 * are hundreds of times too wide. So some rows of many terms are drawn at random and computed in f64. Of any ordinary row the
 * error is then taken to be at most {@link MARGIN} times the largest share of a bound that was seen, and, as nothing cancels
 * where one term is all there is, the worst error of the largest term. Every f64 row that is computed later is held against
 * that. Rows whose bound is far above the usual one keep it: what is true of others need not be true of them.
 */
import { pickNumbers } from '../base/lists.ts'
import type { Pieces } from '../base/pieces.ts'
import type { Random } from '../base/random.ts'
import type { SamplesOnEngine } from '../engine/matrix/samples-on-engine.ts'
import type { RowBounds } from './row-bounds.ts'

/** Rows drawn at random, f32 rows from which on that pays (a quarter are drawn), and by what their errors are multiplied for all. */
const DRAWN = 64
const LEAST_ROUNDED = 4 * DRAWN
const MARGIN = 8
/** A bound so many times the median is not an ordinary one; the median is that of some bounds. */
const UNUSUAL = 4
/** Terms as large as the largest from which on a row has many: errors of fewer need not cancel. */
const MANY_TERMS = 4
const FOR_MEDIAN = 255

/** Rows with bounds, as ./row-values.ts has them. */
interface BoundedRows {
  readonly values: Float64Array
  readonly errors: Float64Array
  readonly magnitudes: Float64Array
  readonly isDouble: Uint8Array
  readonly isOrdinary: Uint8Array
  rounded(): Uint32Array
  refine(rows: Uint32Array, place?: SamplesOnEngine): Pieces
}

/** See the header of the file; only where errors of rows are alike. Returns how many rows were drawn. */
export function* drawInBounds(
  rows: BoundedRows,
  bounds: RowBounds,
  areAlike: boolean,
  random: Random,
  place?: SamplesOnEngine,
): Pieces<number> {
  const { values, errors } = rows
  const rounded = rows.rounded()
  if (rounded.length < LEAST_ROUNDED) return 0
  const some = new Float64Array(FOR_MEDIAN)
  for (let k = 0; k < FOR_MEDIAN; k++) some[k] = errors[rounded[random.int(rounded.length)]]
  const usual = Math.min(UNUSUAL * some.sort()[FOR_MEDIAN >> 1], Number.MAX_VALUE)
  const crowded = crowdedAmong(rows, rounded, usual, bounds)
  const count = crowded.length
  if (!areAlike || count < LEAST_ROUNDED) return 0
  const drawn = new Uint32Array(DRAWN)
  for (let k = 0; k < DRAWN; k++) drawn[k] = crowded[random.int(count)]
  const before = pickNumbers(values, drawn)
  const atWorst = pickNumbers(errors, drawn)
  yield* rows.refine(drawn, place)
  let share = 0
  for (let k = 0; k < drawn.length; k++) {
    share = Math.max(share, (Math.abs(values[drawn[k]] - before[k]) + errors[drawn[k]]) / atWorst[k])
  }
  narrow(rows, MARGIN * share, bounds)
  return drawn.length
}

/** Marks rows whose bound is no more than `usual` as ordinary; returns those of them that have many terms. */
function crowdedAmong(
  { errors, magnitudes, isOrdinary }: BoundedRows,
  list: Uint32Array,
  usual: number,
  bounds: RowBounds,
): Uint32Array {
  const crowded = new Uint32Array(list.length)
  let count = 0
  for (let k = 0; k < list.length; k++) {
    const i = list[k]
    if (!(errors[i] <= usual)) continue
    isOrdinary[i] = 1
    if (MANY_TERMS * bounds.shareOfLargestTerm(magnitudes[i]) < 1) crowded[count++] = i
  }
  return crowded.subarray(0, count)
}

/** Multiplies the bounds of ordinary rows by what was seen of them, and what their largest term can add. */
function narrow(
  { errors, magnitudes, isOrdinary, isDouble }: BoundedRows,
  seen: number,
  bounds: RowBounds,
): void {
  for (let i = 0; i < isOrdinary.length; i++) {
    if (isDouble[i] || !isOrdinary[i]) continue
    errors[i] *= Math.min(1, seen + bounds.shareOfLargestTerm(magnitudes[i]))
  }
}
