// A forecast: the last values are the features of the next one, and no fold learns from the future.
//   node examples/23-time-series.js
import { crossValidate, makeDataset, Random, SVR, trainTestSplit, tune } from 'hyperplane'
import { meanAbsoluteError } from 'hyperplane/metrics'
import { timeSeriesSplit } from 'hyperplane/selection'

const lags = 8
const random = new Random(5)
const demand = Array.from(
  { length: 400 },
  (_, t) => 100 + 0.05 * t + 12 * Math.sin(t / 6) + 5 * Math.sin(t / 2.5) + random.normal(),
)
const rows = demand.slice(lags).map((_, t) => demand.slice(t, t + lags))
const data = makeDataset(rows, demand.slice(lags))

// The last fifth is the future, which nothing below sees.
const { train, test } = trainTestSplit(data, { testFraction: 0.2, times: 'rows' })
const estimator = new SVR({ scaler: 'standard', targetScaling: true, epsilon: 0.02 })

const shuffled = await crossValidate(estimator, train, { folds: 5, scoring: 'mae' })
const forward = await crossValidate(estimator, train, { protocol: 'time-series', folds: 5, scoring: 'mae' })
console.log(`mean absolute error, shuffled folds: ${shuffled.scores[0].mean.toFixed(2)}, too good to be true`)
console.log(`mean absolute error, folds in time: ${forward.scores[0].mean.toFixed(2)}`)

// A week between training and testing, as in production; the folds serve a search, too.
const folds = timeSeriesSplit(train, { folds: 4, gap: 7 })
for (const { train: past, test: next } of folds) {
  if (past[past.length - 1] + 7 >= next[0]) throw new Error('a fold looks into the future')
}
const { model, bestParams } = await tune(estimator, train, {
  grid: { C: [1, 10, 100], gamma: [0.01, 0.1] },
  folds,
  scoring: 'mae',
})
if (!model) throw new Error('nothing was chosen')
const naive = meanAbsoluteError(
  test.labels,
  test.labels.map((_, i) => rows[rows.length - test.labels.length + i][lags - 1]),
)
const error = meanAbsoluteError(test.labels, /** @type {Float64Array} */ (model.predict(test.samples)))
console.log(`chosen C ${bestParams.C}, gamma ${bestParams.gamma}`)
console.log(`the future: error ${error.toFixed(2)}; the last value as forecast: ${naive.toFixed(2)}`)
