/**
 * An order of samples in which those that are near to one another tend to be neighbours: all samples are cut in halves at
 * the median of the feature that spreads most, each half again, and so on. Kernel values far from the diagonal are then
 * small together, and whole blocks of them can be left out.
 */
import { countUp } from '../../base/lists.ts'
import { type Matrix, toDense } from '../../data/matrix/matrix.ts'

/** Samples that are left as they are. */
const FEW = 8
/** Larger matrices are not made dense for this: their order is that of their rows. */
const MOST_VALUES = 2 ** 24
/** Samples by which the spread of a feature is estimated. */
const SAMPLED = 256

/** Row numbers; see the header of the file. */
export function orderByNearness(samples: Matrix): Uint32Array {
  const order = countUp(samples.rows)
  if (samples.rows * samples.cols > MOST_VALUES) return order
  const { values, cols } = toDense(samples)
  const keys = new Float64Array(samples.rows)
  // Where parts begin and end.
  const parts = [[0, samples.rows]]
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [from, to] = part
    if (to - from <= FEW) continue
    const feature = widestFeature(values, cols, order.subarray(from, to))
    if (feature < 0) continue
    for (let k = from; k < to; k++) keys[k] = values[order[k] * cols + feature]
    const half = (from + to) >> 1
    divide(order, keys, from, to, half)
    parts.push([from, half], [half, to])
  }
  return order
}

/** Moves rows and their keys so that none before `half` has a larger key than one from there on (Hoare 1961). */
function divide(rows: Uint32Array, keys: Float64Array, from: number, to: number, half: number): void {
  let first = from
  let last = to - 1
  while (first < last) {
    const pivot = keys[(first + last) >> 1]
    let i = first
    let j = last
    while (i <= j) {
      while (keys[i] < pivot) i++
      while (keys[j] > pivot) j--
      if (i > j) break
      const key = keys[i]
      const row = rows[i]
      keys[i] = keys[j]
      rows[i++] = rows[j]
      keys[j] = key
      rows[j--] = row
    }
    if (half <= j) last = j
    else if (half >= i) first = i
    else return
  }
}

/** The feature with the largest range among some of the samples; −1 when they are all the same. */
function widestFeature(values: Float64Array, cols: number, rows: Uint32Array): number {
  const step = Math.ceil(rows.length / SAMPLED)
  let widest = 0
  let found = -1
  for (let feature = 0; feature < cols; feature++) {
    let least = Number.POSITIVE_INFINITY
    let most = Number.NEGATIVE_INFINITY
    for (let k = 0; k < rows.length; k += step) {
      const value = values[rows[k] * cols + feature]
      if (value < least) least = value
      if (value > most) most = value
    }
    if (most - least > widest) {
      widest = most - least
      found = feature
    }
  }
  return found
}
