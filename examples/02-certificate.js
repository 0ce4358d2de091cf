// The certificate: two bounds that enclose the optimum, the largest violation, and why the solver stopped. And a look
// at each sample: what its α and its margin say about where it stands.
//   node examples/02-certificate.js
import { generate, rbf, SVC } from 'hyperplane'

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

// A solver that is stopped early says so, and still says how good its model is.
const early = new SVC({ kernel: rbf({ gamma: 1 }), C, solver: 'smo-mvp', maxIter: 50 }).fitSync(
  data,
).certificate
const excess = (100 * early.gap) / -early.dual
console.log(`\nafter 50 iterations: ${early.stopReason}, at most ${excess.toFixed(0)}% above the optimum`)

// The optimality conditions, sample by sample: α = 0 outside the margin, α = C inside it or on the wrong side, and
// what lies between on the margin, y f(x) = 1.
const model = new SVC({ kernel: rbf({ gamma: 1 }), C, tol: 1e-6 }).fitSync(data)
const alpha = new Float64Array(data.labels.length)
model.supportIndices?.forEach((i, s) => {
  alpha[i] = Math.abs(model.dualCoef[s])
})
const margins = model.decisionFunction(data.samples).map((f, i) => (data.labels[i] === 1 ? f : -f))
/** @type {[string, (a: number) => boolean][]} */
const cases = [
  ['alpha = 0', (a) => a === 0],
  ['0 < alpha < C', (a) => a > 0 && a < C],
  ['alpha = C', (a) => a === C],
]
console.log('\ncase           samples  margins from … to')
for (const [name, holds] of cases) {
  const some = margins.filter((_, i) => holds(alpha[i])).sort()
  console.log(
    `${name.padEnd(14)} ${String(some.length).padEnd(8)} ${some[0].toFixed(4)} … ${some[some.length - 1].toFixed(4)}`,
  )
}
