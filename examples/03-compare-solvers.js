// The same problem for every solver. Solvers with a free bias must reach the same optimum; those that include the
// bias in the norm solve a slightly different problem and reach another one.
//   node examples/03-compare-solvers.js
import { generate, linear } from 'hyperplane'
import { makeProblem, solverNames, solvers, solveSync } from 'hyperplane/solvers'

const { samples, labels } = generate('blobs', { n: 200, spread: 3, seed: 11 })

console.log('solver          bias         primal     dual       gap      violation  iterations')
for (const name of solverNames) {
  const solver = solvers[name]
  const [bias] = solver.biasForms
  const problem = makeProblem({
    samples,
    y: /** @type {Float64Array} */ (labels),
    kernel: linear(),
    C: 1,
    bias,
  })
  const { certificate } = solveSync(problem, solver, {}, { seed: 1 })
  const { primal, dual, gap, maxViolation, iterations, stopReason } = certificate
  console.log(
    [
      name.padEnd(15),
      bias.padEnd(12),
      primal.toFixed(5).padEnd(10),
      (-dual).toFixed(5).padEnd(10),
      gap.toExponential(1).padEnd(8),
      maxViolation.toExponential(1).padEnd(10),
      `${iterations} ${solver.unit}s, ${stopReason}`,
    ].join(' '),
  )
}
