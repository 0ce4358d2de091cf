// Computes the certificate of a model afresh: in f64, with the reference backend, from the samples. Of several pairs of
// classes the values are added up, and the largest violation counts.
//
//   node bench/certify.js DATA MODEL.json C

import { readDataset, readModel, selectSamples } from 'hyperplane'
import { makeProblem, measure } from 'hyperplane/solvers'
import { pairsOf } from './pairs.js'

const [data, modelPath, C] = process.argv.slice(2)
const dataset = await readDataset(data)
const model = await readModel(modelPath)
const { classes, kernel, supportIndices } = model
const sum = { primal: 0, dual: 0, maxViolation: 0 }
for (const { pair, positive, vectors, coefficients, bias } of pairsOf(model)) {
  const inPair = new Set(pair.map((c) => classes[c]))
  const rows = [...dataset.labels.keys()].filter((i) => inPair.has(dataset.labels[i]))
  const { samples, labels } = selectSamples(dataset, rows)
  const y = Array.from(labels, (label) => (label === classes[positive] ? 1 : -1))
  const problem = makeProblem({ samples, kernel, y, C: Number(C) })
  const place = new Map(rows.map((i, k) => [i, k]))
  const alpha = new Float64Array(rows.length)
  vectors.forEach((s, v) => {
    alpha[place.get(supportIndices[s])] = Math.abs(coefficients[v])
  })
  const { primal, dual, maxViolation } = measure(problem, { alpha, bias })
  sum.primal += primal
  sum.dual += dual
  sum.maxViolation = Math.max(sum.maxViolation, maxViolation)
}
console.log(JSON.stringify(sum))
