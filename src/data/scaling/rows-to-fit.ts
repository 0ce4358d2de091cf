import { DataError } from '../../base/errors.ts'
import { type Matrix, type RowsInput, toMatrix } from '../matrix/matrix.ts'

/**
 * A scaler keeps two numbers for each feature, also for those that never occur: a GiB for this many. One large index is
 * enough to need them.
 */
const mostColumns = 2 ** 26

/** The rows that a scaler is to be fitted to: some, with no more features than it can keep numbers for. */
export function rowsToFit(who: string, rows: RowsInput): Matrix {
  const matrix = toMatrix(rows)
  if (matrix.rows === 0) throw new DataError(`${who}: there are no samples`)
  if (matrix.cols > mostColumns) {
    throw new DataError(`${who}: at most ${mostColumns} features can be scaled, got ${matrix.cols}`)
  }
  return matrix
}
