import type { ModelRows } from './base-model.ts'
import type { DecisionOptions } from './machines/decision-options.ts'
import { type IntervalOptions, intervalAround, type PredictedInterval } from './machines/interval-around.ts'
import type { LaplaceNoise, SvrParts } from './model-parts.ts'
import { SingleKernelModel } from './single-kernel-model.ts'

/** A kernel regression: predicts f(x) = Σ dualCoef_s · k(x, supportVector_s) + bias. */
export class SvrModel<S = never> extends SingleKernelModel<S> implements SvrParts<S> {
  readonly type: 'svr' | 'nu-svr'
  /** The distribution of targets around predictions, if it was fitted. */
  override readonly probability: LaplaceNoise | undefined

  constructor(parts: SvrParts<S>) {
    super(parts)
    this.type = parts.type ?? 'svr'
    this.probability = parts.probability
  }

  /** The predicted target of each row: f itself. */
  override predict(rows: ModelRows<S>, options: DecisionOptions = {}): Float64Array {
    return this.decisionFunction(rows, options)
  }

  /**
   * Where targets lie with probability `level`. Of models with `conformal`, that is as far from f(x) as targets of samples that no model
   * had seen; at any other level f(x) ∓ σ ln(1 / (1 − level)), of models whose noise was fitted (`fitCalibrated`, svm-train -b 1):
   * target = f(x) + z, z of density e^(−|z|/σ) / (2σ), the same everywhere.
   */
  predictInterval(rows: ModelRows<S>, options: IntervalOptions = {}): PredictedInterval {
    return intervalAround(this, this.probability, options, (others) => this.decisionFunction(rows, others))
  }
}
