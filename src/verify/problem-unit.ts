import type { Dataset } from '../data/table/dataset.ts'
import type { Unlabelled } from '../estimators/parts/estimator.ts'
import { scaledTargets } from '../estimators/parts/regression-targets.ts'
import { LinearSvrModel } from '../models/linear-svr-model.ts'
import type { Model } from '../models/model.ts'
import { SvrModel } from '../models/svr-model.ts'

/**
 * A regression and its data in the unit of the problem that was solved: where targets were scaled, the coefficients of the model
 * are those of the problem times the scale. All others are as they are.
 */
export function inProblemUnit(
  model: Model,
  data: Dataset<unknown> | Unlabelled,
): { readonly model: Model; readonly data: Dataset<unknown> | Unlabelled } {
  const { targetScaling } = model.training ?? {}
  const { labels } = (data ?? {}) as Partial<Dataset<unknown>>
  if (!targetScaling || !(labels instanceof Float64Array)) return { model, data }
  const scaled = { ...data, labels: scaledTargets(labels, targetScaling) } as Dataset<unknown>
  const { mean, scale } = targetScaling
  const bias = (model.bias - mean) / scale
  const unscaled = (values: Float64Array): Float64Array => values.map((value) => value / scale)
  if (model instanceof SvrModel) {
    // Multiplying and dividing may end a rounding error beyond the bound that a coefficient is at.
    const most = boundsOf(model, data)
    const dualCoef = unscaled(model.dualCoef).map(
      (one, s) => Math.sign(one) * Math.min(Math.abs(one), most(s)),
    )
    return { model: new SvrModel({ ...model, dualCoef, bias }), data: scaled }
  }
  if (model instanceof LinearSvrModel) {
    return { model: new LinearSvrModel({ ...model, coef: unscaled(model.coef), bias }), data: scaled }
  }
  return { model, data }
}

/** What the coefficient of a support vector is at most, where it is nearly that: C times its weight. */
function boundsOf(
  model: SvrModel<unknown>,
  { weights }: Dataset<unknown> | Unlabelled,
): (s: number) => number {
  const { C = Number.POSITIVE_INFINITY } = model.training ?? {}
  const { scale = 1 } = model.training?.targetScaling ?? {}
  return (s) => {
    const sample = model.supportIndices?.[s]
    const bound = C * (weights && sample !== undefined ? weights[sample] : 1)
    const value = Math.abs(model.dualCoef[s]) / scale
    return Math.abs(value - bound) <= 4 * Number.EPSILON * bound ? bound : value
  }
}
