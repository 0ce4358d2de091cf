/**
 * Scaling of every feature to [lower, upper], as svm-scale does it:
 *
 *   v  ->  lower + (upper - lower) (v - min_j) / (max_j - min_j)
 *
 * with v = min_j giving `lower` and v = max_j giving `upper` to the last bit. Absent entries of a sparse matrix
 * are zeros and count for min and max. A constant feature carries no information and is dropped (it becomes 0).
 *
 * A zero stays a zero only where `lower` is 0 and min_j is 0, or where the line happens to pass through the
 * origin. Non-negative sparse data should therefore be scaled with `lower: 0`; with the default -1 nearly every
 * absent entry becomes -1. {@link filledColumns} in scaler.ts predicts how many.
 */

import { checkKnown, checkNumber } from '../../base/check.ts'
import { DataError, ParameterError } from '../../base/errors.ts'
import { largestOf, smallestOf } from '../../base/lists.ts'
import type { Matrix, RowsInput } from '../matrix/matrix.ts'
import { rowsToFit } from './rows-to-fit.ts'

/** A fitted scaling to a range. Plain data that survives JSON. */
export interface RangeScaler {
  readonly kind: 'range'
  readonly lower: number
  readonly upper: number
  /** Smallest value of each column in the data it was fitted to. */
  readonly min: readonly number[]
  /** Largest value of each column; a column where it equals the smallest is dropped. */
  readonly max: readonly number[]
  /** How the labels are scaled, when they are (regression targets; `svm-scale -y`). */
  readonly target?: TargetRange
}

/** A fitted scaling of the labels: `min` becomes `lower`, `max` becomes `upper`. Plain data that survives JSON. */
export interface TargetRange {
  readonly lower: number
  readonly upper: number
  readonly min: number
  readonly max: number
}

/** The interval a range scaler maps to. */
export interface RangeOptions {
  /** Image of the smallest value. Default: -1. */
  readonly lower?: number
  /** Image of the largest value. Default: 1. */
  readonly upper?: number
}

/** Finds the smallest and largest value of every column. */
export function fitRangeScaler(rows: RowsInput, options: RangeOptions = {}): RangeScaler {
  const who = 'fitRangeScaler'
  return rangeScalerOf(who, columnRanges(rowsToFit(who, rows)), options)
}

/** The scaler of columns with these smallest and largest values. */
export function rangeScalerOf(
  who: string,
  { min, max }: { readonly min: Float64Array; readonly max: Float64Array },
  options: RangeOptions,
): RangeScaler {
  const { lower, upper } = checkRange(who, options)
  const wide = min.findIndex((low, j) => !Number.isFinite(max[j] - low))
  if (wide >= 0) {
    throw new DataError(
      `${who}: column ${wide} spans ${min[wide]} to ${max[wide]}, which exceeds the range of a double`,
    )
  }
  // JSON has no -0: adding 0 keeps what is saved equal to what was fitted.
  const plain = (ends: Float64Array): number[] => Array.from(ends, (end) => end + 0)
  return { kind: 'range', lower, upper, min: plain(min), max: plain(max) }
}

/** Defaults filled in and `lower < upper` made sure of. */
export function checkRange(who: string, options: RangeOptions): { lower: number; upper: number } {
  checkKnown(who, options, ['lower', 'upper'])
  const lower = checkNumber(who, 'lower', options.lower ?? -1)
  const upper = checkNumber(who, 'upper', options.upper ?? 1)
  if (!(upper > lower && Number.isFinite(upper - lower))) {
    throw new ParameterError(who, 'upper', `> lower (${lower})`, upper)
  }
  return { lower, upper }
}

/** Smallest and largest value of each column; what a sparse matrix does not store is 0. */
export function columnRanges(matrix: Matrix): { min: Float64Array; max: Float64Array } {
  const { rows, cols, values } = matrix
  const min = new Float64Array(cols).fill(Number.POSITIVE_INFINITY)
  const max = new Float64Array(cols).fill(Number.NEGATIVE_INFINITY)
  if (matrix.kind === 'dense') {
    for (let i = 0, k = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++, k++) {
        if (values[k] < min[j]) min[j] = values[k]
        if (values[k] > max[j]) max[j] = values[k]
      }
    }
    return { min, max }
  }
  const { indices } = matrix
  const stored = new Uint32Array(cols)
  for (let k = 0; k < values.length; k++) {
    const j = indices[k]
    stored[j]++
    if (values[k] < min[j]) min[j] = values[k]
    if (values[k] > max[j]) max[j] = values[k]
  }
  for (let j = 0; j < cols; j++) {
    if (stored[j] === rows) continue
    min[j] = Math.min(min[j], 0)
    max[j] = Math.max(max[j], 0)
  }
  return { min, max }
}

/** Scales `values[k]`, which stands in column `columns[k]`, in place. Dropped columns become 0. */
export function scaleToRange(scaler: RangeScaler, values: Float64Array, columns: Uint32Array): void {
  const { lower, upper, min, max } = scaler
  for (let k = 0; k < values.length; k++) {
    const low = min[columns[k]]
    const high = max[columns[k]]
    values[k] = low === high ? 0 : mapLinearly(values[k], low, high, lower, upper)
  }
}

/** The line through (fromLow, toLow) and (fromHigh, toHigh) at `value`, these two points to the last bit. */
function mapLinearly(
  value: number,
  fromLow: number,
  fromHigh: number,
  toLow: number,
  toHigh: number,
): number {
  if (value === fromLow) return toLow
  if (value === fromHigh) return toHigh
  return toLow + ((toHigh - toLow) * (value - fromLow)) / (fromHigh - fromLow)
}

/** Finds the smallest and largest label; as `svm-scale -y`. */
export function fitTargetRange(labels: ArrayLike<number>, options: RangeOptions = {}): TargetRange {
  const who = 'fitTargetRange'
  const range = checkRange(who, options)
  if (labels.length === 0) throw new DataError(`${who}: there are no labels`)
  for (let i = 0; i < labels.length; i++) {
    if (!Number.isFinite(labels[i]))
      throw new DataError(`${who}: label of sample ${i} is ${labels[i]}; targets must be finite numbers`)
  }
  const values = Float64Array.from(labels)
  const [min, max] = [smallestOf(values), largestOf(values)]
  if (!Number.isFinite(max - min)) {
    throw new DataError(`${who}: labels span ${min} to ${max}, which exceeds the range of a double`)
  }
  return { ...range, min, max }
}

/** Labels in the units of `range`; when the labels it was fitted to were all the same, all become `lower`. */
export function scaleTargets(range: TargetRange, labels: ArrayLike<number>): Float64Array {
  const { lower, upper, min, max } = range
  return Float64Array.from(labels, (label) =>
    min === max ? lower : mapLinearly(label, min, max, lower, upper),
  )
}
