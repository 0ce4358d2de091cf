import { checkBoolean, checkKnown, checkOneOf } from '../../base/check.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import {
  checkRange,
  fitRangeScaler,
  type RangeOptions,
  rangeScalerOf,
} from '../../data/scaling/range-scaler.ts'
import type { Scaler } from '../../data/scaling/scaler.ts'
import {
  fitStandardScaler,
  type StandardOptions,
  standardScalerOf,
} from '../../data/scaling/standard-scaler.ts'
import type { ColumnStatistics } from '../../data/shards/column-statistics.ts'

/**
 * How training data is scaled before training: to a range (−1 to 1 by default) or to zero mean
 * and unit variance. The fitted scaler becomes part of the model.
 */
export type ScalerChoice =
  | 'range'
  | 'standard'
  | ({ readonly kind: 'range' } & RangeOptions)
  | ({ readonly kind: 'standard' } & StandardOptions)

/** Throws a ParameterError unless `choice` is one that could be used. */
export function checkScalerChoice(who: string, choice: unknown): void {
  if (choice === undefined) return
  const { kind, ...options } =
    typeof choice === 'object' && choice !== null ? (choice as { kind?: unknown }) : { kind: choice }
  checkOneOf(who, 'scaler', kind, ['range', 'standard'])
  if (kind === 'range') {
    checkRange(`${who}: scaler`, options)
    return
  }
  checkKnown(`${who}: scaler`, options, ['mean'])
  const { mean } = options as StandardOptions
  if (mean !== undefined) checkBoolean(`${who}: scaler`, 'mean', mean)
}

/**
 * Fits the scaler that was chosen. Of rows that were a table, it is about the features that measure something: the others stay
 * as they are, so that means can be taken off without filling a sparse matrix.
 */
export function fitScaler(choice: ScalerChoice, rows: Matrix, measured?: Uint8Array): Scaler {
  const { kind, ...options } = typeof choice === 'string' ? { kind: choice } : choice
  if (kind === 'range') return onMeasured(fitRangeScaler(rows, options as RangeOptions), measured)
  const centred = measured ? { mean: true, ...options } : options
  return onMeasured(fitStandardScaler(rows, centred as StandardOptions), measured)
}

/** A scaler that leaves all other features as they are. */
function onMeasured(scaler: Scaler, measured: Uint8Array | undefined): Scaler {
  if (!measured) return scaler
  const keep = (own: readonly number[], other: number) => own.map((value, j) => (measured[j] ? value : other))
  if (scaler.kind === 'range') {
    const { lower, upper, min, max } = scaler
    return { ...scaler, min: keep(min, lower), max: keep(max, upper) }
  }
  return { kind: 'standard', mean: keep(scaler.mean, 0), scale: keep(scaler.scale, 1) }
}

/**
 * As {@link fitScaler}, of what is known of the columns of this many rows; sparse rows are not centred unless requested, or a
 * table.
 */
export function scalerOfStatistics(
  choice: ScalerChoice,
  statistics: ColumnStatistics,
  rows: number,
  isSparse: boolean,
  measured?: Uint8Array,
): Scaler {
  const { kind, ...options } = typeof choice === 'string' ? { kind: choice } : choice
  if (kind === 'range') {
    return onMeasured(rangeScalerOf('fitRangeScaler', statistics, options as RangeOptions), measured)
  }
  const { mean = !isSparse || measured !== undefined } = options as StandardOptions
  return onMeasured(standardScalerOf('fitStandardScaler', statistics, rows, mean), measured)
}
