import type { ModelInfo, ModelRows } from './base-model.ts'
import type { DecisionOptions } from './decision-options.ts'
import { type SvrDocument, svrDocument } from './model-document.ts'
import type { LaplaceNoise, SvrParts } from './model-parts.ts'
import { SingleKernelModel } from './single-kernel-model.ts'

/** A kernel regression: predicts f(x) = Σ dualCoef_s · k(x, supportVector_s) + bias. */
export class SvrModel<S = never> extends SingleKernelModel<S> implements SvrParts<S> {
  readonly type: 'svr' | 'nu-svr'
  /** The distribution of targets around predictions, where it was fitted. */
  readonly probability: LaplaceNoise | undefined

  constructor(parts: SvrParts<S>) {
    super(parts)
    this.type = parts.type ?? 'svr'
    this.probability = parts.probability
  }

  /** The target that is expected of each row: f itself. */
  override predict(rows: ModelRows<S>, options: DecisionOptions = {}): Float64Array {
    return this.decisionFunction(rows, options)
  }

  override info(): ModelInfo {
    return { ...super.info(), probability: this.probability?.method }
  }

  override toJSON(): SvrDocument {
    return svrDocument(this)
  }
}
