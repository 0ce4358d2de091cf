import { checkKnown } from '../base/check.ts'
import { DataError, show } from '../base/errors.ts'
import { distinctLabels, type MetricLabel, type MetricLabels } from './metric-label.ts'
import { sampleWeights, type WeightOptions } from './sample-weights.ts'

/** How often each class was predicted as each class. Plain data. */
export interface ConfusionMatrix {
  readonly labels: readonly MetricLabel[]
  /** `counts[t][p]`: weight of the samples of class `labels[t]` that were predicted as `labels[p]`. */
  readonly counts: readonly (readonly number[])[]
}

/** How {@link confusionMatrix} works. */
export interface ConfusionOptions extends WeightOptions {
  /** The classes, in the order wanted; every label must be among them. By default all that occur, ascending. */
  readonly labels?: readonly MetricLabel[]
}

/** Counts every pair of true and predicted class. */
export function confusionMatrix(
  truth: MetricLabels,
  predicted: MetricLabels,
  options: ConfusionOptions = {},
): ConfusionMatrix {
  checkKnown('confusionMatrix', options, ['labels', 'weights'])
  return countPairs('confusionMatrix', truth, predicted, options)
}

/** {@link confusionMatrix} on behalf of another metric, `who`, which errors then name. */
export function countPairs(
  who: string,
  truth: MetricLabels,
  predicted: MetricLabels,
  options: ConfusionOptions,
): ConfusionMatrix {
  const weights = sampleWeights(who, truth, predicted, 'predictions', options)
  const present = distinctLabels(who, truth, predicted)
  const labels = options.labels ?? present
  const place = new Map(labels.map((label, k) => [label, k]))
  if (place.size < labels.length) throw new DataError(`${who}: a class is named twice in labels`)
  const missing = present.find((label) => !place.has(label))
  if (missing !== undefined) throw new DataError(`${who}: ${show(missing)} is not one of the given labels`)

  const counts = labels.map(() => new Array<number>(labels.length).fill(0))
  for (let i = 0; i < truth.length; i++) {
    counts[place.get(truth[i]) as number][place.get(predicted[i]) as number] += weights[i]
  }
  return { labels, counts }
}

/** What one class was, and was taken for. */
export interface ClassCounts {
  readonly label: MetricLabel
  /** Of this class, and predicted so. */
  readonly truePositives: number
  /** Not of this class, but predicted so. */
  readonly falsePositives: number
  /** Of this class, but not predicted so. */
  readonly falseNegatives: number
  /** Weight of the samples of this class: true positives + false negatives. */
  readonly support: number
  /** Weight of the samples predicted so: true positives + false positives. */
  readonly predicted: number
}

/** The counts of each class against the rest, in the order of the matrix. */
export function classCounts({ labels, counts }: ConfusionMatrix): ClassCounts[] {
  return labels.map((label, k) => {
    const truePositives = counts[k][k]
    const support = counts[k].reduce((sum, count) => sum + count, 0)
    const predicted = counts.reduce((sum, row) => sum + row[k], 0)
    return {
      label,
      truePositives,
      falsePositives: predicted - truePositives,
      falseNegatives: support - truePositives,
      support,
      predicted,
    }
  })
}
