/**
 * Calibration as its own step: decision values of samples that a model was not trained on, from cross-fitting, become
 * probabilities through Platt's sigmoid or an isotonic function, one for every pair of classes or, of linear classifiers,
 * for each class against the rest; residuals of regression give
 * the width of Laplace noise; decision values of one class give the marks of LIBSVM.
 */

import { checkKnown, checkOneOf } from '../../base/check.ts'
import { DataError, show } from '../../base/errors.ts'
import { contentFingerprint } from '../../base/fingerprint.ts'
import { countUp, pickNumbers } from '../../base/lists.ts'
import { positiveOf } from '../../base/positive-class.ts'
import { fitDensityMarks } from '../../calibration/density-marks.ts'
import { fitIsotonic, type IsotonicCalibration } from '../../calibration/isotonic-calibration.ts'
import { fitLaplaceNoise } from '../../calibration/laplace-noise.ts'
import { fitSigmoid, type SigmoidCalibration } from '../../calibration/sigmoid-calibration.ts'
import {
  type Dataset,
  type Label,
  type Labels,
  sampleCount,
  selectSamples,
} from '../../data/table/dataset.ts'
import { keepingEngine } from '../../engine/memory/engine.ts'
import { fitJob } from '../../estimators/fitting/fit-job.ts'
import { keeping } from '../../estimators/fitting/kept-work.ts'
import { LinearSVC } from '../../estimators/linear-svc.ts'
import type { NuSVC } from '../../estimators/nu-svc.ts'
import type { NuSVR } from '../../estimators/nu-svr.ts'
import type { OneClassSVM } from '../../estimators/one-class-svm.ts'
import type { FitOptions, Fitted, Unlabelled } from '../../estimators/parts/estimator.ts'
import type { SVC } from '../../estimators/svc.ts'
import type { SVR } from '../../estimators/svr.ts'
import { LinearSvcModel } from '../../models/linear-svc-model.ts'
import type { PairProbability } from '../../models/model-parts.ts'
import { OneClassModel } from '../../models/one-class-model.ts'
import { SvcModel } from '../../models/svc-model.ts'
import { SvrModel } from '../../models/svr-model.ts'
import { classPairs, membersOf, rowsOfPair } from '../../problems/pairwise-problem.ts'
import type { FoundPoint } from '../../solve/driver/found-point.ts'
import { checkFolds } from '../score/evaluation-setup.ts'
import type { FoldOutput } from '../score/fold-output.ts'
import { chosenProtocol, type ProtocolChoice, protocolFolds } from '../score/protocols.ts'
import type { Estimator } from '../search/estimator.ts'
import { fitOptions } from '../search/executor.ts'
import { type SharedFoldsOptions, sharedFolds } from '../share/shared-folds.ts'
import { type Fold, pickLabels } from '../split/splits.ts'
import {
  crossFitted,
  otherPlace,
  ownPairValues,
  unseenClassValues,
  unseenPairValues,
} from './unseen-values.ts'

/** Options of {@link fitCalibrated}. */
export interface CrossFitOptions
  extends Pick<FitOptions, 'onProgress' | 'signal' | 'checkpoint'>,
    ProtocolChoice {
  /** For classifiers. Default 'sigmoid'. */
  readonly method?: 'sigmoid' | 'isotonic'
  /** Parts for cross-fitting, stratified by class; by groups or by time for data that has them. Default 5, as LIBSVM, or one per sample where there are fewer. */
  readonly folds?: number
  /** Of the parts. Default 0. */
  readonly seed?: number
  /** Memory for what the parts share, in bytes. Default: that of the estimator. */
  readonly cacheBytes?: number
}

const OPTIONS = [
  ...['method', 'protocol', 'folds', 'seed', 'onProgress', 'signal', 'checkpoint', 'cacheBytes'],
]

/** Machines that can be calibrated: classifiers, kernel regressions and one-class machines. */
export type Calibratable<S = never> = SVC<S> | NuSVC<S> | LinearSVC | SVR<S> | NuSVR<S> | OneClassSVM<S>

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
  const who = 'fitCalibrated'
  checkKnown(who, options, OPTIONS)
  const { method = 'sigmoid', seed = 0, onProgress, signal, cacheBytes } = options
  // One class learns without labels; what they are does not matter to its folds.
  const dataset = { labels: new Float64Array(sampleCount(data.samples)), ...data } as Dataset<S>
  checkOneOf(who, 'method', method, ['sigmoid', 'isotonic'])
  const usual = estimator.learns === 'classes' ? 'stratified-k-fold' : 'k-fold'
  const split = Array.from(protocolFolds(chosenProtocol(who, dataset, options, usual), dataset, { seed }))
  checkFolds(who, split, sampleCount(dataset.samples))
  const any = estimator as {
    fit(data: Unlabelled<S>, options: FitOptions): Promise<Fitted<object>>
    fitFound(data: Unlabelled<S>, found: readonly FoundPoint[], options: FitOptions): Promise<Fitted<object>>
  }
  const job = () => ({ work: 'calibration', ...fitJob(estimator, dataset), folds: contentFingerprint(split) })
  return keeping(options.checkpoint, job, (checkpoint) => {
    let fits = 0
    const fitNext = (part: Dataset<S>, found?: readonly FoundPoint[]) => {
      const options = {
        ...(onProgress && { onProgress }),
        ...fitOptions(signal, checkpoint, `fit ${fits++}`),
      }
      return found ? any.fitFound(part, found, options) : any.fit(part, options)
    }
    const own = estimator as unknown as Estimator & { readonly options: SharedFoldsOptions }
    const { threads } = own.options
    const share = () =>
      sharedFolds(dataset as Dataset<unknown>, split, () => own, {
        ...{ threads, signal, checkpoint: checkpoint?.within('folds') },
        cacheBytes: cacheBytes ?? own.options.cacheBytes,
        withWhole: true,
      })
    return keepingEngine(async () => {
      const shared = estimator instanceof LinearSVC ? [] : await share()
      return calibrate<S, E>(dataset, split, fitNext, shared, method)
    })
  })
}

/**
 * The work of {@link fitCalibrated}: one fit of all samples, and one for each fold, unless the folds share their work. Where they do, the
 * model of all samples was solved with them, and remains to be measured.
 */
async function calibrate<S, E extends Calibratable<S>>(
  dataset: Dataset<S>,
  split: readonly Fold[],
  fitPart: (part: Dataset<S>, found?: readonly FoundPoint[]) => Promise<Fitted<object>>,
  shared: SharedOutputs,
  method: 'sigmoid' | 'isotonic',
): Promise<ModelOf<E>> {
  const model = await fitPart(dataset, shared.at(split.length)?.found)
  const calibrated = (made: object) => Object.assign(made, { trace: model.trace }) as ModelOf<E>
  if (model instanceof SvcModel || model instanceof LinearSvcModel) {
    const { classes } = model
    /** Which classes a part has, and a model of it. */
    const knownIn = (labels: Labels) => {
      const present = new Set<Label>(labels)
      return classes.flatMap((label, c) => (present.has(label) ? [c] : []))
    }
    const fitKnown = async ({ train, test }: Fold) => {
      const part = selectSamples(dataset, train)
      const known = knownIn(part.labels)
      const made = known.length > 1 ? await fitPart(part) : undefined
      return { known, made, unseen: selectSamples(dataset, test) }
    }
    if (model instanceof LinearSvcModel) {
      const machines = model.biases.length
      const { values, seen } = await crossFitted(dataset, split, machines, async (fold) => {
        const { known, made, unseen } = await fitKnown(fold)
        return unseenClassValues(
          made as LinearSvcModel | undefined,
          unseen.samples as never,
          classes,
          known,
          machines,
        )
      })
      const probability = classProbabilities(values, machines, seen, classes, method)
      return calibrated(new LinearSvcModel({ ...model, probability }))
    }
    const others = classes.length - 1
    const { values, seen } = await crossFitted(dataset, split, others, async (fold, number) => {
      const found = shared[number]?.pairDecisions ?? shared[number]?.decisions
      if (found) {
        const labelsOf = (rows: Uint32Array) => pickLabels(dataset.labels, rows)
        return ownPairValues(found, labelsOf(fold.test), classes, knownIn(labelsOf(fold.train)))
      }
      const { known, made, unseen } = await fitKnown(fold)
      return unseenPairValues(made as SvcModel<S> | undefined, unseen, classes, known)
    })
    const valueFor = (i: number, other: number) => values[i * others + other]
    const probability = pairProbabilities('fitCalibrated', valueFor, seen, classes, method)
    return calibrated(new SvcModel({ ...model, probability }))
  }
  const { values, seen } = await crossFitted(
    dataset,
    split,
    1,
    async ({ train, test }, fold) =>
      shared[fold]?.decisions ??
      ((await fitPart(selectSamples(dataset, train))) as Fitted<SvrModel>).decisionFunction(
        selectSamples(dataset, test).samples as never,
      ),
  )
  if (model instanceof SvrModel) {
    const labels = seen.labels as Float64Array
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

/** What was said of each fold; undefined where a fold has to be fitted on its own. */
type SharedOutputs = readonly (FoldOutput | undefined)[]

/**
 * One function a pair, fitted to the samples of its two classes. `valueFor` gives the value of sample i for the pair of its
 * class and another one ({@link otherPlace}), which is pair number `pair`.
 */
export function pairProbabilities(
  who: string,
  valueFor: (i: number, other: number, pair: number) => number,
  seen: Dataset<unknown>,
  classes: readonly Label[],
  method: 'sigmoid' | 'isotonic',
): PairProbability {
  const classOf = classesSeen(who, seen, classes)
  const k = classes.length
  const members = membersOf(classOf, k)
  const functions = new FunctionFits(seen.weights, method)
  let pair = 0
  for (const [first, second] of classPairs(k)) {
    const rows = rowsOfPair(members, [first, second]).sort()
    const positive = positiveOf(first, second, k)
    const values = Float64Array.from(rows, (i) => {
      const own = classOf[i]
      return valueFor(i, otherPlace(own, own === first ? second : first), pair)
    })
    functions.add(
      rows,
      values,
      Array.from(rows, (i) => classOf[i] === positive),
    )
    pair++
  }
  return functions.probability
}

/** One function a machine of a linear classifier: one a class, against the rest; or one for the second of two. */
function classProbabilities(
  values: Float64Array,
  machines: number,
  seen: Dataset<unknown>,
  classes: readonly Label[],
  method: 'sigmoid' | 'isotonic',
): PairProbability {
  const classOf = classesSeen('fitCalibrated', seen, classes)
  const rows = countUp(classOf.length)
  const functions = new FunctionFits(seen.weights, method)
  for (let machine = 0; machine < machines; machine++) {
    const positive = machines === 1 ? 1 : machine
    functions.add(
      rows,
      Float64Array.from(rows, (i) => values[i * machines + machine]),
      Array.from(classOf, (c) => c === positive),
    )
  }
  return functions.probability
}

/** The class of each sample, by number. Folds by time do not test on what comes first: a class may occur there alone. */
function classesSeen(who: string, { labels }: Dataset<unknown>, classes: readonly Label[]): Uint32Array {
  const present = new Set<Label>(labels)
  const missing = classes.find((label) => !present.has(label))
  if (missing !== undefined) {
    throw new DataError(
      `${who}: class ${show(missing)} is in no test part, so its probabilities cannot be calibrated; with more folds, earlier samples are tested too`,
    )
  }
  const place = new Map(classes.map((label, c) => [label, c]))
  return Uint32Array.from(labels as ArrayLike<Label>, (label) => place.get(label) as number)
}

/** Functions of values, by one method, one after the other. */
class FunctionFits {
  private readonly weights: Float64Array | undefined
  private readonly method: 'sigmoid' | 'isotonic'
  private readonly sigmoids: SigmoidCalibration[] = []
  private readonly curves: IsotonicCalibration[] = []

  constructor(weights: Float64Array | undefined, method: 'sigmoid' | 'isotonic') {
    this.weights = weights
    this.method = method
  }

  add(rows: Uint32Array, values: Float64Array, positives: readonly boolean[]): void {
    const weights = this.weights && pickNumbers(this.weights, rows)
    if (this.method === 'isotonic') this.curves.push(fitIsotonic(values, positives, weights))
    else this.sigmoids.push(fitSigmoid(values, positives, weights))
  }

  get probability(): PairProbability {
    const { method, sigmoids, curves } = this
    if (method === 'isotonic') return { method, x: curves.map(({ x }) => x), y: curves.map(({ y }) => y) }
    return {
      method,
      a: Float64Array.from(sigmoids, ({ a }) => a),
      b: Float64Array.from(sigmoids, ({ b }) => b),
    }
  }
}
