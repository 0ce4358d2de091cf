// One sample of twenty is of the class that matters: weights, a threshold for a goal, and what it costs to be careful.
//   node examples/22-imbalanced.js
import { makeDataset, Random, SVC, trainTestSplit } from 'hyperplane'
import { averagePrecision, classificationReport, rocCurve } from 'hyperplane/metrics'
import { rocFigure } from 'hyperplane/plots'
import { chooseThreshold, thresholdFromFolds, withThreshold } from 'hyperplane/selection'

const random = new Random(3)
const kinds = Array.from({ length: 1200 }, (_, i) => (i % 20 === 0 ? 'fraud' : 'fine'))
const rows = kinds.map((kind) => {
  const shift = kind === 'fraud' ? 1.9 : 0
  return [shift + random.normal(), shift + random.normal()]
})
const { train: known, test } = trainTestSplit(makeDataset(rows, kinds), { testFraction: 1 / 3, seed: 1 })

// The second class in alphabetical order is the positive one: here, fraud.
const estimator = new SVC({ C: 1, classWeight: 'balanced' })
/** @type {(name: string, model: { predict(rows: typeof test.samples): string[] }) => void} */
const report = (name, model) => {
  const { precision, recall, f1 } = classificationReport(test.labels, model.predict(test.samples)).classes[1]
  console.log(`${name}: precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}, f1 ${f1.toFixed(2)}`)
}
const { train, test: validation } = trainTestSplit(known, { testFraction: 0.4, seed: 2 })
const model = await estimator.fit(train)
report('threshold 0', model)

// Chosen on samples that the model was not trained on; kept in the model and in its file.
report('best f1', chooseThreshold(model, validation, { maximise: 'f1' }))
report(
  'a missed one costs 20',
  chooseThreshold(model, validation, { cost: { falsePositive: 1, falseNegative: 20 } }),
)

// Where samples of a class are few, no part of them need be held back: decision values of folds choose the threshold.
const { threshold } = await thresholdFromFolds(estimator, known, { maximise: 'f1' })
const careful = withThreshold(await estimator.fit(known), threshold)
report('from folds, trained on all', careful)

const decisions = careful.decisionFunction(test.samples)
console.log(`average precision ${averagePrecision(test.labels, decisions, { positive: 'fraud' }).toFixed(2)}`)
const curve = rocCurve(test.labels, decisions, { positive: 'fraud' })
const svg = await rocFigure([{ name: 'SVC', ...curve, threshold }])
console.log(`ROC curve: ${svg.slice(0, 4)}`)
