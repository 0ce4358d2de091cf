import { inOneGo } from '../base/pieces.ts'
import type { Problem } from '../problems/kernel-problem.ts'
import type { LinearProblem } from '../problems/linear-problem.ts'
import type { Evidence, Measures, Solution } from './certificate.ts'
import { Certifier } from './certifier.ts'
import { measureLinear } from './linear/linear-measures.ts'

/**
 * Measures a solution, from scratch and in f64 throughout. Default: `threads` may be used for it, 1.
 *
 * @example
 * const y = train.labels as Float64Array
 * const problem = makeProblem({ samples: train.samples, kernel: linear(), y, C: 1 })
 * const { gap, maxViolation } = measure(problem, solveSync(problem, smo))
 */
export function measure(problem: Problem | LinearProblem, solution: Solution, threads = 1): Measures {
  const { evidence: _, ...measures } =
    'kernel' in problem ? measureWithBars(problem, solution, threads) : measureLinear(problem, solution)
  return measures
}

/** As {@link measure}, and how far the measures may be off. */
export function measureWithBars(
  problem: Problem,
  solution: Solution,
  threads = 1,
): Measures & { readonly evidence: Evidence } {
  const certifier = new Certifier(problem, { threads, all: true, seed: 0, tol: 0 })
  const { values: _, isFeasible: __, ...examined } = inOneGo(certifier.examine(solution))
  return examined
}
