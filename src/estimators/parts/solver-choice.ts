import { checkKnown, notOneOf } from '../../base/check.ts'
import { show } from '../../base/errors.ts'
import type { LinearLoss } from '../../problems/linear-loss.ts'
import { isSmooth } from '../../problems/linear-loss.ts'
import type { BiasForm } from '../../problems/problem.ts'
import type { AnySolver } from '../../solve/driver/run.ts'
import type { Solver } from '../../solve/driver/solver.ts'
import {
  type LinearSolverName,
  linearSolverNames,
  linearSolvers,
  type SolverName,
  solverNames,
  solvers,
} from '../../solve/methods/registry.ts'

type OptionsOf<N extends SolverName> = (typeof solvers)[N] extends Solver<infer O> ? O : never

/** A solver by name, or its name together with its own settings: `{ name: 'pegasos', batchSize: 8 }`. */
export type SolverChoice =
  | SolverName
  | { [N in SolverName]: { readonly name: N } & Partial<OptionsOf<N>> }[SolverName]

/** A checked choice, as a task has it. */
export interface ChosenSolver<A = Solver<object>> {
  readonly solver: A
  /** Its own settings, those that were given. */
  readonly solverOptions: object
}

/** The solver that was chosen; `suits` says which solvers the estimator can use, `suited` why. */
export function chooseSolver(
  who: string,
  choice: SolverChoice,
  suits: (solver: Solver<object>) => boolean,
  suited = '',
): ChosenSolver {
  const usable = solverNames.filter((candidate) => suits(solvers[candidate] as Solver<object>))
  return chosenOf(who, choice, usable, solvers as never, suited)
}

/** The choice, if it is one of the usable solvers and has settings that the solver knows. */
function chosenOf<A extends { readonly options: object }>(
  who: string,
  choice: LinearSolverChoice | SolverChoice,
  usable: readonly string[],
  known: Readonly<Record<string, A>>,
  suited: string,
): ChosenSolver<A> {
  const { name, ...solverOptions } = typeof choice === 'object' && choice !== null ? choice : { name: choice }
  if (!usable.includes(name)) throw notOneOf(who, 'solver', name, usable, suited)
  const solver = known[name]
  checkKnown(`${who}: solver ${show(name)}`, solverOptions, Object.keys(solver.options))
  return { solver, solverOptions }
}

type LinearOptionsOf<N extends LinearSolverName> =
  (typeof linearSolvers)[N] extends Solver<infer O, never> ? O : object

/** A solver of linear machines by name, or its name together with its own settings. */
export type LinearSolverChoice =
  | LinearSolverName
  | { [N in LinearSolverName]: { readonly name: N } & Partial<LinearOptionsOf<N>> }[LinearSolverName]

/** A checked choice. */
export type ChosenLinearSolver = ChosenSolver<AnySolver>

/** What a solver must be able to solve. */
interface LinearDemand {
  readonly loss: LinearLoss
  readonly norm: 1 | 2
  readonly bias: BiasForm
}

/** The solver that was chosen for a linear machine: one of those that solve for w, or one of kernel problems. */
export function chooseLinearSolver(
  who: string,
  choice: LinearSolverChoice | SolverChoice,
  { loss, norm, bias }: LinearDemand,
): ChosenLinearSolver {
  const own = linearSolverNames.filter((candidate) => {
    const solver = linearSolvers[candidate] as AnySolver
    return (
      solver.biasForms.includes(bias) &&
      (solver.norms ?? [2]).includes(norm) &&
      (loss !== 'logistic' || solver.logistic === true)
    )
  })
  const isClass = loss === 'hinge' || loss === 'squared-hinge'
  const others = solverNames.filter((candidate) => {
    const { biasForms, squaredLoss } = solvers[candidate] as Solver<object>
    return isClass && norm === 2 && biasForms.includes(bias) && (squaredLoss || !isSmooth(loss))
  })
  const which = `${norm === 1 ? ' and penalty l1' : ''}${bias === 'free' ? ' and a free bias' : ''}`
  const known = { ...solvers, ...linearSolvers } as never
  return chosenOf(who, choice, [...own, ...others], known, ` for the ${loss} loss${which}`)
}
