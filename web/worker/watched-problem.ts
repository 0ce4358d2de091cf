/** The optimisation problem of one run: two classes, one class, or a curve. */
import type { DenseMatrix } from '../../src/index.browser.ts'
import { kernelFromSpec } from '../../src/kernels.ts'
import {
  makeNuSvcProblem,
  makeOneClassProblem,
  makeProblem,
  makeSvrProblem,
  type Problem,
  type SvmProblem,
  solvers,
} from '../../src/solvers.ts'
import type { Settings } from '../state/lab-state.ts'
import { columnsOf, nodesOf } from './grid.ts'
import { planeMatrix } from './kernel-grid.ts'
import type { Grid, PlaneData, Recording } from './messages.ts'

/** A problem, and where its model is evaluated: on the nodes of a grid, or for a curve on its columns. */
export interface Watched extends Pick<Recording, 'kind' | 'bound'> {
  readonly problem: Problem
  readonly nodes: DenseMatrix
}

/** The two-class problem on the plane, in the form of the bias that the solver can handle. */
export function planeProblem(data: PlaneData, { kernel, C, solver }: Settings): SvmProblem {
  const { biasForms } = solvers[solver]
  return makeProblem({
    samples: planeMatrix(data.xy),
    kernel: kernelFromSpec(kernel),
    y: signsOf(data),
    C,
    bias: biasForms.includes('free') ? 'free' : biasForms[0],
  })
}

/** What the settings ask for; multipliers are at most `bound`. */
export function watchedProblem(data: PlaneData, settings: Settings, grid: Grid): Watched {
  const { problem: type, C, nu, epsilon } = settings
  const kernel = kernelFromSpec(settings.kernel)
  const samples = planeMatrix(data.xy)
  const nodes = planeMatrix(nodesOf(grid))
  switch (type) {
    case 'svc':
      return { problem: planeProblem(data, settings), nodes, kind: 'binary', bound: C }
    case 'nu-svc':
      return {
        problem: makeNuSvcProblem({ samples, kernel, y: signsOf(data), nu }),
        nodes,
        kind: 'binary',
        bound: 1,
      }
    case 'one-class':
      return { problem: makeOneClassProblem({ samples, kernel, nu }), nodes, kind: 'one-class', bound: 1 }
    case 'svr': {
      const [x, z] = [0, 1].map((axis) => data.xy.filter((_, k) => k % 2 === axis))
      return {
        problem: makeSvrProblem({ samples: lineMatrix(x), kernel, z, C, epsilon }),
        nodes: lineMatrix(columnsOf(grid)),
        kind: 'regression',
        bound: C,
      }
    }
  }
}

/** The bias of a model whose coefficients have this sum: part of the norm, or none. */
export function biasOfSum(problem: Problem, sum: number): number {
  return problem.task === 'svc' && problem.bias === 'regularised' ? sum * problem.interceptScaling ** 2 : 0
}

/** The second of the two classes is +1. */
function signsOf({ classes }: PlaneData): Float64Array {
  const found = [...new Set(classes)].sort()
  if (found.length !== 2) throw new Error('a single run needs exactly two classes')
  return Float64Array.from(classes, (c) => (c === found[1] ? 1 : -1))
}

function lineMatrix(values: Float64Array): DenseMatrix {
  return { kind: 'dense', rows: values.length, cols: 1, values }
}
