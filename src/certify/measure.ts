import { inOneGo } from '../base/pieces.ts'
import type { Problem } from '../problems/any-problem.ts'
import type { Measures, Solution } from './certificate.ts'
import { Certifier } from './certifier.ts'

/** Measures a solution, from scratch and in f64 throughout; `threads` may be used for it, 1 unless given. */
export function measure(problem: Problem, solution: Solution, threads = 1): Measures {
  const certifier = new Certifier(problem, { threads, all: true, seed: 0, tol: 0 })
  const { evidence: _, values: __, ...measures } = inOneGo(certifier.examine(solution))
  return measures
}
