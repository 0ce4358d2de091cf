/** One dense row at a time, without allocating: the matrix that holds it is made once and filled again and again. */
import { allocate } from '../../base/allocate.ts'
import { countUp } from '../../base/lists.ts'
import type { DenseMatrix } from '../../data/matrix/matrix.ts'
import { type Scaler, scalerColumns, scaleValues } from '../../data/scaling/scaler.ts'

/** A row as a model sees it: as many values as were given, scaled where there is a scaler. */
export class SingleRow {
  /** How many values a row has. */
  readonly length: number
  readonly matrix: DenseMatrix
  private readonly scaler: Scaler | undefined
  private readonly columns: Uint32Array

  constructor(length: number, scaler: Scaler | undefined) {
    const cols = scaler ? scalerColumns(scaler) : length
    this.length = length
    this.matrix = { kind: 'dense', rows: 1, cols, values: allocate(Float64Array, cols) }
    this.scaler = scaler
    this.columns = countUp(cols)
  }

  /** Takes a row in; false when a value is not a finite number, before or after scaling. */
  load(row: ArrayLike<number>): boolean {
    const { matrix, scaler, length } = this
    const { values, cols } = matrix
    for (let j = 0; j < length; j++) {
      const value = row[j]
      if (!Number.isFinite(value)) return false
      if (j < cols) values[j] = value
    }
    if (!scaler) return true
    values.fill(0, length)
    scaleValues(scaler, values, this.columns)
    for (let j = 0; j < cols; j++) if (!Number.isFinite(values[j])) return false
    return true
  }
}
