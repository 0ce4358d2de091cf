import { checkKnown } from '../base/check.ts'
import { countPairs } from './confusion-matrix.ts'
import type { MetricLabel } from './metric-label.ts'
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
  truth: ArrayLike<MetricLabel>,
  predicted: ArrayLike<MetricLabel>,
  options: WeightOptions = {},
): number {
  const who = 'matthewsCorrelation'
  checkKnown(who, options, ['weights'])
  const { counts } = countPairs(who, truth, predicted, options)
  let samples = 0
  let right = 0
  let chance = 0
  let trueSquares = 0
  let predictedSquares = 0
  counts.forEach((row, k) => {
    const isClass = row.reduce((sum, count) => sum + count, 0)
    const calledClass = counts.reduce((sum, other) => sum + other[k], 0)
    samples += isClass
    right += row[k]
    chance += isClass * calledClass
    trueSquares += isClass * isClass
    predictedSquares += calledClass * calledClass
  })
  const spread = (samples * samples - trueSquares) * (samples * samples - predictedSquares)
  return spread > 0 ? (right * samples - chance) / Math.sqrt(spread) : 0
}
