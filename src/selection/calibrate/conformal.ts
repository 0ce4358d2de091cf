/** Split conformal prediction: intervals and sets that hold the truth with a given probability, whatever the model is worth. */
import { checkKnown, checkNumber } from '../../base/check.ts'
import { DataError, show } from '../../base/errors.ts'
import { conformalQuantile } from '../../calibration/conformal-quantile.ts'
import type { Dataset, Label } from '../../data/table/dataset.ts'
import type { ModelRows } from '../../models/base-model.ts'
import { LinearSvcModel } from '../../models/linear-svc-model.ts'
import { LinearSvrModel } from '../../models/linear-svr-model.ts'
import type { AnyClassifier } from '../../models/model.ts'
import { SvcModel } from '../../models/svc-model.ts'
import { type PredictedInterval, SvrModel } from '../../models/svr-model.ts'

/** What {@link conformalIntervals} and {@link conformalSets} take beside model and data. */
export interface ConformalOptions {
  /** The probability that the truth is inside, between 0 and 1; 0.9 unless given. */
  readonly level?: number
}

/** Intervals of one width around the predictions of a regression. `level` and `radius` are all that has to be kept. */
export interface ConformalIntervals<S = never> {
  readonly level: number
  /** Half the width; Infinity where there were too few samples for the level. */
  readonly radius: number
  /** The prediction for each row, and the ends of the interval around it. */
  predict(rows: ModelRows<S>): PredictedInterval
}

/** Sets of classes. `level` and `quantile` are all that has to be kept. */
export interface ConformalSets<S = never> {
  readonly level: number
  /** A class is in the set where its strangeness is at most this. */
  readonly quantile: number
  /** The classes that are not too strange for each row, ascending: one where all is clear, several where it is not, or none. */
  predict(rows: ModelRows<S>): Label[][]
}

/**
 * Intervals that hold the target of a new sample with probability `level`: as wide as residuals of data that the model was not
 * trained on ask for. New samples must come as these did; nothing is assumed about model or noise.
 *
 * @example
 * const regression = await new SVR({ C: 10 }).fit(train)
 * const { lower, upper } = conformalIntervals(regression, test, { level: 0.95 }).predict(rows)
 */
export function conformalIntervals<S = never>(
  model: SvrModel<S> | LinearSvrModel,
  data: Dataset<S>,
  options: ConformalOptions = {},
): ConformalIntervals<S> {
  const who = 'conformalIntervals'
  const level = checkLevel(who, data, options)
  if (!(model instanceof SvrModel || model instanceof LinearSvrModel))
    throw wrongModel(who, 'a regression', model)
  const { samples, labels } = data
  if (!(labels instanceof Float64Array)) throw new DataError(`${who}: targets must be numbers`)
  const residuals = model.predict(samples as never).map((value, i) => Math.abs(labels[i] - value))
  const radius = conformalQuantile(residuals, level)
  return {
    level,
    radius,
    predict(rows) {
      const predicted = model.predict(rows as never)
      return {
        predicted,
        lower: predicted.map((value) => value - radius),
        upper: predicted.map((value) => value + radius),
      }
    },
  }
}

/**
 * Sets of classes that hold the class of a new sample with probability `level`, by data that the model was not trained on. How strange
 * a class is for a row: one minus its probability, of a calibrated model, otherwise by how much the best other score exceeds its own.
 *
 * @example
 * const [classes] = conformalSets(model, test, { level: 0.95 }).predict(rows)
 */
export function conformalSets<S = never>(
  model: SvcModel<S> | LinearSvcModel,
  data: Dataset<S>,
  options: ConformalOptions = {},
): ConformalSets<S> {
  const who = 'conformalSets'
  const level = checkLevel(who, data, options)
  checkClassifier(who, model)
  const { classes } = model
  const k = classes.length
  const place = new Map(classes.map((label, c) => [label, c]))
  const strangeness = strangenessOf(model as AnyClassifier, data.samples as never)
  const own = Array.from<Label, number>(data.labels, (label, i) => {
    const c = place.get(label)
    if (c !== undefined) return strangeness[i * k + c]
    throw new DataError(
      `${who}: the label ${show(label)} is none of the model's, ${classes.map(show).join(', ')}`,
    )
  })
  const quantile = conformalQuantile(own, level)
  return {
    level,
    quantile,
    predict(rows) {
      const found = strangenessOf(model as AnyClassifier, rows as never)
      return Array.from({ length: found.length / k }, (_, i) =>
        classes.filter((_label, c) => found[i * k + c] <= quantile),
      )
    },
  }
}

/** Rows x classes: how strange each class would be. */
export function strangenessOf(model: AnyClassifier, rows: ModelRows): Float64Array {
  if (model.probability) return model.predictProbability(rows as never).map((probability) => 1 - probability)
  const k = model.classes.length
  const shape = model instanceof SvcModel ? { decisionFunctionShape: 'ovr' as const } : {}
  const values = model.decisionFunction(rows as never, shape)
  const scores =
    k === 2
      ? Float64Array.from({ length: 2 * values.length }, (_, i) => (i % 2 ? 1 : -1) * values[i >> 1])
      : values
  return scores.map((score, at) => {
    const from = at - (at % k)
    let other = Number.NEGATIVE_INFINITY
    for (let c = from; c < from + k; c++) if (c !== at && scores[c] > other) other = scores[c]
    return other - score
  })
}

/** The level that was asked for. Samples must count the same. */
export function checkLevel(who: string, data: Pick<Dataset, 'weights'>, options: ConformalOptions): number {
  checkKnown(who, options, ['level'])
  if (data.weights) throw new DataError(`${who}: samples must count the same, without weights`)
  return checkNumber(who, 'level', options.level ?? 0.9, { above: 0, below: 1 })
}

/** Throws unless a model is a classifier. */
export function checkClassifier(who: string, model: unknown): asserts model is AnyClassifier {
  if (!(model instanceof SvcModel || model instanceof LinearSvcModel))
    throw wrongModel(who, 'a classifier', model)
}

/** The error that a model is of another kind. */
export function wrongModel(who: string, needed: string, model: unknown): DataError {
  const { type } = (model ?? {}) as { type?: unknown }
  return new DataError(`${who}: needs ${needed}, got a model of type ${show(type)}`)
}
