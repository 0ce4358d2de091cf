import type { ModelRows } from './base-model.ts'
import type { DecisionOptions } from './machines/decision-options.ts'
import { type IntervalOptions, intervalAround, type PredictedInterval } from './machines/interval-around.ts'
import { SingleLinearModel } from './single-linear-model.ts'

/** A linear regression: predicts f(x) = ⟨coef, x⟩ + bias. */
export class LinearSvrModel extends SingleLinearModel {
  readonly type = 'linear-svr'

  /** The predicted target of each row: f itself. */
  override predict(rows: ModelRows, options: DecisionOptions = {}): Float64Array {
    return this.decisionFunction(rows, options)
  }

  /** Intervals that contain the target with probability `conformal.level`, for models with `conformal`. */
  predictInterval(rows: ModelRows, options: IntervalOptions = {}): PredictedInterval {
    return intervalAround(this, undefined, options, (others) => this.decisionFunction(rows, others))
  }
}
