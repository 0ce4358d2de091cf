/**
 * The decision function of kernel models, f(x) = Σ_s c_s k(x, v_s) + bias, in three ways, by the size of the work:
 *
 *   plain    f64, a row at a time: small batches, and kernels that the engine does not know
 *   f64      the engine, everything in f64: the same to rounding
 *   f32      the engine, f32 kernel values and f64 sums, about three times as fast. Its sums come with a bound of their
 *            error, a few 1e-7 · Σ |c_s| for data that is scaled. Rows whose sign that leaves open are computed again
 *            in f64: what is predicted is the same.
 */
import { checkKnown, checkNumber, checkOneOf } from '../base/check.ts'
import type { EngineSums, Precision } from '../compute/engine-sums.ts'
import { availableThreads } from '../compute/thread-team.ts'
import type { Samples } from '../data/dataset.ts'
import { type Matrix, selectRows } from '../data/matrix.ts'
import type { Kernel } from '../kernels/kernel.ts'
import { withKernelSums } from '../kernels/kernel-sums.ts'

/** How predictions are computed; what comes out does not depend on it, but for the last digits of f. */
export interface DecisionOptions {
  /** Threads to use for large batches, the calling one included. Default all cores. The result is the same. */
  readonly threads?: number
  /**
   * Of kernel values in large batches. Default 'f32': f is good to a few 1e-7 of the sum of all |coefficients|, and rows
   * whose class that would leave open are computed in f64. With 'f64' all of f is good to rounding, in three times the
   * time. Small batches and linear models are always f64.
   */
  readonly precision?: 'f32' | 'f64'
}

/** Checks {@link DecisionOptions} and fills in what is missing. */
export function checkDecisionOptions(who: string, options: DecisionOptions): Required<DecisionOptions> {
  checkKnown(who, options, ['threads', 'precision'])
  const { threads = availableThreads(), precision = 'f32' } = options
  return {
    threads: checkNumber(who, 'threads', threads, { min: 1, integer: true }),
    precision: checkOneOf(who, 'precision', precision, ['f32', 'f64']),
  }
}

/** The part of a kernel model that its decision function is made of. */
export interface KernelExpansion<S = never> {
  readonly kernel: Kernel<S>
  readonly supportVectors: Samples<S>
  readonly dualCoef: Float64Array
  readonly bias: number
}

/** f for every row, in the way that suits the size of the work; see the head of the file. */
export function kernelDecision<S>(
  expansion: KernelExpansion<S>,
  rows: Samples<S>,
  { threads, precision }: Required<DecisionOptions>,
): Float64Array {
  const { kernel, supportVectors, dualCoef, bias } = expansion
  const input = { kernel, samples: supportVectors, coefficients: dualCoef, queries: rows, threads }
  const found = withKernelSums(input, (sums, queries) => certainDecision(sums, queries, bias, precision))
  if (!found) return plainDecision(expansion, rows)
  const { values, open } = found
  if (open.length > 0) {
    const again = plainDecision(expansion, selectRows(rows as Matrix, open) as Samples<S>)
    open.forEach((row, k) => {
      values[row] = again[k]
    })
  }
  return values
}

/** f by definition, in f64. */
export function plainDecision<S>(expansion: KernelExpansion<S>, rows: Samples<S>): Float64Array {
  const { kernel, supportVectors, dualCoef, bias } = expansion
  const evaluator = kernel.between(rows, supportVectors)
  const row = new Float64Array(evaluator.cols)
  const values = new Float64Array(evaluator.rows)
  for (let i = 0; i < values.length; i++) {
    evaluator.row(i, row)
    values[i] = weightedSum(dualCoef, row) + bias
  }
  return values
}

/** Σ_s coefficients_s values_s */
export function weightedSum(coefficients: Float64Array, values: Float64Array): number {
  let sum = 0
  for (let s = 0; s < values.length; s++) sum += coefficients[s] * values[s]
  return sum
}

/** f from the engine, and the rows that even its f64 leaves open. */
function certainDecision(
  sums: EngineSums,
  queries: Matrix,
  bias: number,
  precision: Precision,
): { values: Float64Array; open: Uint32Array } {
  const { values, errors } = sums.of(queries, precision)
  for (let i = 0; i < values.length; i++) values[i] += bias
  const all = Uint32Array.from(values.keys())
  if (precision === 'f64') return { values, open: all.filter((i) => errors[i] === Number.POSITIVE_INFINITY) }
  const unsure = all.filter((i) => !(errors[i] < Math.abs(values[i])))
  if (unsure.length === 0) return { values, open: unsure }
  const again = certainDecision(sums, selectRows(queries, unsure), bias, 'f64')
  unsure.forEach((row, k) => {
    values[row] = again.values[k]
  })
  return { values, open: again.open.map((k) => unsure[k]) }
}
