import { DataError } from '../base/errors.ts'

/** The option every metric takes. */
export interface WeightOptions {
  /** Weight of each sample, finite and >= 0, not all 0; all 1 unless given. */
  readonly weights?: ArrayLike<number>
}

/**
 * Checks that `truth` and `other` (described by `otherName`) go together and returns the weight of each sample.
 * There must be something to measure: no samples, or no weight at all, is an error rather than 0/0.
 */
export function sampleWeights(
  who: string,
  truth: ArrayLike<unknown>,
  other: ArrayLike<unknown>,
  otherName: string,
  options: WeightOptions,
): Float64Array {
  const count = truth.length
  if (other.length !== count)
    throw new DataError(`${who}: ${count} true values but ${other.length} ${otherName}`)
  if (count === 0) throw new DataError(`${who}: there are no samples`)
  const { weights } = options
  if (weights === undefined) return new Float64Array(count).fill(1)
  if (weights.length !== count) throw new DataError(`${who}: ${count} samples but ${weights.length} weights`)
  let total = 0
  for (let i = 0; i < count; i++) {
    if (!(weights[i] >= 0 && Number.isFinite(weights[i]))) {
      throw new DataError(`${who}: weight of sample ${i} must be finite and >= 0, got ${weights[i]}`)
    }
    total += weights[i]
  }
  if (total === 0) throw new DataError(`${who}: all weights are 0`)
  return Float64Array.from(weights)
}

/** Throws when a value is NaN or infinite; `name` says what a value is. */
export function checkValues(who: string, name: string, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) throw new DataError(`${who}: ${name} of sample ${i} is ${values[i]}`)
  }
}
