import { checkBoolean } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import { fitStandardScaler } from '../../data/scaling/standard-scaler.ts'
import type { Dataset } from '../../data/table/dataset.ts'
import type { TrainingSettings } from '../../models/model-parts.ts'

/** What regressions take for their targets. */
export interface TargetOptions {
  /**
   * Whether to scale targets to mean 0 and variance 1, so that C and epsilon do not depend on their unit; predictions are in
   * the unit of the data. Default false.
   */
  readonly targetScaling?: boolean
}

/** Throws a ParameterError unless the options can be used. */
export function checkTargetOptions(who: string, { targetScaling }: TargetOptions): void {
  if (targetScaling !== undefined) checkBoolean(who, 'targetScaling', targetScaling)
}

/** The numbers to predict, and how they were scaled, if they were. */
export interface RegressionTargets {
  readonly z: Float64Array
  readonly targetScaling?: NonNullable<TrainingSettings['targetScaling']>
}

/** The numbers to predict. Throws a {@link DataError} when labels are texts, or there are none. */
export function regressionTargets(
  who: string,
  { labels }: Dataset<unknown>,
  { targetScaling }: TargetOptions = {},
): RegressionTargets {
  if (!(labels instanceof Float64Array)) {
    throw new DataError(`${who}: regression needs numeric labels, but these are strings`)
  }
  if (labels.length === 0) throw new DataError(`${who}: the data set has no samples`)
  if (!targetScaling) return { z: labels }
  const column = { kind: 'dense', rows: labels.length, cols: 1, values: labels } as const
  const { mean, scale } = fitStandardScaler(column)
  const scaling = { mean: mean[0], scale: scale[0] }
  return { z: scaledTargets(labels, scaling), targetScaling: scaling }
}

/** Targets in the unit of the problem. */
export function scaledTargets(
  labels: Float64Array,
  { mean, scale }: NonNullable<TrainingSettings['targetScaling']>,
): Float64Array {
  return labels.map((label) => (label - mean) / scale)
}

/** A function of the scaled targets in the unit of the data: its coefficients and its bias. */
export function inDataUnit(
  coefficients: Float64Array,
  bias: number,
  targetScaling: RegressionTargets['targetScaling'],
): { readonly coefficients: Float64Array; readonly bias: number } {
  if (!targetScaling) return { coefficients, bias }
  const { mean, scale } = targetScaling
  return { coefficients: coefficients.map((one) => one * scale), bias: bias * scale + mean }
}

/** C for each sample: C times its weight. */
export function regressionPrices(C: number, { labels, weights }: Dataset<unknown>): Float64Array {
  return weights ? weights.map((weight) => C * weight) : new Float64Array(labels.length).fill(C)
}
