/** From which decision value on a classifier of two classes says the second one. */
import { checkKnown, checkNumber } from '../../base/check.ts'
import { DataError, show } from '../../base/errors.ts'
import type { Dataset, Label } from '../../data/table/dataset.ts'
import {
  type DecisionThreshold,
  decisionThreshold,
  type ThresholdGoal,
} from '../../metrics/decision-threshold.ts'
import { LinearSvcModel } from '../../models/linear-svc-model.ts'
import type { AnyClassifier } from '../../models/model.ts'
import { SvcModel } from '../../models/svc-model.ts'
import { type CrossValidateOptions, crossValidate } from '../score/cross-validate.ts'
import type { Estimator } from '../search/estimator.ts'

/**
 * The same model with a threshold for its decision values, chosen on data that it was not trained on: f(x) >= threshold means
 * the second class. `predict` applies it, and the JSON file stores it.
 *
 * @example
 * const careful = chooseThreshold(model, test, { precision: 0.95 })
 * careful.predict(rows)
 */
export function chooseThreshold<M extends AnyClassifier, S>(
  model: M,
  data: Dataset<S>,
  goal: ThresholdGoal,
): M {
  const classes = checkTwoClasses('chooseThreshold', model)
  const { samples, labels, weights } = data
  checkLabels('chooseThreshold', labels, classes)
  const values = model.decisionFunction(samples as never)
  const options = { positive: classes[1], ...(weights && { weights }) }
  return withThreshold(model, decisionThreshold(labels, values, goal, options).threshold)
}

/** Options of {@link thresholdFromFolds}: the folds of `crossValidate`. */
export type ThresholdFoldsOptions = Omit<CrossValidateOptions, 'scoring'>

/**
 * The best threshold for a goal on the held-out decision values of cross-validation, so that the model can be trained on all
 * data.
 *
 * @example
 * const estimator = new SVC({ C: 10, classWeight: 'balanced' })
 * const { threshold } = await thresholdFromFolds(estimator, train, { precision: 0.95 })
 * const careful = withThreshold(await estimator.fit(train), threshold)
 */
export async function thresholdFromFolds(
  estimator: Estimator,
  data: Dataset<unknown>,
  goal: ThresholdGoal,
  options: ThresholdFoldsOptions = {},
): Promise<DecisionThreshold> {
  const who = 'thresholdFromFolds'
  checkKnown(who, options, ['protocol', 'folds', 'seed', 'signal', 'onProgress', 'threads', 'checkpoint'])
  const classes = [...new Set<Label>(data.labels)].sort((a, b) => (a < b ? -1 : 1))
  if (estimator.learns !== undefined && estimator.learns !== 'classes') {
    throw new DataError(`${who}: a threshold needs a classifier of two classes`)
  }
  refuseOthers(who, classes)
  const { outOfFold, complete } = await crossValidate(estimator, data, options)
  // A part of the folds would choose another threshold than all of them.
  if (!complete) throw options.signal?.reason ?? new DataError(`${who}: not all folds are finished`)
  const { truth, decisions, indices } = outOfFold
  if (!decisions) throw new DataError(`${who}: this estimator has no decision values`)
  const weights = data.weights && Float64Array.from(indices, (i) => data.weights?.[i] ?? 1)
  return decisionThreshold(truth, decisions, goal, { positive: classes[1], ...(weights && { weights }) })
}

/** The same model with this threshold, or, if undefined, without one. */
export function withThreshold<M extends AnyClassifier>(model: M, threshold: number | undefined): M {
  const who = 'withThreshold'
  if (threshold !== undefined) {
    checkTwoClasses(who, model)
    checkNumber(who, 'threshold', threshold, { infinite: true })
  }
  const made =
    model instanceof SvcModel
      ? new SvcModel<unknown>({ ...model, threshold })
      : new LinearSvcModel({ ...(model as LinearSvcModel), threshold })
  const { trace } = model as { trace?: unknown }
  return Object.assign(made, trace !== undefined && { trace }) as unknown as M
}

function checkTwoClasses(who: string, model: AnyClassifier): readonly Label[] {
  if (!(model instanceof SvcModel || model instanceof LinearSvcModel)) {
    const { type } = (model ?? {}) as { type?: unknown }
    throw new DataError(
      `${who}: a threshold needs a classifier of two classes, got a model of type ${show(type)}`,
    )
  }
  refuseOthers(who, model.classes)
  return model.classes
}

function refuseOthers(who: string, classes: readonly Label[]): void {
  if (classes.length === 2) return
  throw new DataError(`${who}: a threshold needs two classes, got ${classes.length}`)
}

function checkLabels(who: string, labels: Dataset['labels'], classes: readonly Label[]): void {
  const strange = [...new Set<Label>(labels)].find((label) => !classes.includes(label))
  if (strange === undefined) return
  throw new DataError(
    `${who}: label ${show(strange)} is not a class of the model (${classes.map(show).join(', ')})`,
  )
}
