/** What the flags of `svm-train` ask for, checked as LIBSVM checks them. */
import type { Label, VectorDataset } from '../../data/table/dataset.ts'
import type { SVC } from '../../estimators/svc.ts'
import { libsvmKernels } from '../../models/files/foreign-format.ts'
import { knownProblems } from '../../models/known-problems.ts'
import { estimatorFromSpec } from '../../selection/search/estimator-params.ts'
import { classWeights, presentWeights } from './class-labels.ts'
import {
  CommandError,
  type LetterFlags,
  numberFlag,
  switchFlag,
  UsageError,
  wholeFlag,
} from './letter-flags.ts'

/** The letters of flags with a value. */
export const SVM_TRAIN_LETTERS = 'stdgrcnpmehbwv'

/** What is to be done. */
export interface SvmTrainSettings {
  readonly type: (typeof TYPES)[number]
  readonly precomputed: boolean
  /** Given, nothing is written: this many folds are tried. */
  readonly folds: number | undefined
  readonly probability: boolean
  /** Labels are targets. */
  readonly regression: boolean
  /** Labels are classes. */
  readonly classifies: boolean
  /** C of C-SVC, epsilon-SVR and nu-SVR. */
  readonly cost: number
  /** Memory for kernel values, where it was given. */
  readonly cacheBytes: number | undefined
  /** What multiplies C of a class. */
  weightOf(label: Label): number
  /** Refuses what LIBSVM refuses once it has seen all the data. */
  check(dataset: VectorDataset): void
  /** The estimator for some data: the default gamma and the weights of classes depend on them. */
  estimator(dataset: Part, warn: (text: string) => void): SVC
}

/** What an estimator may depend on: the labels of its samples, and how many features there are. */
type Part = Pick<VectorDataset, 'labels'> & { readonly samples: { readonly cols: number } }

/** The models of LIBSVM's problems, in the order of its numbers; so are the kernels. */
const TYPES = ['svc', 'nu-svc', 'one-class', 'svr', 'nu-svr'] as const
const KERNELS = Object.keys(libsvmKernels) as (keyof typeof libsvmKernels)[]

/** Checks the flags; see the header of the file. */
export function svmTrainSettings(flags: LetterFlags): SvmTrainSettings {
  const type = TYPES[wholeFlag(flags, 's', 0)] ?? fail('unknown svm type')
  const kind = KERNELS[wholeFlag(flags, 't', 2)] ?? fail('unknown kernel type')
  const degree = wholeFlag(flags, 'd', 3)
  const gamma = numberFlag(flags, 'g', 0)
  const coef0 = numberFlag(flags, 'r', 0)
  const C = numberFlag(flags, 'c', 1)
  const nu = numberFlag(flags, 'n', 0.5)
  const epsilon = numberFlag(flags, 'p', 0.1)
  const cacheMegabytes = numberFlag(flags, 'm', 100)
  const tol = numberFlag(flags, 'e', 1e-3)
  const folds = flags.values.has('v') ? wholeFlag(flags, 'v', 0) : undefined
  const takes: readonly string[] = knownProblems[type].settings
  if (gamma < 0) fail('gamma < 0')
  if (degree < 0) fail('degree of polynomial kernel < 0')
  if (!(cacheMegabytes > 0)) fail('cache_size <= 0')
  if (!(tol > 0)) fail('eps <= 0')
  if (takes.includes('C') && !(C > 0)) fail('C <= 0')
  if (takes.includes('nu') && !(nu > 0 && nu <= 1)) fail('nu <= 0 or nu > 1')
  if (takes.includes('epsilon') && epsilon < 0) fail('p < 0')
  if (folds !== undefined && folds < 2) throw new UsageError('n-fold cross validation: n must >= 2')
  const shrinking = switchFlag(flags, 'h', 1) ?? fail('shrinking != 0 and shrinking != 1')
  const probability = switchFlag(flags, 'b', 0) ?? fail('probability != 0 and probability != 1')
  const weights = classWeights(flags)

  return {
    ...{ type, folds, probability, cost: C },
    cacheBytes: flags.values.has('m') ? cacheMegabytes * 2 ** 20 : undefined,
    precomputed: kind === 'precomputed',
    regression: type === 'svr' || type === 'nu-svr',
    classifies: type === 'svc' || type === 'nu-svc',
    weightOf: (label) => weights.get(Number(label)) ?? 1,
    check(dataset) {
      if (type === 'nu-svc' && nu > largestNu(dataset)) fail('specified nu is infeasible')
    },
    estimator(dataset, warn) {
      const shape = { degree, coef0, gamma: gamma === 0 ? 1 / Math.max(1, dataset.samples.cols) : gamma }
      const classWeight = presentWeights(weights, dataset, warn)
      // A fold may have one sample less than nu needs: LIBSVM trains with what there is.
      const possible = type === 'nu-svc' ? Math.min(nu, largestNu(dataset)) : nu
      const own = Object.entries({ C, nu: possible, epsilon }).filter(([name]) => takes.includes(name))
      const kernel = { kind, ...Object.fromEntries(libsvmKernels[kind].map((name) => [name, shape[name]])) }
      const options = {
        kernel,
        tol,
        shrinking,
        cacheBytes: cacheMegabytes * 2 ** 20,
        ...Object.fromEntries(own),
      }
      return estimatorFromSpec({
        type,
        options: type === 'svc' ? { ...options, classWeight } : options,
      }) as unknown as SVC
    },
  }
}

/** The largest nu that every pair of classes can hold: that of the smallest class and the largest one. */
function largestNu({ labels }: Pick<VectorDataset, 'labels'>): number {
  const sizes = new Map<number, number>()
  for (const label of labels as Float64Array) sizes.set(label, (sizes.get(label) ?? 0) + 1)
  const sorted = Float64Array.from(sizes.values()).sort()
  const { 0: least = 1, [sorted.length - 1]: most = 1 } = sorted
  return (2 * least) / (least + most)
}

function fail(message: string): never {
  throw new CommandError(`ERROR: ${message}`)
}
