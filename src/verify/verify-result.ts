import type { Claim, RecomputedValues } from './claims.ts'

/** The recomputed values of one problem behind a model, and the results for its claims. */
export interface VerifiedPart extends RecomputedValues {
  /** Which one: `1 against 2`, `3 against the rest`; empty where there is only one. */
  readonly name: string
  /** What a small violation proves: nothing about the optimum if the kernel is not positive semi-definite. */
  readonly proves: 'optimum' | 'stationary-point'
  /** Constraints that the model's dual point violates, one sentence each. */
  readonly faults: readonly string[]
  readonly claims: readonly Claim[]
}

/** The result of `verify`. */
export interface VerifyResult {
  /** Whether everything that could be checked holds. */
  readonly holds: boolean
  /** The outcome in one sentence; if something does not hold, the first such claim. */
  readonly verdict: string
  /** One per solved problem; empty if the data cannot be the training data. */
  readonly parts: readonly VerifiedPart[]
  /** Additional information: how support vectors were matched, what could not be checked. */
  readonly remarks: readonly string[]
}
