/**
 * The JSON form of models, version 1. One object:
 *
 *   format    "hyperplane-model"      version   1      type   "svc" or "linear-svc"
 *   classes   the labels              features, featureNames, scaler   as in {@link ClassifierParts}
 *   kernel    spec of the kernel, parameters settled               (svc)
 *   support   the support vectors and which samples they were      (svc)
 *   machines  the decision functions; `negative` and `positive` point into classes. Two classes have one machine.
 *             dualCoef (svc) or coef (linear-svc), bias, certificate, probability
 *
 * Further types and several machines can be added without a new version. Numbers: ./json-numbers.ts.
 */
import { DataError, show } from '../base/errors.ts'
import type { Label, Samples } from '../data/dataset.ts'
import { isMatrix } from '../data/matrix.ts'
import { encodeDeep, encodeNumber, encodeNumbers, type JsonNumber } from './json-numbers.ts'
import type { ClassifierParts, LinearSvcParts, SvcParts } from './model-parts.ts'

/** What every model file says. */
export interface ModelDocument {
  readonly format: 'hyperplane-model'
  readonly version: 1
  readonly type: string
  readonly classes: readonly [negative: Label, positive: Label]
  readonly features?: number
  readonly featureNames?: readonly string[]
  /** A scaler, its numbers as {@link JsonNumber}. */
  readonly scaler?: unknown
}

/** What every decision function in a model file says. */
export interface MachineDocument {
  /** Position in `classes`. */
  readonly negative: 0
  readonly positive: 1
  readonly bias: JsonNumber
  /** A certificate, its numbers as {@link JsonNumber}. */
  readonly certificate?: unknown
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

/** A kernel classifier as JSON. */
export interface SvcDocument extends ModelDocument {
  readonly type: 'svc'
  /** The spec of a kernel, its numbers as {@link JsonNumber}. */
  readonly kernel: unknown
  readonly support: { readonly indices?: number[]; readonly samples: SamplesDocument }
  readonly machines: readonly [
    MachineDocument & {
      readonly dualCoef: JsonNumber[]
      readonly probability?: { readonly a: JsonNumber; readonly b: JsonNumber }
    },
  ]
}

/** A linear classifier as JSON. */
export interface LinearSvcDocument extends ModelDocument {
  readonly type: 'linear-svc'
  readonly machines: readonly [MachineDocument & { readonly coef: JsonNumber[] }]
}

/** The JSON form of a kernel classifier. */
export function svcDocument<S>(parts: SvcParts<S>): SvcDocument {
  const { kernel, supportVectors, supportIndices, dualCoef, probability } = parts
  return {
    ...head('svc', parts),
    kernel: encodeDeep(kernel.spec),
    support: {
      ...(supportIndices && { indices: Array.from(supportIndices) }),
      samples: encodeSamples(supportVectors),
    },
    machines: [
      {
        ...machine(parts),
        dualCoef: encodeNumbers(dualCoef),
        ...(probability && {
          probability: { a: encodeNumber(probability.a), b: encodeNumber(probability.b) },
        }),
      },
    ],
  }
}

/** The JSON form of a linear classifier. */
export function linearSvcDocument(parts: LinearSvcParts): LinearSvcDocument {
  return { ...head('linear-svc', parts), machines: [{ ...machine(parts), coef: encodeNumbers(parts.coef) }] }
}

function head<T extends string>(type: T, parts: ClassifierParts): ModelDocument & { readonly type: T } {
  const { classes, features, featureNames, scaler } = parts
  return {
    format: 'hyperplane-model',
    version: 1,
    type,
    classes,
    ...(features !== undefined && { features }),
    ...(featureNames && { featureNames }),
    ...(scaler && { scaler: encodeDeep(scaler) }),
  }
}

function machine({ bias, certificate }: ClassifierParts): MachineDocument {
  return {
    negative: 0,
    positive: 1,
    bias: encodeNumber(bias),
    ...(certificate && { certificate: encodeDeep(certificate) }),
  }
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
