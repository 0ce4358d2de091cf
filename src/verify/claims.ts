/** What a certificate claims, compared with what was recomputed. */
import type { Certificate, Evidence } from '../certify/certificate.ts'
import { allowedGap } from '../solve/driver/goal.ts'
import { goalOf } from '../solve/methods/registry.ts'

/** One claim of a certificate, and the result of checking it. */
export interface Claim {
  /** The field of the certificate; `nearOptimal` is what is asked of models without one. */
  readonly field:
    | 'primal'
    | 'dual'
    | 'gap'
    | 'maxViolation'
    | 'supportVectors'
    | 'boundedSupportVectors'
    | 'converged'
    | 'nearOptimal'
    | 'proves'
  /**
   * What it says; for `converged` the tolerance, for `nearOptimal` the largest gap as a part of the primal value, for `proves`
   * 1: an optimum.
   */
  readonly claimed: number
  /** The recomputed value; undefined if it cannot be recomputed. */
  readonly recomputed: number | undefined
  /** Allowed difference: the error bars of both sides. */
  readonly allowed: number
  readonly verdict: 'holds' | 'fails' | 'unchecked'
  /** Why it fails, or why it cannot be checked. */
  readonly reason?: string
}

/** How far the numbers of a certificate may be off. */
export interface Bars {
  readonly primal: number
  readonly dual: number
  readonly gap: number
  readonly violation: number
}

/** The values of a model that were recomputed. */
export interface RecomputedValues {
  /** Value of the model: an upper bound on the optimum. */
  readonly primal: number
  /** −dual is a lower bound on the optimum: from the model's own dual point, or from one that was found for it. */
  readonly dual: number
  readonly gap: number
  /** Undefined for models without dual variables; so are the counts. */
  readonly maxViolation: number | undefined
  readonly supportVectors: number | undefined
  readonly boundedSupportVectors: number | undefined
}

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

/** What was recomputed of a problem. */
export interface Recomputed extends RecomputedValues {
  /** A smaller primal value than the model's, where one was found: the optimum is no higher. */
  readonly bestPrimal?: number
  /** What a gap is measured by where the optimum is 0. */
  readonly gapUnit?: number
  /** How far these values may be off. */
  readonly bars: Bars
  /** Rounding of Σ c_i k(x_i, x), at most about this. */
  readonly rounding: number
  /** The kernel is not positive semi-definite: primal and dual value bound nothing. */
  readonly refuted?: boolean
  /** Several dual points have the model's coefficients, so that their violations may differ. */
  readonly ambiguous?: boolean
}

/** Values in certificates that do not say how exact they are may be wrong by this part of their size. */
const UNSTATED = 1e-6
/** A sum of two numbers, rounded once by each of two programs. */
const SUM_ROUNDING = 4 * Number.EPSILON
/** A value that should be known no better than to this part of its size claims little. */
const WIDE = 1e-3

const NO_DUAL_POINT = 'the model contains no dual variables'
const SEVERAL_POINTS = 'several dual points lead to these coefficients'
const CLAIMS_LITTLE = 'the claim is weak: its error bar is wide'
const NO_BOUND = 'the kernel is not positive semi-definite, so the gap does not bound the optimum'

/** Compares all claims of a certificate. */
export function checkClaims(certificate: Certificate, found: Recomputed): Claim[] {
  const allowed = allowances(certificate, found)
  const ownPoint = found.maxViolation !== undefined
  return [
    compared('primal', certificate.primal, found.primal, allowed.primal),
    ownPoint
      ? compared('dual', certificate.dual, found.dual, allowed.dual)
      : boundClaim(certificate, found, allowed.dual),
    gapClaim(certificate, found, allowed, ownPoint),
    violationClaim(certificate, found, allowed.violation),
    ...(['supportVectors', 'boundedSupportVectors'] as const).map((field) =>
      compared(field, certificate[field], found[field], EXACT),
    ),
    ...(certificate.stopReason === 'converged' ? [convergedClaim(certificate, found)] : []),
    ...(certificate.proves === 'optimum' ? [optimumClaim(found)] : []),
  ]
}

/** svm-train's default tolerance, and LIBLINEAR's: what its models are taken to be trained to. */
const LIBSVM_TOL = 1e-3
const LIBLINEAR_TOL = 0.1

/** What is asked of a model without a certificate: a small violation of its dual point, or a small gap if it has none. */
export function impliedClaims(found: Recomputed, options: { tol?: number; maxGap?: number }): Claim[] {
  const { maxViolation, rounding } = found
  const { tol = LIBSVM_TOL, maxGap = maxViolation === undefined ? LIBLINEAR_TOL : undefined } = options
  const claims = maxGap === undefined ? [] : [nearOptimalClaim(maxGap, found)]
  if (maxViolation === undefined) return claims
  // LIBSVM keeps its kernel values in single precision, and stops by a violation that was computed of them.
  const allowed = rounding * 2 ** 28
  const verdict = maxViolation <= tol + allowed ? 'holds' : 'fails'
  return [...claims, { field: 'converged', claimed: tol, recomputed: maxViolation, allowed, verdict }]
}

/** A gap of no more than a part of the value of the model. */
export function nearOptimalClaim(most: number, { primal, dual, gap, rounding, refuted }: Recomputed): Claim {
  const size = Math.max(Math.abs(primal), Math.abs(dual))
  const share = gap <= rounding ? 0 : gap / size
  const claim = { field: 'nearOptimal', claimed: most, recomputed: share, allowed: 0 } as const
  if (refuted) return { ...claim, verdict: 'fails', reason: NO_BOUND }
  return { ...claim, verdict: share <= most ? 'holds' : 'fails' }
}

/** By how much a claim may be off. */
interface Allowance {
  /** All that the certificate requires, and what recomputing may add. */
  readonly most: number
  /** Without error bars that are too wide to claim anything. */
  readonly firm: number
}

function allowances(certificate: Certificate, found: Recomputed): Readonly<Record<keyof Bars, Allowance>> {
  const { primal, dual, maxViolation, tol, evidence } = certificate
  const size = sizeOf(certificate)
  const allowance = (stated: number | undefined, unstated: number, wide: number, own: number): Allowance => {
    const most = (stated ?? unstated) + own
    return { most, firm: most > wide + own ? unstated + own : most }
  }
  const { bars, rounding } = found
  const ofValue = (value: number, stated: number | undefined, own: number) =>
    allowance(stated, UNSTATED * size, WIDE * Math.abs(value), own + rounding + SUM_ROUNDING * size)
  const violation = Math.max(Math.abs(maxViolation), tol)
  return {
    primal: ofValue(primal, evidence?.primalError, bars.primal),
    dual: ofValue(dual, evidence?.dualError, bars.dual),
    gap: ofValue(size, evidence?.gapError ?? 2 * UNSTATED * size, bars.gap),
    violation: allowance(evidence?.violationError, UNSTATED * violation, tol, bars.violation + rounding),
  }
}

/** The size of the values of a certificate. */
function sizeOf({ primal, dual }: Certificate): number {
  return Math.max(...[primal, dual].filter(Number.isFinite).map(Math.abs), 0)
}

type Verdict = Pick<Claim, 'verdict' | 'reason'>

/** Whether something holds that depends on how much is allowed. */
function verdictWithin({ most, firm }: Allowance, holds: (allowed: number) => boolean): Verdict {
  if (holds(firm)) return { verdict: 'holds' }
  return holds(most) ? { verdict: 'unchecked', reason: CLAIMS_LITTLE } : { verdict: 'fails' }
}

const EXACT: Allowance = { most: 0, firm: 0 }

/** A number that must be the same, as far as it can be recomputed, unless something else decides. */
function compared(
  field: Claim['field'],
  claimed: number,
  recomputed: number | undefined,
  allowance: Allowance,
  verdict?: Verdict,
): Claim {
  const claim = { field, claimed, recomputed, allowed: allowance.most }
  if (recomputed === undefined) return { ...claim, verdict: 'unchecked', reason: NO_DUAL_POINT }
  const isSame = (allowed: number) => differBy(claimed, recomputed, allowed)
  return { ...claim, ...(verdict ?? verdictWithin(allowance, isSame)) }
}

/** Whether two numbers differ by no more than is allowed. The difference of two infinities is no number. */
function differBy(a: number, b: number, allowed: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) <= allowed
}

/** A lower bound without the point that proves it: no higher than what the optimum is known to reach. */
function boundClaim({ dual }: Certificate, found: Recomputed, allowance: Allowance): Claim {
  const claim = { field: 'dual', claimed: dual, recomputed: found.dual, allowed: allowance.most } as const
  const within = verdictWithin(allowance, (allowed) => -dual <= -found.dual + allowed)
  if (within.verdict !== 'fails') return { ...claim, ...within }
  const reached = Math.min(found.primal, found.bestPrimal ?? found.primal)
  if (-dual > reached + allowance.most) {
    return { ...claim, verdict: 'fails', reason: `the optimum is at most ${reached}` }
  }
  return { ...claim, verdict: 'unchecked', reason: 'it lies between the bounds that were found' }
}

function gapClaim(
  certificate: Certificate,
  found: Recomputed,
  allowed: Readonly<Record<keyof Bars, Allowance>>,
  ownPoint: boolean,
): Claim {
  const { primal, dual, gap, evidence } = certificate
  const claim = compared('gap', gap, found.gap, allowed.gap)
  const sum = primal + dual
  // The gap has its own formula: it is primal + dual within their error bars.
  const bars = evidence ? evidence.primalError + evidence.dualError + evidence.gapError : 0
  if (!differBy(sum, gap, bars + SUM_ROUNDING * sizeOf(certificate))) {
    return { ...claim, verdict: 'fails', reason: `primal + dual of the certificate is ${sum}` }
  }
  if (ownPoint) return claim
  // Without the dual point the claim is that the optimum is no further away.
  const within = verdictWithin(allowed.gap, (most) => gap >= found.gap - most)
  if (within.verdict !== 'fails') return { ...claim, ...within }
  const distance = found.primal - Math.min(found.primal, found.bestPrimal ?? found.primal)
  if (gap < distance - claim.allowed) return { ...claim, verdict: 'fails' }
  return { ...claim, verdict: 'unchecked', reason: 'it lies between the bounds that were found' }
}

function violationClaim({ maxViolation }: Certificate, found: Recomputed, allowance: Allowance): Claim {
  const { maxViolation: own = 0, ambiguous } = found
  const atMost: Verdict =
    own <= maxViolation + allowance.firm
      ? { verdict: 'holds' }
      : { verdict: 'unchecked', reason: SEVERAL_POINTS }
  const verdict = ambiguous ? atMost : undefined
  return compared('maxViolation', maxViolation, found.maxViolation, allowance, verdict)
}

/**
 * `converged` means that violation, gap or both are as small as was requested, error bars included: by the certificate's own
 * word, and by the data.
 */
function convergedClaim(certificate: Certificate, found: Recomputed): Claim {
  const { tol, primal, gap, maxViolation, evidence } = certificate
  const goal = goalOf(certificate.solver)
  // Certificates without error bars may be off by what such certificates may.
  const slack = evidence ? 0 : UNSTATED * tol
  const size = Math.max(Math.abs(primal), tol * (found.gapUnit ?? 0))
  const { bars, rounding } = found
  const [claimed, bar, recomputed, own] =
    goal === 'gap'
      ? [gap / size, (evidence?.gapError ?? 0) / size, found.gap / size, (bars.gap + rounding) / size]
      : [maxViolation, evidence?.violationError ?? 0, found.maxViolation, bars.violation + rounding]
  const claim = { field: 'converged', claimed: tol, recomputed: recomputed ?? claimed, allowed: own } as const
  if (!(claimed + bar <= tol + slack)) return { ...claim, recomputed: claimed + bar, verdict: 'fails' }
  const widest = allowedGap(goal, tol, primal)
  if (goal === 'both' && !(gap + (evidence?.gapError ?? 0) <= widest * (1 + slack / tol))) {
    return { ...claim, verdict: 'fails', reason: `a gap of ${gap} where ${widest} is what` }
  }
  if (recomputed === undefined) return { ...claim, verdict: 'unchecked', reason: NO_DUAL_POINT }
  if (recomputed <= tol + slack + own) return { ...claim, verdict: 'holds' }
  return found.ambiguous
    ? { ...claim, verdict: 'unchecked', reason: SEVERAL_POINTS }
    : { ...claim, verdict: 'fails' }
}

/** Small violations prove an optimum only of problems that are convex. */
function optimumClaim({ refuted = false }: Recomputed): Claim {
  const claim = { field: 'proves', claimed: 1, recomputed: refuted ? 0 : 1, allowed: 0 } as const
  return refuted ? { ...claim, verdict: 'fails', reason: NO_BOUND } : { ...claim, verdict: 'holds' }
}

/** Whether a certificate is of a method whose model is no dual point. */
export function isPrimalMethod(certificate: Certificate | undefined): boolean {
  return certificate !== undefined && goalOf(certificate.solver) === 'gap'
}

/** The error bars of evidence. */
export function barsOf({ primalError, dualError, gapError, violationError }: Evidence): Bars {
  return { primal: primalError, dual: dualError, gap: gapError, violation: violationError }
}
