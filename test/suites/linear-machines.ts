/** The problems of test/golden/linear-machines.json with what LIBLINEAR and scikit-learn found. */
import { type Matrix, toMatrix } from '../../src/data/matrix/matrix.ts'
import type { TubeLoss } from '../../src/problems/linear-loss.ts'
import { type LinearProblem, makeCrammerSinger, makeLinearSvr } from '../../src/problems/linear-problem.ts'
import golden from '../golden/linear-machines.json' with { type: 'json' }

/** One problem with a solution of another program: weight vectors, each with that of the constant feature last. */
export interface LinearMachineGolden {
  readonly title: string
  readonly problem: LinearProblem
  readonly primal: number
  /** The tolerance it was solved to, and by how much its value may be above the optimum then. */
  readonly tol: number
  readonly error: number
  readonly weights: readonly number[]
}

/** Crammer–Singer problems; `store` decides how the samples are kept. */
export function crammerSingerGolden(store: (matrix: Matrix) => Matrix): LinearMachineGolden[] {
  return golden.classifications.flatMap(({ name, rows, labels, results }) =>
    results.map(({ by, bias, costs, primal, weights }, i) => {
      const samples = store(toMatrix(rows))
      const classes = Math.max(...labels) + 1
      const problem = makeCrammerSinger({ samples, y: labels, classes, C: costs, constant: bias })
      return {
        title: `${by}: ${name}, bias ${bias} (${i})`,
        problem,
        primal,
        tol: golden.classTolerance,
        // The gap is at most Σ C_i times the violation of sample i.
        error: golden.classTolerance * costs.reduce((sum, cost) => sum + cost, 0),
        weights: withConstant(weights, bias),
      }
    }),
  )
}

/** Regressions. */
export function linearSvrGolden(store: (matrix: Matrix) => Matrix): LinearMachineGolden[] {
  return golden.regressions.flatMap(({ name, rows, targets, results }) =>
    results.map(({ by, loss, bias, epsilon, costs, primal, weights }, i) => {
      const problem = makeLinearSvr({
        samples: store(toMatrix(rows)),
        z: targets,
        C: costs,
        epsilon,
        loss: loss as TubeLoss,
        constant: bias,
      })
      const title = `${by}: ${name}, ${loss}, epsilon ${epsilon}, bias ${bias} (${i})`
      const { tolerance: tol } = golden
      return { title, problem, primal, tol, error: 1e-8 * primal, weights: withConstant([weights], bias) }
    }),
  )
}

function withConstant(weights: readonly (readonly number[])[], bias: number): number[] {
  return weights.flatMap((vector) => (bias > 0 ? vector : [...vector, 0]))
}
