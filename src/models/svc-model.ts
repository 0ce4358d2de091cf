import { type Samples, sampleCount } from '../data/dataset.ts'
import { isMatrix, type Matrix, type RowsInput } from '../data/matrix.ts'
import { weightedRowSum } from '../data/products.ts'
import type { Kernel } from '../kernels/kernel.ts'
import { ClassifierModel, linearDecision, type ModelRows } from './classifier-model.ts'
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

  override decisionFunction(rows: ModelRows<S>): Float64Array {
    const { kernel, supportVectors, dualCoef, bias, coef } = this
    const samples = isMatrix(supportVectors)
      ? this.prepareRows(rows as RowsInput, this.usedColumns(supportVectors))
      : (rows as readonly S[])
    if (coef && isMatrix(samples)) return linearDecision(samples, coef, bias)
    const evaluator = kernel.between(samples, supportVectors)
    const row = new Float64Array(evaluator.cols)
    const values = new Float64Array(evaluator.rows)
    for (let i = 0; i < values.length; i++) {
      evaluator.row(i, row)
      let sum = 0
      for (let s = 0; s < row.length; s++) sum += dualCoef[s] * row[s]
      values[i] = sum + bias
    }
    return values
  }

  override toJSON(): SvcDocument {
    return svcDocument(this)
  }

  /** Columns of a row that the decision function looks at; a precomputed row must have each serial's column. */
  private usedColumns(supportVectors: Matrix): number {
    if (this.kernel.spec.kind !== 'precomputed') return supportVectors.cols
    return supportVectors.values.reduce((most, serial) => Math.max(most, serial), 0) + 1
  }
}
