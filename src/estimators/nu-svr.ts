import { checkKnown, checkNumber } from '../base/check.ts'
import type { Dataset } from '../data/dataset.ts'
import { SvrModel } from '../models/svr-model.ts'
import { expansionCoefficients, makeNuSvrProblem } from '../problems/any-problem.ts'
import type { FitOptions, PreparedFit } from './estimator.ts'
import {
  KernelEstimator,
  type KernelEstimatorOptions,
  kernelEstimatorOptionNames,
  modelParts,
  singleExpansion,
} from './kernel-estimator.ts'
import { regressionPrices, regressionTargets } from './regression-targets.ts'

/** What {@link NuSVR} takes; every setting has a default. */
export interface NuSvrOptions<S = never> extends KernelEstimatorOptions<S> {
  /** Price of an error beyond the tube, > 0. Default 1. */
  readonly C?: number
  /** At most this share of the samples lies outside the tube, at least this share are support vectors. Default 0.5. */
  readonly nu?: number
}

/**
 * Kernel regression that finds the width of its tube: as {@link SVR}, with ν, a share of samples, in place of ε.
 *
 * @example
 * const model = await new NuSVR({ C: 10, nu: 0.2 }).fit(train)
 */
export class NuSVR<S = never> extends KernelEstimator<S, Dataset<S>, SvrModel<S>> {
  /** The settings that were given. */
  readonly options: NuSvrOptions<S>

  constructor(options: NuSvrOptions<S> = {}) {
    const who = 'NuSVR'
    checkKnown(who, options, ['C', 'nu', ...kernelEstimatorOptionNames])
    checkNumber(who, 'C', options.C ?? 1, { above: 0 })
    checkNumber(who, 'nu', options.nu ?? 0.5, { above: 0, max: 1 })
    super(who, options)
    this.options = options
  }

  protected override prepare(dataset: Dataset<S>, fitOptions: FitOptions): PreparedFit<SvrModel<S>> {
    const { C = 1, nu } = this.options
    const { solver, options: solverOptions } = this.chosen
    const z = regressionTargets(this.who, dataset)
    const training = this.trainingSamples(dataset)
    const { samples } = training
    const problem = makeNuSvrProblem({
      samples,
      kernel: this.kernel,
      z,
      C: regressionPrices(C, dataset),
      nu,
    })
    return {
      task: { problem, solver, solverOptions, options: this.runOptions(fitOptions) },
      toModel: (results) =>
        new SvrModel<S>({
          type: 'nu-svr',
          ...modelParts(dataset, training, results),
          ...singleExpansion<S>(problem.kernel, samples, expansionCoefficients(problem, results[0].alpha)),
          bias: results[0].bias,
        }),
    }
  }
}
