// Kernels: three ways to specify the width of a Gaussian, new kernels from old, and a test
// whether a function is a kernel.
//   node examples/05-kernels.js

import { generate, linear, polynomial, rbf, SVC, sigmoid } from 'hyperplane'
import {
  checkKernel,
  custom,
  exp,
  featureMap,
  kernelValue,
  product,
  scale,
  shift,
  sum,
} from 'hyperplane/kernels'

const x = [1, 2]
const z = [2, 0]
const sigma = 0.7
console.log('one width, three notations:')
console.log('  gamma', kernelValue(rbf({ gamma: 1 / (2 * sigma ** 2) }), x, z))
console.log('  sigma', kernelValue(rbf({ sigma }), x, z))
console.log('  tau  ', kernelValue(rbf({ tau: 1 / sigma ** 2 }), x, z))

// (⟨x, z⟩ + 1)² is a product of shifted linear kernels.
const square = product(shift(linear(), 1), shift(linear(), 1))
console.log(
  '\npolynomial',
  kernelValue(polynomial({ gamma: 1, coef0: 1, degree: 2 }), x, z),
  '=',
  kernelValue(square, x, z),
)

const { samples, labels } = generate('circles', { n: 60, seed: 3 })
const candidates = {
  'rbf + 2 linear': sum(rbf({ gamma: 1 }), scale(linear(), 2)),
  'exp(linear)': exp(linear()),
  'map (x1² + x2²)': featureMap(([a, b]) => [a * a + b * b], { name: 'radius' }),
  'tanh(<x, z> + 1)': sigmoid({ gamma: 1, coef0: 1 }),
  '1 - |x - z|²': custom((a, b) => 1 - a.reduce((total, v, k) => total + (v - b[k]) ** 2, 0), {
    name: 'parabola',
  }),
}
console.log('\nkernels on 60 samples of two circles:')
for (const [name, kernel] of Object.entries(candidates)) {
  const { verdict } = checkKernel(kernel, samples)
  const model = new SVC({ kernel, C: 10 }).fitSync({ samples, labels })
  const wrong = model
    .predict(samples)
    .filter((/** @type {unknown} */ label, /** @type {number} */ i) => label !== labels[i])
  console.log(`  ${name.padEnd(16)} ${wrong.length} wrong, ${model.certificate.stopReason}; ${verdict}`)
}
