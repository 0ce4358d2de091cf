import { checkKnown } from '../base/check.ts'
import { DataError, show } from '../base/errors.ts'
import { distinctLabels, type MetricLabel, type MetricLabels, positiveLabel } from './metric-label.ts'
import { checkProbability, sampleWeights, type WeightOptions, weightedMean } from './sample-weights.ts'

/** Options of {@link logLoss}. */
export interface LogLossOptions extends WeightOptions {
  /** For one probability per sample: the class it is the probability of; chosen as by the ranking metrics. */
  readonly positive?: MetricLabel
  /** For one row per sample: the class of each column. Default: the classes in `truth`, ascending. */
  readonly labels?: readonly MetricLabel[]
}

/**
 * Mean of -ln P(true class). `probabilities` holds, for each sample, the probability of the positive class, or a
 * row with the probability of every class. A probability is kept away from 0 and 1 by 2^-52, so that one sure
 * mistake costs 36 and not infinity. Rows must add up to 1 within 1e-4 and are divided by their sum.
 */
export function logLoss(
  truth: MetricLabels,
  probabilities: ArrayLike<number> | ArrayLike<ArrayLike<number>>,
  options: LogLossOptions = {},
): number {
  const who = 'logLoss'
  checkKnown(who, options, ['positive', 'labels', 'weights'])
  const weights = sampleWeights(who, truth, probabilities, 'probabilities', options)
  const present = distinctLabels(who, truth)
  const ofTruth = isFlat(probabilities)
    ? fromPositive(truth, probabilities, positiveLabel(who, present, options.positive))
    : fromRows(truth, probabilities, options.labels ?? present)
  return weightedMean(weights, (i) => {
    const probability = checkProbability(who, i, ofTruth(i))
    return -Math.log(Math.min(1 - Number.EPSILON, Math.max(Number.EPSILON, probability)))
  })
}

function isFlat(
  probabilities: ArrayLike<number> | ArrayLike<ArrayLike<number>>,
): probabilities is ArrayLike<number> {
  return typeof probabilities[0] === 'number'
}

function fromPositive(truth: MetricLabels, probabilities: ArrayLike<number>, positive: MetricLabel) {
  return (i: number) => (truth[i] === positive ? probabilities[i] : 1 - probabilities[i])
}

/** The probability that each sample's row gives to its class. */
function fromRows(
  truth: MetricLabels,
  rows: ArrayLike<ArrayLike<number>>,
  labels: readonly MetricLabel[],
): (i: number) => number {
  const column = new Map(labels.map((label, k) => [label, k]))
  if (column.size < labels.length) throw new DataError('logLoss: a class is named twice in labels')
  return (i) => {
    const row = rows[i]
    if (row.length !== labels.length) {
      throw new DataError(`logLoss: row ${i} has ${row.length} probabilities for ${labels.length} classes`)
    }
    const own = column.get(truth[i])
    if (own === undefined) throw new DataError(`logLoss: ${show(truth[i])} is not one of the given labels`)
    let sum = 0
    for (let k = 0; k < row.length; k++) {
      if (!(row[k] >= 0)) return row[k]
      sum += row[k]
    }
    if (!(Math.abs(sum - 1) <= 1e-4)) {
      throw new DataError(`logLoss: the probabilities of sample ${i} add up to ${sum}, not to 1`)
    }
    return row[own] / sum
  }
}
