import { HyperplaneError } from '../base/errors.ts'
import type { Certificate } from '../certify/certificate.ts'
import type { Recomputed } from './claims.ts'

const NO_BOUND = { dual: Number.POSITIVE_INFINITY, primal: Number.POSITIVE_INFINITY }

/** The certificate of one of `count` problems; undefined where there is but one for very many of them. */
export function certificateOf(
  certificates: readonly Certificate[] | undefined,
  number: number,
  count: number,
): Certificate | undefined {
  return certificates?.length === count ? certificates[number] : undefined
}

/** Why the data cannot be those that a model was trained on, in one sentence. It ends a verification, and is caught there. */
export class Refuted extends HyperplaneError {
  override name = 'Refuted'
}

/** A support vector is not among the data, under whatever label. */
export class VectorMissing extends Refuted {}

/** What was found out about one problem. */
export interface Findings {
  readonly found: Recomputed
  /** Constraints that the model's dual point violates, one sentence each. */
  readonly faults: readonly string[]
}

/** One of the problems that were solved for a model. */
export interface Part {
  /** Which one: `1 against 2`, `3 against the rest`; empty where there is only one. */
  readonly name: string
  /** Measures the model; `solved` is of a solution of the same problem, for models that have no dual point of their own. */
  recompute(solved: Certificate | undefined): Findings
}

/**
 * The bounds of a model that has no dual point: its own value, which may be off by `error`, and the dual value of a solution
 * that was found.
 */
export function boundsBy(
  primal: number,
  error: number,
  solved: Certificate | undefined,
  rounding: number,
): Recomputed {
  const { dual, primal: bestPrimal } = solved ?? NO_BOUND
  return { ...valuesAlone(primal, dual, error + (solved?.evidence?.dualError ?? 0), rounding), bestPrimal }
}

/** What is known where there are two values, which may be off by `error`, and no dual point. */
function valuesAlone(primal: number, dual: number, error: number, rounding: number): Recomputed {
  return {
    primal,
    dual,
    gap: primal + dual,
    maxViolation: undefined,
    supportVectors: undefined,
    boundedSupportVectors: undefined,
    bars: { primal: error, dual: error, gap: error, violation: 0 },
    rounding,
  }
}
