// The dual value ½ΣΣ c_s c_t K(x_s, x_t) − Σ|c_s| of a classifier, added up over the pairs of classes, in f64 by the
// reference backend, whoever trained it. Solvers that keep f32 rows, LIBSVM among them, report one that is off by up to
// 1e-6 of it.
//
//   node bench/dual-value.js MODEL

import { readModel, selectSamples } from 'hyperplane'
import { makeProblem, measure } from 'hyperplane/solvers'
import { pairsOf } from './pairs.js'

const model = await readModel(process.argv[2])
const all = { samples: model.supportVectors, labels: Array.from({ length: model.supportCount }, () => 0) }
let dual = 0
for (const { vectors, coefficients } of pairsOf(model)) {
  const { samples } = selectSamples(all, vectors)
  const alpha = coefficients.map(Math.abs)
  const problem = makeProblem({ samples, kernel: model.kernel, y: coefficients.map(Math.sign), C: alpha })
  dual += measure(problem, { alpha, bias: 0 }).dual
}
console.log(JSON.stringify({ dual }))
