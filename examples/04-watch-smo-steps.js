// Watch SMO work: each step picks a pair, finds the minimum along the line that keeps the balance, and clips it.
//   node examples/04-watch-smo-steps.js
import { linear, makeDataset, SVC } from 'hyperplane'

const points = {
  values: [1, 1, 2, 2.5, 0, 2, -1, -1, -2, 0, 0.5, -0.5],
  shape: /** @type {const} */ ([6, 2]),
}
const data = makeDataset(points, [1, 1, 1, -1, -1, -1])
const estimator = new SVC({ kernel: linear(), C: 1, solver: 'smo-mvp', tol: 1e-6 })

const model = estimator.fitSync(data, {
  trace: { every: 1 },
  // The solver reuses one object for all steps: print or copy what you need.
  onStep({ iteration, i, j, eta, low, high, unclipped, oldAlphaJ, alphaI, alphaJ }) {
    const clipped = alphaJ === unclipped ? '' : `, clipped to ${alphaJ.toFixed(4)}`
    console.log(
      `step ${iteration}: pair (${i}, ${j}), eta ${eta.toFixed(3)}, segment [${low.toFixed(3)}, ${high.toFixed(3)}]: ` +
        `alpha_${j} ${oldAlphaJ.toFixed(4)} -> ${unclipped.toFixed(4)}${clipped}, alpha_${i} = ${alphaI.toFixed(4)}`,
    )
  },
})

console.log('\niteration  primal    dual      gap')
for (const { iteration, primal, dual, gap } of model.trace) {
  console.log(
    `${String(iteration).padEnd(10)} ${primal.toFixed(5)}   ${dual.toFixed(5)}  ${gap.toExponential(2)}`,
  )
}
console.log(`\n${model.certificate.stopReason}; w = [${[...(model.coef ?? [])].map((w) => w.toFixed(4))}]`)
