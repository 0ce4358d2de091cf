/** What the flags of `liblinear-train` ask for, checked as LIBLINEAR checks them. */
import type { VectorDataset } from '../../data/table/dataset.ts'
import type { LinearFitOptions } from '../../estimators/parts/linear-estimator.ts'
import { liblinearSolvers } from '../../models/known-problems.ts'
import type { Model } from '../../models/model.ts'
import type { LiblinearSolver } from '../../models/model-types.ts'
import type { BiasForm } from '../../problems/problem.ts'
import { estimatorFromSpec } from '../../selection/search/estimator-params.ts'
import { classWeights, presentWeights } from '../libsvm/class-labels.ts'
import { CommandError, type LetterFlags, numberFlag, UsageError, wholeFlag } from '../libsvm/letter-flags.ts'

/** The letters of flags with a value, and of those without. */
export const LIBLINEAR_LETTERS = { letters: 'scpneBwv', bare: 'qCR', prefixed: 'w' }

/** LIBLINEAR's problems by their numbers, each with its default tolerance. */
const PROBLEMS: Readonly<Record<number, readonly [name: LiblinearSolver, eps: number]>> = {
  0: ['L2R_LR', 0.01],
  1: ['L2R_L2LOSS_SVC_DUAL', 0.1],
  2: ['L2R_L2LOSS_SVC', 0.01],
  3: ['L2R_L1LOSS_SVC_DUAL', 0.1],
  4: ['MCSVM_CS', 0.1],
  5: ['L1R_L2LOSS_SVC', 0.01],
  6: ['L1R_LR', 0.01],
  7: ['L2R_LR_DUAL', 0.1],
  11: ['L2R_L2LOSS_SVR', 0.0001],
  12: ['L2R_L2LOSS_SVR_DUAL', 0.1],
  13: ['L2R_L1LOSS_SVR_DUAL', 0.1],
  21: ['ONECLASS_SVM', 0.01],
}

/**
 * The gap to leave at LIBLINEAR's default tolerance, as a part of the primal value. It falls and grows with -e, but not below rounding,
 * nor beyond what tells a machine from a guess.
 */
const GAP_AT_DEFAULT = 1e-6
const LEAST_GAP = 1e-10
const MOST_GAP = 1e-2

/** A machine of one of LIBLINEAR's problems. */
export interface LiblinearEstimator {
  fit(dataset: VectorDataset, options?: LinearFitOptions): Promise<Model>
}

/** What is to be done. */
export interface LiblinearSettings {
  readonly name: LiblinearSolver
  /** Given, nothing is written: this many folds are tried. */
  readonly folds: number | undefined
  /** `-C`: C is looked for, and ε for -s 11, from these on where they were given. */
  readonly search: { readonly C: number | undefined; readonly p: number | undefined } | undefined
  readonly regression: boolean
  readonly classifies: boolean
  readonly C: number
  readonly p: number
  readonly eps: number
  /** The gap to leave, as a part of the primal value. */
  readonly tol: number
  readonly bias: BiasForm
  /** The constant feature that carries the bias; 0 without one. */
  readonly constant: number
  /** Whether -B adds that feature: it may be one of zeros. */
  readonly hasConstant: boolean
  /** What multiplies C for each class of some data. */
  weightsIn(dataset: VectorDataset): Record<number, number>
  /** The estimator for some data. */
  estimator(dataset: VectorDataset): LiblinearEstimator
}

/** Problems that `-C` knows. */
const SEARCHED: readonly LiblinearSolver[] = ['L2R_LR', 'L2R_L2LOSS_SVC', 'L2R_L2LOSS_SVR']

/** Checks the flags; see the header of the file. */
export function liblinearSettings(flags: LetterFlags, warn: (text: string) => void): LiblinearSettings {
  const { values } = flags
  const searches = values.has('C')
  if (searches && !values.has('s')) warn('Solver not specified. Using -s 2\n')
  const [name, defaultEps] = PROBLEMS[wholeFlag(flags, 's', searches ? 2 : 1)] ?? fail('unknown solver type')
  const { type, loss, norm, primal } = liblinearSolvers[name]
  const C = numberFlag(flags, 'c', 1)
  const p = numberFlag(flags, 'p', 0.1)
  const nu = numberFlag(flags, 'n', 0.5)
  const eps = numberFlag(flags, 'e', defaultEps)
  const bias = numberFlag(flags, 'B', -1)
  const folds = values.has('v') ? wholeFlag(flags, 'v', 0) : undefined
  if (!(eps > 0)) fail('eps <= 0')
  if (!(C > 0)) fail('C <= 0')
  if (p < 0) fail('p < 0')
  if (name === 'ONECLASS_SVM' && bias >= 0) fail('prob->bias >=0, but this is ignored in ONECLASS_SVM')
  if (folds !== undefined && folds < 2) throw new UsageError('n-fold cross validation: n must >= 2')
  if (searches && !SEARCHED.includes(name)) {
    throw new UsageError('Warm-start parameter search only available for -s 0, -s 2 and -s 11')
  }
  const isFree = values.has('R')
  if (isFree && !(primal && bias === 1)) {
    throw new CommandError('ERROR: -R works for -s 0, 2, 5, 6 and 11 with -B 1')
  }
  const weights = classWeights(flags)
  const biasOptions: { readonly bias: BiasForm; readonly interceptScaling?: number } = isFree
    ? { bias: 'free' }
    : bias > 0
      ? { bias: 'regularised', interceptScaling: bias }
      : { bias: 'none' }
  const tol = Math.min(MOST_GAP, Math.max(LEAST_GAP, (eps / defaultEps) * GAP_AT_DEFAULT))
  const isTube = type === 'linear-svr'
  const isOneClass = type === 'linear-one-class'
  return {
    ...{ name, folds, C, p, eps, tol },
    bias: biasOptions.bias,
    search: searches ? { C: values.has('c') ? C : undefined, p: values.has('p') ? p : undefined } : undefined,
    regression: isTube,
    classifies: type === 'linear-svc',
    constant: Math.max(bias, 0),
    hasConstant: bias >= 0,
    weightsIn: (dataset) => presentWeights(weights, dataset, warn),
    estimator(dataset) {
      const isTogether = name === 'MCSVM_CS'
      const isLogistic = loss === 'logistic'
      const own = isOneClass
        ? { nu }
        : {
            ...{ C, ...biasOptions, ...(isTube ? { epsilon: p } : { classWeight: this.weightsIn(dataset) }) },
            ...(isTogether ? { multiClass: 'crammer-singer' } : !isLogistic && { loss }),
            ...(norm === 1 && { penalty: 'l1' }),
          }
      return estimatorFromSpec({
        type: isLogistic ? 'logistic-regression' : type,
        options: { ...own, tol, keepDual: false },
      } as never) as unknown as LiblinearEstimator
    },
  }
}

function fail(message: string): never {
  throw new CommandError(`ERROR: ${message}`)
}
