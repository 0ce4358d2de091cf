import { checkKnown } from '../../base/check.ts'
import { ParameterError, show } from '../../base/errors.ts'
import type { Solver } from '../../solve/driver/solver.ts'
import { type SolverName, solverNames, solvers } from '../../solve/methods/registry.ts'

type OptionsOf<N extends SolverName> = (typeof solvers)[N] extends Solver<infer O> ? O : never

/** A solver by name, or its name together with settings of its own: `{ name: 'pegasos', batchSize: 8 }`. */
export type SolverChoice =
  | SolverName
  | { [N in SolverName]: { readonly name: N } & Partial<OptionsOf<N>> }[SolverName]

/** A checked choice. */
export interface ChosenSolver {
  readonly solver: Solver<object>
  /** Its own settings, those that were given. */
  readonly options: object
}

/** The solver that was chosen; `suits` says which solvers the estimator can use, `suited` why. */
export function chooseSolver(
  who: string,
  choice: SolverChoice,
  suits: (solver: Solver<object>) => boolean,
  suited = '',
): ChosenSolver {
  const { name, ...options } = typeof choice === 'object' && choice !== null ? choice : { name: choice }
  const usable = solverNames.filter((candidate) => suits(solvers[candidate] as Solver<object>))
  if (!usable.includes(name)) {
    throw new ParameterError(who, 'solver', `one of ${usable.join(', ')}${suited}`, name)
  }
  const solver = solvers[name] as Solver<object>
  checkKnown(`${who}: solver ${show(name)}`, options, Object.keys(solver.options))
  return { solver, options }
}
