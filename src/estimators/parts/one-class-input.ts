import { isMatrix, type RowsInput, toMatrix } from '../../data/matrix/matrix.ts'
import { type Dataset, type Samples, sampleCount } from '../../data/table/dataset.ts'
import { makeTable } from '../../data/table/make-table.ts'
import { isTabular, type TableInput } from '../../data/table/table-shapes.ts'
import type { Unlabelled } from './estimator.ts'

/** What estimators of one class learn from: a data set, whose labels are ignored, or rows. */
export type OneClassInput<S = never> =
  | Dataset<unknown>
  | Unlabelled<S>
  | RowsInput
  | TableInput
  | readonly S[]

/** Rows as the samples of a data set. */
export function asUnlabelled<S>(data: OneClassInput<S>): Unlabelled<S> {
  if (isMatrix(data) || (data && !('samples' in data) && ('shape' in data || 'to2DArray' in data)))
    return { samples: toMatrix(data as RowsInput) as Samples<S> }
  if (data && 'samples' in data && sampleCount(data.samples as Samples) >= 0) return data as Unlabelled<S>
  if (Array.isArray(data) && !isTabular(data)) return { samples: data }
  return isTabular(data) ? makeTable(data, { label: false }) : (data as Unlabelled<S>)
}
