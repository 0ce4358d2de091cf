// The smallest problem that needs a kernel: x = -1, 0, 1 with labels +1, -1, +1. No threshold on x separates them, but
// ψ(x) = (x, x²) does, and with a hard margin (C = Infinity) everything can be worked out by hand: α = (1, 2, 1),
// w = (0, 2), b = -1, margin 1/‖w‖ = 1/2.
//   node examples/10-hard-margin.js

import { generate, linear, SVC } from 'hyperplane'
import { featureMap } from 'hyperplane/kernels'

const data = generate('example37')
const C = Number.POSITIVE_INFINITY

// Without a solution, the solver reports it: no multiple of its model satisfies all constraints.
const straight = new SVC({ kernel: linear(), C, maxIter: 10_000 }).fitSync(data)
console.log(`linear kernel: ${straight.certificate.stopReason}, primal ${straight.certificate.primal}`)

const psi = featureMap(([x]) => [x, x * x], { name: 'psi' })
const model = new SVC({ kernel: psi, C, tol: 1e-9 }).fitSync(data)
const { stopReason, primal, dual } = model.certificate
// Support vectors are grouped by class; supportIndices are their indices in the data.
const alpha = Array(data.labels.length).fill(0)
model.supportIndices?.forEach((i, s) => {
  alpha[i] = Math.abs(model.dualCoef[s])
})
const norm = Math.sqrt(2 * primal)
console.log(
  `psi(x) = (x, x²): ${stopReason}, alpha = [${alpha.map((a) => a.toFixed(6))}], b = ${model.bias.toFixed(6)}`,
)
console.log(`primal ${primal.toFixed(6)}, dual ${dual.toFixed(6)}, margin ${(1 / norm).toFixed(6)}`)
console.log(
  `f(-1), f(0), f(1) = ${[...model.decisionFunction(data.samples)].map((f) => f.toFixed(6)).join(', ')}`,
)
