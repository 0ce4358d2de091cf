import { checkBoolean, checkNumber, checkOneOf } from '../../base/check.ts'
import { DataError, ParameterError } from '../../base/errors.ts'
import { sumOfSquares } from '../../base/lists.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { squaredNorms } from '../../data/matrix/products.ts'
import type { SingleLinearParts, TrainingSettings } from '../../models/model-parts.ts'
import type { LiblinearSolver } from '../../models/model-types.ts'
import type { BiasForm } from '../../problems/problem.ts'
import type { RunOptions } from '../../solve/driver/run.ts'
import type { Solved } from '../../solve/driver/solved.ts'
import {
  Estimator,
  type EstimatorOptions,
  FIT_OPTIONS,
  type FitOptions,
  type OwnOptions,
  type Unlabelled,
} from './estimator.ts'
import { type LinearModel, linearStart, type StartPlace } from './linear-start.ts'
import type { StreamSettings } from './stream-batch.ts'
import { modelParts, type TrainingSamples, trainingVectors } from './training-samples.ts'

/** What linear estimators take. */
export interface LinearEstimatorOptions extends EstimatorOptions {
  /**
   * How the bias is treated: `regularised`, the weight of a constant feature and part of the norm (as in LIBLINEAR and
   * scikit-learn's LinearSVC), `free`, left out of the norm (LIBLINEAR's -R), or `none`: it is 0. Default `regularised`.
   */
  readonly bias?: BiasForm
  /** Value of the constant feature for a regularised bias: the larger it is, the less the bias is penalised. Default 1. */
  readonly interceptScaling?: number
  /**
   * The largest accepted gap, as a fraction of the primal value (solvers of kernel problems: their own tolerance). Default
   * 1e-6.
   */
  readonly tol?: number
  /** Maximum number of steps or epochs; the best solution so far is then returned. Default: no limit for linear methods. */
  readonly maxIter?: number
  /**
   * Whether to keep the dual variables in the model, one number per sample and function, so that `verify` can recompute the
   * whole certificate. Default: up to a million of them.
   */
  readonly keepDual?: boolean
  /** Number of threads, which share classes, or passes over the samples. Default: all cores; the result is the same for any number. */
  readonly threads?: number
}

/** Names of {@link LinearEstimatorOptions} but for those of the bias, which some machines leave free. */
const OPTIONS = ['tol', 'maxIter', 'keepDual', 'threads']

/** What `fit` of linear estimators takes beside the data. */
export interface LinearFitOptions extends FitOptions {
  /**
   * A model to begin with, of the same kind: trained with another C, loss or scaler, or on other samples of the same features.
   * The nearer it is, the sooner the fit ends; where it ends is the same.
   */
  readonly start?: LinearModel
}

/** What is left of it for the problem. */
export type LinearFitHooks = Omit<LinearFitOptions, 'checkpoint'>

/** So many dual variables are kept without being requested: about 20 MB in a JSON file. */
const MOST_DUAL = 1e6

/** What linear estimators have in common: w is solved for. */
export abstract class LinearEstimator<
  D extends Unlabelled,
  M extends LinearModel,
  P extends Omit<LinearEstimatorOptions, 'bias' | 'interceptScaling'>,
  I = D,
> extends Estimator<D, M, LinearFitOptions, P, I> {
  protected override readonly fitOptionNames = [...FIT_OPTIONS, 'start']
  /** How the bias enters the problem. */
  protected readonly bias: BiasForm
  private readonly interceptScaling: number

  /** `fixed` is the form of the bias where there is no choice. */
  constructor(who: string, options: P, own: OwnOptions, fixed?: BiasForm) {
    const ofBias = fixed ? [] : ['bias', 'interceptScaling']
    super(who, options, { ...own, names: [...(own.names ?? []), ...ofBias, ...OPTIONS] })
    const given: LinearEstimatorOptions = options
    const { bias = fixed ?? 'regularised', interceptScaling = 1, keepDual = true } = given
    checkNumber(who, 'interceptScaling', interceptScaling, { above: 0 })
    checkOneOf(who, 'bias', bias, ['regularised', 'free', 'none'])
    checkBoolean(who, 'keepDual', keepDual)
    this.bias = bias
    this.interceptScaling = interceptScaling
  }

  /** Whether `fit` accepts a model to start from. */
  get takesStart(): boolean {
    return true
  }

  /** The constant feature that carries a regularised bias; 0 without one. */
  protected get constant(): number {
    return this.bias === 'regularised' ? this.interceptScaling : 0
  }

  /** How the bias enters the problem, as models say it. */
  protected get biasSettings(): Pick<TrainingSettings, 'bias' | 'interceptScaling'> {
    const { bias, constant } = this
    return { bias, ...(constant > 0 && { interceptScaling: constant }) }
  }

  /** The samples as the solver sees them. Throws where the squares that w is made of would overflow. */
  protected trainingVectors(dataset: Unlabelled): TrainingSamples<Matrix> {
    const training = trainingVectors(dataset, this.options.scaler)
    const { rows, values } = training.samples
    if (Number.isFinite(rows * sumOfSquares(values))) return training
    const norms = squaredNorms(training.samples)
    const bad = norms.findIndex((norm) => !Number.isFinite(rows * norm))
    if (bad < 0) return training
    throw new DataError(
      `${this.who}: the values of sample ${bad} are too large: the sum of their squares is ${norms[bad]}; scale the data ` +
        "(scaler: 'standard')",
    )
  }

  /** The settings of the run, which begins with the model that was given, if any. */
  protected runOptions({ start, ...hooks }: LinearFitHooks, type: M['type'], place: StartPlace): RunOptions {
    const { tol, maxIter, timeLimit, seed, threads } = this.options
    return {
      ...{ tol, maxIter, timeLimit, seed, threads, ...hooks },
      ...(start !== undefined && { start: linearStart(start, type, place) }),
    }
  }

  /** How batches of a stream are learned. */
  protected streamSettings(type: M['type'], settings: TrainingSettings): StreamSettings {
    const { scaler, seed = 0, tol, maxIter } = this.options
    const { solver = 'auto' } = this.options as { readonly solver?: unknown }
    if (solver !== 'auto') throw new ParameterError('partialFit', 'solver', 'does not apply to streams')
    if (this.bias === 'free') throw new ParameterError('partialFit', 'bias', 'regularised or none', this.bias)
    return { type, scaler, constant: this.constant, seed, tol, maxIter, settings }
  }

  /** The dual variables that a model keeps: all, or none when there are too many and they were not requested. */
  protected kept(dual: readonly Float64Array[]): { dual?: readonly Float64Array[] } {
    const count = dual.reduce((sum, { length }) => sum + length, 0)
    return (this.options.keepDual ?? count <= MOST_DUAL) ? { dual } : {}
  }
}

/** What a model of one linear function is made of, except for the dual variables. */
export function linearFunctionParts(
  dataset: Unlabelled,
  training: TrainingSamples<Matrix>,
  solved: Solved,
  settings: TrainingSettings,
  liblinearSolver: LiblinearSolver,
): SingleLinearParts {
  const weights = solved.weights as Float64Array
  const { cols } = training.samples
  return {
    ...{ coef: weights.slice(0, cols), bias: weights[cols], liblinearSolver },
    ...modelParts(dataset, training, solved, settings),
  }
}
