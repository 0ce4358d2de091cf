import { coupleProbabilities } from '../calibration/couple-probabilities.ts'
import { isotonicProbability } from '../calibration/isotonic-calibration.ts'
import { sigmoidProbability } from '../calibration/sigmoid-calibration.ts'
import type { PairProbability } from './model-parts.ts'
import { pairIndex } from './pairs.ts'

/** How pairs are brought together: as well as can be, or as far as LIBSVM goes (errors of about 0.5% / k). */
export type Coupling = 'exact' | 'libsvm'

/** The probability that machine p gives to the class that f > 0 means. */
export function machineProbability(probability: PairProbability, p: number, f: number): number {
  if (probability.method === 'sigmoid') return sigmoidProbability(f, probability.a[p], probability.b[p])
  return isotonicProbability(f, probability.x[p], probability.y[p])
}

/** Rows x k probabilities from the values of all pairs; see ./pairs.ts. */
export function probabilitiesOfPairs(
  probability: PairProbability,
  values: Float64Array,
  rows: number,
  k: number,
  coupling: Coupling,
): Float64Array {
  const out = new Float64Array(rows * k)
  const outputs = (k * (k - 1)) / 2
  const pairwise = new Float64Array(k * k)
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < k; i++) {
      for (let j = i + 1; j < k; j++) {
        const p = pairIndex(i, j, k)
        const positive = machineProbability(probability, p, values[row * outputs + p])
        // With two classes f > 0 means the second.
        pairwise[i * k + j] = k === 2 ? 1 - positive : positive
        pairwise[j * k + i] = k === 2 ? positive : 1 - positive
      }
    }
    if (k === 2 && coupling === 'exact') out.set([pairwise[1], pairwise[2]], 2 * row)
    else out.set(coupleProbabilities(pairwise, k, { rule: coupling }), row * k)
  }
  return out
}

/** Rows x k probabilities from values of each class against the rest: made to sum to 1. */
export function probabilitiesOfClasses(
  probability: PairProbability,
  values: Float64Array,
  rows: number,
  k: number,
): Float64Array {
  const out = new Float64Array(rows * k)
  for (let row = 0; row < rows; row++) {
    let sum = 0
    for (let c = 0; c < k; c++) {
      out[row * k + c] = machineProbability(probability, c, values[row * k + c])
      sum += out[row * k + c]
    }
    for (let c = 0; c < k; c++) out[row * k + c] = sum > 0 ? out[row * k + c] / sum : 1 / k
  }
  return out
}
