import { isMatrix, type RowsInput, toMatrix } from '../../data/matrix/matrix.ts'
import type { Dataset, Samples } from '../../data/table/dataset.ts'
import type { Unlabelled } from './estimator.ts'

/** What estimators of one class learn from: a data set, whose labels are ignored, or rows. */
export type OneClassInput<S = never> = Dataset | Unlabelled<S> | RowsInput | readonly S[]

/** Rows as the samples of a data set. */
export function asUnlabelled<S>(data: OneClassInput<S>): Unlabelled<S> {
  if (Array.isArray(data)) return { samples: data }
  if (isMatrix(data) || (data && 'shape' in data))
    return { samples: toMatrix(data as RowsInput) as Samples<S> }
  return data as Unlabelled<S>
}
