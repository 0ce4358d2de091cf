/**
 * The JSON form of models, version 1. One object:
 *
 *   format    "hyperplane-model"      version   1      type   what kind of model
 *   classes   the labels of a classifier; labelOrder, decisionFunctionShape, breakTies, multiClass   what decides ties and shapes
 *   features, featureNames, scaler, liblinearSolver   as in ../model-parts.ts
 *   kernel    spec of the kernel, parameters settled                                    (kernel models)
 *   support   the support vectors, how many each class has, which samples they were     (kernel models)
 *   machines  the functions: `negative` and `positive` point into classes; dualCoef or coef, bias, probability
 *   certificates   one a problem that was solved
 *   training       the settings of these problems
 *
 * Kernel classifiers have a machine a pair of classes, whose dualCoef are for the support vectors of those two classes.
 * Linear classifiers of more than two classes have one a class, without `negative`. Numbers: ./json-numbers.ts.
 */

import { DataError, show } from '../../base/errors.ts'
import { positiveOf } from '../../base/positive-class.ts'
import { isMatrix } from '../../data/matrix/matrix.ts'
import type { Label, Samples } from '../../data/table/dataset.ts'
import type {
  ClassifierParts,
  KernelParts,
  LiblinearSolver,
  LinearSvcParts,
  ModelParts,
  OneClassParts,
  PairProbability,
  SingleKernelParts,
  SingleLinearParts,
  SvcParts,
  SvrParts,
} from '../model-parts.ts'
import { groupStarts, pairCoefficients } from '../pairs.ts'
import { encodeDeep, encodeNumber, encodeNumbers, type JsonNumber } from './json-numbers.ts'

/** What every model file says. */
export interface ModelDocument {
  readonly format: 'hyperplane-model'
  readonly version: 1
  readonly type: string
  readonly features?: number
  readonly featureNames?: readonly string[]
  /** A scaler, its numbers as {@link JsonNumber}. */
  readonly scaler?: unknown
  /** Certificates, their numbers as {@link JsonNumber}. */
  readonly certificates?: unknown
  /** {@link TrainingSettings}, their numbers as {@link JsonNumber}. */
  readonly training?: unknown
}

/** What files of classifiers say. */
export interface ClassifierDocument extends ModelDocument {
  readonly classes: readonly Label[]
  readonly labelOrder?: readonly number[]
}

/** How a machine makes a probability of its value. */
export type ProbabilityDocument =
  | { readonly method: 'sigmoid'; readonly a: JsonNumber; readonly b: JsonNumber }
  | { readonly method: 'isotonic'; readonly x: JsonNumber[]; readonly y: JsonNumber[] }

/** What every function in a model file says. */
export interface MachineDocument {
  /** Positions in `classes`. */
  readonly negative?: number
  readonly positive?: number
  readonly bias: JsonNumber
}

/** Sample sets in a model file. */
export type SamplesDocument =
  | { readonly kind: 'dense'; readonly rows: number; readonly cols: number; readonly values: JsonNumber[] }
  | {
      readonly kind: 'sparse'
      readonly rows: number
      readonly cols: number
      readonly indptr: number[]
      readonly indices: number[]
      readonly values: JsonNumber[]
    }
  /** Samples that are not vectors, as JSON values. */
  | { readonly kind: 'list'; readonly values: unknown[] }

/** What files of kernel models say. */
export interface KernelDocument {
  /** The spec of a kernel, its numbers as {@link JsonNumber}. */
  readonly kernel: unknown
  readonly support: {
    readonly counts?: number[]
    readonly indices?: number[]
    readonly samples: SamplesDocument
  }
}

/** A kernel classifier as JSON. */
export interface SvcDocument extends ClassifierDocument, KernelDocument {
  readonly type: 'svc' | 'nu-svc'
  readonly decisionFunctionShape?: 'ovo'
  readonly breakTies?: true
  readonly machines: readonly (MachineDocument & {
    readonly dualCoef: JsonNumber[]
    readonly probability?: ProbabilityDocument
  })[]
}

/** A kernel regression as JSON. */
export interface SvrDocument extends ModelDocument, KernelDocument {
  readonly type: 'svr' | 'nu-svr'
  readonly machines: readonly [
    MachineDocument & {
      readonly dualCoef: JsonNumber[]
      readonly probability?: { readonly method: 'laplace'; readonly sigma: JsonNumber }
    },
  ]
}

/** A one-class model as JSON. */
export interface OneClassDocument extends ModelDocument, KernelDocument {
  readonly type: 'one-class'
  readonly machines: readonly [
    MachineDocument & {
      readonly dualCoef: JsonNumber[]
      readonly probability?: { readonly method: 'density'; readonly marks: JsonNumber[] }
    },
  ]
}

/** A linear classifier as JSON. */
export interface LinearSvcDocument extends ClassifierDocument {
  readonly type: 'linear-svc'
  readonly multiClass?: 'crammer-singer'
  readonly liblinearSolver?: LiblinearSolver
  readonly machines: readonly (MachineDocument & {
    readonly coef: JsonNumber[]
    readonly dual?: JsonNumber[]
    readonly probability?: ProbabilityDocument
  })[]
}

/** A linear model of one function as JSON. */
export interface SingleLinearDocument extends ModelDocument {
  readonly type: 'linear-svr' | 'linear-one-class'
  readonly liblinearSolver?: LiblinearSolver
  readonly machines: readonly [
    MachineDocument & { readonly coef: JsonNumber[]; readonly dual?: JsonNumber[] },
  ]
}

/** The JSON form of a kernel classifier. */
export function svcDocument<S>(
  parts: SvcParts<S> & { readonly type: 'svc' | 'nu-svc'; readonly supportCounts: Uint32Array },
): SvcDocument {
  const { classes, supportCounts, dualCoef, biases, probability } = parts
  const k = classes.length
  const starts = groupStarts(supportCounts)
  const machines: SvcDocument['machines'][number][] = []
  for (let i = 0; i < k; i++) {
    for (let j = i + 1; j < k; j++) {
      const p = machines.length
      const positive = positiveOf(i, j, k)
      machines.push({
        negative: positive === i ? j : i,
        positive,
        bias: encodeNumber(biases[p]),
        dualCoef: encodeNumbers(pairCoefficients(dualCoef, starts, i, j)),
        ...(probability && { probability: probabilityDocument(probability, p) }),
      })
    }
  }
  return {
    ...head(parts.type, parts),
    ...classifierFields(parts),
    ...(parts.decisionFunctionShape === 'ovo' && { decisionFunctionShape: 'ovo' }),
    ...(parts.breakTies && { breakTies: true }),
    ...kernelFields(parts, supportCounts),
    machines,
    ...provenanceFields(parts),
  }
}

/** The JSON form of a kernel regression. */
export function svrDocument<S>(parts: SvrParts<S> & { readonly type: 'svr' | 'nu-svr' }): SvrDocument {
  const { probability } = parts
  return {
    ...head(parts.type, parts),
    ...kernelFields(parts),
    machines: [
      {
        ...kernelMachine(parts),
        ...(probability && { probability: { ...probability, sigma: encodeNumber(probability.sigma) } }),
      },
    ],
    ...provenanceFields(parts),
  }
}

/** The JSON form of a one-class model. */
export function oneClassDocument<S>(parts: OneClassParts<S>): OneClassDocument {
  const { probability } = parts
  return {
    ...head('one-class', parts),
    ...kernelFields(parts),
    machines: [
      {
        ...kernelMachine(parts),
        ...(probability && { probability: { ...probability, marks: encodeNumbers(probability.marks) } }),
      },
    ],
    ...provenanceFields(parts),
  }
}

/** The JSON form of a linear classifier. */
export function linearSvcDocument(parts: LinearSvcParts): LinearSvcDocument {
  const { classes, coef, biases, multiClass, liblinearSolver, probability, dual } = parts
  const one = classes.length === 2 && biases.length === 1
  const cols = coef.length / biases.length
  return {
    ...head('linear-svc', parts),
    ...classifierFields(parts),
    ...(multiClass === 'crammer-singer' && { multiClass }),
    ...(liblinearSolver && { liblinearSolver }),
    machines: Array.from(biases, (bias, p) => ({
      ...(one ? { negative: 0, positive: 1 } : { positive: p }),
      bias: encodeNumber(bias),
      coef: encodeNumbers(coef.subarray(p * cols, (p + 1) * cols)),
      ...(dual && { dual: encodeNumbers(dual[p]) }),
      ...(probability && { probability: probabilityDocument(probability, p) }),
    })),
    ...provenanceFields(parts),
  }
}

/** The JSON form of a linear model of one function. */
export function singleLinearDocument(
  parts: SingleLinearParts & { readonly type: 'linear-svr' | 'linear-one-class' },
): SingleLinearDocument {
  const { type, liblinearSolver, coef, bias, dual } = parts
  return {
    ...head(type, parts),
    ...(liblinearSolver && { liblinearSolver }),
    machines: [
      {
        bias: encodeNumber(bias),
        coef: encodeNumbers(coef),
        ...(dual && { dual: encodeNumbers(dual[0]) }),
      },
    ],
    ...provenanceFields(parts),
  }
}

function head<T extends string>(type: T, parts: ModelParts): ModelDocument & { readonly type: T } {
  const { features, featureNames, scaler } = parts
  return {
    format: 'hyperplane-model',
    version: 1,
    type,
    ...(features !== undefined && { features }),
    ...(featureNames && { featureNames }),
    ...(scaler && { scaler: encodeDeep(scaler) }),
  }
}

function classifierFields({ classes, labelOrder }: ClassifierParts) {
  return { classes, ...(labelOrder && { labelOrder }) }
}

/** How good the model is, and for which problem. */
function provenanceFields({ certificates, training }: ModelParts): {
  certificates?: unknown
  training?: unknown
} {
  return {
    ...(certificates && { certificates: encodeDeep(certificates) }),
    ...(training && { training: encodeDeep(training) }),
  }
}

function kernelFields<S>(parts: KernelParts<S>, supportCounts?: Uint32Array): KernelDocument {
  const { kernel, supportIndices, supportVectors } = parts
  return {
    kernel: encodeDeep(kernel.spec),
    support: {
      ...(supportCounts && { counts: Array.from(supportCounts) }),
      ...(supportIndices && { indices: Array.from(supportIndices) }),
      samples: encodeSamples(supportVectors),
    },
  }
}

function kernelMachine<S>({ bias, dualCoef }: SingleKernelParts<S>) {
  return { bias: encodeNumber(bias), dualCoef: encodeNumbers(dualCoef) }
}

function probabilityDocument(probability: PairProbability, p: number): ProbabilityDocument {
  if (probability.method === 'sigmoid') {
    return { method: 'sigmoid', a: encodeNumber(probability.a[p]), b: encodeNumber(probability.b[p]) }
  }
  return { method: 'isotonic', x: encodeNumbers(probability.x[p]), y: encodeNumbers(probability.y[p]) }
}

function encodeSamples(samples: Samples): SamplesDocument {
  if (!isMatrix(samples)) {
    samples.forEach((sample, i) => {
      if (!isJson(sample)) {
        throw new DataError(
          `support vector ${i} cannot be saved: samples must be texts, finite numbers, or plain arrays and ` +
            `objects of them, got ${show(sample)}`,
        )
      }
    })
    return { kind: 'list', values: [...samples] }
  }
  const { rows, cols } = samples
  const values = encodeNumbers(samples.values)
  if (samples.kind === 'dense') return { kind: 'dense', rows, cols, values }
  const indptr = Array.from(samples.indptr)
  const indices = Array.from(samples.indices)
  return { kind: 'sparse', rows, cols, indptr, indices, values }
}

/** True when a value comes back from JSON as it was. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (Array.isArray(value)) return value.every(isJson)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every(isJson)
}
