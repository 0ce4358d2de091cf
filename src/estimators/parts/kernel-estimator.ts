import { checkBoolean } from '../../base/check.ts'
import { ParameterError, show } from '../../base/errors.ts'
import { pickNumbers, placesOfNonZeros } from '../../base/lists.ts'
import { isMatrix, selectRows, toDense } from '../../data/matrix/matrix.ts'
import type { Samples } from '../../data/table/dataset.ts'
import type { AnyKernel, Kernel } from '../../kernels/kernel.ts'
import { rbf } from '../../kernels/rbf.ts'
import type { KernelParts } from '../../models/model-parts.ts'
import type { RunOptions } from '../../solve/driver/run.ts'
import {
  Estimator,
  type EstimatorOptions,
  type FitHooks,
  type FitOptions,
  type OwnOptions,
  type Unlabelled,
} from './estimator.ts'
import { type ChosenSolver, chooseSolver, type SolverChoice } from './solver-choice.ts'
import { type TrainingSamples, trainingSamples } from './training-samples.ts'

/** Options of all kernel estimators. */
export interface KernelEstimatorOptions<S = never> extends EstimatorOptions {
  /** Default `rbf()`, its width chosen by scikit-learn's rule 'scale'. */
  readonly kernel?: Kernel<S>
  /** Tolerance. Default: that of the solver, 1e-3 for 'smo'. */
  readonly tol?: number
  /**
   * Maximum number of iterations, in the solver's own unit; the best solution so far is then returned. Default: that of the
   * solver.
   */
  readonly maxIter?: number
  /** Whether to use shrinking. It saves time, and never changes the result. Default true. */
  readonly shrinking?: boolean
  /** Memory for kernel rows, in bytes. Default: a quarter of the free memory, at most 2 GB; 200 MB in browsers. */
  readonly cacheBytes?: number
  /** Number of threads, for solvers that use several. Default: all cores; the result is the same for any number. */
  readonly threads?: number
}

/** Names of {@link KernelEstimatorOptions}. */
const OPTIONS = ['kernel', 'tol', 'maxIter', 'shrinking', 'cacheBytes', 'threads']

/** What other libraries call kernels by, and how they are made here. */
const KERNEL_CALLS: Readonly<Partial<Record<string, string>>> = {
  linear: 'linear()',
  poly: 'polynomial()',
  polynomial: 'polynomial()',
  rbf: 'rbf()',
  gaussian: 'rbf()',
  sigmoid: 'sigmoid()',
  precomputed: 'precomputed()',
}

/** Base of the kernel estimators. */
export abstract class KernelEstimator<
  S,
  D extends Unlabelled<S>,
  M extends object,
  P extends KernelEstimatorOptions<S> = KernelEstimatorOptions<S>,
  I = D,
> extends Estimator<D, M, FitOptions, P, I> {
  protected readonly kernel: AnyKernel
  protected readonly chosen: ChosenSolver

  /** `solver` may be given by estimators that leave the choice to the user. */
  constructor(who: string, options: P, own: OwnOptions, solver?: SolverChoice) {
    super(who, options, { ...own, names: [...(own.names ?? []), ...OPTIONS] })
    const { kernel = rbf(), shrinking } = options
    if (typeof (kernel as AnyKernel | null)?.between !== 'function') {
      const allowed = 'a kernel such as rbf() or linear()'
      const made = typeof kernel === 'string' ? KERNEL_CALLS[kernel] : undefined
      if (made === undefined) throw new ParameterError(who, 'kernel', allowed, kernel)
      throw new ParameterError(
        who,
        'kernel',
        `must be ${allowed}, got ${show(kernel)}: write kernel: ${made}`,
      )
    }
    if (shrinking !== undefined) {
      checkBoolean(who, 'shrinking', shrinking)
      if (solver !== undefined) {
        throw new ParameterError(who, 'shrinking', 'does not apply to a chosen solver: use its own settings')
      }
    }
    if (kernel.spec.kind === 'precomputed' && options.scaler !== undefined) {
      throw new ParameterError(who, 'scaler', 'does not apply to a precomputed kernel')
    }
    this.kernel = kernel
    const isLinear = kernel.spec.kind === 'linear'
    this.chosen = chooseSolver(
      who,
      solver ?? { name: 'smo', ...(shrinking !== undefined && { shrinking }) },
      (candidate) => isLinear || !candidate.linearOnly,
      isLinear ? '' : ' (the others need a linear kernel)',
    )
  }

  /** The samples as the solver sees them, scaled. */
  protected trainingSamples(dataset: D): TrainingSamples {
    return trainingSamples(this.who, dataset, this.kernel, this.options.scaler)
  }

  /** The settings of the run. */
  protected runOptions(fitOptions: FitHooks): RunOptions {
    const { tol, maxIter, timeLimit, cacheBytes, threads, seed } = this.options
    return { tol, maxIter, timeLimit, cacheBytes, threads, seed, ...fitOptions }
  }
}

/** The support vectors of a model of one function: the samples whose coefficient is not 0. */
export function singleExpansion<S>(
  kernel: AnyKernel,
  samples: Samples,
  coefficients: Float64Array,
): KernelParts<S> & { readonly supportIndices: Uint32Array; readonly dualCoef: Float64Array } {
  const supportIndices = placesOfNonZeros(coefficients)
  return {
    kernel,
    supportVectors: supportVectors(kernel, samples, supportIndices) as Samples<S>,
    supportIndices,
    dualCoef: pickNumbers(coefficients, supportIndices),
  }
}

/** The chosen samples; of precomputed ones, which are a whole row of the kernel matrix each, the serial number. */
export function supportVectors(kernel: AnyKernel, samples: Samples, chosen: Uint32Array): Samples {
  if (!isMatrix(samples)) return Array.from(chosen, (i) => samples[i])
  const rows = selectRows(samples, chosen)
  if (kernel.spec.kind !== 'precomputed') return rows
  const { cols, values } = toDense(rows)
  return {
    kind: 'dense',
    rows: chosen.length,
    cols: 1,
    values: Float64Array.from(chosen, (_, s) => values[s * cols]),
  }
}
