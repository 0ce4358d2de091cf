import { type Samples, sampleCount } from '../data/dataset.ts'
import { type DenseMatrix, isMatrix, type RowsInput } from '../data/matrix.ts'
import { weightedRowSum } from '../data/products.ts'
import type { Kernel } from '../kernels/kernel.ts'
import { kernelForEngine } from '../kernels/kernel-for-engine.ts'
import { ClassifierModel, linearDecision, type ModelRows, rowDecision } from './classifier-model.ts'
import { checkDecisionOptions, type DecisionOptions, kernelDecision, weightedSum } from './kernel-decision.ts'
import { type SvcDocument, svcDocument } from './model-document.ts'
import type { ProbabilityParts, SvcParts } from './model-parts.ts'

/** A two-class kernel classifier: f(x) = Σ dualCoef_s · k(x, supportVector_s) + bias. */
export class SvcModel<S = never> extends ClassifierModel<S> implements SvcParts<S> {
  readonly type = 'svc'
  readonly kernel: Kernel<S>
  readonly supportVectors: Samples<S>
  readonly dualCoef: Float64Array
  readonly supportIndices: Uint32Array | undefined
  readonly probability: ProbabilityParts | undefined
  /**
   * w = Σ dualCoef_s · supportVector_s for the linear kernel; undefined for any other, whose hyperplane lies in a
   * feature space that is never written out.
   */
  readonly coef: Float64Array | undefined

  constructor(parts: SvcParts<S>) {
    super(parts)
    const { kernel, supportVectors, dualCoef } = parts
    this.kernel = kernel
    this.supportVectors = supportVectors
    this.dualCoef = dualCoef
    this.supportIndices = parts.supportIndices
    this.probability = parts.probability
    if (kernel.spec.kind === 'linear' && isMatrix(supportVectors)) {
      this.coef = weightedRowSum(supportVectors, dualCoef)
    }
  }

  override get supportCount(): number {
    return sampleCount(this.supportVectors)
  }

  override decisionFunction(rows: ModelRows<S>, options: DecisionOptions = {}): Float64Array {
    const { supportVectors, bias, coef } = this
    const checked = checkDecisionOptions('decisionFunction', options)
    const samples = isMatrix(supportVectors) ? this.prepareRows(rows as RowsInput) : (rows as readonly S[])
    if (coef && isMatrix(samples)) return linearDecision(samples, coef, bias)
    return kernelDecision(this, samples as Samples<S>, checked)
  }

  override toJSON(): SvcDocument {
    return svcDocument(this)
  }

  /** A precomputed row must have each serial's column. */
  protected override get width(): number {
    const { supportVectors, kernel } = this
    if (!isMatrix(supportVectors)) return 0
    if (kernel.spec.kind !== 'precomputed') return supportVectors.cols
    return supportVectors.values.reduce((most, serial) => Math.max(most, serial), 0) + 1
  }

  protected override singleValue(row: DenseMatrix): (() => number) | undefined {
    const { kernel, supportVectors, dualCoef, bias, coef } = this
    if (coef) return () => rowDecision(row, coef, bias)
    // Evaluators of these kernels read the row when they are asked; those of others may have prepared it for good.
    if (!isMatrix(supportVectors) || !kernelForEngine(kernel)) return undefined
    const evaluator = kernel.between(row as Samples<S>, supportVectors)
    const values = new Float64Array(evaluator.cols)
    return () => {
      evaluator.row(0, values)
      return weightedSum(dualCoef, values) + bias
    }
  }
}
