/** Fields on a grid. */
import type { Grid } from './messages.ts'

/** The places of the columns of a grid. */
export function columnsOf({ columns, x }: Grid): Float64Array {
  return Float64Array.from({ length: columns }, (_, k) => x[0] + (k / (columns - 1)) * (x[1] - x[0]))
}

/** The nodes of a grid as rows (x, y) of a matrix, row by row from the lower left. */
export function nodesOf({ columns, rows, x, y }: Grid): Float64Array {
  const nodes = new Float64Array(2 * columns * rows)
  for (let r = 0, k = 0; r < rows; r++) {
    const height = y[0] + (r / (rows - 1)) * (y[1] - y[0])
    for (let c = 0; c < columns; c++) {
      nodes[k++] = x[0] + (c / (columns - 1)) * (x[1] - x[0])
      nodes[k++] = height
    }
  }
  return nodes
}
