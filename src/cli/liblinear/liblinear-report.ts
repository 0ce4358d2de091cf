/** Fits as `liblinear-train` does, and says what it says: a few lines for every function. */
import type { VectorDataset } from '../../data/table/dataset.ts'
import { liblinearSolvers } from '../../models/known-problems.ts'
import { LinearSvcModel } from '../../models/linear-svc-model.ts'
import { LinearSvrModel } from '../../models/linear-svr-model.ts'
import type { Model } from '../../models/model.ts'
import { percentF } from '../libsvm/c-format.ts'
import { labelOrder } from '../libsvm/class-labels.ts'
import type { LiblinearSettings } from './liblinear-settings.ts'
import { type Figures, fitSingleClass, hasSingleClass } from './single-class.ts'

/** Trains a model and reports on it through `say`; the classes come in LIBLINEAR's order. */
export async function fitWithReport(
  settings: LiblinearSettings,
  dataset: VectorDataset,
  say: (text: string) => void,
): Promise<Model> {
  const { name: liblinearSolver } = settings
  const onProgress = () => say('.')
  if (settings.classifies && hasSingleClass(dataset)) {
    const { model, figures } = await fitSingleClass(settings, dataset, onProgress)
    say(lines(settings, figures, model, 0))
    return model
  }
  const estimator = settings.estimator(dataset)
  const fitted = await estimator.fit(dataset, { onProgress })
  // A feature of zeros is written, too.
  const training = settings.hasConstant
    ? { ...fitted.training, interceptScaling: settings.constant }
    : fitted.training
  if (fitted instanceof LinearSvcModel) {
    const order = labelOrder(fitted.classes, dataset)
    const { certificates = [] } = fitted
    const ordered = certificates.length === order.length ? order.map((c) => certificates[c]) : certificates
    say(ordered.map((certificate, m) => lines(settings, certificate, fitted, order[m] ?? 0)).join(''))
    return new LinearSvcModel({ ...fitted, training, liblinearSolver, labelOrder: order })
  }
  say((fitted.certificates ?? []).map((certificate) => lines(settings, certificate, fitted, 0)).join(''))
  return fitted instanceof LinearSvrModel
    ? new LinearSvrModel({ ...fitted, training, bias: fitted.bias, liblinearSolver })
    : fitted
}

/** Dual solvers say the dual value and count support vectors; those for ‖w‖₁ count weights instead. */
function lines({ name }: LiblinearSettings, figures: Figures, model: Model, which: number): string {
  const { iterations, primal, dual, supportVectors } = figures
  const { norm, primal: isPrimal, loss } = liblinearSolvers[name]
  const end = `*\noptimization finished, #iter = ${iterations}\nObjective value = ${percentF(isPrimal ? primal : dual)}\n`
  if (norm === 1) {
    const coef = model.coef as Float64Array
    const features = coef.length / model.biases.length
    const own = coef.subarray(which * features, (which + 1) * features)
    const weights = own.length > 0 ? own : coef
    const used = weights.reduce((sum, weight) => sum + (weight === 0 ? 0 : 1), 0)
    return `${end}#nonzeros/#features = ${used}/${features}\n`
  }
  return isPrimal || loss === 'logistic' ? end : `${end}nSV = ${supportVectors}\n`
}
