/**
 * How well scores order samples: the curves that arise when a threshold falls from +∞ past every score, and the
 * areas under them. Samples with equal scores pass the threshold together and make one point, so ties are neither
 * rewarded nor punished: a constant score has ROC area 1/2, and an average precision equal to the share of positives.
 */
import { checkKnown } from '../base/check.ts'
import { DataError, ParameterError } from '../base/errors.ts'
import { distinctLabels, type MetricLabel, type MetricLabels, positiveLabel } from './metric-label.ts'
import { checkValues, sampleWeights, type WeightOptions } from './sample-weights.ts'

/** Options of the ranking metrics. */
export interface RankingOptions extends WeightOptions {
  /** The class high scores stand for. By default 1 of -1/+1 and 0/1, else the greater of two labels. */
  readonly positive?: MetricLabel
}

/** Receiver operating characteristic: both rates where score >= threshold is called positive; from (0, 0) to (1, 1). */
export interface RocCurve {
  readonly falsePositiveRate: Float64Array
  readonly truePositiveRate: Float64Array
  /** Falling; the first is Infinity, where nothing is called positive. */
  readonly thresholds: Float64Array
}

/** Precision and recall where score >= threshold is called positive; recall rises from 0 to 1. */
export interface PrecisionRecallCurve {
  /** The first is 1 by convention: nothing is called positive there. */
  readonly precision: Float64Array
  readonly recall: Float64Array
  /** Falling; the first is Infinity. */
  readonly thresholds: Float64Array
}

/** Rate of true positives against rate of false positives, one point per distinct score. */
export function rocCurve(
  truth: MetricLabels,
  scores: ArrayLike<number>,
  options: RankingOptions = {},
): RocCurve {
  const { thresholds, truePositives, falsePositives } = passes('rocCurve', truth, scores, options, true)
  const positives = truePositives[truePositives.length - 1]
  const negatives = falsePositives[falsePositives.length - 1]
  return {
    falsePositiveRate: falsePositives.map((count) => count / negatives),
    truePositiveRate: truePositives.map((count) => count / positives),
    thresholds,
  }
}

/**
 * Area under the ROC curve: the chance that a positive scores above a negative, ties counting half.
 *
 * @example
 * rocAuc(test.labels, model.decisionFunction(test.samples))
 */
export function rocAuc(truth: MetricLabels, scores: ArrayLike<number>, options: RankingOptions = {}): number {
  const { truePositives, falsePositives } = passes('rocAuc', truth, scores, options, true)
  const last = truePositives.length - 1
  // Counts first, one division at the end: exact for unweighted samples.
  return areaUnderCurve(falsePositives, truePositives) / (truePositives[last] * falsePositives[last])
}

/** Precision against recall, one point per distinct score. */
export function precisionRecallCurve(
  truth: MetricLabels,
  scores: ArrayLike<number>,
  options: RankingOptions = {},
): PrecisionRecallCurve {
  const { thresholds, truePositives, falsePositives } = passes(
    'precisionRecallCurve',
    truth,
    scores,
    options,
    false,
  )
  const positives = truePositives[truePositives.length - 1]
  return {
    precision: truePositives.map((count, k) => (k === 0 ? 1 : count / (count + falsePositives[k]))),
    recall: truePositives.map((count) => count / positives),
    thresholds,
  }
}

/** Σ (R_k - R_{k-1}) P_k: precision averaged over the recall it comes with, without interpolation. */
export function averagePrecision(
  truth: MetricLabels,
  scores: ArrayLike<number>,
  options: RankingOptions = {},
): number {
  const { truePositives, falsePositives } = passes('averagePrecision', truth, scores, options, false)
  let sum = 0
  for (let k = 1; k < truePositives.length; k++) {
    const found = truePositives[k] - truePositives[k - 1]
    sum += (found * truePositives[k]) / (truePositives[k] + falsePositives[k])
  }
  return sum / truePositives[truePositives.length - 1]
}

/** Area under the precision-recall curve by trapezoids; more optimistic than {@link averagePrecision}. */
export function precisionRecallAuc(
  truth: MetricLabels,
  scores: ArrayLike<number>,
  options: RankingOptions = {},
): number {
  const curve = precisionRecallCurve(truth, scores, options)
  return areaUnderCurve(curve.recall, curve.precision)
}

/** Area under the straight lines between the points (x_k, y_k); x must not fall. */
export function areaUnderCurve(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const who = 'areaUnderCurve'
  if (x.length !== y.length) throw new DataError(`${who}: ${x.length} values of x but ${y.length} of y`)
  if (x.length < 2) throw new DataError(`${who}: needs at least 2 points, got ${x.length}`)
  let area = 0
  for (let k = 1; k < x.length; k++) {
    const width = x[k] - x[k - 1]
    if (!(width >= 0)) throw new ParameterError(who, 'x', 'in ascending order', x[k])
    area += (width * (y[k] + y[k - 1])) / 2
  }
  return area
}

/** Weight of the positives and negatives at or above each threshold. */
export interface Passes {
  readonly thresholds: Float64Array
  readonly truePositives: Float64Array
  readonly falsePositives: Float64Array
}

/** What passes each threshold, as it falls from +∞ past every score. */
export function passes(
  who: string,
  truth: MetricLabels,
  scores: ArrayLike<number>,
  options: RankingOptions,
  needsNegatives: boolean,
): Passes {
  checkKnown(who, options, ['positive', 'weights'])
  const weights = sampleWeights(who, truth, scores, 'scores', options)
  checkValues(who, 'score', scores)
  const positive = positiveLabel(who, distinctLabels(who, truth), options.positive)

  const order = Uint32Array.from(weights.keys())
    .filter((i) => weights[i] > 0)
    .sort((a, b) => scores[b] - scores[a])
  const thresholds = [Number.POSITIVE_INFINITY]
  const truePositives = [0]
  const falsePositives = [0]
  let found = 0
  let wrong = 0
  for (let k = 0; k < order.length; k++) {
    const i = order[k]
    if (truth[i] === positive) found += weights[i]
    else wrong += weights[i]
    if (k + 1 < order.length && scores[order[k + 1]] === scores[i]) continue
    thresholds.push(scores[i])
    truePositives.push(found)
    falsePositives.push(wrong)
  }
  if (found === 0) throw new DataError(`${who}: no sample of the positive class ${JSON.stringify(positive)}`)
  if (needsNegatives && wrong === 0) throw new DataError(`${who}: all samples are in the positive class`)
  return {
    thresholds: Float64Array.from(thresholds),
    truePositives: Float64Array.from(truePositives),
    falsePositives: Float64Array.from(falsePositives),
  }
}
