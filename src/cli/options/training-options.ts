/** The problems that `hyperplane` solves, the options of each, and the estimator that they describe. */

import { ParameterError } from '../../base/errors.ts'
import type { Dataset, Label } from '../../data/table/dataset.ts'
import { isTable } from '../../data/table/table.ts'
import { estimators } from '../../estimators/estimators.ts'
import type { ClassWeight } from '../../estimators/parts/class-targets.ts'
import type { FitOptions, Fitted, Learns } from '../../estimators/parts/estimator.ts'
import type { SVC, SvcOptions } from '../../estimators/svc.ts'
import { linear } from '../../kernels/linear.ts'
import type { ModelOutline } from '../../models/files/foreign-format.ts'
import type { Model } from '../../models/model.ts'
import { classLosses, tubeLosses } from '../../problems/linear-loss.ts'
import { fitCalibrated } from '../../selection/calibrate/calibrate.ts'
import type { Estimator as AnyEstimator } from '../../selection/search/estimator.ts'
import { type EstimatorSpec, estimatorSpec } from '../../selection/search/estimator-params.ts'
import {
  type LinearSolverName,
  linearSolverNames,
  type SolverName,
  solverNames,
} from '../../solve/methods/registry.ts'
import { COMMAND } from '../report/failure.ts'
import { STANDARD_HELP } from './data-options.ts'
import { kernelFrom, kernelOptions } from './kernel-options.ts'
import {
  choiceOption,
  defined,
  type Flags,
  given,
  negatable,
  notApplicable,
  numberOption,
  type OptionSpec,
  switchOption,
  textOption,
  threadsOption,
} from './options.ts'
import { innerProtocol } from './selection-options.ts'

/** An estimator that says what it is trained on. */
export type CommandEstimator = AnyEstimator & { readonly learns: Learns; readonly options: SvcOptions }

type Calibration = 'sigmoid' | 'isotonic' | 'laplace' | 'density'

/** A problem of the command line. */
interface ProblemSpec {
  /** The options that it takes beside those that all take. */
  readonly takes: readonly string[]
  readonly calibrations: readonly Calibration[]
}

const KERNEL = ['kernel', 'gamma', 'degree', 'coef0', 'cache', 'threads']
const LINEAR = ['solver', 'keepDual', 'start', 'threads']
const LINEAR_WITH_C = [...LINEAR, 'C', 'bias', 'interceptScaling']

const PROBLEMS = {
  svc: {
    takes: [...KERNEL, 'C', 'classWeight', 'solver', 'start'],
    calibrations: ['sigmoid', 'isotonic'],
  },
  'nu-svc': {
    takes: [...KERNEL, 'nu', 'classWeight', 'start'],
    calibrations: ['sigmoid', 'isotonic'],
  },
  'one-class': { takes: [...KERNEL, 'nu', 'start'], calibrations: ['density'] },
  svr: { takes: [...KERNEL, 'C', 'epsilon', 'scaleTarget', 'start'], calibrations: ['laplace'] },
  'nu-svr': { takes: [...KERNEL, 'C', 'nu', 'scaleTarget'], calibrations: ['laplace'] },
  'linear-svc': {
    takes: [...LINEAR_WITH_C, 'classWeight', 'loss', 'penalty', 'multiClass'],
    calibrations: ['sigmoid', 'isotonic'],
  },
  'linear-svr': { takes: [...LINEAR_WITH_C, 'epsilon', 'loss', 'scaleTarget'], calibrations: [] },
  'linear-one-class': { takes: [...LINEAR, 'nu'], calibrations: [] },
  'logistic-regression': { takes: [...LINEAR_WITH_C, 'classWeight', 'penalty'], calibrations: [] },
} as const satisfies Record<string, ProblemSpec>

/** The name of a problem. */
export type ProblemType = keyof typeof PROBLEMS

const problemTypes = Object.keys(PROBLEMS) as ProblemType[]

/** LIBSVM's names, which are understood as well. */
const LIBSVM_NAMES: Readonly<Record<string, ProblemType>> = { 'c-svc': 'svc', 'epsilon-svr': 'svr' }

function typeOption(types: readonly ProblemType[]): OptionSpec<ProblemType> {
  const option = choiceOption(types, 'type of the machine (default svc)')
  return { ...option, read: (name) => option.read?.(LIBSVM_NAMES[name] ?? name) }
}

/** Options that not every problem takes. */
const SPECIAL = new Set(Object.values<ProblemSpec>(PROBLEMS).flatMap(({ takes }) => takes))

/** Options that give values of others. */
const EXPONENTS: Readonly<Record<string, string>> = { log2c: 'C', log2g: 'gamma', log2p: 'epsilon' }

/** `--class-weight`, as the library takes it. */
export function classWeightOption(help: string): OptionSpec<ClassWeight> {
  const allowed = 'balanced or LABEL=WEIGHT,LABEL=WEIGHT'
  return { value: 'weights', help: `${help}: ${allowed}`, allowed, read: readClassWeight }
}

/** How to train: everything that is not a parameter to be tuned. */
export const fitOptions = {
  classWeight: classWeightOption('factors of C for each class'),
  scale: choiceOption(
    ['range', 'standard'],
    `scale the features first and store the scaler in the model (${STANDARD_HELP})`,
    'kind',
  ),
  tol: numberOption("tolerance of the optimality conditions (default: the solver's, mostly 0.001)"),
  maxIter: numberOption("maximum number of iterations (default: the solver's)"),
  timeLimit: numberOption('limit on the solving time (default: none)', 'seconds'),
  seed: numberOption('seed of all random numbers (default 0)'),
  cache: numberOption('memory for kernel rows (default: a quarter of the free memory)', 'megabytes'),
  ...threadsOption,
}

/** What to train, and the options of single problems that are words. */
export const typeOptions = {
  type: typeOption(problemTypes),
  scaleTarget: switchOption(
    'scale targets to mean 0 and variance 1 for training; predictions are in the unit of the data (regression)',
  ),
  loss: choiceOption(
    [...classLosses.filter((loss) => loss !== 'logistic'), ...tubeLosses],
    'loss of linear-svc (default squared-hinge) or linear-svr (default epsilon-insensitive)',
  ),
  penalty: choiceOption(
    ['l2', 'l1'],
    'penalised norm of w, for linear-svc and logistic-regression (default l2); l1 makes most weights 0',
  ),
  bias: choiceOption(
    ['regularised', 'free', 'none'],
    'bias of linear machines: part of the norm (the default), not part of it, or no bias',
    'form',
  ),
  interceptScaling: numberOption('value of the constant feature for a regularised bias (default 1)'),
  multiClass: choiceOption(
    ['ovr', 'crammer-singer'],
    'how linear-svc handles more than two classes (default ovr)',
  ),
  solver: choiceOption(
    [...new Set<SolverName | LinearSolverName>([...solverNames, ...linearSolverNames])],
    'solver (default smo, or auto for linear machines)',
  ),
}

/** {@link typeOptions} without the problems that have no C. */
export const typeOptionsWithC = {
  ...typeOptions,
  type: typeOption(problemTypes.filter((type) => (PROBLEMS[type].takes as readonly string[]).includes('C'))),
}

/** ν and ε. */
export const tubeOptions = {
  nu: numberOption(
    'upper bound on the fraction of errors, for nu-svc, nu-svr, one-class and linear-one-class (default 0.5)',
  ),
  epsilon: numberOption(
    'half-width of the tube of svr and linear-svr (default 0.1 for svr, 0 for linear-svr)',
  ),
}

/** C, the kernel and {@link fitOptions}. */
export const svcOptions = {
  ...kernelOptions,
  C: numberOption('penalty of margin violations; Infinity is a hard margin (default 1)'),
  ...fitOptions,
}

/** All that describes an estimator that is to be trained once or evaluated. */
export const trainingOptions = {
  ...typeOptions,
  ...tubeOptions,
  probability: choiceOption(
    ['sigmoid', 'isotonic', 'laplace', 'density'],
    'calibrate by cross-fitting: class probabilities (sigmoid or isotonic), the noise of a regression (laplace), or the probability of being normal (density, for one-class)',
    'method',
  ),
  ...svcOptions,
}

/** The options that `train` has beside {@link trainingOptions}. */
export const solverOptions = {
  start: textOption(
    'model',
    'model file of the same type to start from, which saves iterations (kernel machines: on shards only)',
  ),
  keepDual: negatable(
    switchOption(
      'keep the dual variables of a linear model, so that verify can check all claims (default: up to a million numbers)',
    ),
    'do not keep the dual variables',
  ),
}

/** Flags that describe an estimator. */
export type EstimatorFlags = Flags<Omit<typeof trainingOptions, 'probability'> & typeof solverOptions>

/** Flags that describe an estimator and its calibration. */
export type TrainingFlags = Flags<typeof trainingOptions & typeof solverOptions>

/** Flags that estimators call the same. */
const OWN_SETTINGS = [
  ...(['C', 'nu', 'epsilon', 'solver', 'loss', 'penalty'] as const),
  ...(['bias', 'interceptScaling', 'multiClass', 'keepDual'] as const),
]

/** The estimator that the flags describe. A flag that its type would ignore is refused. */
export function estimatorFrom(flags: EstimatorFlags): CommandEstimator {
  checkFlags(flags)
  const { type = 'svc', scaleTarget: targetScaling } = flags
  const { takes }: ProblemSpec = PROBLEMS[type]
  const Estimator = estimators[type]
  const kernel = takes.includes('kernel') ? kernelFrom(flags) : undefined
  const own = { ...given(flags, OWN_SETTINGS), ...defined({ kernel, targetScaling }) }
  return new Estimator({ ...fitSettings(flags), ...own } as never) as CommandEstimator
}

/** What the flags of {@link fitOptions} ask of an estimator. */
export function fitSettings(flags: Flags<typeof fitOptions>): SvcOptions {
  const { scale: scaler, cache } = flags
  const own = given(flags, ['classWeight', 'tol', 'maxIter', 'timeLimit', 'seed', 'threads'])
  return { ...own, ...defined({ scaler, cacheBytes: cache && cache * 1e6 }) }
}

/** The estimator of flags of which some are lists of values to try; those are not its concern. */
export function tunedEstimatorFrom(
  flags: Omit<EstimatorFlags, 'C' | 'gamma' | 'nu' | 'epsilon'>,
): CommandEstimator {
  checkFlags(flags)
  return estimatorFrom({ ...flags, C: undefined, gamma: undefined, nu: undefined, epsilon: undefined })
}

/** The estimator that the flags describe; with `--probability` its `fit` calibrates, too. */
export function trainerFrom(flags: TrainingFlags & { readonly gap?: number }): CommandEstimator {
  const { type = 'svc', probability: method, seed } = flags
  const estimator = estimatorFrom(flags)
  if (method === undefined) return estimator
  const { calibrations }: ProblemSpec = PROBLEMS[type]
  if (calibrations.length === 0) throw notApplicable('probability', `--type ${type}`)
  if (!calibrations.includes(method)) {
    throw new ParameterError(
      COMMAND,
      '--probability',
      `${calibrations.join(' or ')} with --type ${type}`,
      method,
    )
  }
  return {
    learns: estimator.learns,
    options: { ...estimator.options, probability: method } as SvcOptions,
    fit(dataset: Dataset, { onProgress, signal, checkpoint }: FitOptions = {}) {
      const isotonic = method === 'isotonic' ? method : undefined
      const protocol = innerProtocol(flags)
      const crossFit = defined({ onProgress, signal, checkpoint, seed, method: isotonic, protocol })
      return fitCalibrated(estimator as unknown as SVC, dataset, crossFit) as Promise<Fitted<Model>>
    },
  } as unknown as CommandEstimator
}

/** What is known of the model of an estimator before it is trained, of `method`, if it is to be calibrated, and of its decisions. */
export function modelOutline(
  estimator: CommandEstimator,
  { labels, samples }: Dataset,
  method: string | undefined,
  { threshold, conformal }: { readonly threshold?: unknown; readonly conformal?: number },
): ModelOutline {
  const { kernel = linear(), scaler } = estimator.options
  const { type } = estimatorSpec(estimator) as EstimatorSpec
  return {
    type: (type === 'logistic-regression' ? 'linear-svc' : type) as ModelOutline['type'],
    kernel,
    classes: estimator.learns === 'classes' ? [...new Set<Label>(labels)] : undefined,
    preparation: isTable(samples) ? {} : undefined,
    scaler: scaler === undefined ? undefined : { kind: String(scaler) },
    probability: method === undefined ? undefined : { method },
    threshold: threshold === undefined ? undefined : 0,
    conformal: conformal === undefined ? undefined : {},
  }
}

/** A flag that the type would ignore is refused. */
function checkFlags(flags: { readonly type?: ProblemType }): void {
  const { type = 'svc' } = flags
  const given = flags as Readonly<Record<string, unknown>>
  const takes: readonly string[] = PROBLEMS[type].takes
  for (const name of [...SPECIAL, ...Object.keys(EXPONENTS)]) {
    if (given[name] !== undefined && !takes.includes(EXPONENTS[name] ?? name)) {
      throw notApplicable(name, `--type ${type}`)
    }
  }
}

function readClassWeight(text: string): ClassWeight | undefined {
  if (text === 'balanced') return text
  const pairs = text.split(',').map((pair) => {
    const at = pair.lastIndexOf('=')
    const weight = at > 0 ? Number(pair.slice(at + 1) || Number.NaN) : Number.NaN
    return [labelKey(pair.slice(0, at)), weight] as const
  })
  return pairs.some(([, weight]) => Number.isNaN(weight)) ? undefined : Object.fromEntries(pairs)
}

/** +1 and 1.0 are the same label as 1. */
function labelKey(text: string): string {
  return text.trim() !== '' && Number.isFinite(Number(text)) ? String(Number(text)) : text
}
