/** Split conformal prediction: intervals and sets that hold the truth with a given probability, whatever the model is worth. */
import { checkKnown, checkNumber } from '../../base/check.ts'
import { DataError, show } from '../../base/errors.ts'
import { conformalQuantile } from '../../calibration/conformal-quantile.ts'
import type { Dataset, Label } from '../../data/table/dataset.ts'
import type { ModelRows } from '../../models/base-model.ts'
import { LinearSvcModel } from '../../models/linear-svc-model.ts'
import { LinearSvrModel } from '../../models/linear-svr-model.ts'
import type { PredictedInterval } from '../../models/machines/interval-around.ts'
import type { AnyClassifier } from '../../models/model.ts'
import type { Conformal } from '../../models/model-parts.ts'
import { SvcModel } from '../../models/svc-model.ts'
import { SvrModel } from '../../models/svr-model.ts'

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

/** A model that can have sets or intervals: a classifier or a regression. */
export type ConformalModel<S = never> = SvcModel<S> | LinearSvcModel | SvrModel<S> | LinearSvrModel

/**
 * Computes, from data that the model was not trained on, what is needed for sets of classes or intervals that contain the
 * true value of a new sample with probability `level`. {@link withConformal} stores it in the model.
 *
 * @example
 * const careful = withConformal(model, conformalFromData(model, test, { level: 0.95 }))
 * await writeModel('careful.json', careful)
 */
export function conformalFromData<S = never>(
  model: ConformalModel<S>,
  data: Dataset<S>,
  options: ConformalOptions = {},
): Conformal {
  const who = 'conformalFromData'
  const level = checkLevel(who, data, options)
  return isRegression(model) ? intervalsOf(who, model, data, level) : setsOf(who, model, data, level)
}

/**
 * The same model with conformal sets or intervals, or, if undefined, without. `predictSets` of a classifier and
 * `predictInterval` of a regression go by it, and the JSON file keeps it.
 */
export function withConformal<M extends ConformalModel<never>>(
  model: M,
  conformal: Conformal | undefined,
): M {
  const who = 'withConformal'
  if (!isRegression(model)) checkClassifier(who, model)
  const { by } = conformal ?? {}
  const own = isRegression(model)
    ? ['residuals']
    : ['scores', ...(model.probability ? ['probabilities'] : [])]
  if (by !== undefined && !own.includes(by)) throw new DataError(`${who}: this model has no ${by} to compare`)
  const parts = { ...model, conformal, bias: model.bias } as never
  const { trace } = model as { trace?: unknown }
  return Object.assign(remade(model, parts), trace !== undefined && { trace }) as unknown as M
}

function remade(model: unknown, parts: never): object {
  if (model instanceof SvrModel) return new SvrModel(parts)
  if (model instanceof LinearSvrModel) return new LinearSvrModel(parts)
  return model instanceof SvcModel ? new SvcModel(parts) : new LinearSvcModel(parts)
}

/**
 * Intervals that contain the target of a new sample with probability `level`. Their width comes from the residuals of data
 * that the model was not trained on. New samples must have the same distribution; nothing is assumed about model or noise.
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
  if (!isRegression(model)) throw wrongModel(who, 'a regression', model)
  const conformal = intervalsOf(who, model, data, checkLevel(who, data, options))
  const careful = withConformal(model as SvrModel, conformal)
  const { level, quantile: radius } = conformal
  return { level, radius, predict: (rows) => careful.predictInterval(rows as never) }
}

/**
 * Sets of classes that contain the class of a new sample with probability `level`, from data that the model was not trained
 * on. How strange
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
  const conformal = setsOf(who, model, data, checkLevel(who, data, options))
  const careful = withConformal(model as SvcModel, conformal)
  const { level, quantile } = conformal
  return { level, quantile, predict: (rows) => careful.predictSets(rows as never) }
}

/** By how far each target is from its prediction. */
function intervalsOf<S>(
  who: string,
  model: SvrModel | LinearSvrModel,
  { samples, labels }: Dataset<S>,
  level: number,
): Conformal {
  if (!(labels instanceof Float64Array)) throw new DataError(`${who}: targets must be numbers`)
  const residuals = model.predict(samples as never).map((value, i) => Math.abs(labels[i] - value))
  return conformalOf(level, 'residuals', residuals, 'split')
}

/** By how strange each sample's own class is. */
function setsOf<S>(who: string, model: unknown, data: Dataset<S>, level: number): Conformal {
  checkClassifier(who, model)
  const by = comparedBy(model)
  const strangeness = model.strangeness(data.samples as never, by)
  return conformalOf(level, by, strangenessOfLabels(who, data.labels, strangeness, model.classes), 'split')
}

/** What makes sets or intervals, from how strange samples are. */
export function conformalOf(
  level: number,
  by: Conformal['by'],
  scores: ArrayLike<number>,
  from: Conformal['from'],
): Conformal {
  return { level, by, quantile: conformalQuantile(scores, level), from, samples: scores.length }
}

/** What classes of a model are compared by: their probabilities, where it is calibrated. */
export function comparedBy(model: AnyClassifier): 'probabilities' | 'scores' {
  return model.probability ? 'probabilities' : 'scores'
}

/** Of rows x classes, the values of the labels. */
export function strangenessOfLabels(
  who: string,
  labels: ArrayLike<Label>,
  strangeness: Float64Array,
  classes: readonly Label[],
): Float64Array {
  const place = new Map(classes.map((label, c) => [label, c]))
  return Float64Array.from(labels, (label, i) => {
    const c = place.get(label)
    if (c !== undefined) return strangeness[i * classes.length + c]
    throw new DataError(
      `${who}: label ${show(label)} is not a class of the model (${classes.map(show).join(', ')})`,
    )
  })
}

/** The level that was requested. Samples must count the same. */
export function checkLevel(who: string, data: Pick<Dataset, 'weights'>, options: ConformalOptions): number {
  checkKnown(who, options, ['level'])
  if (data.weights) throw new DataError(`${who}: sample weights are not supported`)
  return checkNumber(who, 'level', options.level ?? 0.9, { above: 0, below: 1 })
}

/** Whether a model is a regression. */
export function isRegression(model: unknown): model is SvrModel | LinearSvrModel {
  return model instanceof SvrModel || model instanceof LinearSvrModel
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
