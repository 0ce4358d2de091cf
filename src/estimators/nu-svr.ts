import type { Samples } from '../data/table/dataset.ts'
import { makeNuSvrProblem, type NuSvrProblem } from '../problems/kernel-problem.ts'
import type { KernelEstimatorOptions } from './parts/kernel-estimator.ts'
import { KernelRegression, type RegressionOptions } from './parts/kernel-regression.ts'

/** Options of {@link NuSVR}; every one has a default. */
export interface NuSvrOptions<S = never> extends KernelEstimatorOptions<S>, RegressionOptions {
  /** At most this fraction of the samples lies outside the tube, and at least this fraction are support vectors. Default 0.5. */
  readonly nu?: number
}

/**
 * Kernel regression that chooses the width of its tube: like {@link SVR}, with ν, a fraction of the samples, instead of ε.
 *
 * @example
 * const model = await new NuSVR({ C: 10, nu: 0.2 }).fit(train)
 */
export class NuSVR<S = never> extends KernelRegression<S, NuSvrOptions<S>> {
  constructor(options: NuSvrOptions<S> = {}) {
    super('NuSVR', options, { nu: { above: 0, max: 1 } })
  }

  protected override problemOf(samples: Samples, z: Float64Array, C: Float64Array): NuSvrProblem {
    return makeNuSvrProblem({ samples, kernel: this.kernel, z, C, nu: this.options.nu })
  }
}
