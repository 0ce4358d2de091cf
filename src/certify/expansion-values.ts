import { inOneGo } from '../base/pieces.ts'
import type { SvmProblem } from '../problems/problem.ts'
import { RowValues } from './row-values.ts'

/** Σ_j coefficients_j k(x_j, x_i) at every sample of a problem, in f64, without any bias. */
export function expansionValues(
  problem: Pick<SvmProblem, 'samples' | 'kernel'>,
  coefficients: Float64Array,
  threads = 1,
): Float64Array {
  const rows = new RowValues(problem, threads)
  inOneGo(rows.evaluate(coefficients, true))
  return rows.values
}
