/**
 * How strange each class would be for a sample: the score of conformal prediction for classes. One minus the probability of the
 * class, or, of scores, by how much the best other one exceeds its own.
 */

/** From rows x classes probabilities. */
export function strangenessOfProbabilities(probabilities: Float64Array): Float64Array {
  return probabilities.map((probability) => 1 - probability)
}

/** From rows x k scores, the larger the likelier; of two classes from one value per row, larger for the second. */
export function strangenessOfScores(values: Float64Array, k: number): Float64Array {
  const score = (at: number): number => (k > 2 ? values[at] : (at % 2 ? 1 : -1) * values[at >> 1])
  return new Float64Array(k > 2 ? values.length : 2 * values.length).map((_, at) => {
    const from = at - (at % k)
    let other = Number.NEGATIVE_INFINITY
    for (let c = from; c < from + k; c++) if (c !== at && score(c) > other) other = score(c)
    return other - score(at)
  })
}
