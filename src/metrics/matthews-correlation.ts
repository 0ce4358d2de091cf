import { checkKnown } from '../base/check.ts'
import { classCounts, countPairs } from './confusion-matrix.ts'
import type { MetricLabels } from './metric-label.ts'
import type { WeightOptions } from './sample-weights.ts'

/**
 * Matthews's correlation between true and predicted classes, for any number of them (Gorodkin 2004): with s samples, c
 * of them right, t_k of class k and p_k predicted so,
 *
 *   (c s − Σ t_k p_k) / √((s² − Σ p_k²) (s² − Σ t_k²))
 *
 * 1 is perfect, 0 no better than chance, −1 always wrong (two classes). Where all samples have one class, or all
 * predictions name one, it is 0.
 */
export function matthewsCorrelation(
  truth: MetricLabels,
  predicted: MetricLabels,
  options: WeightOptions = {},
): number {
  const who = 'matthewsCorrelation'
  checkKnown(who, options, ['weights'])
  const classes = classCounts(countPairs(who, truth, predicted, options))
  let samples = 0
  let right = 0
  let chance = 0
  let trueSquares = 0
  let predictedSquares = 0
  for (const { support, predicted: called, truePositives } of classes) {
    samples += support
    right += truePositives
    chance += support * called
    trueSquares += support * support
    predictedSquares += called * called
  }
  const spread = (samples * samples - trueSquares) * (samples * samples - predictedSquares)
  return spread > 0 ? (right * samples - chance) / Math.sqrt(spread) : 0
}
