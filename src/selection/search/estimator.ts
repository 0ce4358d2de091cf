/** What model selection needs of an estimator and of the models it makes: nothing more than every one of ours has. */
import type { Dataset, Label, Labels } from '../../data/table/dataset.ts'
import type { FitOptions, Learns } from '../../estimators/parts/estimator.ts'

/** A model, as far as it is evaluated here. */
export interface Predictor {
  /** Of classifiers. */
  readonly classes?: readonly Label[]
  /** Support vectors, of models that have them. */
  readonly supportCount?: number | undefined
  predict(rows: unknown): Labels
  /** f(x) for every row: one value per row, or several. */
  decisionFunction?(rows: unknown): Float64Array
  /** The labels that values of the decision function stand for. */
  labelsOf?(values: Float64Array): Labels
  /** Set where the model is calibrated. */
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
