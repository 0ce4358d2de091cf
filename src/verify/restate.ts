/** The problem behind a model, stated again: by the estimator that would train it, on its data. */
import { ParameterError, show } from '../base/errors.ts'
import { isMatrix, type RowsInput, toMatrix } from '../data/matrix/matrix.ts'
import { applyScaler } from '../data/scaling/scaler.ts'
import { type Dataset, type Samples, sampleCount } from '../data/table/dataset.ts'
import type { FitTask } from '../estimators/fitting/fit-runner.ts'
import { LinearSVC } from '../estimators/linear-svc.ts'
import { LinearSVR } from '../estimators/linear-svr.ts'
import { NuSVC } from '../estimators/nu-svc.ts'
import { NuSVR } from '../estimators/nu-svr.ts'
import { OneClassSVM } from '../estimators/one-class-svm.ts'
import type { Unlabelled } from '../estimators/parts/estimator.ts'
import { SVC } from '../estimators/svc.ts'
import { SVR } from '../estimators/svr.ts'
import type { Kernel } from '../kernels/kernel.ts'
import { isClassifier, type Model } from '../models/model.ts'
import type { LiblinearSolver, TrainingSettings } from '../models/model-parts.ts'
import type { TubeLoss } from '../problems/linear-problem.ts'
import type { Loss } from '../problems/problem.ts'
import type { OtherLoss } from './other-losses.ts'
import { Refuted } from './refuted.ts'

/** The settings that may be given for a model whose file does not say them. */
export const settingNames = ['C', 'nu', 'epsilon', 'classWeight', 'loss', 'bias', 'interceptScaling'] as const

/** Settings by name. */
export type GivenSettings = Pick<TrainingSettings, (typeof settingNames)[number]>

/** How close to the optimum a bound is looked for: ten times closer than linear machines are trained by default. */
const BOUND_TOL = 1e-5
const BOUND_EPOCHS = 10_000

/** The settings of a model: what its file says, and what is given where it does not. */
export function settingsOf(model: Model, given: GivenSettings): GivenSettings {
  const known = { ...lossOf(model), ...model.training }
  const settings: Record<string, unknown> = {}
  for (const name of settingNames) {
    const own = known[name]
    const other = given[name]
    if (own !== undefined && other !== undefined && JSON.stringify(own) !== JSON.stringify(other)) {
      const says = typeof own === 'object' ? JSON.stringify(own) : String(own)
      throw new ParameterError('verify', name, `left out: the model says that it is ${says}`, other)
    }
    if (own !== undefined || other !== undefined) settings[name] = own ?? other
  }
  for (const name of neededSettings[model.type]) {
    if (settings[name] !== undefined) continue
    throw new ParameterError(
      'verify',
      name,
      'given: the model does not say what it was trained with',
      undefined,
    )
  }
  return settings
}

/**
 * The settings rounded to single precision; undefined where that changes nothing. Some builds of svm-train (Debian's of
 * LIBSVM 3.24) read the numbers of their flags so.
 */
export function inSinglePrecision(settings: GivenSettings): GivenSettings | undefined {
  const rounded = JSON.stringify(settings, (_, value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) ? Math.fround(value) : value,
  )
  return rounded === JSON.stringify(settings) ? undefined : { ...settings, ...JSON.parse(rounded) }
}

const neededSettings: Readonly<Record<Model['type'], readonly (typeof settingNames)[number][]>> = {
  svc: ['C'],
  'nu-svc': ['nu'],
  'one-class': ['nu'],
  svr: ['C', 'epsilon'],
  'nu-svr': ['C', 'nu'],
  'linear-svc': ['C', 'loss'],
  'linear-svr': ['C', 'epsilon', 'loss'],
  'linear-one-class': ['nu'],
}

/** What LIBLINEAR's name of a problem says of the loss. */
function lossOf(model: Model): GivenSettings {
  const solver = 'liblinearSolver' in model ? model.liblinearSolver : undefined
  if (solver === undefined) return {}
  if (solver === 'ONECLASS_SVM') return {}
  if (solver === 'MCSVM_CS' || solver === 'L2R_L1LOSS_SVC_DUAL') return { loss: 'hinge' }
  if (solver === 'L2R_L1LOSS_SVR_DUAL') return { loss: 'epsilon-insensitive' }
  return { loss: solver.includes('SVR') ? 'squared-epsilon-insensitive' : 'squared-hinge' }
}

/** The problem of LIBLINEAR's that no estimator here solves, if a model is of one. */
export function otherLossOf(model: Model): OtherLoss | undefined {
  const solver: LiblinearSolver | undefined = 'liblinearSolver' in model ? model.liblinearSolver : undefined
  switch (solver) {
    case 'L2R_LR':
    case 'L2R_LR_DUAL':
      return { loss: 'logistic', norm: 2 }
    case 'L1R_LR':
      return { loss: 'logistic', norm: 1 }
    case 'L1R_L2LOSS_SVC':
      return { loss: 'squared-hinge', norm: 1 }
    default:
      return undefined
  }
}

/** The samples of a data set as the model sees them. Throws {@link Refuted} when they cannot be its training data. */
export function modelSamples(model: Model, data: Unlabelled): Samples {
  const { training, features, scaler } = model
  const count = sampleCount(data.samples)
  if (training?.samples !== undefined && training.samples !== count) {
    throw new Refuted(
      `the model was not trained on these data: it was trained on ${training.samples} samples, and these are ${count}`,
    )
  }
  if (training && 'samples' in training && (training.weighted ?? false) !== (data.weights !== undefined)) {
    const [then, now] = training.weighted ? ['with', 'have none'] : ['without', 'have some']
    throw new Refuted(`the model was trained ${then} sample weights, and these data ${now}`)
  }
  if (isClassifier(model)) {
    const present = new Set<number | string>((data as Dataset).labels)
    const unknown = [...present].find((label) => !model.classes.includes(label))
    const absent = model.classes.find((label) => !present.has(label))
    if (unknown !== undefined || absent !== undefined) {
      const which =
        unknown === undefined ? `none has the label ${show(absent)}` : `some have the label ${show(unknown)}`
      throw new Refuted(
        `the model was not trained on these data: ${which}, and the model tells ${model.classes.join(' from ')}`,
      )
    }
  }
  const overVectors = !('supportVectors' in model) || isMatrix(model.supportVectors)
  if (!overVectors) return data.samples
  const matrix = toMatrix(data.samples as RowsInput)
  if (matrix.kind === 'dense' && features !== undefined && matrix.cols !== features) {
    throw new Refuted(
      `the model was not trained on these data: it has ${features} features, and these have ${matrix.cols}`,
    )
  }
  return scaler ? applyScaler(scaler, matrix) : matrix
}

/** What the estimator that would train such a model would solve. */
export function restate(model: Model, settings: GivenSettings, samples: Samples, data: Unlabelled): FitTask {
  const { C, nu, epsilon, classWeight, loss, interceptScaling = 1 } = settings
  const dataset = { ...data, samples } as Dataset
  const weighing = classWeight === undefined ? {} : { classWeight }
  const kernel = model.kernel as Kernel
  const limits = { tol: BOUND_TOL, maxIter: BOUND_EPOCHS }
  switch (model.type) {
    case 'svc': {
      const solver = settings.bias === 'regularised' ? 'sdca' : 'smo'
      return new SVC({ kernel, C, ...weighing, solver, ...(solver === 'sdca' && limits) }).task(
        dataset as never,
      )
    }
    case 'nu-svc':
      return new NuSVC({ kernel, nu, ...weighing }).task(dataset as never)
    case 'one-class':
      return new OneClassSVM({ kernel, nu }).task(dataset as never)
    case 'svr':
      return new SVR({ kernel, C, epsilon }).task(dataset as never)
    case 'nu-svr':
      return new NuSVR({ kernel, C, nu }).task(dataset as never)
    case 'linear-one-class':
      return new OneClassSVM({ kernel, nu, tol: BOUND_TOL }).task(dataset as never)
    case 'linear-svr': {
      const options = {
        C,
        epsilon,
        loss: loss as TubeLoss,
        ...biasOptions(model, settings),
        interceptScaling,
      }
      return new LinearSVR({ ...options, ...limits }).task(dataset as never)
    }
    case 'linear-svc': {
      const { multiClass } = model
      const options = { C, ...weighing, ...biasOptions(model, settings), interceptScaling, ...limits }
      return multiClass === 'crammer-singer'
        ? new LinearSVC({ ...options, multiClass }).task(dataset as never)
        : new LinearSVC({ ...options, loss: loss as Loss }).task(dataset as never)
    }
  }
}

/** Linear machines: a bias is regularised; where nobody says whether there was one, it is there if it is not 0. */
function biasOptions({ biases }: Model, { bias }: GivenSettings): { fitIntercept: boolean } {
  if (bias === 'free') {
    throw new ParameterError('verify', 'bias', 'regularised or none for linear machines', bias)
  }
  return { fitIntercept: bias === undefined ? biases.some((one) => one !== 0) : bias === 'regularised' }
}
