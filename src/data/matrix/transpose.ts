import { allocate } from '../../base/allocate.ts'
import type { SparseMatrix } from './matrix.ts'

/** The columns of a matrix as sparse rows; what is stored stays stored. */
export function transpose(matrix: SparseMatrix): SparseMatrix {
  const indices = allocate(Uint32Array, matrix.indices.length)
  const values = allocate(Float64Array, matrix.indices.length)
  const indptr = transposeInto(matrix, indices, values)
  return { kind: 'sparse', rows: matrix.cols, cols: matrix.rows, indptr, indices, values }
}

/** The same into arrays that have room for it; returns where the rows begin. */
export function transposeInto(
  { rows, cols, indptr, indices, values }: SparseMatrix,
  places: Uint32Array,
  moved: Float64Array,
): Uint32Array {
  const starts = allocate(Uint32Array, cols + 1)
  for (let k = 0; k < indices.length; k++) starts[indices[k] + 1]++
  for (let j = 0; j < cols; j++) starts[j + 1] += starts[j]
  const next = starts.slice(0, cols)
  for (let i = 0; i < rows; i++) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const at = next[indices[k]]++
      places[at] = i
      moved[at] = values[k]
    }
  }
  return starts
}
