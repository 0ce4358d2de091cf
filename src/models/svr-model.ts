import { checkNumber } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import { laplaceInterval } from '../calibration/laplace-noise.ts'
import type { ModelRows } from './base-model.ts'
import type { DecisionOptions } from './machines/decision-options.ts'
import type { LaplaceNoise, SvrParts } from './model-parts.ts'
import { SingleKernelModel } from './single-kernel-model.ts'

/** What {@link SvrModel.predictInterval} takes. */
export interface IntervalOptions extends DecisionOptions {
  /** Share of the targets that lie within, in [0, 1). Default 0.9. */
  readonly level?: number
}

/** A prediction for each row, and the ends of the interval around it. */
export interface PredictedInterval {
  readonly predicted: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
}

/** A kernel regression: predicts f(x) = Σ dualCoef_s · k(x, supportVector_s) + bias. */
export class SvrModel<S = never> extends SingleKernelModel<S> implements SvrParts<S> {
  readonly type: 'svr' | 'nu-svr'
  /** The distribution of targets around predictions, where it was fitted. */
  override readonly probability: LaplaceNoise | undefined

  constructor(parts: SvrParts<S>) {
    super(parts)
    this.type = parts.type ?? 'svr'
    this.probability = parts.probability
  }

  /** The target that is expected of each row: f itself. */
  override predict(rows: ModelRows<S>, options: DecisionOptions = {}): Float64Array {
    return this.decisionFunction(rows, options)
  }

  /**
   * Where targets lie with probability `level` (default 0.9): f(x) ∓ σ ln(1 / (1 − level)), of models whose noise was fitted
   * (`fitCalibrated`, svm-train -b 1). The noise is the same everywhere: target = f(x) + z, z of density e^(−|z|/σ) / (2σ).
   */
  predictInterval(rows: ModelRows<S>, options: IntervalOptions = {}): PredictedInterval {
    const { level = 0.9, ...others } = options
    checkNumber('predictInterval', 'level', level, { min: 0, below: 1 })
    const { probability } = this
    if (!probability) throw new DataError('the model gives no intervals: its noise was not fitted')
    const half = laplaceInterval(probability.sigma, level)
    const predicted = this.decisionFunction(rows, others)
    return {
      predicted,
      lower: predicted.map((value) => value - half),
      upper: predicted.map((value) => value + half),
    }
  }
}
