/** All solvers by name, in historical order of their methods. */
import { pegasos } from './pegasos.ts'
import { sdca } from './sdca.ts'
import { smo } from './smo.ts'
import { smoMvp } from './smo-mvp.ts'
import { smoPlatt } from './smo-platt.ts'
import { smoRandom } from './smo-random.ts'
import { smoSimplified } from './smo-simplified.ts'
import { subgradient } from './subgradient.ts'
import { workingSet } from './working-set.ts'

/** Every solver, by name. */
export const solvers = {
  'working-set': workingSet,
  'smo-platt': smoPlatt,
  'smo-mvp': smoMvp,
  smo,
  subgradient,
  pegasos,
  sdca,
  'smo-simplified': smoSimplified,
  'smo-random': smoRandom,
} as const

/** Name of a solver. */
export type SolverName = keyof typeof solvers

/** All solver names, in the order of {@link solvers}. */
export const solverNames = Object.keys(solvers) as readonly SolverName[]
