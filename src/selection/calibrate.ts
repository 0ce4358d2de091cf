/**
 * Calibration as a step of its own: decision values of samples that a model was not trained on, from cross-fitting, become
 * probabilities through Platt's sigmoid or an isotonic function, one for every pair of classes; residuals of regression give
 * the width of Laplace noise; decision values of one class give the marks of LIBSVM.
 */
import { checkKnown, checkNumber, checkOneOf } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import { fitDensityMarks } from '../calibration/density-marks.ts'
import { fitIsotonic } from '../calibration/isotonic-calibration.ts'
import { fitLaplaceNoise } from '../calibration/laplace-noise.ts'
import { fitSigmoid } from '../calibration/sigmoid-calibration.ts'
import { type Dataset, sampleCount, selectSamples } from '../data/dataset.ts'
import { classTargets } from '../estimators/class-targets.ts'
import type { FitOptions, Fitted, Unlabelled } from '../estimators/estimator.ts'
import type { NuSVC } from '../estimators/nu-svc.ts'
import type { NuSVR } from '../estimators/nu-svr.ts'
import type { OneClassSVM } from '../estimators/one-class-svm.ts'
import type { SVC } from '../estimators/svc.ts'
import type { SVR } from '../estimators/svr.ts'
import type { PairProbability } from '../models/model-parts.ts'
import { OneClassModel } from '../models/one-class-model.ts'
import { SvcModel } from '../models/svc-model.ts'
import { SvrModel } from '../models/svr-model.ts'
import { classPairs } from '../problems/pairwise-problem.ts'
import { kFold, stratifiedKFold } from './splits.ts'

/** What {@link fitCalibrated} takes beside estimator and data. */
export interface CrossFitOptions extends Pick<FitOptions, 'onProgress' | 'signal'> {
  /** For classifiers. Default 'sigmoid'. */
  readonly method?: 'sigmoid' | 'isotonic'
  /** Parts for cross-fitting, stratified by class. Default 5, as LIBSVM. */
  readonly folds?: number
  /** Of the parts. Default 0. */
  readonly seed?: number
}

/** Kernel classifiers, regressions and one-class machines: what can be calibrated. */
export type Calibratable<S = never> = SVC<S> | NuSVC<S> | SVR<S> | NuSVR<S> | OneClassSVM<S>

type ModelOf<E> = E extends { fit(dataset: never): Promise<infer M> } ? M : never

/**
 * Fits a model on all the data whose `predictProbability` (classifiers, one class) or noise (regression) is calibrated by
 * cross-fitting: for each fold a model is fitted on the others and its decision values on the fold are kept.
 *
 * @example
 * const model = await fitCalibrated(new SVC({ C: 10 }), train)
 * model.predictProbability([[0.3, 1.2]])
 */
export async function fitCalibrated<S, E extends Calibratable<S>>(
  estimator: E,
  dataset: Dataset<S>,
  options: CrossFitOptions = {},
): Promise<ModelOf<E>> {
  checkKnown('fitCalibrated', options, ['method', 'folds', 'seed', 'onProgress', 'signal'])
  const { method = 'sigmoid', folds = 5, seed = 0, onProgress, signal } = options
  checkOneOf('fitCalibrated', 'method', method, ['sigmoid', 'isotonic'])
  checkNumber('fitCalibrated', 'folds', folds, { min: 2, integer: true })
  const fitOptions = { ...(onProgress && { onProgress }), ...(signal && { signal }) }
  const any = estimator as { fit(data: Unlabelled<S>, options: FitOptions): Promise<Fitted<object>> }
  const model = await any.fit(dataset, fitOptions)
  const crossFit = (split: typeof kFold) =>
    crossFitted((part) => any.fit(part, fitOptions), dataset, split(dataset, { folds, seed }))
  const calibrated = (made: object) => Object.assign(made, { trace: model.trace }) as ModelOf<E>
  if (model instanceof SvcModel) {
    const pairs = classPairs(model.classes.length)
    const values = await crossFit(stratifiedKFold)
    const probability = pairProbabilities(values, pairs, dataset, method)
    return calibrated(new SvcModel({ ...model, probability }))
  }
  const values = await crossFit(kFold)
  if (model instanceof SvrModel) {
    const labels = dataset.labels as Float64Array
    const sigma = fitLaplaceNoise(values.map((value, i) => labels[i] - value))
    return calibrated(new SvrModel({ ...model, bias: model.bias, probability: { method: 'laplace', sigma } }))
  }
  if (!(model instanceof OneClassModel))
    throw new DataError('fitCalibrated: this estimator cannot be calibrated')
  const marks = fitDensityMarks(values)
  if (!marks) {
    throw new DataError('fitCalibrated: one class needs at least five normal samples and five outliers')
  }
  return calibrated(
    new OneClassModel({ ...model, bias: model.bias, probability: { method: 'density', marks } }),
  )
}

/** Decision values of every sample (a value a pair), by a model that was not trained on it. */
async function crossFitted<S>(
  fitPart: (part: Dataset<S>) => Promise<object>,
  dataset: Dataset<S>,
  folds: readonly { readonly train: Uint32Array; readonly test: Uint32Array }[],
): Promise<Float64Array> {
  let all = new Float64Array(0)
  for (const { train, test } of folds) {
    const model = await fitPart(selectSamples(dataset, train))
    const rows = selectSamples(dataset, test).samples
    const values =
      model instanceof SvcModel
        ? model.decisionFunction(rows as never, { decisionFunctionShape: 'ovo' })
        : (model as { decisionFunction(rows: unknown): Float64Array }).decisionFunction(rows)
    const outputs = values.length / test.length
    if (all.length === 0) all = new Float64Array(sampleCount(dataset.samples) * outputs)
    test.forEach((i, k) => {
      all.set(values.subarray(k * outputs, (k + 1) * outputs), i * outputs)
    })
  }
  return all
}

/** One function a pair, fitted to the samples of its two classes. */
export function pairProbabilities(
  values: Float64Array,
  pairs: readonly (readonly [number, number])[],
  dataset: Dataset,
  method: 'sigmoid' | 'isotonic',
): PairProbability {
  const { classes, classOf } = classTargets('fitCalibrated', dataset, undefined)
  const fitted = pairs.map(([first, second], p) => {
    const members = Uint32Array.from(classOf.keys()).filter(
      (i) => classOf[i] === first || classOf[i] === second,
    )
    const positive = classes.length === 2 ? second : first
    const own = Float64Array.from(members, (i) => values[i * pairs.length + p])
    const positives = Array.from(members, (i) => classOf[i] === positive)
    const weights = dataset.weights && Float64Array.from(members, (i) => dataset.weights?.[i] ?? 1)
    return { own, positives, weights }
  })
  if (method === 'isotonic') {
    const functions = fitted.map(({ own, positives, weights }) => fitIsotonic(own, positives, weights))
    return { method, x: functions.map(({ x }) => x), y: functions.map(({ y }) => y) }
  }
  const sigmoids = fitted.map(({ own, positives, weights }) => fitSigmoid(own, positives, weights))
  return {
    method,
    a: Float64Array.from(sigmoids, ({ a }) => a),
    b: Float64Array.from(sigmoids, ({ b }) => b),
  }
}
