import { DataError } from '../base/errors.ts'
import { weightsOrOnes } from '../base/weights.ts'

/** Whether each sample is of the positive class: true, or 1. */
export type Positives = ArrayLike<boolean | number>

/**
 * Checks that values, classes and weights go together and returns the weight of each sample, 1 unless given. There must
 * be something to fit: no samples, or no weight at all, is an error.
 */
export function checkedWeights(
  who: string,
  values: ArrayLike<number>,
  positives: Positives,
  weights: ArrayLike<number> | undefined,
): Float64Array {
  const count = values.length
  if (positives.length !== count)
    throw new DataError(`${who}: ${count} values but ${positives.length} classes`)
  checkFiniteValues(who, 'value', values)
  return weightsOrOnes(who, weights, count)
}

/** Throws when there are no values, or one of them is NaN or infinite; `name` says what a value is. */
export function checkFiniteValues(who: string, name: string, values: ArrayLike<number>): void {
  if (values.length === 0) throw new DataError(`${who}: there are no samples`)
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i]))
      throw new DataError(`${who}: ${name} of sample ${i} is ${values[i]}; it must be finite`)
  }
}
