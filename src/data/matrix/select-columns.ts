import { allocate } from '../../base/allocate.ts'
import { type Matrix, rowStart, type SparseMatrix, selectRows } from './matrix.ts'
import { transpose } from './transpose.ts'

/** The chosen columns, in the order given (no repeats). */
export function selectColumns(matrix: Matrix, columns: Uint32Array): Matrix {
  const { rows, values } = matrix
  const cols = columns.length
  if (matrix.kind === 'dense') {
    const chosen = allocate(Float64Array, rows * cols)
    for (let i = 0; i < rows; i++) {
      const start = i * matrix.cols
      for (let a = 0; a < cols; a++) chosen[i * cols + a] = values[start + columns[a]]
    }
    return { kind: 'dense', rows, cols, values: chosen }
  }
  const ascends = columns.every((column, a) => a === 0 || column > columns[a - 1])
  if (!ascends) return transpose(selectRows(transpose(matrix), columns) as SparseMatrix)
  const place = allocate(Int32Array, matrix.cols).fill(-1)
  columns.forEach((column, a) => {
    place[column] = a
  })
  const indptr = new Uint32Array(rows + 1)
  let count = 0
  for (const column of matrix.indices) if (place[column] >= 0) count++
  const indices = new Uint32Array(count)
  const chosen = new Float64Array(count)
  let at = 0
  for (let i = 0; i < rows; i++) {
    for (let k = rowStart(matrix, i); k < rowStart(matrix, i + 1); k++) {
      const a = place[matrix.indices[k]]
      if (a < 0) continue
      indices[at] = a
      chosen[at++] = values[k]
    }
    indptr[i + 1] = at
  }
  return { kind: 'sparse', rows, cols, indptr, indices, values: chosen }
}
