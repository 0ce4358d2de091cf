import { allocate } from '../../base/allocate.ts'
import type { SparseMatrix } from './matrix.ts'

/** The columns of a matrix as sparse rows; what is stored stays stored. */
export function transpose(matrix: SparseMatrix): SparseMatrix {
  const { rows, cols } = matrix
  const starts = allocate(Uint32Array, cols + 2)
  const indices = allocate(Uint32Array, matrix.indices.length)
  const values = allocate(Float64Array, matrix.indices.length)
  transposeInto(matrix, starts, indices, values)
  return { kind: 'sparse', rows: cols, cols: rows, indptr: starts.subarray(0, cols + 1), indices, values }
}

/** The same into arrays that have room for it; `starts` has cols + 2 entries of 0, of which the last stays free for one more row. */
export function transposeInto(
  { rows, cols, indptr, indices, values }: SparseMatrix,
  starts: Uint32Array,
  places: Uint32Array,
  moved: Float64Array,
): void {
  for (let k = 0; k < indices.length; k++) starts[indices[k] + 2]++
  for (let j = 0; j <= cols; j++) starts[j + 1] += starts[j]
  for (let i = 0; i < rows; i++) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const at = starts[indices[k] + 1]++
      places[at] = i
      moved[at] = values[k]
    }
  }
}
