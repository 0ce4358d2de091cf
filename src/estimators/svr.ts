import { checkNumber } from '../base/check.ts'
import type { Samples } from '../data/table/dataset.ts'
import { makeSvrProblem, type SvrProblem } from '../problems/kernel-problem.ts'
import { type KernelEstimatorOptions, kernelEstimatorOptionNames } from './parts/kernel-estimator.ts'
import { KernelRegression, type RegressionOptions } from './parts/kernel-regression.ts'
import { checkOptionNames } from './parts/option-names.ts'
import { checkTargetOptions, targetOptionNames } from './parts/regression-targets.ts'

/** Options of {@link SVR}; every one has a default. */
export interface SvrOptions<S = never> extends KernelEstimatorOptions<S>, RegressionOptions {
  /** Half-width of the tube in which errors cost nothing, >= 0. Default 0.1. */
  readonly epsilon?: number
}

/**
 * Kernel regression: learns f(x) = Σ c_i k(x_i, x) + b from min ½‖w‖² + Σ C_i max(0, |z_i − f(x_i)| − ε), z being the labels.
 *
 * @example
 * const model = await new SVR({ C: 10, epsilon: 0.05 }).fit(train)
 * model.predict([[0.3, 1.2]])
 */
export class SVR<S = never> extends KernelRegression<S> {
  /** The options that were passed to the constructor. */
  override readonly options: SvrOptions<S>

  constructor(options: SvrOptions<S> = {}) {
    const who = 'SVR'
    checkOptionNames(who, options, ['C', 'epsilon', ...targetOptionNames, ...kernelEstimatorOptionNames])
    checkTargetOptions(who, options)
    checkNumber(who, 'C', options.C ?? 1, { above: 0 })
    checkNumber(who, 'epsilon', options.epsilon ?? 0.1, { min: 0 })
    super(who, options)
    this.options = options
  }

  protected override problemOf(samples: Samples, z: Float64Array, C: Float64Array): SvrProblem {
    return makeSvrProblem({ samples, kernel: this.kernel, z, C, epsilon: this.options.epsilon })
  }
}
