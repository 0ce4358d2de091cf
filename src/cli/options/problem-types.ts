/** The problems that `hyperplane` can be asked to solve, and the flags of each. */
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import type { Label, VectorDataset } from '../../data/table/dataset.ts'
import { LinearSVC } from '../../estimators/linear-svc.ts'
import { LinearSVR } from '../../estimators/linear-svr.ts'
import { NuSVC } from '../../estimators/nu-svc.ts'
import { NuSVR } from '../../estimators/nu-svr.ts'
import { OneClassSVM } from '../../estimators/one-class-svm.ts'
import type { FitOptions, Fitted, Learns } from '../../estimators/parts/estimator.ts'
import { SVC, type SvcOptions } from '../../estimators/svc.ts'
import { SVR } from '../../estimators/svr.ts'
import { linear } from '../../kernels/linear.ts'
import type { ModelOutline } from '../../models/files/foreign-format.ts'
import type { Model } from '../../models/model.ts'
import type { Loss } from '../../problems/problem.ts'
import { type CrossFitOptions, fitCalibrated } from '../../selection/calibrate/calibrate.ts'
import type { Estimator as AnyEstimator } from '../../selection/search/estimator.ts'
import { type EstimatorSpec, estimatorSpec } from '../../selection/search/estimator-params.ts'
import type { SolverName } from '../../solve/methods/registry.ts'
import { kernelFrom } from './kernel-options.ts'
import { addChoiceOption, addNumberOption } from './option-types.ts'
import { fitOptionsFrom, type TrainingFlags } from './training-options.ts'

/** The flags of {@link addTypeOptions}, and all that an estimator can be made of. */
export interface ProblemFlags extends TrainingFlags {
  readonly type?: ProblemType
  readonly nu?: number
  readonly epsilon?: number
  readonly loss?: Loss
  readonly multiClass?: 'ovr' | 'crammer-singer'
  readonly probability?: Calibration
  readonly solver?: SolverName
  readonly keepDual?: boolean
}

type Calibration = 'sigmoid' | 'isotonic' | 'laplace' | 'density'

/** A checked estimator, and how it learns from data. */
export interface ProblemTrainer {
  readonly type: ProblemType
  readonly learns: Learns
  /** Whether the engine's pairs or whole epochs are what traces count. */
  readonly linear: boolean
  readonly estimator: LearningEstimator
  /** The settings of the estimator, and of its calibration: what a checkpoint is of. */
  readonly options: object
  fit(dataset: VectorDataset, options: FitOptions): Promise<Fitted<Model>>
}

const SHAPE = ['kernel', 'gamma', 'degree', 'coef0', 'cache', 'threads'] as const

/** Each problem with the flags that it takes beside those that all take, and its ways of calibration. */
const TYPES = {
  'c-svc': { takes: [...SHAPE, 'C', 'classWeight', 'solver'], calibrations: ['sigmoid', 'isotonic'] },
  'nu-svc': { takes: [...SHAPE, 'nu', 'classWeight'], calibrations: ['sigmoid', 'isotonic'] },
  'one-class': { takes: [...SHAPE, 'nu'], calibrations: ['density'] },
  svr: { takes: [...SHAPE, 'C', 'epsilon'], calibrations: ['laplace'] },
  'nu-svr': { takes: [...SHAPE, 'C', 'nu'], calibrations: ['laplace'] },
  'linear-svc': { takes: ['C', 'classWeight', 'solver', 'loss', 'multiClass', 'keepDual'], calibrations: [] },
  'linear-svr': { takes: ['C', 'epsilon', 'keepDual'], calibrations: [] },
} as const satisfies Record<string, { takes: readonly string[]; calibrations: readonly Calibration[] }>

/** The name of a problem. */
export type ProblemType = keyof typeof TYPES

/** Flags that not every problem takes. */
const SPECIAL = [
  ...SHAPE,
  'C',
  'nu',
  'epsilon',
  'classWeight',
  'solver',
  'loss',
  'multiClass',
  'keepDual',
] as const

/** Flags that stand for others. */
const EXPONENTS = { log2c: 'C', log2g: 'gamma', log2p: 'epsilon' } as const

/** The names of the problems; `taking` narrows them to those that take a parameter. */
export function problemTypes(taking?: 'C'): ProblemType[] {
  const all = Object.keys(TYPES) as ProblemType[]
  return all.filter(
    (type) => taking === undefined || (TYPES[type].takes as readonly string[]).includes(taking),
  )
}

/** Adds `--type`, and the flags of single types that are words. */
export function addTypeOption(command: Command, types: readonly ProblemType[] = problemTypes()): void {
  addChoiceOption(command, '--type <name>', 'what to train (default c-svc)', types)
  addChoiceOption(command, '--loss <name>', 'loss of linear-svc (default squared-hinge)', [
    ...['hinge', 'squared-hinge'],
  ])
  addChoiceOption(
    command,
    '--multi-class <name>',
    'how linear-svc tells more than two classes apart (default ovr)',
    [...['ovr', 'crammer-singer']],
  )
}

/** Adds `--nu` and `--epsilon`. */
export function addTubeOptions(command: Command): void {
  addNumberOption(
    command,
    '--nu <number>',
    'share of samples that may err, of nu-svc, one-class and nu-svr (default 0.5)',
  )
  addNumberOption(
    command,
    '--epsilon <number>',
    'half-width of the tube in which errors cost nothing (default 0.1 of svr, 0 of linear-svr)',
  )
}

/** Adds `--type`, the flags of single types, and `--probability`. */
export function addTypeOptions(command: Command): void {
  addTypeOption(command)
  addTubeOptions(command)
  const probability =
    'calibrate by cross-fitting, so that the model gives probabilities (sigmoid or isotonic, of classifiers), the noise of a regression (laplace) or how normal a sample is (density, of one-class)'
  addChoiceOption(command, '--probability <method>', probability, [
    ...['sigmoid', 'isotonic', 'laplace', 'density'],
  ])
}

/** What the flags ask for. A flag that the type would ignore is refused. */
export function trainerFrom(command: string, flags: ProblemFlags): ProblemTrainer {
  const { type = 'c-svc', probability: method, seed } = flags
  const calibrations: readonly string[] = TYPES[type].calibrations
  if (method !== undefined && !calibrations.includes(method)) {
    const allowed = calibrations.length > 0 ? calibrations.join(' or ') : 'absent'
    throw new ParameterError(command, '--probability', `${allowed} with --type ${type}`, method)
  }
  const estimator = estimatorFrom(command, flags)
  return {
    type,
    learns: estimator.learns,
    linear: type === 'linear-svc' || type === 'linear-svr',
    estimator: estimator as unknown as LearningEstimator,
    options: { ...estimator.options, ...(method && { probability: method }) },
    async fit(dataset, options) {
      if (method === undefined) return (estimator as SVC).fit(dataset, options)
      const { onProgress, signal, checkpoint } = options
      const crossFit: CrossFitOptions = {
        ...(onProgress && { onProgress }),
        ...(signal && { signal }),
        ...(checkpoint && { checkpoint }),
        ...(seed !== undefined && { seed }),
        ...(method === 'isotonic' && { method }),
      }
      return (await fitCalibrated(estimator as SVC, dataset, crossFit)) as Fitted<Model>
    },
  }
}

/** What the flags ask to be judged: an estimator of the library as it is, unless it is to be calibrated. */
export function judgedFrom(command: string, flags: ProblemFlags): LearningEstimator {
  const trainer = trainerFrom(command, flags)
  const judged = flags.probability === undefined ? estimatorFrom(command, flags) : trainer
  return judged as unknown as LearningEstimator
}

/** An estimator that says what it learns. */
export type LearningEstimator = AnyEstimator & { readonly learns: Learns }

/** Flags with values to try, which are no concern of the estimator. */
type ValueLists = { readonly [name in 'C' | 'gamma' | 'nu' | 'epsilon']?: unknown }

/** The estimator of flags of which some are lists of values to try. */
export function tunedFrom(
  command: string,
  flags: Omit<ProblemFlags, keyof ValueLists> & ValueLists,
): LearningEstimator {
  checkFlags(command, flags)
  const { C, gamma, nu, epsilon, ...others } = flags
  return estimatorFrom(command, others) as unknown as LearningEstimator
}

/** A flag that the type would ignore is refused. */
function checkFlags(command: string, flags: Omit<ProblemFlags, keyof ValueLists> & ValueLists): void {
  const { type = 'c-svc' } = flags
  const takes: readonly string[] = TYPES[type].takes
  const given = flags as Readonly<Record<string, unknown>>
  for (const name of [...SPECIAL, ...(Object.keys(EXPONENTS) as (keyof typeof EXPONENTS)[])]) {
    const meant = name in EXPONENTS ? EXPONENTS[name as keyof typeof EXPONENTS] : name
    if (given[name] === undefined || takes.includes(meant)) continue
    const flag = `--${name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    throw new ParameterError(command, flag, `absent with --type ${type}`, given[name])
  }
}

/** What is known of the model of an estimator before it is trained, and of `method`, if it is to be calibrated. */
export function modelOutline(
  estimator: LearningEstimator,
  { labels }: VectorDataset,
  method: Calibration | undefined,
): ModelOutline {
  const { type } = estimatorSpec(estimator) as EstimatorSpec
  const { kernel = linear(), scaler } = (estimator as unknown as SVC).options as SvcOptions
  return {
    type: type as ModelOutline['type'],
    kernel,
    classes: estimator.learns === 'classes' ? [...new Set<Label>(labels)] : undefined,
    scaler: scaler === undefined ? undefined : { kind: String(scaler) },
    probability: method && { method },
  }
}

/** The estimator that the flags describe. A flag that its type would ignore is refused. */
export function estimatorFrom(command: string, flags: ProblemFlags) {
  checkFlags(command, flags)
  const { type = 'c-svc', C, nu, epsilon, loss, multiClass, solver, keepDual } = flags
  const common = {
    ...fitOptionsFrom(command, flags),
    ...(C !== undefined && { C }),
    ...(nu !== undefined && { nu }),
    ...(epsilon !== undefined && { epsilon }),
    ...(solver !== undefined && { solver }),
    ...(keepDual !== undefined && { keepDual }),
  }
  switch (type) {
    case 'linear-svc':
      return new LinearSVC({ ...common, ...(loss && { loss }), ...(multiClass && { multiClass }) })
    case 'linear-svr':
      return new LinearSVR(common)
  }
  const settings = { ...common, kernel: kernelFrom(command, flags) }
  switch (type) {
    case 'c-svc':
      return new SVC(settings)
    case 'nu-svc':
      return new NuSVC(settings)
    case 'one-class':
      return new OneClassSVM(settings)
    case 'svr':
      return new SVR(settings)
    case 'nu-svr':
      return new NuSVR(settings)
  }
}
