import { checkNumber } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import { laplaceInterval } from '../../calibration/laplace-noise.ts'
import type { LaplaceNoise, ModelParts } from '../model-parts.ts'
import type { DecisionOptions } from './decision-options.ts'

/** Options of `predictInterval`. */
export interface IntervalOptions extends DecisionOptions {
  /** Share of the targets that lie within, in [0, 1). Default: that of the model's `conformal`, else 0.9. */
  readonly level?: number
}

/** A prediction for each row, and the ends of the interval around it. */
export interface PredictedInterval {
  readonly predicted: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
}

/** Intervals of one width around predictions: by conformal prediction at the level that the model has it for, else by the noise. */
export function intervalAround(
  { conformal }: ModelParts,
  noise: LaplaceNoise | undefined,
  options: IntervalOptions,
  predict: (options: DecisionOptions) => Float64Array,
): PredictedInterval {
  const { level = conformal?.level ?? 0.9, ...others } = options
  checkNumber('predictInterval', 'level', level, { min: 0, below: 1 })
  const isConformal = level === conformal?.level
  if (!isConformal && !noise) {
    const why = conformal ? ` of level ${level}, only of ${conformal.level}` : ': its noise was not fitted'
    throw new DataError(`the model has no intervals${why}`)
  }
  const half = isConformal ? conformal.quantile : laplaceInterval((noise as LaplaceNoise).sigma, level)
  const predicted = predict(others)
  return {
    predicted,
    lower: predicted.map((value) => value - half),
    upper: predicted.map((value) => value + half),
  }
}
