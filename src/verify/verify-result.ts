import type { Claim } from './claims.ts'

/** What was recomputed of one problem behind a model, and what became of its claims. */
export interface VerifiedPart {
  /** Which one: `1 against 2`, `3 against the rest`; empty where there is only one. */
  readonly name: string
  /** Value of the model: an upper bound of the optimum. */
  readonly primal: number
  /** −dual is a lower bound of the optimum. */
  readonly dual: number
  readonly gap: number
  /** Undefined for models that keep no dual variables; so are the counts. */
  readonly maxViolation: number | undefined
  readonly supportVectors: number | undefined
  readonly boundedSupportVectors: number | undefined
  /** What a small violation proves: nothing of the optimum where the kernel is not positive semi-definite. */
  readonly proves: 'optimum' | 'stationary-point'
  /** Constraints that the model's dual point does not keep, a sentence each. */
  readonly faults: readonly string[]
  readonly claims: readonly Claim[]
}

/** What `verify` found. */
export interface VerifyResult {
  /** Whether everything that could be checked holds. */
  readonly holds: boolean
  /** The outcome in a sentence; where something does not hold, the first such thing. */
  readonly verdict: string
  /** One a problem that was solved for the model; empty when the data cannot be those of its training. */
  readonly parts: readonly VerifiedPart[]
  /** What else is good to know: how support vectors were found, what could not be checked. */
  readonly remarks: readonly string[]
}
