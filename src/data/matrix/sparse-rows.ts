import { Blocks } from './column-blocks.ts'
import type { SparseMatrix } from './matrix.ts'

/** Puts a value into the row that is being made. */
export type PutValue = (column: number, value: number) => void

/** A sparse matrix made row by row: `fill` puts the values of row i, their columns ascending. Zeros are left out. */
export function sparseRows(
  rows: number,
  cols: number,
  fill: (i: number, put: PutValue) => void,
): SparseMatrix {
  const indptr = new Uint32Array(rows + 1)
  const indices = new Blocks(Uint32Array)
  const values = new Blocks(Float64Array)
  let count = 0
  const put: PutValue = (column, value) => {
    if (value === 0) return
    indices.push(column)
    values.push(value)
    count++
  }
  for (let i = 0; i < rows; i++) {
    fill(i, put)
    indptr[i + 1] = count
  }
  return { kind: 'sparse', rows, cols, indptr, indices: indices.join(), values: values.join() }
}
