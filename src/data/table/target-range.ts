/** Scaling of regression targets to a range and back, as `svm-scale -y` does it. */
import { DataError } from '../../base/errors.ts'
import { checkRange, type RangeOptions, type TargetRange } from '../scaling/range-scaler.ts'

/** Finds the smallest and largest label. */
export function fitTargetRange(labels: ArrayLike<number>, options: RangeOptions = {}): TargetRange {
  const range = checkRange('fitTargetRange', options)
  if (labels.length === 0) throw new DataError('fitTargetRange: there are no labels')
  let min = labels[0]
  let max = labels[0]
  for (let i = 0; i < labels.length; i++) {
    if (!Number.isFinite(labels[i])) {
      throw new DataError(
        `fitTargetRange: label of sample ${i} is ${labels[i]}; targets must be finite numbers`,
      )
    }
    if (labels[i] < min) min = labels[i]
    if (labels[i] > max) max = labels[i]
  }
  if (!Number.isFinite(max - min)) {
    throw new DataError(`fitTargetRange: labels span ${min} to ${max}, more than a number can hold`)
  }
  return { ...range, min, max }
}

/** Labels in the units of `range`; when the labels it was fitted to were all the same, all become `lower`. */
export function scaleTargets(range: TargetRange, labels: ArrayLike<number>): Float64Array {
  const { lower, upper, min, max } = range
  return Float64Array.from(labels, (label) => {
    if (label === min || min === max) return lower
    if (label === max) return upper
    return lower + ((upper - lower) * (label - min)) / (max - min)
  })
}

/** The inverse of {@link scaleTargets}: predictions in the units the labels had. */
export function unscaleTargets(range: TargetRange, labels: ArrayLike<number>): Float64Array {
  const { lower, upper, min, max } = range
  return Float64Array.from(labels, (label) => {
    if (label === lower) return min
    if (label === upper) return max
    return min + ((max - min) * (label - lower)) / (upper - lower)
  })
}
