import { checkKnown, checkNumber, checkOneOf } from '../base/check.ts'
import type { Dataset } from '../data/table/dataset.ts'
import { LinearSvrModel } from '../models/linear-svr-model.ts'
import { linearParts, makeLinearSvr, type TubeLoss } from '../problems/linear-problem.ts'
import { svrDescent } from '../solve/methods/svr-descent.ts'
import type { FitHooks, PreparedFit } from './parts/estimator.ts'
import {
  LinearEstimator,
  type LinearEstimatorOptions,
  linearEstimatorOptionNames,
} from './parts/linear-estimator.ts'
import { regressionPrices, regressionTargets } from './parts/regression-targets.ts'
import { trainedWith } from './parts/training-samples.ts'

/** What {@link LinearSVR} takes; every setting has a default. */
export interface LinearSvrOptions extends LinearEstimatorOptions {
  /** Price of an error outside the tube, > 0. Default 1. */
  readonly C?: number
  /** Half-width of the tube in which errors cost nothing, >= 0. Default 0. */
  readonly epsilon?: number
  /** Default 'epsilon-insensitive'. */
  readonly loss?: TubeLoss
  /**
   * The largest violation to leave, as a part of the mean violation at w = 0. Default 1e-4. (scikit-learn compares the mean
   * with the mean: what is converged here is so there, too.)
   */
  readonly tol?: number
}

/**
 * Linear regression with a tube: learns f(x) = ⟨w, x⟩ + b from min ½‖w‖² + ½(b/s)² + Σ C_i loss(|z_i − f(x_i)| − ε), z being
 * the labels and s the intercept scaling, in time proportional to the stored values of the data.
 *
 * @example
 * const model = await new LinearSVR({ C: 10, epsilon: 0.05 }).fit(train)
 * model.coef
 */
export class LinearSVR extends LinearEstimator<LinearSvrModel> {
  readonly learns = 'numbers'
  /** The settings that were given. */
  readonly options: LinearSvrOptions

  constructor(options: LinearSvrOptions = {}) {
    const who = 'LinearSVR'
    checkKnown(who, options, ['C', 'epsilon', 'loss', 'tol', ...linearEstimatorOptionNames])
    const { C = 1, epsilon = 0, loss = 'epsilon-insensitive' } = options
    checkNumber(who, 'C', C, { above: 0 })
    checkNumber(who, 'epsilon', epsilon, { min: 0 })
    checkOneOf(who, 'loss', loss, ['epsilon-insensitive', 'squared-epsilon-insensitive'])
    super(who, options)
    this.options = options
  }

  protected override prepare(dataset: Dataset<never>, fitOptions: FitHooks): PreparedFit<LinearSvrModel> {
    const { C = 1, epsilon = 0, loss = 'epsilon-insensitive', tol } = this.options
    const z = regressionTargets('LinearSVR', dataset)
    const { samples, scaler } = this.trainingVectors(dataset)
    const prices = regressionPrices(C, dataset)
    const problem = makeLinearSvr({ samples, z, C: prices, epsilon, loss, constant: this.constant })
    return {
      task: { problem, solver: svrDescent, solverOptions: {}, options: this.runOptions(tol, fitOptions) },
      toModel: (solved) => {
        const { alpha, beta, certificates } = solved
        const { coef, bias } = linearParts(problem, beta ?? alpha)
        return new LinearSvrModel({
          coef,
          bias: bias[0],
          ...this.kept([alpha]),
          liblinearSolver: loss === 'epsilon-insensitive' ? 'L2R_L1LOSS_SVR_DUAL' : 'L2R_L2LOSS_SVR_DUAL',
          features: samples.cols,
          featureNames: dataset.featureNames,
          scaler,
          certificates,
          training: trainedWith(dataset, { C, epsilon, loss, ...this.biasSettings }, solved),
        })
      },
    }
  }
}
