import type { DenseMatrix } from '../data/matrix.ts'
import type { Kernel } from '../kernels/kernel.ts'
import { linear } from '../kernels/linear.ts'
import { ClassifierModel, linearDecision, type ModelRows, rowDecision } from './classifier-model.ts'
import { checkDecisionOptions, type DecisionOptions } from './kernel-decision.ts'
import { type LinearSvcDocument, linearSvcDocument } from './model-document.ts'
import type { LinearSvcParts } from './model-parts.ts'

/** A two-class linear classifier that keeps w alone, not the support vectors: f(x) = ⟨coef, x⟩ + bias. */
export class LinearSvcModel extends ClassifierModel implements LinearSvcParts {
  readonly type = 'linear-svc'
  readonly kernel: Kernel = linear()
  readonly coef: Float64Array

  constructor(parts: LinearSvcParts) {
    super(parts)
    this.coef = parts.coef
  }

  override get supportCount(): undefined {
    return undefined
  }

  override decisionFunction(rows: ModelRows, options: DecisionOptions = {}): Float64Array {
    checkDecisionOptions('decisionFunction', options)
    return linearDecision(this.prepareRows(rows), this.coef, this.bias)
  }

  protected override get width(): number {
    return this.coef.length
  }

  protected override singleValue(row: DenseMatrix): () => number {
    const { coef, bias } = this
    return () => rowDecision(row, coef, bias)
  }

  override toJSON(): LinearSvcDocument {
    return linearSvcDocument(this)
  }
}
