/** The problems of test/golden/linear.json with what LIBLINEAR found. */
import { type Matrix, toMatrix } from '../../src/data/matrix/matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { type BiasForm, type Loss, makeProblem, type SvmProblem } from '../../src/problems/problem.ts'
import golden from '../golden/linear.json' with { type: 'json' }

/** One problem with LIBLINEAR's solution. */
export interface LinearGolden {
  readonly title: string
  readonly problem: SvmProblem & { readonly samples: Matrix }
  readonly primal: number
  readonly w: readonly number[]
  readonly intercept: number
}

/** Those whose loss, bias and C are wanted. */
export function linearGolden(
  wanted: (result: { loss: Loss; bias: BiasForm; C: number }) => boolean,
): LinearGolden[] {
  return golden.problems.flatMap(({ name, rows, labels, results }) =>
    results
      .map((result) => ({ ...result, loss: result.loss as Loss, bias: result.bias as BiasForm }))
      .filter(wanted)
      .map(({ loss, bias, C, positiveWeight, primal, w, intercept }) => {
        const samples = toMatrix(rows)
        const costs = labels.map((label) => (label > 0 ? C * positiveWeight : C))
        const problem = makeProblem({ samples, y: labels, kernel: linear(), C: costs, loss, bias })
        const title = `${name}, ${loss}, bias ${bias}, C ${C}, weight ${positiveWeight}`
        return { title, problem: { ...problem, samples }, primal, w, intercept }
      }),
  )
}
