// Choose C and gamma by cross-validation: cells share work, and the final model is trained on all samples.
//   node examples/13-tuning.js
import { accuracy, generate, SVC, trainTestSplit, tune } from 'hyperplane'
import { heatMapFigure } from 'hyperplane/plots'

const data = generate('moons', { n: 500, noise: 0.25, seed: 8 })
const { train, test } = trainTestSplit(data, { testFraction: 0.4, seed: 8 })
const powers = (/** @type {number} */ from, /** @type {number} */ to) =>
  Array.from({ length: to - from + 1 }, (_, k) => 2 ** (from + k))

const { model, bestParams, bestScore, cells } = await tune(new SVC({ scaler: 'standard' }), train, {
  grid: { C: powers(-3, 6), gamma: powers(-5, 3) },
  // Choose the simplest cell that is as good as the best within the noise of the folds.
  oneStandardError: true,
  calibrate: 'sigmoid',
})
console.log(
  `${cells.length} cells; chosen C ${bestParams.C}, gamma ${bestParams.gamma}: ${bestScore.toFixed(3)}`,
)

// The score of the chosen cell was used to choose it, so it is optimistic. The score on held-out samples is not.
if (!model) throw new Error('nothing was chosen')
console.log(`held-out accuracy: ${accuracy(test.labels, model.predict(test.samples)).toFixed(3)}`)
console.log(`probability of +1 at the origin: ${model.predictProbability?.([[0, 0]])[1].toFixed(2)}`)

const svg = await heatMapFigure(cells, 'C', 'gamma', { best: bestParams })
console.log(`heat map: ${svg.length > 10_000 ? 'drawn' : 'empty'}`)
