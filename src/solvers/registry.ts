/** All solvers by name, in historical order of their methods. */
import { smo } from './smo.ts'
import { smoMvp } from './smo-mvp.ts'
import { smoPlatt } from './smo-platt.ts'
import { smoRandom } from './smo-random.ts'
import { smoSimplified } from './smo-simplified.ts'

/** Every solver, by name. */
export const solvers = {
  'smo-platt': smoPlatt,
  'smo-mvp': smoMvp,
  smo,
  'smo-simplified': smoSimplified,
  'smo-random': smoRandom,
} as const

/** Name of a solver. */
export type SolverName = keyof typeof solvers

/** All solver names, in the order of {@link solvers}. */
export const solverNames = Object.keys(solvers) as readonly SolverName[]
