/**
 * Isotonic calibration: the probability of the positive class as the non-decreasing function p of the decision value that
 * minimises Σ w_i (p(f_i) − y_i)², y_i = 1 for the positive class and 0 otherwise.
 *
 * Method    samples of equal value are pooled; then, from left to right, a block whose mean is not above that of the block
 *           before it is merged with it (pool adjacent violators). Between two values p is linear, beyond them constant.
 * Source    Ayer et al. 1955; Zadrozny, Elkan 2002 for classifiers.
 * Cost      O(n log n) for sorting, then O(n).
 */
import { checkedWeights, type Positives } from './labelled-values.ts'

/** A non-decreasing piecewise linear function: `y[k]` at `x[k]`, x ascending; constant beyond the ends. */
export interface IsotonicCalibration {
  readonly x: Float64Array
  readonly y: Float64Array
}

/** Fits an isotonic function to the values of a decision function; samples of weight 0 are left out. */
export function fitIsotonic(
  values: ArrayLike<number>,
  positives: Positives,
  weights?: ArrayLike<number>,
): IsotonicCalibration {
  const w = checkedWeights('fitIsotonic', values, positives, weights)
  const order = Uint32Array.from(values, (_, i) => i)
    .filter((i) => w[i] > 0)
    .sort((i, j) => values[i] - values[j])
  // Blocks, the last one on top: their weight, their positive weight, their first and last value.
  const weight = new Float64Array(order.length)
  const positive = new Float64Array(order.length)
  const first = new Float64Array(order.length)
  const last = new Float64Array(order.length)
  let blocks = 0
  for (let k = 0; k < order.length; ) {
    const value = values[order[k]]
    weight[blocks] = 0
    positive[blocks] = 0
    for (; k < order.length && values[order[k]] === value; k++) {
      weight[blocks] += w[order[k]]
      if (positives[order[k]]) positive[blocks] += w[order[k]]
    }
    first[blocks] = value
    last[blocks] = value
    while (blocks > 0 && positive[blocks - 1] / weight[blocks - 1] >= positive[blocks] / weight[blocks]) {
      blocks--
      weight[blocks] += weight[blocks + 1]
      positive[blocks] += positive[blocks + 1]
      last[blocks] = last[blocks + 1]
    }
    blocks++
  }
  const x: number[] = []
  const y: number[] = []
  for (let block = 0; block < blocks; block++) {
    const mean = positive[block] / weight[block]
    x.push(first[block])
    y.push(mean)
    if (last[block] > first[block]) {
      x.push(last[block])
      y.push(mean)
    }
  }
  return { x: Float64Array.from(x), y: Float64Array.from(y) }
}

/** The value at f of the function through (x[k], y[k]): linear in between, constant beyond the ends. */
export function isotonicProbability(f: number, x: Float64Array, y: Float64Array): number {
  const end = x.length - 1
  if (f <= x[0]) return y[0]
  if (f >= x[end]) return y[end]
  let low = 0
  let high = end
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (x[middle] <= f) low = middle
    else high = middle
  }
  const part = (f - x[low]) / (x[high] - x[low])
  return y[low] + part * (y[high] - y[low])
}
