import { DataError } from '../base/errors.ts'
import { oneClassProbability } from '../calibration/density-marks.ts'
import type { ModelRows } from './base-model.ts'
import { checkDecisionOptions, type DecisionOptions } from './machines/decision-options.ts'
import type { DensityMarks, OneClassParts } from './model-parts.ts'
import { SingleKernelModel } from './single-kernel-model.ts'

/** A model of what is normal: f(x) = Σ dualCoef_s · k(x, supportVector_s) + bias is positive where samples are expected. */
export class OneClassModel<S = never> extends SingleKernelModel<S> implements OneClassParts<S> {
  readonly type = 'one-class'
  override readonly probability: DensityMarks | undefined

  constructor(parts: OneClassParts<S>) {
    super(parts)
    this.probability = parts.probability
  }

  /** +1 for rows that resemble the training samples (f(x) > 0), and −1 for others. */
  override predict(rows: ModelRows<S>, options: DecisionOptions = {}): Float64Array {
    const checked = checkDecisionOptions('predict', options, [], 'f32')
    return this.labelsOf(this.machine.values(this.prepareRows(rows), checked))
  }

  /** +1 or −1 for each value of the decision function. */
  labelsOf(values: Float64Array): Float64Array {
    return values.map((value) => (value > 0 ? 1 : -1))
  }

  /** The probability that each row is normal, for models with density marks. */
  predictProbability(rows: ModelRows<S>, options: DecisionOptions = {}): Float64Array {
    const { probability } = this
    if (!probability) throw new DataError('the model has no probabilities: it has no density marks')
    return this.decisionFunction(rows, options).map((value) => oneClassProbability(value, probability.marks))
  }
}
