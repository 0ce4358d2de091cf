/** What model selection needs of an estimator and of the models it makes: nothing more than every one of ours has. */
import type { Dataset, Label, Labels } from '../../data/table/dataset.ts'
import type { FitOptions, Learns } from '../../estimators/parts/estimator.ts'

/** The part of a model that evaluation needs. */
export interface Predictor {
  /** The classes of a classifier. */
  readonly classes?: readonly Label[]
  /** Number of support vectors, for models that have them. */
  readonly supportCount?: number | undefined
  predict(rows: unknown): Labels
  /** f(x) for every row: one value per row, or several. */
  decisionFunction?(rows: unknown): Float64Array
  /** The labels for given values of the decision function. */
  labelsOf?(values: Float64Array): Labels
  /** Present if the model is calibrated. */
  readonly probability?: unknown
  /** Rows x classes probabilities, row-major, of models that are calibrated. */
  predictProbability?(rows: unknown): Float64Array
  readonly certificate?: { readonly stopReason: string; readonly iterations?: number } | undefined
}

/** Anything with its own parameters and a `fit` that makes a model of a data set. */
export interface Estimator<M extends Predictor = Predictor> {
  /** What labels are to it; told by how they look where it does not say. */
  readonly learns?: Learns
  fit(dataset: Dataset, options?: Pick<FitOptions, 'signal' | 'checkpoint'>): Promise<M>
}
