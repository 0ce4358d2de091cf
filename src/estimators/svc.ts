import { checkKnown, checkNumber } from '../base/check.ts'
import type { Dataset } from '../data/dataset.ts'
import { SvcModel } from '../models/svc-model.ts'
import { makeProblem } from '../problems/problem.ts'
import { classTargets, pricesOf, signsOf } from './class-targets.ts'
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
import type { SolverChoice } from './solver-choice.ts'

/** What {@link SVC} takes; every setting has a default. */
export interface SvcOptions<S = never> extends KernelEstimatorOptions<S>, ClassifierOptions {
  /** Price of a margin violation, > 0; Infinity asks for a hard margin. Default 1. */
  readonly C?: number
  /**
   * Which solver, with settings of its own if need be. Default 'smo'. Solvers that cannot leave the bias free
   * (sdca, pegasos, subgradient) put it into the norm, as if every sample had one more feature, the constant 1.
   */
  readonly solver?: SolverChoice
}

/**
 * Kernel support vector classifier: for two classes it learns f(x) = Σ y_i α_i k(x_i, x) + b from
 * min ½‖w‖² + Σ C_i max(0, 1 − y_i f(x_i)); for more, one such function for every pair of classes, and they vote.
 * Parameters are checked here; {@link Estimator.fit} returns a model.
 *
 * @example
 * const model = await new SVC({ kernel: rbf({ gamma: 0.5 }), C: 10 }).fit(train)
 * model.predict([[0.3, 1.2]])
 */
export class SVC<S = never> extends KernelEstimator<S, Dataset<S>, SvcModel<S>> {
  /** The settings that were given. */
  readonly options: SvcOptions<S>

  constructor(options: SvcOptions<S> = {}) {
    const who = 'SVC'
    checkKnown(who, options, ['C', 'solver', ...kernelEstimatorOptionNames, ...classifierOptionNames])
    checkNumber(who, 'C', options.C ?? 1, { above: 0, infinite: true })
    checkClassifierOptions(who, options)
    super(who, options, options.solver)
    this.options = options
  }

  protected override prepare(dataset: Dataset<S>, fitOptions: FitOptions): PreparedFit<SvcModel<S>> {
    const { who } = this
    const { C = 1, classWeight, decisionFunctionShape, breakTies } = this.options
    const { solver, options: solverOptions } = this.chosen
    const { classes, classOf, factors } = classTargets(who, dataset, classWeight)
    const training = this.trainingSamples(dataset)
    const { samples } = training
    const kernel = this.kernel.resolve(samples)
    const bounds = pricesOf(C, factors)
    const bias = solver.biasForms.includes('free') ? 'free' : solver.biasForms[0]
    const classCount = classes.length
    const problem =
      classCount === 2
        ? makeProblem({ samples, kernel, y: signsOf(classOf), C: bounds, bias })
        : { task: 'pairs' as const, samples, kernel, classCount, classOf, bounds, bias }
    return {
      task: { problem, solver, solverOptions, options: this.runOptions(fitOptions) },
      toModel: (results) =>
        new SvcModel<S>({
          classes,
          decisionFunctionShape,
          breakTies,
          ...modelParts(dataset, training, results),
          ...pairExpansion<S>({ who, kernel, samples, classOf, classCount, results }),
        }),
    }
  }
}
