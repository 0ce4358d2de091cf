/**
 * What the formats of LIBSVM and LIBLINEAR have no place for. All of it is known before a model is trained, from a
 * {@link ModelOutline}, which every model is, too.
 */
import { DataError, show } from '../../base/errors.ts'
import type { Label } from '../../data/table/dataset.ts'
import type { KernelSpec } from '../../kernels/kernel.ts'
import type { Model } from '../model.ts'
import type { PairProbability } from '../model-parts.ts'

/** What decides whether a format can hold a model. */
export interface ModelOutline {
  readonly type: Model['type']
  readonly kernel: { readonly spec: KernelSpec }
  /** The classes of a classifier. */
  readonly classes?: readonly Label[] | undefined
  readonly preparation?: object | undefined
  readonly scaler?: { readonly kind: string } | undefined
  readonly probability?: { readonly method: string } | undefined
  readonly breakTies?: boolean | undefined
  readonly threshold?: number | undefined
  readonly conformal?: object | undefined
}

/** LIBSVM's kernels and their parameters, as its files name them and in their order. */
export const libsvmKernels = {
  linear: [],
  polynomial: ['degree', 'gamma', 'coef0'],
  rbf: ['gamma'],
  sigmoid: ['gamma', 'coef0'],
  precomputed: [],
} as const satisfies Record<string, readonly ('degree' | 'gamma' | 'coef0')[]>

/** Throws a DataError when LIBSVM's format cannot hold such a model. */
export function refuseForLibsvm(outline: ModelOutline): void {
  const { type, kernel, classes, probability, breakTies } = outline
  const refuse = refusal('LIBSVM', outline)
  if (classes) {
    if (probability && probability.method !== 'sigmoid') refuse.that(`${probability.method} probabilities`)
    if (probability && type === 'linear-svc' && classes.length > 2) {
      refuse.that('probabilities of each class against the rest')
    }
    if (breakTies) refuse.that('breakTies')
    refuse.labels(classes)
  }
  const { spec } = kernel
  if (!(spec.kind in libsvmKernels)) refuse.that(`the kernel "${spec.kind}"`)
}

/** Throws a DataError when LIBLINEAR's format cannot hold such a model. */
export function refuseForLiblinear(outline: ModelOutline): void {
  const { type, kernel, classes, probability } = outline
  const refuse = refusal('LIBLINEAR', outline)
  if (kernel.spec.kind !== 'linear') refuse.that(`the kernel "${kernel.spec.kind}"`)
  if (probability && !(classes && isLogistic(probability))) refuse.that(`${probability.method} probabilities`)
  if (!classes) return
  if (type !== 'linear-svc' && classes.length !== 2) refuse.that(`pairs of ${classes.length} classes`)
  refuse.labels(classes)
}

/** The error that a format cannot hold something. */
export function cannotHold(format: string, what: string, instead = 'save it as JSON'): DataError {
  return new DataError(`${format}'s model format cannot hold ${what}: ${instead}`)
}

/** Refuses what neither format has a place for, and then what it is told to. */
function refusal(format: string, { threshold, conformal, preparation, scaler }: ModelOutline) {
  const that = (what: string, instead?: string): never => {
    throw cannotHold(format, what, instead)
  }
  if (threshold !== undefined) that('a threshold of decision values')
  if (conformal) that('what conformal prediction goes by')
  if (preparation) that('how the columns of a table become features')
  const beforehand = 'save it as JSON, or scale the data beforehand and train without one'
  if (scaler) that(`a scaler (${scaler.kind})`, beforehand)
  return {
    that,
    /** Labels must be whole numbers of 32 bits. */
    labels(classes: readonly Label[]) {
      const bad = classes.find((label) => typeof label !== 'number' || label !== (label | 0))
      if (bad !== undefined)
        that(`the label ${show(bad)}`, 'save it as JSON, or train with whole numbers as labels')
    },
  }
}

/** 1 / (1 + exp(−f)) of every machine: the probabilities of logistic regression. */
function isLogistic(probability: { readonly method: string } | PairProbability): boolean {
  return 'a' in probability && probability.a.every((a) => a === -1) && probability.b.every((b) => b === 0)
}
