import { allocate } from '../../base/allocate.ts'
import { DataError, show } from '../../base/errors.ts'
import type { DenseMatrix } from '../matrix/matrix.ts'
import { CellProblem, numberCell } from './cells.ts'
import { MissingColumnError } from './missing-column-error.ts'
import { cellsOf } from './table.ts'
import { type TableInput, tabularOf } from './table-shapes.ts'

/** The columns with these names as vectors; every cell must be a number. */
export function vectorsByName(rows: TableInput, names: readonly string[]): DenseMatrix {
  const source = tabularOf(rows)
  const cols = names.length
  const values = allocate(Float64Array, source.rows * cols)
  names.forEach((name, j) => {
    const own = source.column(name)
    if (own === undefined) throw new MissingColumnError(name, source.names)
    const cells = 'settings' in own ? cellsOf(own, source.rows) : own
    for (let i = 0; i < source.rows; i++) {
      const value = numberCell(cells[i])
      const words = value instanceof CellProblem ? value.words : Number.isNaN(value) ? missing : undefined
      if (words !== undefined) throw new DataError(`row ${i + 1}, column ${show(name)} ${words}`)
      values[i * cols + j] = value as number
    }
  })
  return { kind: 'dense', rows: source.rows, cols, values }
}

const missing = 'is missing, and the model was trained without missing values'
