import { checkKnown, checkNumber } from '../base/check.ts'
import type { Dataset } from '../data/dataset.ts'
import { SvcModel } from '../models/svc-model.ts'
import { makeNuSvcProblem } from '../problems/any-problem.ts'
import { classTargets, signsOf } from './class-targets.ts'
import {
  type ClassifierOptions,
  checkClassifierOptions,
  classifierOptionNames,
} from './classifier-options.ts'
import type { FitOptions, PreparedFit } from './estimator.ts'
import {
  KernelEstimator,
  type KernelEstimatorOptions,
  kernelEstimatorOptionNames,
  modelParts,
} from './kernel-estimator.ts'
import { pairExpansion } from './pair-expansion.ts'

/** What {@link NuSVC} takes; every setting has a default. */
export interface NuSvcOptions<S = never> extends KernelEstimatorOptions<S>, ClassifierOptions {
  /**
   * At most this share of the samples are margin errors, at least this share support vectors, in (0, 1]; at most twice
   * the share of the smaller class of any pair. Default 0.5.
   */
  readonly nu?: number
}

/**
 * Kernel classifier that takes ν, a share of samples, in place of the price C. Otherwise as {@link SVC}: its model is the one
 * of an SVC whose C is one over the margin that ν leads to.
 *
 * @example
 * const model = await new NuSVC({ nu: 0.1 }).fit(train)
 */
export class NuSVC<S = never> extends KernelEstimator<S, Dataset<S>, SvcModel<S>> {
  /** The settings that were given. */
  readonly options: NuSvcOptions<S>

  constructor(options: NuSvcOptions<S> = {}) {
    const who = 'NuSVC'
    checkKnown(who, options, ['nu', ...kernelEstimatorOptionNames, ...classifierOptionNames])
    checkNumber(who, 'nu', options.nu ?? 0.5, { above: 0, max: 1 })
    checkClassifierOptions(who, options)
    super(who, options)
    this.options = options
  }

  protected override prepare(dataset: Dataset<S>, fitOptions: FitOptions): PreparedFit<SvcModel<S>> {
    const { who } = this
    const { nu = 0.5, classWeight, decisionFunctionShape, breakTies } = this.options
    const { solver, options: solverOptions } = this.chosen
    const { classes, classOf, factors } = classTargets(who, dataset, classWeight)
    const training = this.trainingSamples(dataset)
    const { samples } = training
    const kernel = this.kernel.resolve(samples)
    const classCount = classes.length
    const problem =
      classCount === 2
        ? makeNuSvcProblem({ samples, kernel, y: signsOf(classOf), weights: factors, nu })
        : {
            task: 'pairs' as const,
            samples,
            kernel,
            classCount,
            classOf,
            bounds: factors,
            nu,
            bias: 'free' as const,
          }
    return {
      task: { problem, solver, solverOptions, options: this.runOptions(fitOptions) },
      toModel: (results) =>
        new SvcModel<S>({
          type: 'nu-svc',
          classes,
          decisionFunctionShape,
          breakTies,
          ...modelParts(dataset, training, results),
          ...pairExpansion<S>({ who, kernel, samples, classOf, classCount, results }),
        }),
    }
  }
}
