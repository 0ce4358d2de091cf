import type { Claim, RecomputedValues } from './claims.ts'

/** What was recomputed of one problem behind a model, and what became of its claims. */
export interface VerifiedPart extends RecomputedValues {
  /** Which one: `1 against 2`, `3 against the rest`; empty where there is only one. */
  readonly name: string
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
  /** One per problem that was solved for the model; empty when the data cannot be those of its training. */
  readonly parts: readonly VerifiedPart[]
  /** What else is good to know: how support vectors were found, what could not be checked. */
  readonly remarks: readonly string[]
}
