/** How near predicted numbers are to true ones. Means are weighted when weights are given. */
import { checkKnown } from '../base/check.ts'
import { checkValues, sampleWeights, type WeightOptions, weightedMean } from './sample-weights.ts'

type Numbers = ArrayLike<number>

/** Mean of (truth - prediction)². */
export function meanSquaredError(truth: Numbers, predicted: Numbers, options: WeightOptions = {}): number {
  const weights = checkTargets('meanSquaredError', truth, predicted, options)
  return weightedMean(weights, (i) => (truth[i] - predicted[i]) ** 2)
}

/** Mean of |truth - prediction|. */
export function meanAbsoluteError(truth: Numbers, predicted: Numbers, options: WeightOptions = {}): number {
  const weights = checkTargets('meanAbsoluteError', truth, predicted, options)
  return weightedMean(weights, (i) => Math.abs(truth[i] - predicted[i]))
}

/**
 * Coefficient of determination, 1 - Σ(truth - prediction)² / Σ(truth - mean)²: 1 is perfect, 0 is no better than
 * the mean, and it may be negative. Where all true values are equal it is 1 for perfect predictions and 0 otherwise. Of one
 * sample it says nothing: NaN, as in scikit-learn.
 */
export function r2(truth: Numbers, predicted: Numbers, options: WeightOptions = {}): number {
  const weights = checkTargets('r2', truth, predicted, options)
  if (truth.length === 1) return Number.NaN
  const center = centerOf(weights, truth)
  const residual = weightedMean(weights, (i) => (truth[i] - predicted[i]) ** 2)
  const spread = weightedMean(weights, (i) => (truth[i] - center) ** 2)
  if (spread === 0) return residual === 0 ? 1 : 0
  return 1 - residual / spread
}

/**
 * Squared correlation coefficient as svm-predict prints it,
 *
 *   (n Σpt - Σp Σt)² / ((n Σp² - (Σp)²) (n Σt² - (Σt)²)),
 *
 * computed from centred values, which is the same without the cancellation. NaN, as there, where all predictions
 * or all true values are equal: there is no correlation to speak of.
 */
export function squaredCorrelation(truth: Numbers, predicted: Numbers, options: WeightOptions = {}): number {
  const weights = checkTargets('squaredCorrelation', truth, predicted, options)
  const truthCenter = centerOf(weights, truth)
  const predictedCenter = centerOf(weights, predicted)
  const covariance = weightedMean(weights, (i) => (truth[i] - truthCenter) * (predicted[i] - predictedCenter))
  const truthVariance = weightedMean(weights, (i) => (truth[i] - truthCenter) ** 2)
  const predictedVariance = weightedMean(weights, (i) => (predicted[i] - predictedCenter) ** 2)
  return (covariance / truthVariance) * (covariance / predictedVariance)
}

function checkTargets(who: string, truth: Numbers, predicted: Numbers, options: WeightOptions): Float64Array {
  checkKnown(who, options, ['weights'])
  const weights = sampleWeights(who, truth, predicted, 'predictions', options)
  checkValues(who, 'true value', truth)
  checkValues(who, 'prediction', predicted)
  return weights
}

/** The mean, summed as differences from one value so that it is exact where all values are equal. */
function centerOf(weights: Float64Array, values: Numbers): number {
  const first = values[weights.findIndex((weight) => weight > 0)]
  return first + weightedMean(weights, (i) => values[i] - first)
}
