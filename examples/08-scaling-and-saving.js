// Features with very different ranges: let the estimator scale them, and save the scaler with the model.
//   node examples/08-scaling-and-saving.js
import { accuracy, generate, makeDataset, parseModel, SVC, toDense, trainTestSplit } from 'hyperplane'

// One feature in the millions, one in millionths.
const moons = generate('moons', { n: 300, noise: 0.15, seed: 2 })
const { rows, cols, values } = toDense(moons.samples)
const stretched = values.map((value, k) => value * (k % cols === 0 ? 1e6 : 1e-6))
const data = makeDataset({ values: stretched, shape: [rows, cols] }, moons.labels)
const { train, test } = trainTestSplit(data, { seed: 2 })

/** @type {(import('hyperplane').ScalerChoice | undefined)[]} */
const choices = [undefined, 'range', 'standard']
for (const scaler of choices) {
  const model = await new SVC({ C: 10, scaler }).fit(train)
  // JSON keeps every digit. The scaler is part of the model, which applies it to new rows.
  const loaded = parseModel(JSON.stringify(model))
  const score = accuracy(test.labels, loaded.predict(test.samples))
  console.log(
    `scaler ${String(scaler).padEnd(9)} accuracy ${score.toFixed(3)}, saved as ${JSON.stringify(model).length} bytes`,
  )
}
