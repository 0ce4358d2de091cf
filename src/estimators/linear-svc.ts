import { checkKnown, checkNumber, checkOneOf } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import type { Dataset } from '../data/dataset.ts'
import { weightedRowSum } from '../data/products.ts'
import { linear } from '../kernels/linear.ts'
import { LinearSvcModel } from '../models/linear-svc-model.ts'
import { signedAlpha } from '../problems/certificate.ts'
import { type BiasForm, type Loss, makeProblem } from '../problems/problem.ts'
import { binaryTargets, type ClassWeight, checkClassWeight } from './class-targets.ts'
import {
  checkEstimatorOptions,
  Estimator,
  type EstimatorOptions,
  estimatorOptionNames,
  type FitOptions,
  type PreparedFit,
} from './estimator.ts'
import { type ChosenSolver, chooseSolver, type SolverChoice } from './solver-choice.ts'
import { trainingVectors } from './training-samples.ts'

/** What {@link LinearSVC} takes; every setting has a default. */
export interface LinearSvcOptions extends EstimatorOptions {
  /** What multiplies C for each class. Default: 1 for all. */
  readonly classWeight?: ClassWeight
  /** Price of a margin violation, > 0; Infinity (hard margin) with the hinge loss only. Default 1. */
  readonly C?: number
  /** Default 'squared-hinge'. */
  readonly loss?: Loss
  /** Learn a bias, which is part of the norm here; otherwise it is 0. Default true. */
  readonly fitIntercept?: boolean
  /** The constant feature that carries the bias: the larger, the less the norm holds the bias back. Default 1. */
  readonly interceptScaling?: number
  /** Which solver, with settings of its own if need be. Default 'sdca'. */
  readonly solver?: SolverChoice
  /** When to call a solution solved. Default 1e-4, or the solver's own where it bounds the duality gap. */
  readonly tol?: number
  /** Epochs after which the best so far is returned. Default 1000. */
  readonly maxIter?: number
}

/**
 * Linear support vector classifier for two classes: learns f(x) = ⟨w, x⟩ + b directly, in time proportional to the
 * stored values of the data. Unlike {@link SVC} it keeps w alone, regularises the bias, and minimises the squared
 * hinge unless told otherwise.
 *
 * @example
 * const model = await new LinearSVC({ C: 0.1 }).fit(train)
 * model.coef
 */
export class LinearSVC extends Estimator<Dataset<never>, LinearSvcModel> {
  /** The settings that were given. */
  readonly options: LinearSvcOptions
  private readonly bias: BiasForm
  private readonly chosen: ChosenSolver

  constructor(options: LinearSvcOptions = {}) {
    super()
    const who = 'LinearSVC'
    checkKnown(who, options, [
      'C',
      'loss',
      'fitIntercept',
      'interceptScaling',
      'solver',
      'tol',
      'maxIter',
      'classWeight',
      ...estimatorOptionNames,
    ])
    const { C = 1, loss = 'squared-hinge', fitIntercept = true, solver = 'sdca', tol, maxIter } = options
    checkOneOf(who, 'loss', loss, ['hinge', 'squared-hinge'])
    checkNumber(who, 'C', C, { above: 0, infinite: loss === 'hinge' })
    if (typeof fitIntercept !== 'boolean') {
      throw new ParameterError(who, 'fitIntercept', 'true or false', fitIntercept)
    }
    checkNumber(who, 'interceptScaling', options.interceptScaling ?? 1, { above: 0 })
    if (tol !== undefined) checkNumber(who, 'tol', tol, { above: 0 })
    if (maxIter !== undefined) checkNumber(who, 'maxIter', maxIter, { min: 0, integer: true, infinite: true })
    checkClassWeight(who, options.classWeight)
    checkEstimatorOptions(who, options)
    this.options = options
    this.bias = fitIntercept ? 'regularised' : 'none'
    this.chosen = chooseSolver(
      who,
      solver,
      ({ biasForms, squaredHinge }) => biasForms.includes(this.bias) && (squaredHinge || loss === 'hinge'),
      ` for the ${loss} loss`,
    )
  }

  protected override prepare(dataset: Dataset<never>, fitOptions: FitOptions): PreparedFit<LinearSvcModel> {
    const { C = 1, loss = 'squared-hinge', classWeight, maxIter = 1000, timeLimit, seed } = this.options
    const { solver, options: solverOptions } = this.chosen
    const { tol = solver.goal === 'violation' ? 1e-4 : undefined } = this.options
    const targets = binaryTargets('LinearSVC', dataset, C, classWeight)
    const { samples, scaler } = trainingVectors(dataset, this.options.scaler)
    const problem = makeProblem({
      samples,
      kernel: linear(),
      y: targets.y,
      C: targets.C,
      loss,
      bias: this.bias,
      interceptScaling: this.options.interceptScaling,
    })
    return {
      task: { problem, solver, solverOptions, options: { tol, maxIter, timeLimit, seed, ...fitOptions } },
      toModel: ([{ alpha, beta, bias, certificate }]) =>
        new LinearSvcModel({
          classes: targets.classes,
          biases: Float64Array.of(bias),
          features: samples.cols,
          featureNames: dataset.featureNames,
          scaler,
          certificates: [certificate],
          coef: weightedRowSum(samples, beta ?? signedAlpha(problem, alpha)),
        }),
    }
  }
}
