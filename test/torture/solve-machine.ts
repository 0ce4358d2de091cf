/** A machine of the campaign, as the library sees and solves it through its public interface. */

import { type FitTask, runInSlices, setFitRunner } from '../../src/estimators/fitting/fit-runner.ts'
import {
  DataError,
  type Kernel,
  LinearSVC,
  LinearSVR,
  linear,
  makeDataset,
  polynomial,
  rbf,
  sigmoid,
  toSparse,
} from '../../src/index.node.ts'
import type { BiasForm } from '../../src/problems/problem.ts'
import { solutionOf } from '../../src/solve/driver/solved.ts'
import {
  makeNuSvcProblem,
  makeNuSvrProblem,
  makeOneClassProblem,
  makeProblem,
  makeSvrProblem,
  type Problem,
  type RunOptions,
  type SolveResult,
  type Solver,
  sdca,
  smo,
  solve,
} from '../../src/solvers.ts'
import type { Formula, Points } from './true-expansion.ts'
import type { Machine, SingleMachine } from './true-measures.ts'

/** How a machine is to be solved. */
export interface SolveOptions extends RunOptions {
  /** Stored as compressed sparse rows. */
  readonly sparse?: boolean
  /** The default one of its type unless given. */
  readonly solver?: Solver
}

/** Samples as the library takes them. */
export function samplesOf({ rows, cols, values }: Points, sparse: boolean) {
  const dense = { kind: 'dense' as const, rows, cols, values }
  return sparse ? toSparse(dense) : dense
}

/** A kernel of the library for a formula. */
export function kernelOf(formula: Formula): Kernel {
  switch (formula.kind) {
    case 'linear':
      return linear()
    case 'rbf':
      return rbf({ gamma: formula.gamma })
    case 'polynomial':
      return polynomial({ gamma: formula.gamma, coef0: formula.coef0, degree: formula.degree })
    case 'sigmoid':
      return sigmoid({ gamma: formula.gamma, coef0: formula.coef0 })
  }
}

/** Solves a machine where the library would: its dual point and certificate. */
export async function solveMachine(machine: Machine, options: SolveOptions): Promise<SolveResult> {
  const { sparse = false, solver, ...run } = options
  const samples = samplesOf(machine.points, sparse)
  if (machine.task === 'crammer-singer') {
    const { constant, bounds, y } = machine
    const intercept = interceptOf(constant > 0, constant)
    const estimator = new LinearSVC({ C: 1, multiClass: 'crammer-singer', ...intercept, ...limitsOf(run) })
    const dataset = makeDataset(samples, y, { weights: bounds })
    return (await resultsOf(() => estimator.fit(dataset, { signal: run.signal })))[0]
  }
  if (machine.task === 'svr' && machine.bias !== 'free') {
    const { bounds, y, squared, epsilon, bias, scaling } = machine
    const intercept = interceptOf(bias === 'regularised', scaling)
    const loss = squared ? 'squared-epsilon-insensitive' : 'epsilon-insensitive'
    const estimator = new LinearSVR({ C: 1, epsilon, loss, ...intercept, ...limitsOf(run) })
    const dataset = makeDataset(samples, y, { weights: bounds })
    return (await resultsOf(() => estimator.fit(dataset, { signal: run.signal })))[0]
  }
  const own = solver ?? ((machine.bias === 'free' ? smo : sdca) as Solver)
  return solve(problemOf(machine, samples), own, {}, run)
}

function interceptOf(hasBias: boolean, scaling: number) {
  const bias: BiasForm = hasBias ? 'regularised' : 'none'
  return { bias, ...(hasBias && { interceptScaling: scaling }) }
}

/** What a run and an estimator both take. */
export function limitsOf({ tol, timeLimit, seed, maxIter }: RunOptions) {
  return { tol, timeLimit, seed, maxIter }
}

/** A machine with a kernel as a problem of the library. */
export function problemOf(machine: SingleMachine, samples: ReturnType<typeof samplesOf>): Problem {
  const { task, y, bounds, nu, epsilon, squared, bias, scaling } = machine
  const kernel = kernelOf(machine.kernel)
  switch (task) {
    case 'svc': {
      const loss = squared ? 'squared-hinge' : 'hinge'
      return makeProblem({ samples, kernel, y, C: bounds, loss, bias, interceptScaling: scaling })
    }
    case 'nu-svc':
      return makeNuSvcProblem({ samples, kernel, y, weights: bounds, nu })
    case 'one-class':
      return makeOneClassProblem({ samples, kernel, weights: bounds, nu })
    case 'svr':
      return makeSvrProblem({ samples, kernel, z: y, C: bounds, epsilon })
    case 'nu-svr':
      return makeNuSvrProblem({ samples, kernel, z: y, C: bounds, nu })
  }
}

/** What an estimator's fit had solved, on this thread. */
export async function resultsOf(train: () => Promise<unknown>): Promise<readonly SolveResult[]> {
  let results: readonly SolveResult[] = []
  const before = setFitRunner(async (task: FitTask) => {
    const solved = await runInSlices(task)
    results = Array.from(solved.biases, (_, p) => ({
      ...solutionOf(solved, p),
      certificate: solved.certificates[p],
      trace: [],
    }))
    return solved
  })
  try {
    await train()
  } catch (error) {
    // A solution that makes no model is refused, with words; it has a certificate all the same.
    if (!(error instanceof DataError) || results.length === 0) throw error
  } finally {
    setFitRunner(before)
  }
  return results
}
