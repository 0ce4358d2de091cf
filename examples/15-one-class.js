// One class: learn what is normal from normal samples only, then detect outliers.
//   node examples/15-one-class.js
import { OneClassSVM, Random, rbf, toMatrix } from 'hyperplane'
import { rocAuc } from 'hyperplane/metrics'

const random = new Random(6)
/** @param {number} count */
const normal = (count) => Array.from({ length: count }, () => [random.normal(), 0.5 * random.normal()])

const model = await new OneClassSVM({ nu: 0.05, kernel: rbf({ gamma: 0.3 }) }).fit({
  samples: toMatrix(normal(400)),
})
console.log(`${model.certificate.stopReason}: ${model.supportCount} of 400 samples are support vectors`)

const strange = Array.from({ length: 100 }, () => [4 + random.normal(), 3 * random.normal()])
const rows = [...normal(100), ...strange]
const labels = rows.map((_, i) => (i < 100 ? 1 : -1))
const predicted = model.predict(rows)
const found = predicted.slice(100).filter((label) => label === -1).length
const alarms = predicted.slice(0, 100).filter((label) => label === -1).length
console.log(`${found} of 100 strange samples found, ${alarms} of 100 normal ones called strange`)
console.log(`area under the ROC curve: ${rocAuc(labels, model.decisionFunction(rows)).toFixed(3)}`)
