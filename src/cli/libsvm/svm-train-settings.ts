/** What the flags of `svm-train` ask for, checked as LIBSVM checks them. */

import type { Label, VectorDataset } from '../../data/table/dataset.ts'
import { NuSVC } from '../../estimators/nu-svc.ts'
import { NuSVR } from '../../estimators/nu-svr.ts'
import { OneClassSVM } from '../../estimators/one-class-svm.ts'
import { SVC } from '../../estimators/svc.ts'
import { SVR } from '../../estimators/svr.ts'
import type { AnyKernel, Kernel } from '../../kernels/kernel.ts'
import { linear } from '../../kernels/linear.ts'
import { polynomial } from '../../kernels/polynomial.ts'
import { precomputed } from '../../kernels/precomputed.ts'
import { rbf } from '../../kernels/rbf.ts'
import { sigmoid } from '../../kernels/sigmoid.ts'
import {
  CommandError,
  type LetterFlags,
  numberFlag,
  numberOf,
  UsageError,
  wholeFlag,
} from './letter-flags.ts'

/** The letters of flags with a value. */
export const SVM_TRAIN_LETTERS = 'stdgrcnpmehbwv'

/** Any estimator that svm-train can ask for. */
export type DropInEstimator = SVC | NuSVC | OneClassSVM | SVR | NuSVR

/** What is to be done. */
export interface SvmTrainSettings {
  readonly precomputed: boolean
  /** Given, nothing is written: so many folds are tried. */
  readonly folds: number | undefined
  readonly probability: boolean
  readonly regression: boolean
  /** C-SVC and nu-SVC: labels are classes. */
  readonly classifies: boolean
  /** C of C-SVC, epsilon-SVR and nu-SVR. */
  readonly cost: number
  readonly type: SvmType
  /** What multiplies C of a class. */
  weightOf(label: Label): number
  /** Refuses what LIBSVM refuses once it has seen all the data. */
  check(dataset: VectorDataset): void
  /** The estimator for some data: the default gamma and the weights of classes depend on them. */
  estimator(dataset: VectorDataset, warn: (text: string) => void): DropInEstimator
}

const TYPES = ['c-svc', 'nu-svc', 'one-class', 'epsilon-svr', 'nu-svr'] as const

/** LIBSVM's five problems, in the order of its numbers. */
export type SvmType = (typeof TYPES)[number]

/** Checks the flags; see the head of the file. */
export function svmTrainSettings(flags: LetterFlags): SvmTrainSettings {
  const type = TYPES[wholeFlag(flags, 's', 0)] ?? fail('unknown svm type')
  const kernelType = wholeFlag(flags, 't', 2)
  if (kernelType < 0 || kernelType > 4) fail('unknown kernel type')
  const degree = wholeFlag(flags, 'd', 3)
  const gamma = numberFlag(flags, 'g', 0)
  const coef0 = numberFlag(flags, 'r', 0)
  const cost = numberFlag(flags, 'c', 1)
  const nu = numberFlag(flags, 'n', 0.5)
  const epsilon = numberFlag(flags, 'p', 0.1)
  const cacheMegabytes = numberFlag(flags, 'm', 100)
  const tol = numberFlag(flags, 'e', 1e-3)
  const folds = flags.values.has('v') ? wholeFlag(flags, 'v', 0) : undefined
  if (gamma < 0) fail('gamma < 0')
  if (degree < 0) fail('degree of polynomial kernel < 0')
  if (!(cacheMegabytes > 0)) fail('cache_size <= 0')
  if (!(tol > 0)) fail('eps <= 0')
  if (type !== 'nu-svc' && type !== 'one-class' && !(cost > 0)) fail('C <= 0')
  if (['nu-svc', 'one-class', 'nu-svr'].includes(type) && !(nu > 0 && nu <= 1)) fail('nu <= 0 or nu > 1')
  if (type === 'epsilon-svr' && epsilon < 0) fail('p < 0')
  if (folds !== undefined && folds < 2) throw new UsageError('n-fold cross validation: n must >= 2')
  const shrinking = switchFlag(flags, 'h', 1, 'shrinking')
  const probability = switchFlag(flags, 'b', 0, 'probability')
  const weights = classWeights(flags)

  return {
    precomputed: kernelType === 4,
    folds,
    probability,
    regression: type === 'epsilon-svr' || type === 'nu-svr',
    classifies: type === 'c-svc' || type === 'nu-svc',
    cost,
    type,
    weightOf: (label) => weights.get(Number(label)) ?? 1,
    check(dataset) {
      if (type === 'nu-svc' && nu > largestNu(dataset)) fail('specified nu is infeasible')
    },
    estimator(dataset, warn) {
      const width = gamma === 0 ? 1 / Math.max(1, dataset.samples.cols) : gamma
      const kernel = kernelOf(kernelType, degree, width, coef0) as Kernel
      const common = { kernel, tol, shrinking, cacheBytes: cacheMegabytes * 2 ** 20 }
      const classWeight = presentWeights(weights, dataset, warn)
      switch (type) {
        case 'c-svc':
          return new SVC({ ...common, C: cost, classWeight })
        case 'nu-svc':
          // A fold may have a sample less than nu takes: LIBSVM trains with what there is.
          return new NuSVC({ ...common, nu: Math.min(nu, largestNu(dataset)) })
        case 'one-class':
          return new OneClassSVM({ ...common, nu })
        case 'epsilon-svr':
          return new SVR({ ...common, C: cost, epsilon })
        case 'nu-svr':
          return new NuSVR({ ...common, C: cost, nu })
      }
    },
  }
}

/** The largest nu that every pair of classes can hold: that of the smallest class and the largest one. */
function largestNu({ labels }: VectorDataset): number {
  const sizes = new Map<number, number>()
  for (const label of labels as Float64Array) sizes.set(label, (sizes.get(label) ?? 0) + 1)
  const sorted = Float64Array.from(sizes.values()).sort()
  const { 0: least = 1, [sorted.length - 1]: most = 1 } = sorted
  return (2 * least) / (least + most)
}

function kernelOf(type: number, degree: number, gamma: number, coef0: number): AnyKernel {
  switch (type) {
    case 0:
      return linear()
    case 1:
      return polynomial({ degree, gamma, coef0 })
    case 2:
      return rbf({ gamma })
    case 3:
      return sigmoid({ gamma, coef0 })
    default:
      return precomputed()
  }
}

function switchFlag(flags: LetterFlags, letter: string, fallback: number, name: string): boolean {
  const value = wholeFlag(flags, letter, fallback)
  if (value !== 0 && value !== 1) fail(`${name} != 0 and ${name} != 1`)
  return value === 1
}

/** Weights by label, from flags such as `-w1`; where a label has several, they multiply, as in LIBSVM. */
function classWeights(flags: LetterFlags): Map<number, number> {
  const weights = new Map<number, number>()
  for (const [name, text] of flags.prefixed) {
    const label = Number(name.slice(1))
    if (name.length === 1 || !Number.isInteger(label)) throw new UsageError(`Unknown option: -${name}`)
    const weight = numberOf(name, text)
    if (weight < 0) throw new UsageError(`option -${name} takes a number >= 0, got ${weight}`)
    weights.set(label, (weights.get(label) ?? 1) * weight)
  }
  return weights
}

/** The weights of classes that occur; the others are warned of, as LIBSVM does. */
function presentWeights(
  weights: ReadonlyMap<number, number>,
  { labels }: VectorDataset,
  warn: (text: string) => void,
): Record<number, number> {
  const present = new Set(labels as Float64Array)
  const used: Record<number, number> = {}
  for (const [label, weight] of weights) {
    if (present.has(label)) used[label] = weight
    else warn(`WARNING: class label ${label} specified in weight is not found\n`)
  }
  return used
}

function fail(message: string): never {
  throw new CommandError(`ERROR: ${message}`)
}
