import { DataError } from '../base/errors.ts'
import type { Label, Labels } from '../data/dataset.ts'
import { type DenseMatrix, type Matrix, type RowsInput, toMatrix } from '../data/matrix.ts'
import { matrixTimes } from '../data/products.ts'
import { applyScaler, type Scaler } from '../data/scaler.ts'
import type { Kernel, KernelSpec } from '../kernels/kernel.ts'
import type { Certificate } from '../problems/certificate.ts'
import type { DecisionOptions } from './kernel-decision.ts'
import type { ClassifierParts } from './model-parts.ts'
import { SingleRow } from './single-row.ts'

/** What a model predicts for: rows of numbers, or samples of type S for kernels that are not over vectors. */
export type ModelRows<S = never> = RowsInput | readonly S[]

/** A model in a few plain values, for people and tables. */
export interface ModelInfo {
  readonly type: string
  readonly classes: readonly [negative: Label, positive: Label]
  readonly kernel: KernelSpec
  readonly features: number | undefined
  /** Number of support vectors; undefined where the model does not keep them. */
  readonly supportVectors: number | undefined
  readonly bias: number
  readonly scaler: Scaler['kind'] | undefined
  readonly certificate: Certificate | undefined
}

/**
 * A trained two-class classifier: plain data that does not change, and the decision function on it. Models come
 * from `fit` or from a file.
 *
 * Rows. A dense row must be as wide as the training data. Sparse rows follow LIBSVM: an absent feature is a zero, so
 * rows may be narrower or wider than the training data, and a feature that training never saw counts as one that
 * was zero in every training sample: it adds to the distance of an RBF kernel and vanishes from products. A model
 * with a scaler drops such features, as svm-scale does.
 */
export abstract class ClassifierModel<S = never> implements ClassifierParts {
  /** The kind of model, as its file names it. */
  abstract readonly type: string
  /** The kernel, its parameters settled. */
  abstract readonly kernel: Kernel<S>
  readonly classes: readonly [negative: Label, positive: Label]
  readonly bias: number
  readonly features: number | undefined
  readonly featureNames: readonly string[] | undefined
  readonly scaler: Scaler | undefined
  readonly certificate: Certificate | undefined
  /** What {@link decide} keeps from call to call. */
  #single: { readonly row: SingleRow; readonly value: () => number } | undefined

  constructor(parts: ClassifierParts) {
    this.classes = parts.classes
    this.bias = parts.bias
    this.features = parts.features
    this.featureNames = parts.featureNames
    this.scaler = parts.scaler
    this.certificate = parts.certificate
  }

  /** f(x) for every row: its sign chooses the class, and |f(x)| / ‖w‖ is the distance to the hyperplane. */
  abstract decisionFunction(rows: ModelRows<S>, options?: DecisionOptions): Float64Array

  /**
   * f(x) for one dense row: what `decisionFunction([row])[0]` is, to the bit. After the first call it allocates nothing,
   * for who has one row at a time and wants the answer in microseconds. (Kernels other than linear, polynomial, rbf and
   * sigmoid take the general way.)
   */
  decide(row: ArrayLike<number> | S): number {
    const { length } = row as ArrayLike<number>
    if (this.#single?.row.length !== length) this.#single = this.prepareSingle(length)
    const single = this.#single
    if (single?.row.load(row as ArrayLike<number>)) return single.value()
    return this.decisionFunction([row] as ModelRows<S>)[0]
  }

  /** The model as the plain object whose text is its JSON file: `JSON.stringify(model)` saves a model. */
  abstract toJSON(): object

  /** Number of support vectors; undefined where the model does not keep them. */
  abstract get supportCount(): number | undefined

  /** The class of every row, labels as they were given: the second of `classes` where f(x) > 0, else the first. */
  predict(rows: ModelRows<S>, options: DecisionOptions = {}): Labels {
    return this.labelsOf(this.decisionFunction(rows, options))
  }

  /** The class that each value of the decision function stands for. */
  labelsOf(values: Float64Array): Labels {
    const [negative, positive] = this.classes
    if (typeof negative === 'number' && typeof positive === 'number') {
      return values.map((value) => (value > 0 ? positive : negative))
    }
    return Array.from(values, (value) => (value > 0 ? positive : negative) as string)
  }

  /** The model in a few plain values. */
  info(): ModelInfo {
    return {
      type: this.type,
      classes: this.classes,
      kernel: this.kernel.spec,
      features: this.features,
      supportVectors: this.supportCount,
      bias: this.bias,
      scaler: this.scaler?.kind,
      certificate: this.certificate,
    }
  }

  /** Columns of a row that the decision function looks at. */
  protected abstract get width(): number

  /**
   * Prepares f for the one row of a matrix that is filled anew before each call; undefined where the general way is the
   * only one.
   */
  protected abstract singleValue(row: DenseMatrix): (() => number) | undefined

  /** Rows as the model sees them: checked, scaled, and at least `width` columns wide. */
  protected prepareRows(rows: RowsInput): Matrix {
    const matrix = toMatrix(rows)
    const { features, scaler, width } = this
    const { cols } = matrix
    if (matrix.kind === 'dense' && matrix.rows > 0 && !this.fits(cols)) {
      throw new DataError(
        `rows have ${cols} columns where the model needs ${features ?? `at least ${width}`}`,
      )
    }
    if (scaler) return applyScaler(scaler, matrix)
    return matrix.kind === 'sparse' && cols < width ? { ...matrix, cols: width } : matrix
  }

  private prepareSingle(length: number): { row: SingleRow; value: () => number } | undefined {
    if (!this.fits(length)) return undefined
    const row = new SingleRow(length, this.scaler)
    const value = this.singleValue(row.matrix)
    return value && { row, value }
  }

  /** Whether dense rows may have so many values. */
  private fits(length: number): boolean {
    return this.features !== undefined ? length === this.features : length >= this.width
  }
}

/** ⟨x_i, coef⟩ + bias for every row; columns beyond `coef` count for nothing. */
export function linearDecision(matrix: Matrix, coef: Float64Array, bias: number): Float64Array {
  const weights = new Float64Array(Math.max(matrix.cols, coef.length))
  weights.set(coef)
  const values = matrixTimes(matrix, weights)
  for (let i = 0; i < values.length; i++) values[i] += bias
  return values
}

/** ⟨x, coef⟩ + bias for the one row of a matrix. */
export function rowDecision({ cols, values }: DenseMatrix, coef: Float64Array, bias: number): number {
  const width = Math.min(cols, coef.length)
  let sum = 0
  for (let j = 0; j < width; j++) sum += values[j] * coef[j]
  return sum + bias
}
