import { DataError } from '../base/errors.ts'
import type { Certificate } from '../certify/certificate.ts'
import { summariseCertificates } from '../certify/summarise-certificates.ts'
import { type Matrix, type RowsInput, toMatrix } from '../data/matrix/matrix.ts'
import type { ColumnPreparation } from '../data/preparation/column-preparation.ts'
import { applyScaler, type Scaler } from '../data/scaling/scaler.ts'
import type { Label, Labels, Samples } from '../data/table/dataset.ts'
import type { TableInput, TableRecord } from '../data/table/table-shapes.ts'
import { cloneableKernel } from '../kernels/cloneable-kernel.ts'
import type { Kernel, KernelSpec } from '../kernels/kernel.ts'
import { linear } from '../kernels/linear.ts'
import { modelDocument } from './files/model-document.ts'
import { checkDecisionOptions, type DecisionOptions } from './machines/decision-options.ts'
import type { Machine } from './machines/machine.ts'
import { SingleRow } from './machines/single-row.ts'
import type { Conformal, ModelParts, TrainingSettings } from './model-parts.ts'
import type { ModelType } from './model-types.ts'
import { tableRows } from './table-rows.ts'

/**
 * What a model predicts for: rows of numbers; records, or anything else with named columns, of models that know the names of
 * theirs; or samples of type S for kernels that are not over vectors.
 */
export type ModelRows<S = never> =
  | readonly (NumberRow | TableRecord | S)[]
  | Exclude<RowsInput | TableInput, readonly unknown[]>

type NumberRow = readonly number[] | Float64Array | Float32Array

/** A model in a few plain values, for people and tables. */
export interface ModelInfo {
  readonly type: string
  /** The classes of a classifier. */
  readonly classes: readonly Label[] | undefined
  readonly kernel: KernelSpec
  readonly features: number | undefined
  /** Number of support vectors; undefined if the model does not keep them. */
  readonly supportVectors: number | undefined
  /** Support vectors of each class, of a kernel classifier. */
  readonly supportCounts: readonly number[] | undefined
  /** One per function. */
  readonly biases: readonly number[]
  readonly scaler: Scaler['kind'] | undefined
  /** How probabilities are made; undefined where the model has none. */
  readonly probability: string | undefined
  /** The decision value from which on the second of two classes is predicted, where the model has one of its own. */
  readonly threshold: number | undefined
  /** What sets of classes or intervals are made by, where the model has them. */
  readonly conformal: Conformal | undefined
  /** Of all problems that were solved for the model. */
  readonly certificate: Certificate | undefined
}

/**
 * A trained model: plain data that does not change, and functions of a row on it. Models come from `fit` or from a file.
 *
 * Rows. A dense row must be as wide as the training data. Sparse rows follow LIBSVM: an absent feature is a zero, so
 * rows may be narrower or wider than the training data, and a feature that training never saw counts as one that
 * was zero in every training sample: it adds to the distance of an RBF kernel and vanishes from products. A model
 * with a scaler drops such features, as svm-scale does.
 *
 * Tables. A model that was trained on a table takes tables and records, whose columns it finds by name and prepares as it has
 * learned to; others are left out. Rows of numbers are rows of the features that this makes. A model that was trained on
 * vectors with names takes tables of numbers.
 *
 * Copies. `structuredClone(model)`, and `postMessage(model)` to a thread, copy the data and leave the methods behind; `modelFrom`
 * makes a model of the copy.
 */
export abstract class BaseModel<S = never> implements ModelParts {
  /** The type of the model, as in its file. */
  abstract readonly type: ModelType
  /** b of each function. */
  abstract readonly biases: Float64Array
  /** The kernel, with all parameters as numbers. */
  readonly kernel: Kernel<S>
  readonly features: number | undefined
  readonly featureNames: readonly string[] | undefined
  readonly preparation: ColumnPreparation | undefined
  readonly scaler: Scaler | undefined
  readonly certificates: readonly Certificate[] | undefined
  readonly training: TrainingSettings | undefined
  readonly conformal: Conformal | undefined
  /** How decision values become probabilities, or the noise of a regression; undefined if not calibrated. */
  declare readonly probability?: { readonly method: string } | undefined
  #machine: Machine<S> | undefined
  /** What {@link decide} keeps from call to call. */
  #single: { readonly row: SingleRow; readonly fill: (out: Float64Array) => void } | undefined
  #values: Float64Array | undefined

  /** The kernel is linear unless given. */
  constructor(parts: ModelParts & { readonly kernel?: Kernel<S> }) {
    this.kernel = cloneableKernel(parts.kernel ?? (linear() as Kernel<S>))
    this.features = parts.features
    this.featureNames = parts.featureNames
    this.preparation = parts.preparation
    this.scaler = parts.scaler
    this.certificates = parts.certificates
    this.training = parts.training
    this.conformal = parts.conformal
  }

  /** Number of values per row of {@link decisionFunction}. */
  get outputs(): number {
    return 1
  }

  /** f for every row, row-major if the model has several values per row. */
  decisionFunction(rows: ModelRows<S>, options: DecisionOptions = {}): Float64Array {
    return this.machine.values(this.prepareRows(rows), checkDecisionOptions('decisionFunction', options))
  }

  /** What the model predicts for every row. */
  abstract predict(rows: ModelRows<S>, options?: DecisionOptions): Labels

  /** The model as a plain object, the content of its JSON file: `JSON.stringify(model)` saves a model. */
  toJSON(): object {
    return modelDocument(this as never)
  }

  /** Number of support vectors; undefined if the model does not keep them. */
  get supportCount(): number | undefined {
    return undefined
  }

  /** b of the first function, which is the only one except for models of several classes. */
  get bias(): number {
    return this.biases[0]
  }

  /** How good the solution behind the model is; a summary if several problems were solved. */
  get certificate(): Certificate | undefined {
    return this.certificates && summariseCertificates(this.certificates)
  }

  /**
   * f(x) for one dense row, with the same bits as `decisionFunction([row])[0]`. After the first call it allocates nothing,
   * for callers that need the result for a single row within microseconds. (Kernels other than linear, polynomial, rbf
   * and sigmoid use the general code.) For models with several values per row, see {@link decideAll}.
   */
  decide(row: ArrayLike<number> | S): number {
    if (this.outputs !== 1) {
      throw new DataError(`decide: the model has ${this.outputs} values per row; use decideAll`)
    }
    this.#values ??= new Float64Array(1)
    this.decideAll(row, this.#values)
    return this.#values[0]
  }

  /** All values of one dense row, as in {@link decide}, written to `out`, which must have room for `outputs` values. */
  decideAll(row: ArrayLike<number> | S, out: Float64Array): void {
    const { length } = row as ArrayLike<number>
    if (this.#single?.row.length !== length) this.#single = this.#prepareSingle(length)
    const single = this.#single
    if (single?.row.load(row as ArrayLike<number>)) single.fill(out)
    else out.set(this.decisionFunction([row] as ModelRows<S>))
  }

  /** A summary of the model as plain values. */
  info(): ModelInfo {
    return {
      type: this.type,
      classes: undefined,
      kernel: this.kernel.spec,
      features: this.features,
      supportVectors: this.supportCount,
      supportCounts: undefined,
      biases: Array.from(this.biases),
      scaler: this.scaler?.kind,
      probability: this.probability?.method,
      threshold: undefined,
      conformal: this.conformal,
      certificate: this.certificate,
    }
  }

  /** What `console.log(model)` shows in Node: {@link info} without what is not there, and the outcome of its certificate. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const { certificate, ...others } = this.info()
    const { stopReason, gap, solver } = certificate ?? {}
    const shown = { ...others, certificate: certificate && { stopReason, gap, solver } }
    const known = Object.entries(shown).filter(([, value]) => value !== undefined)
    return `${this.constructor.name} ${inspect(Object.fromEntries(known), options)}`
  }

  /** Makes what computes the values of a row. */
  protected abstract makeMachine(): Machine<S>

  /** What computes the values of a row; made when it is first needed. */
  protected get machine(): Machine<S> {
    this.#machine ??= this.makeMachine()
    return this.#machine
  }

  /** From the machine's values of one row to those of the decision function. */
  protected shapeRow(values: Float64Array, out: Float64Array): void {
    out.set(values)
  }

  /** Rows as the model sees them: checked, scaled, and at least as wide as the machine looks. */
  protected prepareRows(rows: ModelRows<S>): Samples<S> {
    if (!this.overVectors) return rows as readonly S[]
    const tables = tableRows.current
    const matrix = tables.isTabular(rows)
      ? tables.vectorsOf(rows, this.preparation, this.featureNames)
      : toMatrix(rows as RowsInput)
    const { features, scaler } = this
    const { width } = this.machine
    const { cols } = matrix
    if (matrix.kind === 'dense' && matrix.rows > 0 && !this.#fits(cols)) {
      throw new DataError(`rows have ${cols} columns, but the model needs ${features ?? `at least ${width}`}`)
    }
    if (scaler) return applyScaler(scaler, matrix)
    return (matrix.kind === 'sparse' && cols < width ? { ...matrix, cols: width } : matrix) as Matrix
  }

  /** Whether samples are rows of numbers. */
  protected get overVectors(): boolean {
    return true
  }

  #prepareSingle(length: number): { row: SingleRow; fill: (out: Float64Array) => void } | undefined {
    if (!this.#fits(length)) return undefined
    const row = new SingleRow(length, this.scaler)
    const { machine } = this
    const compute = machine.single(row.matrix)
    if (!compute) return undefined
    const values = new Float64Array(machine.outputs)
    const fill = (out: Float64Array): void => {
      compute(values)
      this.shapeRow(values, out)
    }
    return { row, fill }
  }

  /** Whether dense rows may have this many values. */
  #fits(length: number): boolean {
    return this.features !== undefined ? length === this.features : length >= this.machine.width
  }
}
