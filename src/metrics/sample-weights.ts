import { DataError, show } from '../base/errors.ts'
import { weightsOrOnes } from '../base/weights.ts'

/** The option of every metric. */
export interface WeightOptions {
  /** Weight of each sample, finite and >= 0, not all 0. Default: all 1. */
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
  { weights }: WeightOptions,
): Float64Array {
  const count = truth.length
  if (other.length !== count)
    throw new DataError(`${who}: ${count} true values but ${other.length} ${otherName}`)
  if (count === 0) throw new DataError(`${who}: there are no samples`)
  return weightsOrOnes(who, weights, count)
}

/** Throws when a value is NaN or infinite; `name` says what a value is. */
export function checkValues(who: string, name: string, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) throw new DataError(`${who}: ${name} of sample ${i} is ${values[i]}`)
  }
}

/** Returns the probability of sample i when it is one, throws otherwise. */
export function checkProbability(who: string, i: number, value: number): number {
  if (value >= 0 && value <= 1) return value
  throw new DataError(`${who}: probability of sample ${i} must lie in [0, 1], got ${show(value)}`)
}

/** The mean of value(i), weighted by `weights`. */
export function weightedMean(weights: ArrayLike<number>, value: (i: number) => number): number {
  let sum = 0
  let total = 0
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i] * value(i)
    total += weights[i]
  }
  return sum / total
}
