// What the bundles of ./bundles.test.ts run: training, a search, and prediction with what was saved.
import { generate, rbf, SVC, tune } from 'hyperplane'
import { parseModel } from 'hyperplane/predict'

async function main() {
  const warnings = []
  process.on('warning', ({ code }) => warnings.push(code))
  const data = generate('moons', { n: 200, noise: 0.2, seed: 1 })
  const estimator = new SVC({ kernel: rbf(), tol: 1e-6 })
  const model = await estimator.fit(data)
  const { bestParams } = await tune(estimator, data, { grid: { C: [1, 1000] }, folds: 3, seed: 1 })
  const { samples } = generate('moons', { n: 2000, noise: 0.2, seed: 2 })
  const expected = model.predict(samples)
  const same = parseModel(JSON.stringify(model))
    .predict(samples)
    .every((label, i) => label === expected[i])
  await new Promise((resolve) => setTimeout(resolve))
  console.log(JSON.stringify({ bias: model.bias.toFixed(5), bestParams, same, warnings }))
}

main()
