import { isMatrix, type Matrix } from '../data/matrix/matrix.ts'
import type { Samples } from '../data/table/dataset.ts'
import { KernelSums, type SumLayout } from '../engine/jobs/kernel-sums.ts'
import { fitsEngine, kernelWork, threadsWorth, WORTH_ENGINE } from '../engine/matrix/engine-worth.ts'
import { withEngine } from '../engine/memory/engine.ts'
import { engineExists } from '../engine/memory/engine-build.ts'
import type { AnyKernel } from './kernel.ts'
import { kernelForEngine } from './kernel-for-engine.ts'

/** Queries from which on uploading the samples pays. */
const WORTH_QUERIES = 16

/** What {@link withKernelSums} is about: Σ_j coefficients_j k(x_j, q) over the samples x_j, for the queries q. */
export interface KernelSumsInput {
  readonly kernel: AnyKernel
  readonly samples: Samples
  readonly coefficients: Float64Array
  /** Which sums the coefficients belong to; absent for one sum and one coefficient per sample. */
  readonly layout?: SumLayout
  readonly queries: Samples
  /** Threads that may be used, the calling one included. The sums are the same for any number. */
  readonly threads: number
}

/**
 * Calls `use` with the samples and coefficients on the engine, ready to be summed for queries. Returns undefined, and
 * does not call it, where plain code is the better way: for kernels that the engine does not know, small work, more
 * data than fits, and where there is no engine.
 */
export function withKernelSums<R>(
  input: KernelSumsInput,
  use: (sums: KernelSums, queries: Matrix) => R,
): R | undefined {
  const { samples, queries, coefficients, layout, threads } = input
  const kernel = kernelForEngine(input.kernel)
  if (!kernel || !isMatrix(samples) || !isMatrix(queries)) return undefined
  const values = samples.values.length
  if (!fitsEngine(values, queries.cols) || queries.cols < samples.cols) return undefined
  const work = kernelWork(queries.rows, samples.rows * (layout?.rows ?? 1), values)
  if (queries.rows < WORTH_QUERIES || work < WORTH_ENGINE || !engineExists()) return undefined
  return withEngine(threadsWorth(work, threads), (engine) =>
    use(new KernelSums(engine, kernel, samples, coefficients, layout), queries),
  )
}
