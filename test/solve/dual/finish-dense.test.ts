import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { generalDualOf } from '../../../src/problems/general-form.ts'
import { makeSvrProblem } from '../../../src/problems/kernel-problem.ts'
import { makeProblem } from '../../../src/problems/problem.ts'
import { finishDense } from '../../../src/solve/dual/finish-dense.ts'
import { randomComparison } from '../../torture/differential.ts'
import { solveMachine } from '../../torture/solve-machine.ts'

const random = new Random(4)
const rows = Array.from({ length: 40 }, () => [random.normal(), random.normal()])
const samples = toMatrix(rows)

describe('finishDense', () => {
  it('reaches the optimum from any point', () => {
    const y = Float64Array.from(rows, ([a, b]) => (a * b > 0 ? 1 : -1))
    const dual = generalDualOf(makeProblem({ samples, kernel: rbf({ gamma: 1 }), y, C: 2 }))
    const end = finishDense(dual, new Float64Array(40), 1e-9, 1e6)
    const again = finishDense(dual, end?.beta as Float64Array, 1e-9, 1e6)
    expect(end?.iterations).toBeGreaterThan(10)
    // From the optimum there is nothing left to do but what rounding of v has made.
    expect(again?.iterations).toBeLessThan(10)
    expect(finishDense(dual, new Float64Array(40), 1e-9, 7)?.iterations).toBe(7)
    expect(end?.beta.reduce((sum, own) => sum + own, 0)).toBeCloseTo(0, 12)
  })

  it('leaves tubes and large problems alone', () => {
    const z = Float64Array.from(rows, ([a]) => a)
    const kernel = polynomial({ degree: 2 })
    const tube = generalDualOf(makeSvrProblem({ samples, kernel, z, C: 1, epsilon: 0.1 }))
    expect(finishDense(tube, new Float64Array(40), 1e-3, 1e6)).toBeUndefined()
    const many = toMatrix(Array.from({ length: 501 }, (_, i) => [i]))
    const y = Float64Array.from({ length: 501 }, (_, i) => (i % 2 ? 1 : -1))
    const large = generalDualOf(makeProblem({ samples: many, kernel, y, C: 1 }))
    expect(finishDense(large, new Float64Array(501), 1e-3, 1e6)).toBeUndefined()
  })

  it('proves the optimum where rows of f64 stall: outliers of 7e5 under a polynomial of degree 3', async () => {
    const { machine, options } = randomComparison(62, 190, 2000, [])
    const { certificate } = await solveMachine(machine, options)
    // svm-train ends with -3474.881 here.
    expect(certificate.stopReason).toBe('converged')
    expect(certificate.dual).toBeCloseTo(-3474.8867, 3)
  })
})
