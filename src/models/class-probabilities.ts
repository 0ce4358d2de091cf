import { positiveOf } from '../base/positive-class.ts'
import { couple, LIBSVM_FLOOR } from '../calibration/couple-probabilities.ts'
import { isotonicProbability } from '../calibration/isotonic-calibration.ts'
import { sigmoidProbability } from '../calibration/sigmoid-calibration.ts'
import type { PairProbability } from './model-parts.ts'
import { pairCount, pairIndex } from './pairs.ts'

/** How pairs are coupled: exactly, or with LIBSVM's early stop (errors of about 0.5% / k). */
export type Coupling = 'exact' | 'libsvm'

/** The probability that machine p gives to the class that f > 0 means. */
export function machineProbability(probability: PairProbability, p: number, f: number): number {
  if (probability.method === 'sigmoid') return sigmoidProbability(f, probability.a[p], probability.b[p])
  return isotonicProbability(f, probability.x[p], probability.y[p])
}

/**
 * Rows x k probabilities from the values of all pairs; see ./pairs.ts. The order of the classes matters for LIBSVM's
 * coupling alone, which stops on the way.
 */
export function probabilitiesOfPairs(
  probability: PairProbability,
  values: Float64Array,
  order: readonly number[],
  coupling: Coupling,
): Float64Array {
  const k = order.length
  const pairs = pairCount(k)
  const rows = pairs === 0 ? 0 : values.length / pairs
  const out = new Float64Array(rows * k)
  const pairwise = new Float64Array(k * k)
  const room = new Float64Array(k * k)
  for (let row = 0; row < rows; row++) {
    for (let p = 0; p < k; p++) {
      for (let q = p + 1; q < k; q++) {
        const i = Math.min(order[p], order[q])
        const j = Math.max(order[p], order[q])
        const pair = pairIndex(i, j, k)
        const positive = machineProbability(probability, pair, values[row * pairs + pair])
        const ofFirst = order[p] === positiveOf(i, j, k) ? positive : 1 - positive
        pairwise[p * k + q] = ofFirst
        pairwise[q * k + p] = 1 - ofFirst
      }
    }
    const found =
      k === 2 ? probabilitiesOfTwo(pairwise[1], coupling) : couple(pairwise, k, coupling, LIBSVM_FLOOR, room)
    for (let p = 0; p < k; p++) out[row * k + order[p]] = found[p]
  }
  return out
}

/** Two classes need no coupling; LIBSVM calls neither of them certain. */
function probabilitiesOfTwo(first: number, coupling: Coupling): [number, number] {
  const kept = coupling === 'libsvm' ? Math.min(1 - LIBSVM_FLOOR, Math.max(LIBSVM_FLOOR, first)) : first
  return [kept, 1 - kept]
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
