/** Every solver of the registry in the common suite, with what each promises. */
import { expect, test } from 'vitest'
import { dualKernel, type SvmProblem } from '../../../src/problems/problem.ts'
import type { Solver } from '../../../src/solve/driver/solver.ts'
import { type SolverName, solverNames, solvers } from '../../../src/solve/methods/registry.ts'
import type { GoldenProblem } from '../../suites/solver-problems.ts'
import { type Expectation, solverSuite } from '../../suites/solver-suite.ts'

const exact: Expectation = { accuracy: 1e-6, value: 'dual', tol: 1e-6, converges: true, monotone: true }
const randomised: Expectation = { accuracy: 1e-3, value: 'dual', converges: true, monotone: true }

/** κ of the sources of the primal solvers: their error falls as 1/t, the slower the larger this is. */
function kappa(golden: GoldenProblem, problem: SvmProblem): number {
  const diagonal = dualKernel(problem).diagonal(problem.samples)
  const total = problem.C.reduce((sum, c) => sum + c, 0)
  const mean = problem.C.reduce((sum, c, i) => sum + c * diagonal[i], 0) / diagonal.length
  return (mean * total) / golden.optimum.linearSvc.primal
}

/** The documented number of epochs, on problems where it is not more than a test can take. */
function documentedEpochs(perKappa: number, most: number): Expectation['limit'] {
  return (golden, problem) => {
    const epochs = Math.ceil(perKappa * (1 + kappa(golden, problem)))
    return golden.optimum.linearSvc.converged && epochs * golden.samples <= most ? epochs : undefined
  }
}

const expectations: Record<SolverName, Expectation> = {
  'working-set': exact,
  'smo-platt': randomised,
  'smo-mvp': exact,
  smo: exact,
  subgradient: {
    accuracy: 1e-2,
    value: 'primal',
    converges: false,
    monotone: false,
    limit: documentedEpochs(200, 5e6),
  },
  pegasos: {
    accuracy: 1e-2,
    value: 'primal',
    converges: false,
    monotone: false,
    limit: documentedEpochs(40, 5e5),
  },
  sdca: {
    ...exact,
    // One variable at a time, it crawls where the kernel matrix is ill-conditioned, as LinearSVC does.
    limit: ({ optimum }) => (optimum.linearSvc.converged ? 100_000 : undefined),
  },
  'smo-simplified': {
    ...randomised,
    converges: false,
    limit: ({ samples }) => Math.min(20_000, Math.ceil(3e6 / samples)),
  },
  'smo-random': randomised,
}

test('every solver is known by its own name, and says what one of its iterations is', () => {
  for (const name of solverNames) {
    expect(solvers[name].name).toBe(name)
    expect(['pair', 'round', 'epoch']).toContain(solvers[name].unit)
    expect(solvers[name].biasForms.length).toBeGreaterThan(0)
  }
})

for (const name of solverNames) solverSuite(name, solvers[name] as Solver, expectations[name])

/** The other ways to run them, on all but the largest problems. */
const variants: [SolverName, object, Expectation][] = [
  ['smo', { engine: false }, exact],
  ['smo', { engine: false, shrinking: false }, exact],
  ['smo', { engine: false, precision: 'f64' }, exact],
  ['smo-platt', { foldWeights: false }, randomised],
  ['smo-random', { pairs: 'heuristic' }, randomised],
]
for (const [name, options, expectation] of variants) {
  const solver = solvers[name] as Solver
  const limit: Expectation['limit'] = ({ samples }) =>
    samples <= 600 ? solver.defaults.maxIter(samples) : undefined
  solverSuite(`${name} with ${JSON.stringify(options)}`, solver, { ...expectation, options, limit })
}
