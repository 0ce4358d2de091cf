// Computes the certificate of a model afresh: in f64, with the reference backend, from the samples.
//
//   node bench/certify.js DATA MODEL.json C
import { makeProblem, measure, readDataset, readModel } from 'hyperplane'

const [data, modelPath, C] = process.argv.slice(2)
const { samples, labels } = await readDataset(data)
const { classes, bias, kernel, supportIndices, dualCoef } = await readModel(modelPath)
const y = Array.from(labels, (label) => (label === classes[1] ? 1 : -1))
const problem = makeProblem({ samples, kernel, y, C: Number(C) })
const alpha = new Float64Array(y.length)
supportIndices.forEach((i, s) => {
  alpha[i] = dualCoef[s] * y[i]
})
const { primal, dual, maxViolation } = measure(problem, { alpha, bias })
console.log(JSON.stringify({ primal, dual, maxViolation }))
