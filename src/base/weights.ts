/** Weights of samples. */
import { DataError } from './errors.ts'

/** Weights as doubles: one for each of `count` samples, finite and >= 0. */
export function checkWeights(who: string, weights: ArrayLike<number>, count: number): Float64Array {
  if (weights.length !== count) throw new DataError(`${who}: ${count} samples but ${weights.length} weights`)
  for (let i = 0; i < count; i++) {
    if (!(weights[i] >= 0 && Number.isFinite(weights[i]))) {
      throw new DataError(`${who}: weight of sample ${i} must be finite and >= 0, got ${weights[i]}`)
    }
  }
  return Float64Array.from(weights)
}

/** As {@link checkWeights}; 1 each unless given, and not all 0. */
export function weightsOrOnes(
  who: string,
  weights: ArrayLike<number> | undefined,
  count: number,
): Float64Array {
  if (weights === undefined) return new Float64Array(count).fill(1)
  const checked = checkWeights(who, weights, count)
  if (checked.every((weight) => weight === 0)) throw new DataError(`${who}: all weights are 0`)
  return checked
}
