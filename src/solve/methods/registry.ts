/** All solvers by name, in historical order of their methods. */
import type { Goal } from '../driver/goal.ts'
import type { AnySolver } from '../driver/run.ts'
import { crammerSinger } from './crammer-singer.ts'
import { dualDescent } from './dual-descent.ts'
import { l1Newton } from './l1-newton.ts'
import { linearAuto } from './linear-auto.ts'
import { newton } from './newton.ts'
import { pegasos } from './pegasos.ts'
import { proximalNewton } from './proximal-newton.ts'
import { sdca } from './sdca.ts'
import { smo } from './smo.ts'
import { smoMvp } from './smo-mvp.ts'
import { smoPlatt } from './smo-platt.ts'
import { smoRandom } from './smo-random.ts'
import { smoSimplified } from './smo-simplified.ts'
import { subgradient } from './subgradient.ts'
import { workingSet } from './working-set.ts'

/** Every solver of kernel problems, by name. */
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

/** Every solver of linear machines, by name. */
export const linearSolvers = {
  auto: linearAuto,
  'dual-descent': dualDescent,
  newton,
  'proximal-newton': proximalNewton,
  'l1-newton': l1Newton,
} as const

/** Name of a solver of linear machines. */
export type LinearSolverName = keyof typeof linearSolvers

/** The names of all solvers of linear machines. */
export const linearSolverNames = Object.keys(linearSolvers) as readonly LinearSolverName[]

/** Name of a solver. */
export type SolverName = keyof typeof solvers

/** All solver names, in the order of {@link solvers}. */
export const solverNames = Object.keys(solvers) as readonly SolverName[]

/** The solver of that name, whether it is for kernel problems or solves for w. */
export function solverNamed(name: string): AnySolver {
  return find(name) as AnySolver
}

/** What `tol` bounds for the solver of that name: the violation where the solver is not known. */
export function goalOf(name: string): Goal {
  return find(name)?.goal ?? 'violation'
}

function find(name: string) {
  const all = [...Object.values(solvers), ...Object.values(linearSolvers), crammerSinger]
  return all.find((solver) => solver.name === name)
}
