/**
 * Models for LIBSVM's format, which has no scaler. With x ↦ a ∘ x + o in each feature,
 *
 *   linear     ⟨s, a ∘ x + o⟩ = ⟨a ∘ s, x⟩ + ⟨s, o⟩: the vectors are multiplied by a, and f(0) is the new bias;
 *   Gaussian   γ‖a ∘ x + o − s‖² = γ a² ‖x − (s − o) / a‖² where a is the same in all features.
 *
 * Elsewhere the data are scaled first, as LIBSVM's users do, by svm-scale with a file of ranges: that v ↦ (v − m) / d is
 * what svm-scale does from m − d to m + d, onto −1 to 1.
 */
import {
  type Fitted,
  type Matrix,
  type RangeScaler,
  rbf,
  type Scaler,
  SvcModel,
  SvrModel,
  toDense,
} from '../../src/index.browser.ts'
import type { Classifier } from '../worker/learn.ts'
import type { LibsvmForm } from './file-messages.ts'

/** A model that a file may have. */
export type FileModel = Classifier | Fitted<SvrModel>

/** How a model goes into LIBSVM's format. */
export function libsvmForm(model: FileModel): LibsvmForm {
  const { kernel, scaler, preparation } = model
  const { kind } = kernel.spec
  if (preparation) return 'prepared'
  if (!['linear', 'polynomial', 'rbf', 'sigmoid'].includes(kind)) return 'none'
  if (!scaler) return 'plain'
  if (kind === 'linear' || (kind === 'rbf' && evenFactor(scaler))) return 'folded'
  return 'ranges'
}

/** The same function of data that are not scaled; for the form 'folded'. */
export function foldScaler(model: FileModel): SvcModel | SvrModel {
  const scaler = model.scaler as Scaler
  const { factor, offset } = linesOf(scaler)
  const { rows, cols, values } = toDense(model.supportVectors as Matrix)
  const { spec } = model.kernel
  const isLinear = spec.kind === 'linear'
  const moved = values.map((value, k) => {
    const j = k % cols
    return isLinear ? value * factor[j] : (value - offset[j]) / factor[j]
  })
  const supportVectors = { kind: 'dense', rows, cols, values: moved } as const
  const parts = { ...model, scaler: undefined, supportVectors }
  if (!isLinear && spec.kind === 'rbf') {
    const kernel = rbf({ gamma: (spec.gamma as number) * factor[0] ** 2 })
    return model.type === 'svr' || model.type === 'nu-svr'
      ? new SvrModel({ ...parts, type: model.type, kernel } as never)
      : new SvcModel({ ...parts, kernel } as never)
  }
  const zero = { kind: 'dense', rows: 1, cols, values: new Float64Array(cols) } as const
  if (model.type === 'svr' || model.type === 'nu-svr') {
    return new SvrModel({ ...parts, biases: model.predict(zero) } as never)
  }
  const classifier = model as Classifier
  const valuesAt = (one: SvcModel) => one.decisionFunction(zero, { decisionFunctionShape: 'ovo' })
  // The sign that a bias has in a decision value: that of a model in which all are 1 and the vectors count for nothing.
  const { biases } = classifier
  const signs = valuesAt(new SvcModel({ ...parts, biases: biases.map(() => 1) } as never))
  const wanted = valuesAt(classifier)
  return new SvcModel({ ...parts, biases: wanted.map((value, k) => value * signs[k]) } as never)
}

/** The ranges with which svm-scale does what a scaler does. */
export function rangesOf(scaler: Scaler): RangeScaler {
  if (scaler.kind === 'range') return scaler
  const { mean, scale } = scaler
  return {
    kind: 'range',
    lower: -1,
    upper: 1,
    min: mean.map((middle, j) => middle - scale[j]),
    max: mean.map((middle, j) => middle + scale[j]),
  }
}

/** Factor and offset of each feature. */
function linesOf(scaler: Scaler): { factor: Float64Array; offset: Float64Array } {
  if (scaler.kind === 'standard') {
    const factor = Float64Array.from(scaler.scale, (scale) => 1 / scale)
    return { factor, offset: factor.map((a, j) => -a * scaler.mean[j]) }
  }
  const { lower, upper, min, max } = scaler
  const factor = Float64Array.from(min, (low, j) => (low === max[j] ? 0 : (upper - lower) / (max[j] - low)))
  return { factor, offset: factor.map((a, j) => (a === 0 ? 0 : lower - a * min[j])) }
}

function evenFactor(scaler: Scaler): boolean {
  const { factor } = linesOf(scaler)
  return factor[0] > 0 && factor.every((a) => a === factor[0])
}
