import { checkKnown, checkNumber } from '../base/check.ts'
import { distinctLabels, type MetricLabel, type MetricLabels, positiveLabel } from './metric-label.ts'
import { checkProbability, sampleWeights, type WeightOptions, weightedMean } from './sample-weights.ts'

/** Options of {@link calibrationCurve}. */
export interface CalibrationOptions extends WeightOptions {
  /** The class the probabilities are of; chosen as by the ranking metrics. */
  readonly positive?: MetricLabel
  /** Number of bins of equal width. Default: 10. */
  readonly bins?: number
}

/** Samples whose predicted probability lies in one bin. */
export interface CalibrationBin {
  /** Mean predicted probability. */
  readonly predicted: number
  /** Share that is of the positive class. */
  readonly observed: number
  /** Weight of the samples. */
  readonly weight: number
}

/** How often the positive class really comes, against how probable it was called: bins that hold samples, ascending. */
export function calibrationCurve(
  truth: MetricLabels,
  probabilities: ArrayLike<number>,
  options: CalibrationOptions = {},
): CalibrationBin[] {
  const who = 'calibrationCurve'
  checkKnown(who, options, ['positive', 'weights', 'bins'])
  const { weights, isPositive } = checkProbabilities(who, truth, probabilities, options)
  const bins = checkNumber(who, 'bins', options.bins ?? 10, { min: 1, integer: true })
  const sums = Array.from({ length: bins }, () => ({ weight: 0, predicted: 0, observed: 0 }))
  for (let i = 0; i < truth.length; i++) {
    const bin = sums[Math.min(bins - 1, Math.floor(probabilities[i] * bins))]
    bin.weight += weights[i]
    bin.predicted += weights[i] * probabilities[i]
    if (isPositive(i)) bin.observed += weights[i]
  }
  return sums
    .filter(({ weight }) => weight > 0)
    .map(({ weight, predicted, observed }) => ({
      weight,
      predicted: predicted / weight,
      observed: observed / weight,
    }))
}

/** Mean of (probability − outcome)², the outcome being 1 for the positive class and 0 otherwise: 0 is perfect. */
export function brierScore(
  truth: MetricLabels,
  probabilities: ArrayLike<number>,
  options: Omit<CalibrationOptions, 'bins'> = {},
): number {
  checkKnown('brierScore', options, ['positive', 'weights'])
  const { weights, isPositive } = checkProbabilities('brierScore', truth, probabilities, options)
  return weightedMean(weights, (i) => (probabilities[i] - (isPositive(i) ? 1 : 0)) ** 2)
}

function checkProbabilities(
  who: string,
  truth: MetricLabels,
  probabilities: ArrayLike<number>,
  options: CalibrationOptions,
) {
  const weights = sampleWeights(who, truth, probabilities, 'probabilities', options)
  const positive = positiveLabel(who, distinctLabels(who, truth), options.positive)
  for (let i = 0; i < truth.length; i++) checkProbability(who, i, probabilities[i])
  return { weights, isPositive: (i: number): boolean => truth[i] === positive }
}
