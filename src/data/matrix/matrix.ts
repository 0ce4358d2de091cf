/**
 * Matrices are plain data (they cross to workers and into JSON as they are); functions here make and read them.
 * Values are f64: what a file says is kept to the last digit. The engine makes f32 copies where it pays.
 */
import { allocate } from '../../base/allocate.ts'
import { DataError, show } from '../../base/errors.ts'
import { joinArrays } from '../../base/lists.ts'

/** Row-major dense matrix. */
export interface DenseMatrix {
  readonly kind: 'dense'
  readonly rows: number
  readonly cols: number
  /** `values[i * cols + j]` */
  readonly values: Float64Array
}

/** Compressed sparse rows. Indices count from 0 and ascend strictly within a row. */
export interface SparseMatrix {
  readonly kind: 'sparse'
  readonly rows: number
  readonly cols: number
  /** Row i occupies `[indptr[i], indptr[i + 1])` of `indices` and `values`; length rows + 1. */
  readonly indptr: Uint32Array
  readonly indices: Uint32Array
  readonly values: Float64Array
}

/** A dense or sparse matrix of samples (one per row). */
export type Matrix = DenseMatrix | SparseMatrix

/** Everything that is accepted as rows. */
export type RowsInput = readonly (readonly number[] | Float64Array | Float32Array)[] | FlatRows | Matrix

/**
 * All values in one list, row by row, with their shape. Matrices of other packages are recognised by their properties:
 * `shape` and
 * `dataSync` of TensorFlow.js, `shape` and `data` of ndarray, `to2DArray` of ml-matrix.
 */
export interface FlatRows {
  readonly values?: Float64Array | Float32Array | readonly number[]
  readonly shape?: readonly number[]
  readonly data?: ArrayLike<number>
  dataSync?(): ArrayLike<number>
  to2DArray?(): number[][]
}

/** True for our own matrices, false for row lists and flat arrays with a shape. */
export function isMatrix(value: unknown): value is Matrix {
  const kind = (value as { kind?: unknown } | null)?.kind
  return kind === 'dense' || kind === 'sparse'
}

/** Creates a matrix from any accepted rows; checks shapes and rejects NaN and infinities. */
export function toMatrix(input: RowsInput): Matrix {
  if (typeof input !== 'object' || input === null) {
    throw new DataError(`rows must be an array of rows, got ${show(input)}`)
  }
  const matrix = isMatrix(input)
    ? input
    : Array.isArray(input)
      ? fromRows(input)
      : fromFlat(input as FlatRows)
  if (matrix.kind === 'sparse') checkSparse(matrix)
  else {
    const { rows, cols, values } = matrix
    if (values.length !== rows * cols) {
      throw new DataError(`a ${rows} x ${cols} matrix needs ${rows * cols} values, got ${values.length}`)
    }
    checkFinite(matrix)
  }
  return matrix
}

/** Throws a {@link DataError} when the arrays of a matrix do not fit together or a value is NaN or infinite, in one pass. */
function checkSparse(matrix: SparseMatrix): void {
  const { rows, cols, indptr, indices, values } = matrix
  const fits =
    indptr.length === rows + 1 &&
    indptr[0] === 0 &&
    indptr[rows] === values.length &&
    indices.length === values.length
  if (!fits) {
    const wanted = `${rows + 1} row pointers from 0 to the number of values, and an index for each value`
    throw new DataError(`a sparse matrix of ${rows} rows needs ${wanted}`)
  }
  for (let i = 0; i < rows; i++) {
    if (indptr[i] > indptr[i + 1])
      throw new DataError(`row pointers must not decrease, but they do after row ${i}`)
    const end = indptr[i + 1]
    for (let k = indptr[i], last = -1; k < end; k++) {
      const index = indices[k]
      if (!(index > last && index < cols)) {
        throw new DataError(`indices of row ${i} must ascend and be below ${cols}, got ${index}`)
      }
      last = index
      // x - x is NaN for NaN and for infinities.
      if (values[k] - values[k] !== 0) checkFinite(matrix)
    }
  }
}

function fromFlat(input: FlatRows): DenseMatrix {
  if (typeof input.to2DArray === 'function') return fromRows(input.to2DArray())
  const { shape } = input
  const values = typeof input.dataSync === 'function' ? input.dataSync() : (input.values ?? input.data)
  if (!Array.isArray(shape) || shape.length !== 2 || typeof values?.length !== 'number') {
    throw new DataError(`rows must be an array of rows, got ${show(input)}`)
  }
  const [rows, cols] = shape
  return { kind: 'dense', rows, cols, values: Float64Array.from(values) }
}

function fromRows(input: readonly ArrayLike<number>[]): DenseMatrix {
  if (!Array.isArray(input)) throw new DataError(`rows must be an array of rows, got ${show(input)}`)
  const single = input.findIndex((row) => typeof row?.length !== 'number' || typeof row === 'string')
  if (single >= 0)
    throw new DataError(`row ${single} must be an array of numbers, got ${show(input[single])}`)
  const rows = input.length
  const cols = rows === 0 ? 0 : input[0].length
  const values = allocate(Float64Array, rows * cols)
  for (let i = 0; i < rows; i++) {
    const row = input[i]
    if (row.length !== cols) throw new DataError(`row ${i} has ${row.length} values, but row 0 has ${cols}`)
    for (let j = 0; j < cols; j++) {
      if (typeof row[j] !== 'number')
        throw new DataError(`row ${i}, column ${j} is not a number: ${show(row[j])}`)
      values[i * cols + j] = row[j]
    }
  }
  return { kind: 'dense', rows, cols, values }
}

/** Throws a {@link DataError} naming the first row and column that is NaN or infinite. */
export function checkFinite(matrix: Matrix): void {
  const { values } = matrix
  for (let k = 0; k < values.length; k++) {
    if (!Number.isFinite(values[k])) {
      const { row, column } = locate(matrix, k)
      throw new DataError(`row ${row}, column ${column} is ${values[k]}; values must be finite`)
    }
  }
}

function locate(matrix: Matrix, k: number): { row: number; column: number } {
  if (matrix.kind === 'dense') return { row: Math.floor(k / matrix.cols), column: k % matrix.cols }
  let row = 0
  while (matrix.indptr[row + 1] <= k) row++
  return { row, column: matrix.indices[k] }
}

/** The same matrix in dense form (itself if it is dense). */
export function toDense(matrix: Matrix): DenseMatrix {
  if (matrix.kind === 'dense') return matrix
  const { rows, cols, indptr, indices } = matrix
  const values = allocate(Float64Array, rows * cols)
  for (let i = 0; i < rows; i++) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) values[i * cols + indices[k]] = matrix.values[k]
  }
  return { kind: 'dense', rows, cols, values }
}

/** The same matrix in sparse form, without zeros (itself if it is sparse). */
export function toSparse(matrix: Matrix): SparseMatrix {
  if (matrix.kind === 'sparse') return matrix
  const { rows, cols, values: dense } = matrix
  let count = 0
  for (const value of dense) if (value !== 0) count++
  const indptr = new Uint32Array(rows + 1)
  const indices = new Uint32Array(count)
  const values = new Float64Array(count)
  let k = 0
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const value = dense[i * cols + j]
      if (value !== 0) {
        indices[k] = j
        values[k++] = value
      }
    }
    indptr[i + 1] = k
  }
  return { kind: 'sparse', rows, cols, indptr, indices, values }
}

/** Position in `values` where row i begins, and where row i − 1 ends. */
export function rowStart(matrix: Matrix, i: number): number {
  return matrix.kind === 'dense' ? i * matrix.cols : matrix.indptr[i]
}

/** The column of the value at position k, in a row that begins at `start`. */
export function columnAt(matrix: Matrix, start: number, k: number): number {
  return matrix.kind === 'dense' ? k - start : matrix.indices[k]
}

/** The chosen rows, in the order given (repeats allowed). */
export function selectRows(matrix: Matrix, chosen: ArrayLike<number>): Matrix {
  const rows = chosen.length
  const { cols } = matrix
  if (matrix.kind === 'dense') {
    const values = allocate(Float64Array, rows * cols)
    for (let r = 0; r < rows; r++) {
      values.set(matrix.values.subarray(chosen[r] * cols, (chosen[r] + 1) * cols), r * cols)
    }
    return { kind: 'dense', rows, cols, values }
  }
  const indptr = new Uint32Array(rows + 1)
  for (let r = 0; r < rows; r++) {
    indptr[r + 1] = indptr[r] + matrix.indptr[chosen[r] + 1] - matrix.indptr[chosen[r]]
  }
  const indices = new Uint32Array(indptr[rows])
  const values = new Float64Array(indptr[rows])
  for (let r = 0; r < rows; r++) {
    const start = matrix.indptr[chosen[r]]
    const end = matrix.indptr[chosen[r] + 1]
    const shift = indptr[r] - start
    if (end - start < LONG_ROW) {
      for (let k = start; k < end; k++) {
        indices[k + shift] = matrix.indices[k]
        values[k + shift] = matrix.values[k]
      }
    } else {
      indices.set(matrix.indices.subarray(start, end), indptr[r])
      values.set(matrix.values.subarray(start, end), indptr[r])
    }
  }
  return { kind: 'sparse', rows, cols, indptr, indices, values }
}

/** Values of a row from which on copying it by `set` is faster than a loop; with 14 values it takes three times as long. */
const LONG_ROW = 100

/** Rows one below the other, all of the same kind and width. */
export function stackRows(parts: readonly Matrix[]): Matrix {
  const { kind, cols } = parts[0]
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const values = joinArrays(
    Float64Array,
    parts.map((part) => part.values),
  )
  if (kind === 'dense') return { kind, rows, cols, values }
  const sparse = parts as readonly SparseMatrix[]
  const indptr = new Uint32Array(rows + 1)
  let [row, stored] = [0, 0]
  for (const part of sparse) {
    for (let i = 1; i <= part.rows; i++) indptr[++row] = stored + part.indptr[i]
    stored += part.values.length
  }
  const indices = joinArrays(
    Uint32Array,
    sparse.map((part) => part.indices),
  )
  return { kind, rows, cols, indptr, indices, values }
}

/** The rows from <= i < to; what they hold is not copied. */
export function rowsBetween(matrix: Matrix, from: number, to: number): Matrix {
  const { cols } = matrix
  const rows = to - from
  if (matrix.kind === 'dense') {
    return { kind: 'dense', rows, cols, values: matrix.values.subarray(from * cols, to * cols) }
  }
  const [start, end] = [matrix.indptr[from], matrix.indptr[to]]
  return {
    kind: 'sparse',
    rows,
    cols,
    indptr: matrix.indptr.slice(from, to + 1).map((at) => at - start),
    indices: matrix.indices.subarray(start, end),
    values: matrix.values.subarray(start, end),
  }
}

/** Bytes of a stored value of a sparse matrix: a double and a column number. */
export const SPARSE_VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT

/** Stored values: all of them for a dense matrix, the non-zeros for a sparse one. */
export function storedValues(matrix: Matrix): number {
  return matrix.values.length
}

/** Writes row i of `matrix` into `out` (length cols), zeros included. */
export function copyRow(matrix: Matrix, i: number, out: Float64Array): void {
  const { cols } = matrix
  if (matrix.kind === 'dense') {
    out.set(matrix.values.subarray(i * cols, (i + 1) * cols))
    return
  }
  out.fill(0, 0, cols)
  for (let k = matrix.indptr[i]; k < matrix.indptr[i + 1]; k++) out[matrix.indices[k]] = matrix.values[k]
}
