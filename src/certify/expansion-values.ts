/** Kernel expansions g_i = Σ_j c_j k(x_j, x_i) at the samples of a problem, in f64. */
import { isMatrix } from '../data/matrix/matrix.ts'
import { matrixTimes, weightedRowSum } from '../data/matrix/products.ts'
import { withKernelSums } from '../kernels/kernel-sums.ts'
import type { SvmProblem } from '../problems/problem.ts'

/** y_i α_i: the coefficients of the kernel expansion. */
export function signedAlpha(problem: SvmProblem, alpha: Float64Array): Float64Array {
  return alpha.map((a, i) => a * problem.y[i])
}

/**
 * Σ_j coefficients_j k(x_j, x_i) for every i, without any bias: through w when the kernel is linear, on the engine where
 * that pays (f64 there too: the same to rounding, on any number of threads to the bit), else in plain code.
 */
export function expansionValues(
  problem: Pick<SvmProblem, 'samples' | 'kernel'>,
  coefficients: Float64Array,
  threads = 1,
): Float64Array {
  const { samples, kernel } = problem
  if (kernel.spec.kind === 'linear' && isMatrix(samples)) {
    return matrixTimes(samples, weightedRowSum(samples, coefficients))
  }
  const input = { kernel, samples, coefficients, queries: samples, threads }
  const found = withKernelSums(input, (sums, queries) => sums.of(queries, 'f64'))
  return found?.errors.every(Number.isFinite) ? found.values : plainExpansionValues(problem, coefficients)
}

/** The same by definition: one kernel row for each non-zero coefficient. */
export function plainExpansionValues(
  { samples, kernel }: Pick<SvmProblem, 'samples' | 'kernel'>,
  coefficients: Float64Array,
): Float64Array {
  const count = coefficients.length
  const values = new Float64Array(count)
  const row = new Float64Array(count)
  const evaluator = kernel.between(samples, samples)
  for (let j = 0; j < count; j++) {
    const c = coefficients[j]
    if (c === 0) continue
    evaluator.row(j, row)
    for (let i = 0; i < count; i++) values[i] += c * row[i]
  }
  return values
}
