import { checkNumber } from '../base/check.ts'
import type { Samples } from '../data/table/dataset.ts'
import { makeNuSvrProblem, type NuSvrProblem } from '../problems/kernel-problem.ts'
import { type KernelEstimatorOptions, kernelEstimatorOptionNames } from './parts/kernel-estimator.ts'
import { KernelRegression, type RegressionOptions } from './parts/kernel-regression.ts'
import { checkOptionNames } from './parts/option-names.ts'
import { checkTargetOptions, targetOptionNames } from './parts/regression-targets.ts'

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
export class NuSVR<S = never> extends KernelRegression<S> {
  /** The options that were passed to the constructor. */
  override readonly options: NuSvrOptions<S>

  constructor(options: NuSvrOptions<S> = {}) {
    const who = 'NuSVR'
    checkOptionNames(who, options, ['C', 'nu', ...targetOptionNames, ...kernelEstimatorOptionNames])
    checkTargetOptions(who, options)
    checkNumber(who, 'C', options.C ?? 1, { above: 0 })
    checkNumber(who, 'nu', options.nu ?? 0.5, { above: 0, max: 1 })
    super(who, options)
    this.options = options
  }

  protected override problemOf(samples: Samples, z: Float64Array, C: Float64Array): NuSvrProblem {
    return makeNuSvrProblem({ samples, kernel: this.kernel, z, C, nu: this.options.nu })
  }
}
