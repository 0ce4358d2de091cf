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
import { type Dataset, type Label, type Samples, sampleCount, selectSamples } from '../data/dataset.ts'
import { classTargets } from '../estimators/class-targets.ts'
import type { FitOptions, Fitted, Unlabelled } from '../estimators/estimator.ts'
import { fitJob } from '../estimators/fit-job.ts'
import { keeping } from '../estimators/kept-work.ts'
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
import { fitOptions } from './executor.ts'
import { kFold, stratifiedKFold } from './splits.ts'

/** What {@link fitCalibrated} takes beside estimator and data. */
export interface CrossFitOptions extends Pick<FitOptions, 'onProgress' | 'signal' | 'checkpoint'> {
  /** For classifiers. Default 'sigmoid'. */
  readonly method?: 'sigmoid' | 'isotonic'
  /** Parts for cross-fitting, stratified by class. Default 5, as LIBSVM, or one a sample where there are fewer. */
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
  data: E extends OneClassSVM<S> ? Unlabelled<S> : Dataset<S>,
  options: CrossFitOptions = {},
): Promise<ModelOf<E>> {
  checkKnown('fitCalibrated', options, ['method', 'folds', 'seed', 'onProgress', 'signal', 'checkpoint'])
  const { method = 'sigmoid', seed = 0, onProgress, signal } = options
  // One class learns without labels; what they are does not matter to its folds.
  const dataset = { labels: new Float64Array(sampleCount(data.samples)), ...data } as Dataset<S>
  const { folds = Math.max(2, Math.min(5, sampleCount(dataset.samples))) } = options
  checkOneOf('fitCalibrated', 'method', method, ['sigmoid', 'isotonic'])
  checkNumber('fitCalibrated', 'folds', folds, { min: 2, integer: true })
  const any = estimator as { fit(data: Unlabelled<S>, options: FitOptions): Promise<Fitted<object>> }
  const job = () => ({ work: 'calibration', ...fitJob(estimator, dataset), folds, seed })
  return keeping(options.checkpoint, job, (checkpoint) => {
    let fits = 0
    const fitNext = (part: Dataset<S>) =>
      any.fit(part, { ...(onProgress && { onProgress }), ...fitOptions(signal, checkpoint, `fit ${fits++}`) })
    return calibrate<S, E>(dataset, fitNext, { method, folds, seed })
  })
}

/** The work of {@link fitCalibrated}: one fit of all samples, and one for each fold. */
async function calibrate<S, E extends Calibratable<S>>(
  dataset: Dataset<S>,
  fitPart: (part: Dataset<S>) => Promise<Fitted<object>>,
  { method, folds, seed }: Required<Pick<CrossFitOptions, 'method' | 'folds' | 'seed'>>,
): Promise<ModelOf<E>> {
  const model = await fitPart(dataset)
  const calibrated = (made: object) => Object.assign(made, { trace: model.trace }) as ModelOf<E>
  if (model instanceof SvcModel) {
    const pairs = classPairs(model.classes.length)
    const split = stratifiedKFold(dataset, { folds, seed })
    const values = await crossFitted(dataset, split, pairs.length, (part, rows) =>
      unseenPairValues(fitPart, part, rows, model.classes),
    )
    const probability = pairProbabilities(values, pairs, dataset, method)
    return calibrated(new SvcModel({ ...model, probability }))
  }
  const values = await crossFitted(dataset, kFold(dataset, { folds, seed }), 1, async (part, rows) =>
    ((await fitPart(part)) as Fitted<SvrModel>).decisionFunction(rows as never),
  )
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

/** Values of every sample, so many each, by a model that was not trained on it. */
async function crossFitted<S>(
  dataset: Dataset<S>,
  folds: readonly { readonly train: Uint32Array; readonly test: Uint32Array }[],
  outputs: number,
  valuesOf: (part: Dataset<S>, rows: Samples<S>) => Promise<Float64Array>,
): Promise<Float64Array> {
  const all = new Float64Array(sampleCount(dataset.samples) * outputs)
  for (const { train, test } of folds) {
    const rows = selectSamples(dataset, test).samples
    const values = await valuesOf(selectSamples(dataset, train), rows)
    test.forEach((i, k) => {
      all.set(values.subarray(k * outputs, (k + 1) * outputs), i * outputs)
    })
  }
  return all
}

/**
 * The value of every pair of `classes` for rows, by a model of one part of the data. A part may lack a rare class; of a pair
 * of which it knows one class alone, the value is then ±1, for that class, as in LIBSVM.
 */
async function unseenPairValues<S>(
  fitPart: (part: Dataset<S>) => Promise<object>,
  part: Dataset<S>,
  rows: Samples<S>,
  classes: readonly Label[],
): Promise<Float64Array> {
  const present = new Set<Label>(part.labels)
  const known = classes.flatMap((label, c) => (present.has(label) ? [c] : []))
  const model = known.length > 1 ? ((await fitPart(part)) as SvcModel<S>) : undefined
  const found = model?.decisionFunction(rows as never, { decisionFunctionShape: 'ovo' })
  if (found && known.length === classes.length) return found
  const pairs = classPairs(classes.length)
  const knownPairs = classPairs(known.length)
  const count = sampleCount(rows)
  const values = new Float64Array(count * pairs.length)
  pairs.forEach(([first, second], p) => {
    const [i, j] = [known.indexOf(first), known.indexOf(second)]
    // f > 0 means the first class, and of two classes alone the second.
    const towardsFirst = classes.length === 2 ? -1 : 1
    const constant = i >= 0 ? towardsFirst : j >= 0 ? -towardsFirst : 0
    const place = knownPairs.findIndex(([a, b]) => a === i && b === j)
    const sign = known.length === 2 ? -1 : 1
    for (let row = 0; row < count; row++) {
      const value = found && place >= 0 ? sign * found[row * knownPairs.length + place] : constant
      values[row * pairs.length + p] = value
    }
  })
  return values
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
