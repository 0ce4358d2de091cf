import { allocate } from '../../base/allocate.ts'
import { type Matrix, rowStart, type SparseMatrix } from './matrix.ts'

/** The columns of a matrix as sparse rows; zeros are left out. */
export function transpose(matrix: Matrix): SparseMatrix {
  const { rows, cols, values } = matrix
  const columnOf = (start: number, k: number) => (matrix.kind === 'dense' ? k - start : matrix.indices[k])
  const indptr = allocate(Uint32Array, cols + 1)
  for (let i = 0; i < rows; i++) {
    const start = rowStart(matrix, i)
    const end = rowStart(matrix, i + 1)
    for (let k = start; k < end; k++) if (values[k] !== 0) indptr[columnOf(start, k) + 1]++
  }
  for (let j = 0; j < cols; j++) indptr[j + 1] += indptr[j]
  const next = indptr.slice(0, cols)
  const indices = allocate(Uint32Array, indptr[cols])
  const moved = allocate(Float64Array, indptr[cols])
  for (let i = 0; i < rows; i++) {
    const start = rowStart(matrix, i)
    const end = rowStart(matrix, i + 1)
    for (let k = start; k < end; k++) {
      if (values[k] === 0) continue
      const at = next[columnOf(start, k)]++
      indices[at] = i
      moved[at] = values[k]
    }
  }
  return { kind: 'sparse', rows: cols, cols: rows, indptr, indices, values: moved }
}
