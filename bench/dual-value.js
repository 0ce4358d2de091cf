// The dual value ½ΣΣ c_s c_t K(x_s, x_t) − Σ|c_s| of a two-class model, in f64 by the reference backend, whoever
// trained it. Solvers that keep f32 rows, LIBSVM among them, report one that is off by up to 1e-6 of it.
//
//   node bench/dual-value.js MODEL
import { makeProblem, measure, readModel } from 'hyperplane'

const { kernel, supportVectors, dualCoef } = await readModel(process.argv[2])
const alpha = dualCoef.map(Math.abs)
const problem = makeProblem({ samples: supportVectors, kernel, y: dualCoef.map(Math.sign), C: alpha })
console.log(JSON.stringify({ dual: measure(problem, { alpha, bias: 0 }).dual }))
