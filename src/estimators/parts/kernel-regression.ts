import type { Dataset, Samples } from '../../data/table/dataset.ts'
import { SvrModel } from '../../models/svr-model.ts'
import { expansionCoefficients, type NuSvrProblem, type SvrProblem } from '../../problems/kernel-problem.ts'
import type { FitHooks, OwnOptions, PreparedFit } from './estimator.ts'
import { KernelEstimator, type KernelEstimatorOptions, singleExpansion } from './kernel-estimator.ts'
import {
  checkTargetOptions,
  inDataUnit,
  regressionPrices,
  regressionTargets,
  type TargetOptions,
} from './regression-targets.ts'
import { modelParts } from './training-samples.ts'

/** What options of kernel regressions have in common. */
export interface RegressionOptions extends TargetOptions {
  /** Penalty for errors outside the tube, > 0. Default 1. */
  readonly C?: number
}

/** What kernel regressions have in common: all but the problem they make of the data. */
export abstract class KernelRegression<
  S,
  P extends KernelEstimatorOptions<S> & RegressionOptions,
> extends KernelEstimator<S, Dataset<S>, SvrModel<S>, P> {
  readonly learns = 'numbers'

  /** C, and the numbers that are given. */
  constructor(who: string, options: P, numbers: OwnOptions['numbers']) {
    super(who, options, { numbers: { C: { above: 0 }, ...numbers }, names: ['targetScaling'] })
    checkTargetOptions(who, options)
  }

  /** The problem of some samples, with what to predict and the price of each. */
  protected abstract problemOf(samples: Samples, z: Float64Array, C: Float64Array): SvrProblem | NuSvrProblem

  protected override prepare(dataset: Dataset<S>, fitOptions: FitHooks): PreparedFit<SvrModel<S>> {
    const { z, targetScaling } = regressionTargets(this.who, dataset, this.options)
    const training = this.trainingSamples(dataset)
    const { samples } = training
    const { C = 1 } = this.options
    const problem = this.problemOf(samples, z, regressionPrices(C, dataset))
    return {
      task: { problem, ...this.chosen, options: this.runOptions(fitOptions) },
      toModel: (solved) => {
        const beta = expansionCoefficients(problem, solved.alpha)
        const { coefficients, bias } = inDataUnit(beta, solved.biases[0], targetScaling)
        return new SvrModel<S>({
          type: problem.task,
          ...modelParts(dataset, training, solved, {
            C,
            ...(problem.task === 'svr' ? { epsilon: problem.epsilon } : { nu: problem.nu }),
            ...(targetScaling && { targetScaling }),
          }),
          ...singleExpansion<S>(problem.kernel, samples, coefficients),
          bias,
        })
      },
    }
  }
}
