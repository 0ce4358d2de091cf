// fit runs on another thread: follow its progress, keep your own thread free, and stop it when you like. It returns the
// best model so far, whose certificate reports how good it is.
//   node examples/09-progress-and-cancel.js
import { generate, rbf, SVC } from 'hyperplane'

const data = generate('checkerboard', { n: 12_000, noise: 0.1, seed: 9 })
const estimator = new SVC({ kernel: rbf({ gamma: 50 }), C: 100, tol: 1e-9 })

const controller = new AbortController()
let ticks = 0
const timer = setInterval(() => ticks++, 10)
const model = await estimator.fit(data, {
  signal: controller.signal,
  onProgress({ iteration, seconds, violation }) {
    console.log(`${seconds.toFixed(1)} s: ${iteration} iterations, violation ${violation.toExponential(1)}`)
    if (seconds > 0.5) controller.abort()
  },
})
clearInterval(timer)

const { stopReason, primal, dual, gap, maxViolation, tol } = model.certificate
console.log(`stopped: ${stopReason}, violation ${maxViolation.toExponential(1)}, requested ${tol}`)
console.log(
  `the optimum is between ${(-dual).toPrecision(6)} and ${primal.toPrecision(6)} (gap ${gap.toPrecision(3)})`,
)
console.log(`this thread stayed free: ${ticks > 10}`)
console.log(`the model works: ${model.predict(data.samples).length} predictions`)
