/**
 * Train, validation, test: choose between cells by one held-out part, report on another, once. Refitting on training and
 * validation part together before the report gives the model what the choice has left over.
 */
import { checkKnown } from '../../base/check.ts'
import { DataError, ParameterError } from '../../base/errors.ts'
import { type Dataset, selectSamples } from '../../data/table/dataset.ts'
import type { Predictor } from '../search/estimator.ts'
import { estimatorMaker, type Params, type Tunable } from '../search/estimator-params.ts'
import { type ThreeWaySplit, type TrainValidationTestOptions, trainValidationTest } from '../split/splits.ts'
import { type CellResult, evaluateCells } from './evaluate-cells.ts'
import { learnsNumbers, scorersFor } from './evaluation-setup.ts'
import { classesOf, outputOf, scoreInputOf } from './fold-output.ts'
import { isBetter, type Scoring } from './scoring.ts'

/** Options of {@link validateAndTest}. */
export interface ValidateAndTestOptions extends TrainValidationTestOptions {
  /** The cells to choose from, the simplest first: ties go to the first. */
  readonly cells: readonly Params[]
  /** Scores to report; the first one decides the choice. */
  readonly scoring?: Scoring | readonly Scoring[]
  /** Train the chosen cell once more on training and validation part together. Default: true. */
  readonly refit?: boolean
  /** Ends the work; the promise is rejected with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** The result of {@link validateAndTest}. */
export interface ValidatedAndTested<M extends Predictor = Predictor> {
  readonly split: ThreeWaySplit
  /** Every cell with its score on the validation part. */
  readonly cells: readonly CellResult[]
  readonly bestParams: Params
  /** Score on the validation part: optimistic, because it was used for the choice. */
  readonly validationScore: number
  /** Scores on the test part, by name: report these. */
  readonly testScores: Readonly<Record<string, number>>
  readonly model: M
}

/** Chooses a cell by the validation part, trains it, and reports on the test part. */
export async function validateAndTest(
  tunable: Tunable,
  data: Dataset<unknown>,
  options: ValidateAndTestOptions,
): Promise<ValidatedAndTested> {
  const who = 'validateAndTest'
  const { cells, scoring, refit = true, signal, ...splitting } = options
  checkKnown(who, splitting, ['seed', 'stratify', 'groups', 'times', 'testFraction', 'validationFraction'])
  if (!Array.isArray(cells) || cells.length === 0)
    throw new ParameterError(who, 'cells', 'a list of parameters', cells)
  const scorers = scorersFor(who, tunable, data, scoring)
  const [scorer] = scorers
  const make = estimatorMaker(tunable)
  const strata = learnsNumbers(tunable, data) ? { stratify: false } : {}
  const split = trainValidationTest(data, { ...strata, ...splitting })
  const folds = [{ train: split.train, test: split.validation }]
  const results = await evaluateCells({ data, folds, cells, make, job: undefined }, scorer, { signal })
  signal?.throwIfAborted()
  const evaluated = results as CellResult[]
  const best = evaluated.reduce((first, cell) => (isBetter(scorer, cell.mean, first.mean) ? cell : first))
  if (Number.isNaN(best.mean))
    throw new DataError(best.failures?.[0].message ?? `${scorer.name} is not a number`)
  const chosen = refit ? Uint32Array.from([...split.train, ...split.validation]).sort() : split.train
  const model = await make(best.params).fit(selectSamples(data as Dataset, chosen), signal ? { signal } : {})
  signal?.throwIfAborted()
  const test = scoreInputOf(
    data,
    split.test,
    outputOf(model, selectSamples(data, split.test)),
    classesOf(data),
  )
  return {
    split,
    cells: evaluated,
    bestParams: best.params,
    validationScore: best.mean,
    testScores: Object.fromEntries(scorers.map((one) => [one.name, one.score(test)])),
    model,
  }
}
