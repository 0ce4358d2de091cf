/**
 * Conformal prediction from the folds of cross-validation: all samples train and all of them calibrate. Each sample i is
 * evaluated by the
 * model of the folds without it, and a new row by all these models.
 *
 * Intervals  CV+: from the ⌊(1 − level)(n + 1)⌋-th smallest f_{−i}(x) − r_i to the ⌈level (n + 1)⌉-th smallest f_{−i}(x) + r_i, where r_i is the
 *            residual |y_i − f_{−i}(x_i)| and f_{−i} the model without the fold of i.
 * Sets       cross-conformal: a class is in the set where its strangeness by f_{−i} is at most that of sample i for so many i that
 *            (count + 1) / (n + 1) > 1 − level.
 * Coverage   at least 2 level − 1 up to terms of 1 / n, whatever the model; close to level for models that change little from fold to fold.
 * Source     Barber, Candès, Ramdas, Tibshirani 2021, "Predictive inference with the jackknife+"; Vovk 2015, "Cross-conformal predictors".
 * Cost       a fit per fold; a row takes the predictions of all of them, and n log n for an interval.
 */
import { checkKnown } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import { type Dataset, type Label, selectSamples } from '../../data/table/dataset.ts'
import { foldsFor } from '../score/evaluation-setup.ts'
import { chosenProtocol, type ProtocolChoice } from '../score/protocols.ts'
import type { Estimator } from '../search/estimator.ts'
import { type Fold, pickLabels } from '../split/splits.ts'
import {
  type ConformalIntervals,
  type ConformalOptions,
  type ConformalSets,
  checkClassifier,
  checkLevel,
  comparedBy,
  isRegression,
  strangenessOfLabels,
  wrongModel,
} from './conformal.ts'

/** Options of {@link conformalIntervalsFromFolds} and {@link conformalSetsFromFolds}. */
export interface FoldConformalOptions extends ConformalOptions, ProtocolChoice {
  /** Seed of the folds. Default: 0. */
  readonly seed?: number
  /** Ends the work; the promise is rejected with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** Intervals by the models of all folds, around the mean of their predictions. */
export type FoldIntervals<S = never> = Omit<ConformalIntervals<S>, 'radius'>

/** Sets of classes by the models of all folds. */
export type FoldSets<S = never> = Omit<ConformalSets<S>, 'quantile'>

/** A model of some folds, and how strange the samples of the fold that it has not seen are to it, ascending. */
interface FoldModel<M> {
  readonly model: M
  readonly scores: Float64Array
}

/**
 * Intervals for the targets of a regression, from the folds of cross-validation (CV+): no samples are held out for calibration.
 *
 * @example
 * const { predict } = await conformalIntervalsFromFolds(new SVR({ C: 10 }), train, { level: 0.9 })
 * const { lower, upper } = predict(rows)
 */
export async function conformalIntervalsFromFolds<S = never>(
  estimator: Estimator,
  data: Dataset<S>,
  options: FoldConformalOptions = {},
): Promise<FoldIntervals<S>> {
  const who = 'conformalIntervalsFromFolds'
  const level = checkedLevel(who, data, options)
  const { labels } = data
  if (!(labels instanceof Float64Array)) throw new DataError(`${who}: targets must be numbers`)
  const parts = await fitFolds(who, estimator, data as Dataset, options, (model, { test }, samples) => {
    if (!isRegression(model)) throw wrongModel(who, 'a regression', model)
    const scores = model.predict(samples as never).map((value, k) => Math.abs(labels[test[k]] - value))
    return { model, scores }
  })
  const count = parts.reduce((sum, { scores }) => sum + scores.length, 0)
  // 1-based ranks; beyond the samples there is nothing that bounds the interval.
  const below = count + 1 - Math.ceil(level * (count + 1))
  const above = Math.ceil(level * (count + 1))
  return {
    level,
    predict(rows) {
      const said = parts.map(({ model }) => model.predict(rows as never))
      const predicted = said[0].map((_, i) => said.reduce((sum, own) => sum + own[i], 0) / said.length)
      const end = (rank: number, sign: 1 | -1, i: number): number => {
        if (rank < 1 || rank > count) return sign * Number.POSITIVE_INFINITY
        const values = new Float64Array(count)
        let at = 0
        parts.forEach(({ scores }, k) => {
          for (const score of scores) values[at++] = said[k][i] + sign * score
        })
        return values.sort()[rank - 1]
      }
      return {
        predicted,
        lower: predicted.map((_, i) => end(below, -1, i)),
        upper: predicted.map((_, i) => end(above, 1, i)),
      }
    },
  }
}

/**
 * Sets of classes from the folds of cross-validation (cross-conformal prediction): no samples are held out for calibration.
 *
 * @example
 * const { predict } = await conformalSetsFromFolds(new SVC({ C: 10 }), train, { level: 0.9 })
 * const [classes] = predict(rows)
 */
export async function conformalSetsFromFolds<S = never>(
  estimator: Estimator,
  data: Dataset<S>,
  options: FoldConformalOptions = {},
): Promise<FoldSets<S>> {
  const who = 'conformalSetsFromFolds'
  const level = checkedLevel(who, data, options)
  const classes = [...new Set<Label>(data.labels)].sort((a, b) => (a < b ? -1 : 1))
  const parts = await fitFolds(who, estimator, data as Dataset, options, (model, { test }, samples) => {
    checkClassifier(who, model)
    if (model.classes.length !== classes.length) {
      throw new DataError(
        `${who}: the training part of a fold has only ${model.classes.length} of ${classes.length} classes`,
      )
    }
    const strangeness = model.strangeness(samples as never, comparedBy(model))
    const scores = strangenessOfLabels(who, pickLabels(data.labels, test), strangeness, classes)
    return { model, scores: scores.sort() }
  })
  const count = parts.reduce((sum, { scores }) => sum + scores.length, 0)
  return {
    level,
    predict(rows) {
      const found = parts.map(({ model }) => model.strangeness(rows as never, comparedBy(model)))
      const k = classes.length
      return Array.from({ length: found[0].length / k }, (_, i) =>
        classes.filter((_label, c) => {
          const stranger = parts.reduce((sum, { scores }, f) => sum + atLeast(scores, found[f][i * k + c]), 0)
          return (stranger + 1) / (count + 1) > 1 - level
        }),
      )
    },
  }
}

function checkedLevel(who: string, data: Pick<Dataset, 'weights'>, options: FoldConformalOptions): number {
  checkKnown(who, options, ['level', 'protocol', 'folds', 'seed', 'signal'])
  const { level } = options
  return checkLevel(who, data, level === undefined ? {} : { level })
}

async function fitFolds<M>(
  who: string,
  estimator: Estimator,
  data: Dataset,
  options: FoldConformalOptions,
  scoresOf: (model: unknown, fold: Fold, samples: unknown) => FoldModel<M>,
): Promise<FoldModel<M>[]> {
  const { seed = 0, signal } = options
  const parts: FoldModel<M>[] = []
  for (const fold of foldsFor(who, estimator, data, chosenProtocol(who, data, options), seed, [])) {
    signal?.throwIfAborted()
    const model = await estimator.fit(selectSamples(data, fold.train), signal ? { signal } : {})
    signal?.throwIfAborted()
    parts.push(scoresOf(model, fold, selectSamples(data, fold.test).samples))
  }
  return parts
}

/** How many of ascending values are at least `least`. */
function atLeast(values: Float64Array, least: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle] >= least) high = middle
    else low = middle + 1
  }
  return values.length - low
}
