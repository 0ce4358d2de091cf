/** All solvers by name, in historical order of their methods. */
import type { AnySolver } from '../driver/run.ts'
import { crammerSinger } from './crammer-singer.ts'
import { pegasos } from './pegasos.ts'
import { sdca } from './sdca.ts'
import { smo } from './smo.ts'
import { smoMvp } from './smo-mvp.ts'
import { smoPlatt } from './smo-platt.ts'
import { smoRandom } from './smo-random.ts'
import { smoSimplified } from './smo-simplified.ts'
import { subgradient } from './subgradient.ts'
import { svrDescent } from './svr-descent.ts'
import { workingSet } from './working-set.ts'

/** Every solver of problems with a kernel, by name. */
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

/** The solver of that name, whether it is for problems with a kernel or solves for w. */
export function solverNamed(name: string): AnySolver {
  const found = [...Object.values(solvers), crammerSinger, svrDescent].find((solver) => solver.name === name)
  return found as AnySolver
}
