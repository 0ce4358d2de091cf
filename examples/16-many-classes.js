// Many classes with probabilities: pairs of classes vote, and their calibrated probabilities are coupled.
//   node examples/16-many-classes.js
import { accuracy, fitCalibrated, generate, SVC, trainTestSplit } from 'hyperplane'
import { permutationImportance } from 'hyperplane/selection'

const data = generate('blobs', { n: 500, classes: 4, centers: 4, features: 3, spread: 1.3, box: 4, seed: 2 })
const { train, test } = trainTestSplit(data, { testFraction: 0.4, seed: 2 })

const model = await fitCalibrated(new SVC({ C: 2, classWeight: 'balanced' }), train)
console.log(
  `classes ${model.classes.join(', ')}: ${model.biases.length} pairs, ${model.certificates?.length} certificates`,
)
console.log(`held-out accuracy: ${accuracy(test.labels, model.predict(test.samples)).toFixed(3)}`)

// Probabilities and predictions agree: the most probable class is the prediction.
const probabilities = model.predictProbability(test.samples)
const [first] = model.predict(test.samples)
const own = Array.from(probabilities.subarray(0, 4), (p) => p.toFixed(3))
console.log(`the first sample: class ${first}, probabilities ${own.join(' ')}`)

// Predictions with a high probability are correct more often.
const sure = Array.from({ length: test.labels.length }, (_, i) => i).filter(
  (i) => Math.max(...probabilities.subarray(4 * i, 4 * i + 4)) > 0.9,
)
const predicted = model.predict(test.samples)
const right = sure.filter((i) => predicted[i] === test.labels[i]).length
console.log(`${sure.length} samples are over 90% certain; ${right} of them are right`)

const { features } = permutationImportance(model, test, { repeats: 10, seed: 1 })
for (const { feature, mean } of features)
  console.log(`without feature ${feature}: ${(100 * mean).toFixed(1)} points less`)
