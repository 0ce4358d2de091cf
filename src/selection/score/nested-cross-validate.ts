/**
 * Nested cross-validation: how good is *tuning and then training*? A score that was used to choose is too good to be
 * reported. Here each outer fold is tuned from its training side alone, and evaluated on samples that neither the tuner nor
 * the model has seen.
 */
import { checkKnown } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import type { Dataset } from '../../data/table/dataset.ts'
import type { Predictor } from '../search/estimator.ts'
import type { Params } from '../search/estimator-params.ts'
import {
  type CrossValidateOptions,
  type CrossValidation,
  crossValidate,
  crossValidateOptionNames,
} from './cross-validate.ts'

/** The part of a tuner's result that is used here; `tune` returns more. */
export interface Tuned {
  readonly bestParams: Params
  readonly bestScore: number
  /** Undefined if it was stopped before. */
  readonly model: Predictor | undefined
}

/** Chooses parameters by the training side of an outer fold and trains with them. */
export type InnerTuner = (data: Dataset, options: { readonly signal?: AbortSignal }) => Promise<Tuned>

/** The result of {@link nestedCrossValidate}. */
export interface NestedCrossValidation extends CrossValidation {
  /** The choice in each outer fold, with its inner score, which is optimistic. */
  readonly choices: readonly { readonly bestParams: Params; readonly bestScore: number }[]
}

/** Evaluates a tuner by an outer protocol. */
export async function nestedCrossValidate(
  tuner: InnerTuner,
  data: Dataset<unknown>,
  options: CrossValidateOptions = {},
): Promise<NestedCrossValidation> {
  checkKnown('nestedCrossValidate', options, crossValidateOptionNames)
  const choices: Tuned[] = []
  const estimator = {
    async fit(train: Dataset, fitOptions: { readonly signal?: AbortSignal } = {}): Promise<Predictor> {
      const tuned = await tuner(train, fitOptions)
      fitOptions.signal?.throwIfAborted()
      if (!tuned.model) throw new DataError('nestedCrossValidate: the tuner did not train a model')
      choices.push(tuned)
      return tuned.model
    },
  }
  // One fold at a time: tuners use all threads themselves, and choices come in the order of the folds.
  const result = await crossValidate(estimator, data, { ...options, threads: 1 })
  return {
    ...result,
    choices: choices
      .slice(0, result.folds.length)
      .map(({ bestParams, bestScore }) => ({ bestParams, bestScore })),
  }
}
