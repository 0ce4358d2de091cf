/**
 * Applying a fitted scaler to new rows. The result has the columns the scaler knows: features beyond them are
 * dropped (svm-scale: "scaled to 0"), features the rows lack are zeros and are scaled like zeros.
 * Dense rows stay dense and sparse rows sparse; a sparse row gains an entry only where a zero maps to a
 * non-zero, and loses the entries that map to zero.
 */
import { allocate } from '../../base/allocate.ts'
import { DataError } from '../../base/errors.ts'
import { countUp } from '../../base/lists.ts'
import {
  checkFinite,
  type DenseMatrix,
  type Matrix,
  type RowsInput,
  type SparseMatrix,
  toMatrix,
} from '../matrix/matrix.ts'
import { type RangeScaler, scaleToRange } from './range-scaler.ts'
import { type StandardScaler, standardize } from './standard-scaler.ts'

/** A fitted scaler: plain data, saved inside the model that was trained on its output. */
export type Scaler = RangeScaler | StandardScaler

/** Number of columns the scaler was fitted to. */
export function scalerColumns(scaler: Scaler): number {
  return scaler.kind === 'range' ? scaler.min.length : scaler.mean.length
}

/**
 * Number of columns in which zeros become non-zeros. When it is not 0, scaling a sparse matrix stores up to
 * `rows * filledColumns(scaler)` more values: for non-negative sparse data fit a range scaler with `lower: 0`,
 * or a standard scaler with `mean: false`, and it is 0.
 */
export function filledColumns(scaler: Scaler): number {
  return imagesOfZero(scaler).reduce((count, image) => (image === 0 ? count : count + 1), 0)
}

/**
 * Returns the scaled rows; the input is not changed.
 *
 * @example
 * const scaler = fitRangeScaler(train.samples)
 * const scaled = applyScaler(scaler, test.samples)
 */
export function applyScaler(scaler: Scaler, rows: RowsInput): Matrix {
  const matrix = toMatrix(rows)
  const scaled = matrix.kind === 'dense' ? scaleDense(scaler, matrix) : scaleSparse(scaler, matrix)
  checkFinite(scaled)
  return scaled
}

/** Scales `values[k]`, which stands in column `columns[k]`, in place. */
export function scaleValues(scaler: Scaler, values: Float64Array, columns: Uint32Array): void {
  if (scaler.kind === 'range') scaleToRange(scaler, values, columns)
  else standardize(scaler, values, columns)
}

function imagesOfZero(scaler: Scaler): Float64Array {
  const columns = countUp(scalerColumns(scaler))
  const images = new Float64Array(columns.length)
  scaleValues(scaler, images, columns)
  return images
}

function scaleDense(scaler: Scaler, matrix: DenseMatrix): DenseMatrix {
  const { rows } = matrix
  const cols = scalerColumns(scaler)
  const shared = Math.min(cols, matrix.cols)
  const columns = countUp(cols)
  const values = allocate(Float64Array, rows * cols)
  for (let i = 0; i < rows; i++) {
    const row = values.subarray(i * cols, (i + 1) * cols)
    row.set(matrix.values.subarray(i * matrix.cols, i * matrix.cols + shared))
    scaleValues(scaler, row, columns)
  }
  return { kind: 'dense', rows, cols, values }
}

function scaleSparse(scaler: Scaler, matrix: SparseMatrix): SparseMatrix {
  const cols = scalerColumns(scaler)
  const { rows, indptr, indices, values } = matrix.cols > cols ? keepColumns(matrix, cols) : matrix
  const scaled = values.slice()
  scaleValues(scaler, scaled, indices)

  const zeros = imagesOfZero(scaler)
  const filled = Uint32Array.from(zeros.keys()).filter((j) => zeros[j] !== 0)
  let count = rows * filled.length
  for (let k = 0; k < scaled.length; k++) {
    if (zeros[indices[k]] !== 0) count--
    if (scaled[k] !== 0) count++
  }
  if (count > 0xffffffff) {
    throw new DataError(
      `applyScaler: zeros become non-zeros in ${filled.length} columns, which would store ${count} values; ` +
        'scale sparse data to a range with lower 0, or to unit variance without mean',
    )
  }

  const out = {
    kind: 'sparse' as const,
    rows,
    cols,
    indptr: new Uint32Array(rows + 1),
    indices: new Uint32Array(count),
    values: new Float64Array(count),
  }
  let end = 0
  const append = (column: number, value: number): void => {
    out.indices[end] = column
    out.values[end++] = value
  }
  for (let i = 0; i < rows; i++) {
    let f = 0
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const column = indices[k]
      for (; f < filled.length && filled[f] < column; f++) append(filled[f], zeros[filled[f]])
      if (filled[f] === column) f++
      if (scaled[k] !== 0) append(column, scaled[k])
    }
    for (; f < filled.length; f++) append(filled[f], zeros[filled[f]])
    out.indptr[i + 1] = end
  }
  return out
}

/** The first `cols` columns. */
function keepColumns(matrix: SparseMatrix, cols: number): SparseMatrix {
  const { rows } = matrix
  const indptr = new Uint32Array(rows + 1)
  const indices = new Uint32Array(matrix.indices.length)
  const values = new Float64Array(matrix.values.length)
  let end = 0
  for (let i = 0; i < rows; i++) {
    for (let k = matrix.indptr[i]; k < matrix.indptr[i + 1] && matrix.indices[k] < cols; k++) {
      indices[end] = matrix.indices[k]
      values[end++] = matrix.values[k]
    }
    indptr[i + 1] = end
  }
  return { kind: 'sparse', rows, cols, indptr, indices: indices.slice(0, end), values: values.slice(0, end) }
}
