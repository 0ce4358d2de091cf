import { checkKnown, checkNumber, checkOneOf } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import type { Dataset } from '../data/table/dataset.ts'
import { LinearSvrModel } from '../models/linear-svr-model.ts'
import { linearParts, makeLinearSvr, type TubeLoss } from '../problems/linear-problem.ts'
import { svrDescent } from '../solve/methods/svr-descent.ts'
import {
  checkEstimatorOptions,
  Estimator,
  type EstimatorOptions,
  estimatorOptionNames,
  type FitHooks,
  type PreparedFit,
} from './parts/estimator.ts'
import { regressionPrices, regressionTargets } from './parts/regression-targets.ts'
import {
  checkKeepDual,
  checkLengths,
  keptDual,
  trainedWith,
  trainingVectors,
} from './parts/training-samples.ts'

/** What {@link LinearSVR} takes; every setting has a default. */
export interface LinearSvrOptions extends EstimatorOptions {
  /** Price of an error outside the tube, > 0. Default 1. */
  readonly C?: number
  /** Half-width of the tube in which errors cost nothing, >= 0. Default 0. */
  readonly epsilon?: number
  /** Default 'epsilon-insensitive'. */
  readonly loss?: TubeLoss
  /** Learn a bias, which is part of the norm here; otherwise it is 0. Default true. */
  readonly fitIntercept?: boolean
  /** The constant feature that carries the bias: the larger, the less the norm holds the bias back. Default 1. */
  readonly interceptScaling?: number
  /**
   * The largest violation to leave, as a part of the mean violation at w = 0. Default 1e-4. (scikit-learn compares the mean
   * with the mean: what is converged here is so there, too.)
   */
  readonly tol?: number
  /** Epochs after which the best so far is returned. Default 1000. */
  readonly maxIter?: number
  /**
   * Keep the dual variables in the model, a number for each sample and function, so that `verify` can recompute the whole
   * certificate. Default: up to a million of them.
   */
  readonly keepDual?: boolean
}

/**
 * Linear regression with a tube: learns f(x) = ⟨w, x⟩ + b from min ½‖w‖² + ½(b/s)² + Σ C_i loss(|z_i − f(x_i)| − ε), z being
 * the labels and s the intercept scaling, in time proportional to the stored values of the data.
 *
 * @example
 * const model = await new LinearSVR({ C: 10, epsilon: 0.05 }).fit(train)
 * model.coef
 */
export class LinearSVR extends Estimator<Dataset<never>, LinearSvrModel> {
  readonly learns = 'numbers'
  /** The settings that were given. */
  readonly options: LinearSvrOptions

  constructor(options: LinearSvrOptions = {}) {
    super()
    const who = 'LinearSVR'
    checkKnown(who, options, [
      'C',
      'epsilon',
      'loss',
      'fitIntercept',
      'interceptScaling',
      'tol',
      'maxIter',
      'keepDual',
      ...estimatorOptionNames,
    ])
    const { loss = 'epsilon-insensitive', fitIntercept = true } = options
    checkNumber(who, 'C', options.C ?? 1, { above: 0 })
    checkNumber(who, 'epsilon', options.epsilon ?? 0, { min: 0 })
    checkOneOf(who, 'loss', loss, ['epsilon-insensitive', 'squared-epsilon-insensitive'])
    if (typeof fitIntercept !== 'boolean') {
      throw new ParameterError(who, 'fitIntercept', 'true or false', fitIntercept)
    }
    checkNumber(who, 'interceptScaling', options.interceptScaling ?? 1, { above: 0 })
    checkNumber(who, 'tol', options.tol ?? 1e-4, { above: 0 })
    checkNumber(who, 'maxIter', options.maxIter ?? 1000, { min: 0, integer: true, infinite: true })
    checkKeepDual(who, options.keepDual)
    checkEstimatorOptions(who, options)
    this.options = options
  }

  protected override prepare(dataset: Dataset<never>, fitOptions: FitHooks): PreparedFit<LinearSvrModel> {
    const { C = 1, epsilon = 0, loss = 'epsilon-insensitive', fitIntercept = true } = this.options
    const { interceptScaling = 1, tol = 1e-4, maxIter = 1000, timeLimit, seed } = this.options
    const z = regressionTargets('LinearSVR', dataset)
    const { samples, scaler } = trainingVectors(dataset, this.options.scaler)
    checkLengths('LinearSVR', samples)
    const problem = makeLinearSvr({
      samples,
      z,
      C: regressionPrices(C, dataset),
      epsilon,
      loss,
      constant: fitIntercept ? interceptScaling : 0,
    })
    return {
      task: {
        problem,
        solver: svrDescent,
        solverOptions: {},
        options: { tol, maxIter, timeLimit, seed, ...fitOptions },
      },
      toModel: (solved) => {
        const { alpha, beta, certificates } = solved
        const { coef, bias } = linearParts(problem, beta ?? alpha)
        return new LinearSvrModel({
          coef,
          bias: bias[0],
          ...keptDual(this.options.keepDual, [alpha]),
          liblinearSolver: loss === 'epsilon-insensitive' ? 'L2R_L1LOSS_SVR_DUAL' : 'L2R_L2LOSS_SVR_DUAL',
          features: samples.cols,
          featureNames: dataset.featureNames,
          scaler,
          certificates,
          training: trainedWith(
            dataset,
            {
              C,
              epsilon,
              loss,
              ...(fitIntercept ? { bias: 'regularised', interceptScaling } : { bias: 'none' }),
            },
            solved,
          ),
        })
      },
    }
  }
}
