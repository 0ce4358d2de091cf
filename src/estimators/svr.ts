import type { Samples } from '../data/table/dataset.ts'
import { makeSvrProblem, type SvrProblem } from '../problems/kernel-problem.ts'
import type { KernelEstimatorOptions } from './parts/kernel-estimator.ts'
import { KernelRegression, type RegressionOptions } from './parts/kernel-regression.ts'

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
export class SVR<S = never> extends KernelRegression<S, SvrOptions<S>> {
  constructor(options: SvrOptions<S> = {}) {
    super('SVR', options, { epsilon: { min: 0 } })
  }

  protected override problemOf(samples: Samples, z: Float64Array, C: Float64Array): SvrProblem {
    return makeSvrProblem({ samples, kernel: this.kernel, z, C, epsilon: this.options.epsilon })
  }
}
