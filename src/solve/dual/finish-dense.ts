/**
 * A last attempt at a small problem on which pairs over rows of f64 have stalled: kernel values that differ by orders (outliers
 * under a polynomial, say) leave sums of v so inexact that no step seems to gain. ./dense-smo.ts computes v once and then
 * changes it by its own steps alone, as LIBSVM does, and may get on where v that is computed afresh does not.
 */
import type { GeneralDual } from '../../problems/general-dual.ts'
import { denseGradient, denseKernel, solveDense } from './dense-smo.ts'

/** More samples would take more than 2 MB and, with {@link MOST_STEPS}, than a few tenths of a second. */
const MOST_SAMPLES = 500
/** Five times what the problem took that this was made for (46 samples). */
const MOST_STEPS = 100_000

/** The point that dense steps, `maxIter` at most, reach from this one, and their number; undefined for problems that are too large or have a tube. */
export function finishDense(
  { samples, kernel, target, lower, upper, groups, tube }: GeneralDual,
  from: Float64Array,
  tol: number,
  maxIter: number,
): { readonly beta: Float64Array; readonly iterations: number } | undefined {
  const size = target.length
  if (size > MOST_SAMPLES || tube > 0) return undefined
  const rows = kernel.between(samples, samples)
  const values = new Float64Array(size * size)
  for (let i = 0; i < size; i++) rows.row(i, values.subarray(i * size, (i + 1) * size))
  const matrix = denseKernel(values)
  const beta = from.slice()
  const point = { beta, v: denseGradient(matrix, target, beta) }
  const { iterations } = solveDense(
    matrix,
    { lower, upper, groups },
    point,
    tol,
    Math.min(MOST_STEPS, maxIter),
  )
  return { beta, iterations }
}
