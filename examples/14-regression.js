// Regression: a tube around the data, its noise, and a tube chosen by the fraction of samples outside it.
//   node examples/14-regression.js
import { fitCalibrated, makeDataset, NuSVR, Random, rbf, SVR } from 'hyperplane'
import { meanSquaredError } from 'hyperplane/metrics'

const random = new Random(4)
const rows = Array.from({ length: 300 }, () => [6 * random.uniform()])
const targets = rows.map(([x]) => Math.sin(x) + 0.1 * random.normal())
const train = makeDataset(rows.slice(0, 200), targets.slice(0, 200))
const test = { rows: rows.slice(200), targets: Float64Array.from(targets.slice(200)) }

const kernel = rbf({ gamma: 1 })
const model = await fitCalibrated(new SVR({ kernel, C: 10, epsilon: 0.1 }), train)
const { certificate } = model
console.log(`${certificate.stopReason}: gap ${certificate.gap.toPrecision(2)}`)
console.log(`${model.supportCount} of 200 samples are outside the tube or on its edge`)
console.log(
  `held-out mean squared error: ${meanSquaredError(test.targets, model.predict(test.rows)).toFixed(4)}`,
)
console.log(`noise: Laplace, sigma ${model.probability?.sigma.toFixed(3)}`)

// ν bounds the fraction of samples outside; it determines the width of the tube.
const byShare = await new NuSVR({ kernel, C: 10, nu: 0.3 }).fit(train)
const [{ width = Number.NaN }] = byShare.certificates ?? []
const outside = byShare
  .predict(train.samples)
  .filter((y, i) => Math.abs(y - targets[i]) > width + 1e-3).length
console.log(`nu 0.3: a tube of half-width ${width.toFixed(3)}, ${outside} of 200 samples outside`)
