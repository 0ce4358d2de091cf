// A first classifier: train on two half moons, then predict held-out samples.
//   node examples/01-first-classifier.js
import { accuracy, generate, rbf, SVC, trainTestSplit } from 'hyperplane'

const moons = generate('moons', { n: 400, noise: 0.2, seed: 7 })
const { train, test } = trainTestSplit(moons, { testFraction: 0.25, seed: 7 })

const model = await new SVC({ kernel: rbf({ gamma: 1 }), C: 10 }).fit(train)

const { stopReason, supportVectors } = model.certificate
console.log(`${stopReason}: ${supportVectors} of ${train.labels.length} samples are support vectors`)
console.log(`held-out accuracy: ${accuracy(test.labels, model.predict(test.samples))}`)

const points = [
  [0, 1],
  [1, -0.5],
]
console.log('labels of two new points:', model.predict(points).join(', '))
