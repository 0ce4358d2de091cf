import { checkBoolean, checkNumber } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { squaredNorms } from '../../data/matrix/products.ts'
import type { Dataset } from '../../data/table/dataset.ts'
import type { TrainingSettings } from '../../models/model-parts.ts'
import type { BiasForm } from '../../problems/problem.ts'
import type { RunOptions } from '../../solve/driver/run.ts'
import {
  checkEstimatorOptions,
  Estimator,
  type EstimatorOptions,
  estimatorOptionNames,
  type FitHooks,
} from './estimator.ts'
import { type TrainingSamples, trainingVectors } from './training-samples.ts'

/** What linear estimators take. */
export interface LinearEstimatorOptions extends EstimatorOptions {
  /** Learn a bias, which is part of the norm here; otherwise it is 0. Default true. */
  readonly fitIntercept?: boolean
  /** The constant feature that carries the bias: the larger, the less the norm holds the bias back. Default 1. */
  readonly interceptScaling?: number
  /** Epochs after which the best so far is returned. Default 1000. */
  readonly maxIter?: number
  /**
   * Keep the dual variables in the model, a number for each sample and function, so that `verify` can recompute the whole
   * certificate. Default: up to a million of them.
   */
  readonly keepDual?: boolean
}

/** Names of {@link LinearEstimatorOptions}. */
export const linearEstimatorOptionNames = [
  ...(['fitIntercept', 'interceptScaling', 'maxIter', 'keepDual'] as const),
  ...estimatorOptionNames,
]

/** LIBLINEAR's number of epochs. */
const DEFAULT_EPOCHS = 1000
/** So many dual variables are kept without being asked for: about 20 MB in a JSON file. */
const MOST_DUAL = 1e6

/** What linear estimators have in common: the bias is a weight among others, and w is solved for. */
export abstract class LinearEstimator<M extends object> extends Estimator<Dataset<never>, M> {
  /** How the bias enters the problem. */
  protected readonly bias: BiasForm
  private readonly who: string
  private readonly linearOptions: LinearEstimatorOptions

  constructor(who: string, options: LinearEstimatorOptions) {
    super()
    const { fitIntercept = true, interceptScaling = 1, keepDual = true } = options
    checkBoolean(who, 'fitIntercept', fitIntercept)
    checkNumber(who, 'interceptScaling', interceptScaling, { above: 0 })
    checkBoolean(who, 'keepDual', keepDual)
    checkEstimatorOptions(who, options)
    this.who = who
    this.linearOptions = options
    this.bias = fitIntercept ? 'regularised' : 'none'
  }

  /** The constant feature that carries the bias; 0 without one. */
  protected get constant(): number {
    return this.bias === 'none' ? 0 : (this.linearOptions.interceptScaling ?? 1)
  }

  /** How the bias enters the problem, as models say it. */
  protected get biasSettings(): Pick<TrainingSettings, 'bias' | 'interceptScaling'> {
    const { bias, constant } = this
    return { bias, ...(constant > 0 && { interceptScaling: constant }) }
  }

  /** The samples as the solver sees them. Throws where the squares that w is made of would overflow. */
  protected trainingVectors(dataset: Dataset<never>): TrainingSamples<Matrix> {
    const training = trainingVectors(dataset, this.linearOptions.scaler)
    const norms = squaredNorms(training.samples)
    const bad = norms.findIndex((norm) => !Number.isFinite(norms.length * norm))
    if (bad < 0) return training
    throw new DataError(
      `${this.who}: the values of sample ${bad} are too large: the sum of their squares is ${norms[bad]}; scale the data ` +
        "(scaler: 'standard')",
    )
  }

  /** The settings of the run. */
  protected runOptions(tol: number | undefined, fitOptions: FitHooks): RunOptions {
    const { maxIter = DEFAULT_EPOCHS, timeLimit, seed } = this.linearOptions
    return { tol, maxIter, timeLimit, seed, ...fitOptions }
  }

  /** The dual variables that a model keeps: all, or none when there are too many and they were not asked for. */
  protected kept(dual: readonly Float64Array[]): { dual?: readonly Float64Array[] } {
    const count = dual.reduce((sum, { length }) => sum + length, 0)
    return (this.linearOptions.keepDual ?? count <= MOST_DUAL) ? { dual } : {}
  }
}
