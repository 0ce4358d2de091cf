// The certificate: two bounds that enclose the optimum, the largest violation, and why the solver stopped. Then each
// sample: how its α and its margin relate to its position.
//   node examples/02-certificate.js

import { generate, rbf, SVC } from 'hyperplane'
import { diagnose, makeProblem, smo, solveSync } from 'hyperplane/solvers'

const data = generate('moons', { n: 200, noise: 0.25, seed: 4 })
const C = 10

console.log('tol     primal      -dual       gap      violation  iterations  stopped')
for (const tol of [1, 1e-1, 1e-3, 1e-6]) {
  const { certificate } = new SVC({ kernel: rbf({ gamma: 1 }), C, solver: 'smo-mvp', tol }).fitSync(data)
  const { primal, dual, gap, maxViolation, iterations, stopReason } = certificate
  console.log(
    [
      tol.toExponential(0).padEnd(7),
      primal.toFixed(6).padEnd(11),
      (-dual).toFixed(6).padEnd(11),
      gap.toExponential(1).padEnd(8),
      maxViolation.toExponential(1).padEnd(10),
      String(iterations).padEnd(11),
      stopReason,
    ].join(' '),
  )
}

// A solver that is stopped early reports this, and how good its model is.
const early = new SVC({ kernel: rbf({ gamma: 1 }), C, solver: 'smo-mvp', maxIter: 50 }).fitSync(
  data,
).certificate
const excess = (100 * early.gap) / -early.dual
console.log(`\nafter 50 iterations: ${early.stopReason}, at most ${excess.toFixed(0)}% above the optimum`)

// The optimality conditions, sample by sample: α = 0 outside the margin, α = C inside it or on the wrong side, and
// 0 < α < C on the margin, where y f(x) = 1.
const y = /** @type {Float64Array} */ (data.labels)
const problem = makeProblem({ samples: data.samples, y, kernel: rbf({ gamma: 1 }), C })
const solution = solveSync(problem, smo, {}, { tol: 1e-6 })
const diagnosis = diagnose(problem, solution)
const { functionalMargins, multipliers, multiplierCounts, positionCounts, slacks } = diagnosis

console.log('\nalpha   samples  margins y f(x) from … to')
for (const kind of /** @type {const} */ (['zero', 'free', 'bound'])) {
  const margins = functionalMargins.filter((_, i) => multipliers[i] === kind).sort()
  const range = `${margins[0].toFixed(4)} … ${margins[margins.length - 1].toFixed(4)}`
  console.log(`${kind.padEnd(7)} ${String(multiplierCounts[kind]).padEnd(8)} ${range}`)
}
console.log('\nsamples by position:', positionCounts)
const total = slacks.reduce((sum, slack) => sum + slack, 0)
const objective = diagnosis.norm ** 2 / 2 + C * total
console.log(`½‖w‖² + C Σ slack = ${objective.toFixed(6)} = primal ${solution.certificate.primal.toFixed(6)}`)
console.log(`margin: ${diagnosis.marginWidth.toFixed(4)} wide in feature space`)
