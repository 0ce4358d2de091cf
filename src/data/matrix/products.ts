/** Products of a matrix of samples with vectors: what linear models and linear solvers are made of. */
import { allocate } from '../../base/allocate.ts'
import { type Matrix, rowStart } from './matrix.ts'

/** ⟨x_i, w⟩ for one row. `w` must be at least as long as the matrix is wide. */
export function rowDot(matrix: Matrix, i: number, w: Float64Array): number {
  const { values } = matrix
  let sum = 0
  if (matrix.kind === 'dense') {
    const { cols } = matrix
    const start = i * cols
    for (let j = 0; j < cols; j++) sum += values[start + j] * w[j]
  } else {
    const { indices } = matrix
    const end = matrix.indptr[i + 1]
    for (let k = matrix.indptr[i]; k < end; k++) sum += values[k] * w[indices[k]]
  }
  return sum
}

/** ⟨x_i, w⟩ in four sums, of every fourth value each, as assembly/linear/rows.ts adds it up. */
export function rowDotInFour(matrix: Matrix, i: number, w: Float64Array): number {
  const { values } = matrix
  const start = rowStart(matrix, i)
  const end = rowStart(matrix, i + 1)
  const whole = start + ((end - start) & ~3)
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let k = start
  if (matrix.kind === 'dense') {
    for (let j = 0; k < whole; k += 4, j += 4) {
      a += values[k] * w[j]
      b += values[k + 1] * w[j + 1]
      c += values[k + 2] * w[j + 2]
      d += values[k + 3] * w[j + 3]
    }
    for (; k < end; k++) a += values[k] * w[k - start]
  } else {
    const { indices } = matrix
    for (; k < whole; k += 4) {
      a += values[k] * w[indices[k]]
      b += values[k + 1] * w[indices[k + 1]]
      c += values[k + 2] * w[indices[k + 2]]
      d += values[k + 3] * w[indices[k + 3]]
    }
    for (; k < end; k++) a += values[k] * w[indices[k]]
  }
  return a + b + (c + d)
}

/** w += factor · x_i */
export function addRow(matrix: Matrix, i: number, factor: number, w: Float64Array): void {
  const { values } = matrix
  if (matrix.kind === 'dense') {
    const { cols } = matrix
    const start = i * cols
    for (let j = 0; j < cols; j++) w[j] += factor * values[start + j]
  } else {
    const { indices } = matrix
    const end = matrix.indptr[i + 1]
    for (let k = matrix.indptr[i]; k < end; k++) w[indices[k]] += factor * values[k]
  }
}

/** X w: one product per row. */
export function matrixTimes(matrix: Matrix, w: Float64Array): Float64Array {
  const out = new Float64Array(matrix.rows)
  for (let i = 0; i < matrix.rows; i++) out[i] = rowDot(matrix, i, w)
  return out
}

/** Xᵀ c: the sum of the rows, row i weighted by c_i. */
export function weightedRowSum(matrix: Matrix, coefficients: Float64Array): Float64Array {
  const w = allocate(Float64Array, matrix.cols)
  for (let i = 0; i < matrix.rows; i++) {
    if (coefficients[i] !== 0) addRow(matrix, i, coefficients[i], w)
  }
  return w
}

/** ‖x_i‖² for every row. */
export function squaredNorms(matrix: Matrix): Float64Array {
  const out = new Float64Array(matrix.rows)
  const { values } = matrix
  for (let i = 0; i < matrix.rows; i++) {
    const end = rowStart(matrix, i + 1)
    let sum = 0
    for (let k = rowStart(matrix, i); k < end; k++) sum += values[k] * values[k]
    out[i] = sum
  }
  return out
}
