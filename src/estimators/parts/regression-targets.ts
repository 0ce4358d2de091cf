import { DataError } from '../../base/errors.ts'
import type { Dataset } from '../../data/table/dataset.ts'

/** The numbers to predict. Throws a {@link DataError} when labels are texts, or there are none. */
export function regressionTargets(who: string, { labels }: Dataset): Float64Array {
  if (!(labels instanceof Float64Array)) {
    throw new DataError(`${who}: regression needs numbers to predict, but the labels are texts`)
  }
  if (labels.length === 0) throw new DataError(`${who}: the data set has no samples`)
  return labels
}

/** C for each sample: C times its weight. */
export function regressionPrices(C: number, { labels, weights }: Dataset): Float64Array {
  return weights ? weights.map((weight) => C * weight) : new Float64Array(labels.length).fill(C)
}
