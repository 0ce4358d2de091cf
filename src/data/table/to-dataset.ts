import type { RowsInput } from '../matrix/matrix.ts'
import { type Dataset, type Label, makeDataset } from './dataset.ts'
import { makeTable } from './make-table.ts'
import { isTabular, type TableInput } from './table-shapes.ts'

/** Numbers beside rows: a list, or a tensor of one dimension. */
export type NumbersInput = ArrayLike<number> | { dataSync(): ArrayLike<number> }

/** Labels beside rows: a list, a tensor of one dimension, or the name of a column of the rows. */
export type LabelsInput = ArrayLike<Label> | string | NumbersInput

/** Whether an argument is labels, not options. */
export function isLabels(value: unknown): value is LabelsInput {
  if (typeof value === 'string' || Array.isArray(value)) return true
  if (typeof value !== 'object' || value === null) return false
  return (ArrayBuffer.isView(value) && 'length' in value) || 'dataSync' in value
}

/** X and y, as scikit-learn, mljs and TensorFlow.js have them, as a data set. */
export function toDataset(rows: RowsInput | TableInput, labels: LabelsInput): Dataset {
  const own = typeof labels === 'object' && 'dataSync' in labels ? labels.dataSync() : labels
  if (typeof own === 'string' || isTabular(rows)) return makeTable(rows as TableInput, { label: own })
  return makeDataset(rows as RowsInput, own)
}
