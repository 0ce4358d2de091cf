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

/** Row numbers; see the head of the file. */
export function orderByNearness(samples: Matrix): Uint32Array {
  const order = countUp(samples.rows)
  if (samples.rows * samples.cols > MOST_VALUES) return order
  const { values, cols } = toDense(samples)
  const parts = [order]
  for (let part = parts.pop(); part; part = parts.pop()) {
    if (part.length <= FEW) continue
    const feature = widestFeature(values, cols, part)
    if (feature < 0) continue
    part.sort((a, b) => values[a * cols + feature] - values[b * cols + feature] || a - b)
    const half = part.length >> 1
    parts.push(part.subarray(0, half), part.subarray(half))
  }
  return order
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
