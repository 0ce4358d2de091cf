/** The problem behind a model, stated again: by the estimator that would train it, on its data. */
import { ParameterError, show } from '../base/errors.ts'
import { isMatrix, type Matrix, type RowsInput, toMatrix } from '../data/matrix/matrix.ts'
import { applyPreparation } from '../data/preparation/column-preparation.ts'
import { applyScaler } from '../data/scaling/scaler.ts'
import { type Dataset, type Samples, sampleCount } from '../data/table/dataset.ts'
import { isTable, type Table } from '../data/table/table.ts'
import { estimators } from '../estimators/estimators.ts'
import type { FitTask } from '../estimators/fitting/fit-runner.ts'
import type { Unlabelled } from '../estimators/parts/estimator.ts'
import { knownProblems, liblinearSolvers } from '../models/known-problems.ts'
import { isClassifier, type Model } from '../models/model.ts'
import type { TrainingSettings } from '../models/model-parts.ts'
import type { BiasForm } from '../problems/problem.ts'
import { solvers } from '../solve/methods/registry.ts'
import { Refuted } from './part.ts'

/** The settings that may be given for a model whose file does not say them. */
export const settingNames = [
  'C',
  'nu',
  'epsilon',
  'classWeight',
  'loss',
  'penalty',
  'bias',
  'interceptScaling',
] as const

/** Settings by name. */
export type GivenSettings = Pick<TrainingSettings, (typeof settingNames)[number]>

/** How close to the optimum a bound is looked for with problems of a kernel, and within how many epochs. */
const BOUND_TOL = 1e-5
const BOUND_EPOCHS = 10_000

/** LIBLINEAR's problem of a model, by its name in the file. */
function liblinearProblem(model: Model) {
  const solver = 'liblinearSolver' in model ? model.liblinearSolver : undefined
  return solver && liblinearSolvers[solver]
}

/** The settings of a model: what its file says, and what is given where it does not. */
export function settingsOf(model: Model, given: GivenSettings): GivenSettings {
  const { loss, norm } = liblinearProblem(model) ?? {}
  const known = { ...(loss && { loss }), ...(norm === 1 && { penalty: 'l1' as const }), ...model.training }
  const settings: Record<string, unknown> = {}
  for (const name of settingNames) {
    const own = known[name]
    const other = given[name]
    if (own !== undefined && other !== undefined && JSON.stringify(own) !== JSON.stringify(other)) {
      // LIBLINEAR's files do not say whether the bias was left out of the norm (-R).
      if (name === 'bias' && other === 'free' && liblinearProblem(model)?.primal) {
        settings.bias = 'free'
        continue
      }
      const says = typeof own === 'object' ? JSON.stringify(own) : String(own)
      throw new ParameterError('verify', name, `contradicts the model, which was trained with ${says}`)
    }
    if (own !== undefined || other !== undefined) settings[name] = own ?? other
  }
  for (const name of knownProblems[model.type].settings) {
    if (settings[name] !== undefined) continue
    throw new ParameterError('verify', name, 'is required: the model does not contain it')
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

/** The samples of a data set as the model sees them. Throws {@link Refuted} when they cannot be its training data. */
export function modelSamples(model: Model, data: Unlabelled): Samples {
  const { training, features, scaler } = model
  const count = sampleCount(data.samples)
  if (training?.samples !== undefined && training.samples !== count) {
    throw new Refuted(
      `the model was not trained on these data: it was trained on ${training.samples} samples, but these are ${count}`,
    )
  }
  if (training && 'samples' in training && (training.weighted ?? false) !== (data.weights !== undefined)) {
    const [then, now] = training.weighted ? ['with', 'have none'] : ['without', 'have some']
    throw new Refuted(`the model was trained ${then} sample weights, but these data ${now}`)
  }
  if (isClassifier(model)) {
    const present = new Set<number | string>((data as Dataset<unknown>).labels)
    const unknown = [...present].find((label) => !model.classes.includes(label))
    const absent = model.classes.find((label) => !present.has(label))
    if (unknown !== undefined || absent !== undefined) {
      const which =
        unknown === undefined ? `none has the label ${show(absent)}` : `some have the label ${show(unknown)}`
      throw new Refuted(
        `the model was not trained on these data: ${which}, but the classes of the model are ${model.classes.join(', ')}`,
      )
    }
  }
  const overVectors = !('supportVectors' in model) || isMatrix(model.supportVectors)
  if (!overVectors) return data.samples as Samples
  const matrix = isTable(data.samples)
    ? preparedSamples(model, data.samples)
    : toMatrix(data.samples as RowsInput)
  if (matrix.kind === 'dense' && features !== undefined && matrix.cols !== features) {
    throw new Refuted(
      `the model was not trained on these data: it has ${features} features, but these have ${matrix.cols}`,
    )
  }
  return scaler ? applyScaler(scaler, matrix) : matrix
}

/** The rows of a table as the model was trained on them. */
function preparedSamples({ preparation }: Model, table: Table): Matrix {
  if (preparation) return applyPreparation(preparation, table)
  throw new Refuted(
    'the model was not trained on these data: it was trained on numbers, but these are a table',
  )
}

/** What the estimator that would train such a model would solve. */
export function restate(model: Model, settings: GivenSettings, samples: Samples, data: Unlabelled): FitTask {
  const { type } = model
  const { classWeight, bias, interceptScaling = 1 } = settings
  const limits = { tol: BOUND_TOL, maxIter: BOUND_EPOCHS }
  const own = knownProblems[type].settings.map((name) => [name, settings[name]])
  const options: Record<string, unknown> = Object.fromEntries(own)
  if (isClassifier(model) && classWeight !== undefined) options.classWeight = classWeight
  if (type === 'linear-svc' || type === 'linear-svr') {
    Object.assign(options, { bias: biasOf(model, bias), interceptScaling })
    if (settings.penalty !== undefined) options.penalty = settings.penalty
  } else if (type !== 'linear-one-class') options.kernel = model.kernel
  // The certificates of solvers of kernel problems are about that form of the problem.
  const isKernelled = type === 'linear-svc' && Object.hasOwn(solvers, model.certificate?.solver ?? '')
  if (isKernelled || (type === 'svc' && bias === 'regularised')) {
    Object.assign(options, { solver: 'sdca', ...limits })
  }
  if (type === 'linear-svc' && model.multiClass === 'crammer-singer') {
    options.multiClass = model.multiClass
    delete options.loss
  }
  const isLogistic = type === 'linear-svc' && settings.loss === 'logistic'
  if (isLogistic) delete options.loss
  const Estimator = estimators[isLogistic ? 'logistic-regression' : type]
  return new Estimator(options as never).task({ ...data, samples } as never)
}

/** How the bias entered the problem; where nobody says whether there was one, it is there if it is not 0. */
function biasOf(model: Model, bias: GivenSettings['bias']): BiasForm {
  return bias ?? (model.biases.some((one) => one !== 0) ? 'regularised' : 'none')
}
