/**
 * How good predicted classes are. For one class against the rest, with true positives TP, false positives FP and
 * false negatives FN:
 *
 *   precision = TP / (TP + FP)    recall = TP / (TP + FN)    F1 = 2 TP / (2 TP + FP + FN)
 *
 * Averages over classes: `macro` is the plain mean, `weighted` the mean weighted by support, `micro` pools the
 * counts of all classes first (and so equals accuracy), `binary` looks at the positive class alone. 0/0, as when a
 * class is never predicted, is `zeroDivision`: 0 unless 1 is requested. As scikit-learn.
 */
import { checkKnown, checkOneOf } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import { type ClassCounts, type ConfusionMatrix, classCounts, countPairs } from './confusion-matrix.ts'
import { checkLabels, type MetricLabel, type MetricLabels, positiveLabel } from './metric-label.ts'
import { sampleWeights, type WeightOptions, weightedMean } from './sample-weights.ts'

const averages = ['binary', 'macro', 'micro', 'weighted'] as const

/** How the scores of several classes become one. */
export type Average = (typeof averages)[number]

/** Options of {@link precision}, {@link recall} and {@link f1}. */
export interface AverageOptions extends WeightOptions {
  /** `binary` unless given, which needs two classes or a positive one. */
  readonly average?: Average
  /** For `binary`: the positive class. By default 1 of -1/+1 and 0/1, else the greater of two labels. */
  readonly positive?: MetricLabel
  /** What 0/0 is. Default: 0. */
  readonly zeroDivision?: 0 | 1
}

/** Precision, recall and F1, of one class or averaged. */
export interface Scores {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** The scores of one class and the weight of its samples. */
export interface ClassScores extends Scores {
  readonly label: MetricLabel
  readonly support: number
}

/** Everything about a set of predictions. Plain data. */
export interface ClassificationReport {
  readonly confusion: ConfusionMatrix
  readonly accuracy: number
  readonly balancedAccuracy: number
  /** Each class, in the order of the confusion matrix. */
  readonly classes: readonly ClassScores[]
  readonly macro: Scores
  readonly micro: Scores
  readonly weighted: Scores
}

/**
 * Fraction of correct predictions.
 *
 * @example
 * accuracy(test.labels, model.predict(test.samples))
 */
export function accuracy(truth: MetricLabels, predicted: MetricLabels, options: WeightOptions = {}): number {
  const who = 'accuracy'
  checkKnown(who, options, ['weights'])
  const weights = sampleWeights(who, truth, predicted, 'predictions', options)
  checkLabels(who, truth, predicted)
  return weightedMean(weights, (i) => Number(truth[i] === predicted[i]))
}

/** Mean recall of the classes that occur in the truth: what accuracy would be if they were equally frequent. */
export function balancedAccuracy(
  truth: MetricLabels,
  predicted: MetricLabels,
  options: WeightOptions = {},
): number {
  checkKnown('balancedAccuracy', options, ['weights'])
  return balancedAccuracyOf(countPairs('balancedAccuracy', truth, predicted, options))
}

/** Share of the predictions of a class that are right. */
export function precision(
  truth: MetricLabels,
  predicted: MetricLabels,
  options: AverageOptions = {},
): number {
  return averagedScores('precision', truth, predicted, options).precision
}

/** Share of the samples of a class that are found. */
export function recall(truth: MetricLabels, predicted: MetricLabels, options: AverageOptions = {}): number {
  return averagedScores('recall', truth, predicted, options).recall
}

/** Harmonic mean of precision and recall. */
export function f1(truth: MetricLabels, predicted: MetricLabels, options: AverageOptions = {}): number {
  return averagedScores('f1', truth, predicted, options).f1
}

/**
 * Confusion matrix, accuracies, scores of each class and their averages in one.
 *
 * @example
 * const { classes, macro } = classificationReport(test.labels, model.predict(test.samples))
 */
export function classificationReport(
  truth: MetricLabels,
  predicted: MetricLabels,
  options: WeightOptions &
    Pick<AverageOptions, 'zeroDivision'> & { readonly labels?: readonly MetricLabel[] } = {},
): ClassificationReport {
  const who = 'classificationReport'
  checkKnown(who, options, ['labels', 'weights', 'zeroDivision'])
  const zeroDivision = checkZeroDivision(who, options.zeroDivision)
  const confusion = countPairs(who, truth, predicted, options)
  const counts = classCounts(confusion)
  return {
    confusion,
    accuracy: accuracyOf(confusion),
    balancedAccuracy: balancedAccuracyOf(confusion),
    classes: counts.map((one) => ({
      label: one.label,
      ...scoresOf(one, zeroDivision),
      support: one.support,
    })),
    macro: average(counts, 'macro', zeroDivision),
    micro: average(counts, 'micro', zeroDivision),
    weighted: average(counts, 'weighted', zeroDivision),
  }
}

function averagedScores(
  who: string,
  truth: MetricLabels,
  predicted: MetricLabels,
  options: AverageOptions,
): Scores {
  checkKnown(who, options, ['average', 'positive', 'zeroDivision', 'weights'])
  const kind = checkOneOf(who, 'average', options.average ?? 'binary', averages)
  const zeroDivision = checkZeroDivision(who, options.zeroDivision)
  const { weights } = options
  const confusion = countPairs(who, truth, predicted, { weights })
  const counts = classCounts(confusion)
  if (kind !== 'binary') return average(counts, kind, zeroDivision)

  const positive = positiveLabel(who, confusion.labels, options.positive)
  const none = { truePositives: 0, falsePositives: 0, falseNegatives: 0 }
  return scoresOf(counts.find((one) => one.label === positive) ?? none, zeroDivision)
}

function checkZeroDivision(who: string, value: 0 | 1 = 0): number {
  if (value !== 0 && value !== 1) throw new ParameterError(who, 'zeroDivision', '0 or 1', value)
  return value
}

function accuracyOf({ counts }: ConfusionMatrix): number {
  let right = 0
  let total = 0
  counts.forEach((row, t) => {
    right += row[t]
    for (const count of row) total += count
  })
  return right / total
}

function balancedAccuracyOf(confusion: ConfusionMatrix): number {
  const present = classCounts(confusion).filter(({ support }) => support > 0)
  return weightedMean(
    present.map(() => 1),
    (k) => present[k].truePositives / present[k].support,
  )
}

type ErrorCounts = Pick<ClassCounts, 'truePositives' | 'falsePositives' | 'falseNegatives'>

function scoresOf(
  { truePositives, falsePositives, falseNegatives }: ErrorCounts,
  zeroDivision: number,
): Scores {
  const ratio = (part: number, whole: number): number => (whole === 0 ? zeroDivision : part / whole)
  return {
    precision: ratio(truePositives, truePositives + falsePositives),
    recall: ratio(truePositives, truePositives + falseNegatives),
    f1: ratio(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives),
  }
}

function average(
  counts: readonly ClassCounts[],
  kind: Exclude<Average, 'binary'>,
  zeroDivision: number,
): Scores {
  if (kind === 'micro') {
    const pool = (name: keyof ErrorCounts): number => counts.reduce((sum, one) => sum + one[name], 0)
    const pooled = {
      truePositives: pool('truePositives'),
      falsePositives: pool('falsePositives'),
      falseNegatives: pool('falseNegatives'),
    }
    return scoresOf(pooled, zeroDivision)
  }
  const scores = counts.map((one) => scoresOf(one, zeroDivision))
  const weights = counts.map(({ support }) => (kind === 'macro' ? 1 : support))
  const mean = (name: keyof Scores): number => weightedMean(weights, (k) => scores[k][name])
  return { precision: mean('precision'), recall: mean('recall'), f1: mean('f1') }
}
