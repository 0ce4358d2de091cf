import type { SolveResult } from '../solvers/run.ts'
import type { Recomputed } from './claims.ts'

/** What was found out about one problem. */
export interface Findings {
  readonly found: Recomputed
  /** Constraints that the model's dual point does not keep, a sentence each. */
  readonly faults: readonly string[]
}

/** One of the problems that were solved for a model. */
export interface Part {
  /** Which one: `1 against 2`, `3 against the rest`; empty where there is only one. */
  readonly name: string
  /** Measures the model; `solved` is a solution of the same problem, for models that have no dual point of their own. */
  recompute(solved: SolveResult | undefined): Findings
}

/** The bounds of a model that has no dual point: its own value, and the dual value of a solution that was found. */
export function boundsBy(primal: number, solved: SolveResult | undefined, rounding: number): Recomputed {
  const { dual, primal: bestPrimal } = (solved as SolveResult).certificate
  return { ...valuesAlone(primal, dual, rounding), bestPrimal }
}

/** What is known where there are two values and no dual point. */
export function valuesAlone(primal: number, dual: number, rounding: number): Recomputed {
  return {
    primal,
    dual,
    gap: primal + dual,
    maxViolation: undefined,
    supportVectors: undefined,
    boundedSupportVectors: undefined,
    rounding,
  }
}
