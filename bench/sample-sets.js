// Changes of data sets that benchmarks share: samples in another order or fewer of them, other labels, scaled columns.
import { applyScaler, fitRangeScaler, Random, selectSamples } from 'hyperplane'

/** Labels +1 where `isPositive` says so, else -1. */
export function relabel(dataset, isPositive) {
  return { ...dataset, labels: dataset.labels.map((label) => (isPositive(label) ? 1 : -1)) }
}

/** Every column in [-1, 1]. */
export function scaleColumns(dataset) {
  return { ...dataset, samples: applyScaler(fitRangeScaler(dataset.samples), dataset.samples) }
}

/** The samples in random order. */
export function shuffle(dataset) {
  const order = Uint32Array.from(dataset.labels, (_, i) => i)
  return selectSamples(dataset, new Random(1).shuffle(order))
}

/** The first of the samples. */
export function firstSamples(dataset, count) {
  const order = Uint32Array.from({ length: Math.min(count, dataset.labels.length) }, (_, i) => i)
  return selectSamples(dataset, order)
}

/** Values of samples with this many digits after the point, as real files have them. */
export function rounded(dataset, digits = 4) {
  const unit = 10 ** digits
  const values = dataset.samples.values.map((value) => Math.round(value * unit) / unit)
  return { ...dataset, samples: { ...dataset.samples, values } }
}
