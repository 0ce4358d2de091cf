/**
 * The start of a fit: what a linear model that was trained before is worth to the data at hand. Its weights are carried over from its
 * scaler to theirs, and by the names of features where both have names; its functions are those of the classes that both know. A
 * start that fits badly costs time at most: nothing of it is part of the certificate.
 */
import { DataError, ParameterError } from '../../base/errors.ts'
import { countUp } from '../../base/lists.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { type Scaler, scaleValues } from '../../data/scaling/scaler.ts'
import type { Label } from '../../data/table/dataset.ts'
import type { LinearOneClassModel } from '../../models/linear-one-class-model.ts'
import type { LinearSvcModel } from '../../models/linear-svc-model.ts'
import type { LinearSvrModel } from '../../models/linear-svr-model.ts'
import type { TrainingSettings } from '../../models/model-parts.ts'
import { isSmooth } from '../../problems/linear-loss.ts'
import type { LinearStart } from '../../solve/driver/solver.ts'

/** Any linear model. */
export type LinearModel = LinearSvcModel | LinearSvrModel | LinearOneClassModel

/** What a fit is about to learn from. */
export interface StartPlace {
  /** The samples, scaled: only how they are stored, and how many there are. */
  readonly samples: Pick<Matrix, 'kind' | 'rows' | 'cols'>
  readonly scaler: Scaler | undefined
  readonly featureNames?: readonly string[] | undefined
  /** The classes of a classifier. */
  readonly classes?: readonly Label[]
  readonly settings: TrainingSettings
  /** Who begins, for messages. Default `fit`. */
  readonly who?: string
}

/** A function of a model, or its opposite. */
interface Part {
  readonly machine: number
  readonly sign: 1 | -1
}

/** See the header of the file. `type` is that of the models that the estimator trains. */
export function linearStart(model: LinearModel, type: LinearModel['type'], place: StartPlace): LinearStart {
  const { who = 'fit' } = place
  if (model?.type !== type || !(model.coef instanceof Float64Array)) {
    throw new ParameterError(who, 'start', `a model of type ${type}`, model?.type ?? model)
  }
  const functions = functionsFor(who, model, place.classes)
  const { cols, rows } = place.samples
  const weights = new Float64Array(functions.length * (cols + 1))
  const carry = carrier(model, place)
  functions.forEach((parts, k) => {
    const own = weights.subarray(k * (cols + 1), (k + 1) * (cols + 1))
    for (const part of parts) carry(part, own)
  })
  const alpha = dualFor(model, functions, rows, place.settings)
  return { weights, ...(alpha && { alpha }) }
}

/** For each function of the fit, those of the model that it begins with; none for a class that the model does not know. */
function functionsFor(who: string, model: LinearModel, classes: readonly Label[] | undefined): Part[][] {
  if (!('classes' in model) || !classes) return [[{ machine: 0, sign: 1 }]]
  if (!classes.some((label) => model.classes.includes(label))) {
    throw new DataError(
      `${who}: the classes of the start model are ${model.classes.join(', ')}, but those of the data are ${classes.join(', ')}`,
    )
  }
  const of = (label: Label, sign: 1 | -1 = 1): Part[] => {
    const c = model.classes.indexOf(label)
    if (c < 0) return []
    if (model.biases.length > 1) return [{ machine: c, sign }]
    return [{ machine: 0, sign: c === 1 ? sign : (-sign as 1 | -1) }]
  }
  if (classes.length > 2) return classes.map((label) => of(label))
  const [negative, positive] = classes
  // Machines that were trained together are compared with each other; others are functions of their own.
  if (model.multiClass === 'crammer-singer') return [[...of(positive), ...of(negative, -1)]]
  return [of(positive).length > 0 ? of(positive) : of(negative, -1)]
}

/** Adds a function of the model, in the coordinates of the data, to w and then b. */
function carrier(model: LinearModel, place: StartPlace): (part: Part, out: Float64Array) => void {
  const { samples, scaler, featureNames, who = 'fit' } = place
  const { cols } = samples
  const features = model.coef.length / model.biases.length
  const column = columnsOf(who, model, features, samples, featureNames)
  const [before, after] = [affine(model.scaler, features), affine(scaler, cols)]
  return ({ machine, sign }, out) => {
    const coef = model.coef.subarray(machine * features, (machine + 1) * features)
    let bias = model.biases[machine]
    for (let j = 0; j < features; j++) bias += coef[j] * before.offset[j]
    for (let j = 0; j < cols; j++) {
      const from = column[j]
      if (from < 0 || after.factor[j] === 0) continue
      const own = (coef[from] * before.factor[from]) / after.factor[j]
      out[j] += sign * own
      bias -= own * after.offset[j]
    }
    out[cols] += sign * bias
  }
}

/** The feature of the model that each column of the data is, or −1. */
function columnsOf(
  who: string,
  { featureNames: known }: LinearModel,
  features: number,
  { kind, cols }: StartPlace['samples'],
  names: readonly string[] | undefined,
): Int32Array {
  if (known && names) {
    const position = new Map(known.map((name, j) => [name, j]))
    const column = Int32Array.from(names, (name) => position.get(name) ?? -1)
    if (column.some((from) => from >= 0)) return column
    throw new DataError(
      `${who}: the start model and the data have no feature in common: ${known[0]} … and ${names[0]} …`,
    )
  }
  if (kind === 'dense' && cols !== features) {
    throw new DataError(`${who}: the start model has ${features} features, but the data have ${cols}`)
  }
  return Int32Array.from({ length: cols }, (_, j) => (j < features ? j : -1))
}

/** A scaler as x · factor + offset in every column. */
function affine(scaler: Scaler | undefined, cols: number): { factor: Float64Array; offset: Float64Array } {
  const factor = new Float64Array(cols).fill(1)
  const offset = new Float64Array(cols)
  if (!scaler) return { factor, offset }
  const columns = countUp(cols)
  scaleValues(scaler, factor, columns)
  scaleValues(scaler, offset, columns)
  for (let j = 0; j < cols; j++) factor[j] -= offset[j]
  return { factor, offset }
}

/**
 * The dual variables of the model, where it kept as many as there are samples, for the same loss: in proportion to C. Smooth losses
 * need none, as their slopes are the dual variables.
 */
function dualFor(
  { dual, training = {} }: LinearModel,
  functions: readonly Part[][],
  rows: number,
  { loss, C = 1 }: TrainingSettings,
): Float64Array | undefined {
  if (!dual || !loss || isSmooth(loss) || training.loss !== loss) return undefined
  const ratio = C / (training.C ?? C)
  const alpha = new Float64Array(functions.length * rows)
  for (const [k, parts] of functions.entries()) {
    if (parts.length !== 1 || dual[parts[0].machine].length !== rows) return undefined
    const [{ machine, sign }] = parts
    alpha.set(
      dual[machine].map((own) => sign * ratio * own),
      k * rows,
    )
  }
  return Number.isFinite(ratio) ? alpha : undefined
}
