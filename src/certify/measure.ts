import type { Problem } from '../problems/any-problem.ts'
import { measureBox } from './box-measures.ts'
import type { Measures, Solution } from './certificate.ts'
import { measureSvc } from './svc-measures.ts'

/**
 * Measures a solution, afresh and in f64. `dualValues` may be given when g_i = Σ_j c_j k(x_j, x_i) has just been computed
 * so, to save computing it twice; `threads` is how many may be used for it, 1 unless given.
 */
export function measure(
  problem: Problem,
  solution: Solution,
  dualValues?: Float64Array,
  threads = 1,
): Measures {
  return problem.task === 'svc'
    ? measureSvc(problem, solution, dualValues, threads)
    : measureBox(problem, solution, dualValues, threads)
}
