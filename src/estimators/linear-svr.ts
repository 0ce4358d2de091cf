import { checkOneOf } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import type { Dataset } from '../data/table/dataset.ts'
import { LinearSvrModel } from '../models/linear-svr-model.ts'
import { lossTerms, type TubeLoss, tubeLosses } from '../problems/linear-loss.ts'
import { makeLinearSvr } from '../problems/linear-problem.ts'
import type { PreparedFit } from './parts/estimator.ts'
import {
  LinearEstimator,
  type LinearEstimatorOptions,
  type LinearFitHooks,
  linearFunctionParts,
} from './parts/linear-estimator.ts'
import {
  checkTargetOptions,
  inDataUnit,
  regressionPrices,
  regressionTargets,
  type TargetOptions,
} from './parts/regression-targets.ts'
import {
  type ChosenLinearSolver,
  chooseLinearSolver,
  type LinearSolverChoice,
} from './parts/solver-choice.ts'
import { checkBatch, learnBatch, type PartialFitOptions, type Streamed } from './parts/stream-batch.ts'
import { inputParts } from './parts/training-samples.ts'

/** Options of {@link LinearSVR}; every one has a default. */
export interface LinearSvrOptions extends LinearEstimatorOptions, TargetOptions {
  /** Penalty for errors outside the tube, > 0. Default 1. */
  readonly C?: number
  /** Half-width of the tube in which errors cost nothing, >= 0. Default 0. */
  readonly epsilon?: number
  /** Default 'epsilon-insensitive'. */
  readonly loss?: TubeLoss
  /** The solver, optionally with its own settings. Default 'auto', which chooses by the problem. */
  readonly solver?: LinearSolverChoice
}

/**
 * Linear regression with a tube: learns f(x) = ⟨w, x⟩ + b from min ½‖w‖² + ½(b/s)² + Σ C_i loss(|z_i − f(x_i)| − ε), z being
 * the labels and s the intercept scaling, in time proportional to the stored values of the data.
 *
 * @example
 * const model = await new LinearSVR({ C: 10, epsilon: 0.05 }).fit(train)
 * model.coef
 */
export class LinearSVR extends LinearEstimator<Dataset<never>, LinearSvrModel, LinearSvrOptions> {
  readonly learns = 'numbers'
  private readonly chosen: ChosenLinearSolver

  constructor(options: LinearSvrOptions = {}) {
    const numbers = { C: { above: 0 }, epsilon: { min: 0 } }
    super('LinearSVR', options, { numbers, names: ['loss', 'solver', 'targetScaling'] })
    const { who, bias } = this
    const { loss = 'epsilon-insensitive', solver = 'auto' } = options
    checkTargetOptions(who, options)
    checkOneOf(who, 'loss', loss, tubeLosses)
    this.chosen = chooseLinearSolver(who, solver, { loss, norm: 2, bias })
  }

  /**
   * Trains on one batch of a stream: `start` is the model so far, whose samples are not needed again. The model has no
   * certificate: `stream` has a lower bound on the optimum over all samples so far, which is certain, and estimates.
   */
  partialFit(batch: Dataset<never>, options: PartialFitOptions = {}): Streamed<LinearSvrModel> {
    checkBatch(batch, options)
    const { C = 1, epsilon = 0, loss = 'epsilon-insensitive' } = this.options
    if (this.options.targetScaling)
      throw new ParameterError(
        'partialFit',
        'targetScaling',
        'does not apply to streams: the scale of future targets is unknown',
      )
    const { z } = regressionTargets('partialFit', batch)
    const terms = lossTerms(loss, regressionPrices(C, batch), z, epsilon)
    const settings = { C, epsilon, loss, ...this.biasSettings }
    const functions = { count: 1, keepsBound: true }
    const own = learnBatch(
      batch,
      options,
      this.streamSettings('linear-svr', settings),
      functions,
      () => terms,
    )
    const { stream, biases, ...parts } = own
    return Object.assign(new LinearSvrModel({ ...parts, bias: biases[0] }), { stream })
  }

  protected override prepare(
    dataset: Dataset<never>,
    fitOptions: LinearFitHooks,
  ): PreparedFit<LinearSvrModel> {
    const { C = 1, epsilon = 0, loss = 'epsilon-insensitive', interceptScaling } = this.options
    const { z, targetScaling } = regressionTargets('LinearSVR', dataset, this.options)
    const training = this.trainingVectors(dataset)
    const { samples } = training
    const prices = regressionPrices(C, dataset)
    const { bias } = this
    const problem = makeLinearSvr({ samples, z, C: prices, epsilon, loss, bias, constant: interceptScaling })
    const dual = loss === 'epsilon-insensitive' ? 'L2R_L1LOSS_SVR_DUAL' : 'L2R_L2LOSS_SVR_DUAL'
    const name = bias === 'free' && loss !== 'epsilon-insensitive' ? 'L2R_L2LOSS_SVR' : dual
    const settings = { C, epsilon, loss, ...this.biasSettings, ...(targetScaling && { targetScaling }) }
    const { featureNames } = inputParts(dataset, training)
    const options = this.runOptions(fitOptions, 'linear-svr', { ...training, featureNames, settings })
    return {
      task: { problem, ...this.chosen, options },
      toModel: (solved) => {
        const parts = linearFunctionParts(dataset, training, solved, settings, name)
        const { coefficients: coef, bias: offset } = inDataUnit(parts.coef, parts.bias, targetScaling)
        return new LinearSvrModel({ ...parts, coef, bias: offset, ...this.kept([solved.alpha]) })
      },
    }
  }
}
