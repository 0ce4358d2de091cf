import type { ModelRows } from './base-model.ts'
import type { DecisionOptions } from './machines/decision-options.ts'
import { SingleLinearModel } from './single-linear-model.ts'

/** A linear model of what is normal: f(x) = ⟨coef, x⟩ + bias is positive where samples are expected. */
export class LinearOneClassModel extends SingleLinearModel {
  readonly type = 'linear-one-class'

  /** +1 for rows that resemble the training samples (f(x) > 0), and −1 for others. */
  override predict(rows: ModelRows, options: DecisionOptions = {}): Float64Array {
    return this.labelsOf(this.decisionFunction(rows, options))
  }

  /** +1 or −1 for each value of the decision function. */
  labelsOf(values: Float64Array): Float64Array {
    return values.map((value) => (value > 0 ? 1 : -1))
  }
}
