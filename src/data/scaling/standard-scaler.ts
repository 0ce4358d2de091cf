/**
 * Scaling of every feature to zero mean and unit variance, as scikit-learn's StandardScaler:
 *
 *   v  ->  (v - mean_j) / scale_j,   scale_j² = (1/n) Σ_i (x_ij - mean_j)²
 *
 * A constant feature has scale 1: it is centred only. Without centring (`mean: false`) zeros stay zeros, so
 * sparse matrices stay as sparse as they were; that is the default for them. Centring a sparse matrix is done
 * when requested, and fills it.
 */

import { checkBoolean, checkKnown } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import { copyRow, type Matrix, type RowsInput } from '../matrix/matrix.ts'
import { rowsToFit } from './rows-to-fit.ts'

/** A fitted scaling to zero mean and unit variance. Plain data that survives JSON. */
export interface StandardScaler {
  readonly kind: 'standard'
  /** What is subtracted from each column: its mean, or 0 when fitted without centring. */
  readonly mean: readonly number[]
  /** What each column is then divided by; never 0. */
  readonly scale: readonly number[]
}

/** How {@link fitStandardScaler} works. */
export interface StandardOptions {
  /** Subtract the mean; by default true for dense rows, false for sparse ones. */
  readonly mean?: boolean
}

/** Finds mean and standard deviation (dividing by n, not n - 1) of every column. */
export function fitStandardScaler(rows: RowsInput, options: StandardOptions = {}): StandardScaler {
  const who = 'fitStandardScaler'
  checkKnown(who, options, ['mean'])
  const matrix = rowsToFit(who, rows)
  const centred = checkBoolean(who, 'mean', options.mean ?? matrix.kind === 'dense')
  const n = matrix.rows
  // Summing differences from the first row makes the mean of a constant column exact.
  const mean = new Float64Array(matrix.cols)
  copyRow(matrix, 0, mean)
  const sums = sumDeviations(matrix, mean, 1)
  for (let j = 0; j < mean.length; j++) mean[j] += sums[j] / n
  return standardScalerOf(who, { mean, deviations: sumDeviations(matrix, mean, 2) }, n, centred)
}

/** The scaler of columns with these means and sums of squared deviations from them, over n rows. */
export function standardScalerOf(
  who: string,
  { mean, deviations }: { readonly mean: Float64Array; readonly deviations: Float64Array },
  n: number,
  centred: boolean,
): StandardScaler {
  const scale = Array.from(deviations, (square, j) => {
    const variance = square / n
    if (!Number.isFinite(variance)) {
      throw new DataError(`${who}: the variance of column ${j} exceeds the range of a double`)
    }
    // What n rounding errors can make of a constant column (the bound scikit-learn uses).
    const noise = n * Number.EPSILON * variance + (n * mean[j] * Number.EPSILON) ** 2
    return variance <= noise ? 1 : Math.sqrt(variance)
  })
  return { kind: 'standard', mean: centred ? Array.from(mean) : scale.map(() => 0), scale }
}

/** Σ_i (x_ij - centre_j)^power of every column j; absent entries are zeros and count. */
function sumDeviations(matrix: Matrix, centre: Float64Array, power: 1 | 2): Float64Array {
  const { rows, cols, values } = matrix
  const sums = new Float64Array(cols)
  if (matrix.kind === 'dense') {
    for (let i = 0, k = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++, k++) {
        const deviation = values[k] - centre[j]
        sums[j] += power === 1 ? deviation : deviation * deviation
      }
    }
    return sums
  }
  const { indices } = matrix
  const absent = new Float64Array(cols).fill(rows)
  for (let k = 0; k < values.length; k++) {
    const j = indices[k]
    const deviation = values[k] - centre[j]
    sums[j] += power === 1 ? deviation : deviation * deviation
    absent[j]--
  }
  for (let j = 0; j < cols; j++) {
    sums[j] += absent[j] * (power === 1 ? -centre[j] : centre[j] * centre[j])
  }
  return sums
}

/** Scales `values[k]`, which stands in column `columns[k]`, in place. */
export function standardize(scaler: StandardScaler, values: Float64Array, columns: Uint32Array): void {
  const { mean, scale } = scaler
  for (let k = 0; k < values.length; k++) values[k] = (values[k] - mean[columns[k]]) / scale[columns[k]]
}
