import { checkKnown, checkNumber } from '../base/check.ts'
import type { Dataset } from '../data/dataset.ts'
import { SvrModel } from '../models/svr-model.ts'
import { expansionCoefficients, makeSvrProblem } from '../problems/any-problem.ts'
import type { FitOptions, PreparedFit } from './estimator.ts'
import {
  KernelEstimator,
  type KernelEstimatorOptions,
  kernelEstimatorOptionNames,
  modelParts,
  singleExpansion,
} from './kernel-estimator.ts'
import { regressionPrices, regressionTargets } from './regression-targets.ts'

/** What {@link SVR} takes; every setting has a default. */
export interface SvrOptions<S = never> extends KernelEstimatorOptions<S> {
  /** Price of an error beyond the tube, > 0. Default 1. */
  readonly C?: number
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
export class SVR<S = never> extends KernelEstimator<S, Dataset<S>, SvrModel<S>> {
  /** The settings that were given. */
  readonly options: SvrOptions<S>

  constructor(options: SvrOptions<S> = {}) {
    const who = 'SVR'
    checkKnown(who, options, ['C', 'epsilon', ...kernelEstimatorOptionNames])
    checkNumber(who, 'C', options.C ?? 1, { above: 0 })
    checkNumber(who, 'epsilon', options.epsilon ?? 0.1, { min: 0 })
    super(who, options)
    this.options = options
  }

  protected override prepare(dataset: Dataset<S>, fitOptions: FitOptions): PreparedFit<SvrModel<S>> {
    const { C = 1, epsilon } = this.options
    const { solver, options: solverOptions } = this.chosen
    const z = regressionTargets(this.who, dataset)
    const training = this.trainingSamples(dataset)
    const { samples } = training
    const prices = regressionPrices(C, dataset)
    const problem = makeSvrProblem({ samples, kernel: this.kernel, z, C: prices, epsilon })
    return {
      task: { problem, solver, solverOptions, options: this.runOptions(fitOptions) },
      toModel: (results) =>
        new SvrModel<S>({
          ...modelParts(dataset, training, results),
          ...singleExpansion<S>(problem.kernel, samples, expansionCoefficients(problem, results[0].alpha)),
          bias: results[0].bias,
        }),
    }
  }
}
