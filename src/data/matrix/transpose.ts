import { allocate } from '../../base/allocate.ts'
import type { SparseMatrix } from './matrix.ts'

/** The columns of a matrix as sparse rows; what is stored stays stored. */
export function transpose({ rows, cols, indptr, indices, values }: SparseMatrix): SparseMatrix {
  const starts = allocate(Uint32Array, cols + 1)
  for (const column of indices) starts[column + 1]++
  for (let j = 0; j < cols; j++) starts[j + 1] += starts[j]
  const next = starts.slice(0, cols)
  const places = allocate(Uint32Array, indices.length)
  const moved = allocate(Float64Array, indices.length)
  for (let i = 0; i < rows; i++) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const at = next[indices[k]]++
      places[at] = i
      moved[at] = values[k]
    }
  }
  return { kind: 'sparse', rows: cols, cols: rows, indptr: starts, indices: places, values: moved }
}
