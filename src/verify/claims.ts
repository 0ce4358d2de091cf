/** What a certificate claims, compared with what was recomputed. */
import type { Certificate, Measures } from '../certify/certificate.ts'
import { allowedGap, type Goal } from '../solvers/goal.ts'
import { solvers } from '../solvers/registry.ts'

/** One number or statement of a certificate, and what became of it. */
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
  /** What it says; for `converged` the tolerance, for `nearOptimal` the largest gap as a part of the primal value. */
  readonly claimed: number
  /** What the data say; undefined where they cannot. */
  readonly recomputed: number | undefined
  /** By how much the two may differ: rounding, on either side. */
  readonly allowed: number
  readonly verdict: 'holds' | 'fails' | 'unchecked'
  /** Why it fails, or cannot be checked. */
  readonly reason?: string
}

/** What was recomputed of a problem. Fields that the model has not enough in it for are undefined. */
export interface Recomputed {
  readonly primal: number
  /** −dual is a lower bound of the optimum: of the model's own dual point, or of one that was found for it. */
  readonly dual: number
  readonly gap: number
  readonly maxViolation: number | undefined
  readonly supportVectors: number | undefined
  readonly boundedSupportVectors: number | undefined
  /** A smaller primal value than the model's, where one was come upon: the optimum is no higher. */
  readonly bestPrimal?: number
  /** Rounding of Σ c_i k(x_i, x), at most about this. */
  readonly rounding: number
  /** Several dual points have the model's coefficients, so that their violations may differ. */
  readonly ambiguous?: boolean
}

/** Values in certificates that do not say how exact they are may be wrong by this part of their size. */
const UNSTATED = 1e-6
/** A sum of two numbers, rounded once by each of two programs. */
const SUM_ROUNDING = 4 * Number.EPSILON

const NO_DUAL_POINT = 'the model keeps no dual variables'
const SEVERAL_POINTS = 'several dual points have these coefficients'

/** Compares all claims of a certificate. */
export function checkClaims(certificate: Certificate, found: Recomputed): Claim[] {
  const allowed = allowances(certificate, found)
  const ownPoint = found.maxViolation !== undefined
  return [
    equal('primal', certificate.primal, found.primal, allowed.values),
    ownPoint
      ? equal('dual', certificate.dual, found.dual, allowed.values)
      : boundClaim(certificate, found, allowed.values),
    gapClaim(certificate, found, allowed.values, ownPoint),
    violationClaim(certificate, found, allowed.violation),
    countClaim('supportVectors', certificate, found),
    countClaim('boundedSupportVectors', certificate, found),
    ...(certificate.stopReason === 'converged' ? [convergedClaim(certificate, found, allowed)] : []),
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
export function nearOptimalClaim(most: number, { primal, dual, gap, rounding }: Recomputed): Claim {
  const size = Math.max(Math.abs(primal), Math.abs(dual))
  const share = gap <= rounding ? 0 : gap / size
  return {
    field: 'nearOptimal',
    claimed: most,
    recomputed: share,
    allowed: 0,
    verdict: share <= most ? 'holds' : 'fails',
  }
}

interface Allowances {
  /** Of primal and dual value. */
  readonly values: number
  readonly violation: number
}

function allowances(certificate: Certificate, { rounding }: Recomputed): Allowances {
  const { primal, dual, maxViolation, tol } = certificate
  const size = Math.max(...[primal, dual].filter(Number.isFinite).map(Math.abs), 0)
  return {
    values: UNSTATED * size + rounding,
    violation: UNSTATED * Math.max(Math.abs(maxViolation), tol) + rounding,
  }
}

function equal(field: Claim['field'], claimed: number, recomputed: number, allowed: number): Claim {
  // The difference of two infinities is no number.
  const same = Object.is(claimed, recomputed) || Math.abs(claimed - recomputed) <= allowed
  return { field, claimed, recomputed, allowed, verdict: same ? 'holds' : 'fails' }
}

/** A lower bound without the point that proves it: no higher than what the optimum is known to reach. */
function boundClaim({ dual }: Certificate, found: Recomputed, allowed: number): Claim {
  const claim = { field: 'dual', claimed: dual, recomputed: found.dual, allowed } as const
  if (-dual <= -found.dual + allowed) return { ...claim, verdict: 'holds' }
  const reached = Math.min(found.primal, found.bestPrimal ?? found.primal)
  if (-dual > reached + allowed) {
    return { ...claim, verdict: 'fails', reason: `the optimum is at most ${reached}` }
  }
  return { ...claim, verdict: 'unchecked', reason: 'it lies between the bounds that were found' }
}

function gapClaim(certificate: Certificate, found: Recomputed, allowed: number, ownPoint: boolean): Claim {
  const { primal, dual, gap } = certificate
  const claim = equal('gap', gap, found.gap, 2 * allowed)
  const sum = primal + dual
  const slack = SUM_ROUNDING * Math.max(Math.abs(primal), Math.abs(dual))
  if (!Object.is(sum, gap) && !(Math.abs(sum - gap) <= slack)) {
    return { ...claim, verdict: 'fails', reason: `primal + dual of the certificate is ${sum}` }
  }
  // Without the dual point the claim is that the optimum is no further away.
  const holds = ownPoint ? claim.verdict === 'holds' : gap >= found.gap - claim.allowed
  if (holds) return { ...claim, verdict: 'holds' }
  const distance = found.primal - Math.min(found.primal, found.bestPrimal ?? found.primal)
  if (ownPoint || gap < distance - claim.allowed) return { ...claim, verdict: 'fails' }
  return { ...claim, verdict: 'unchecked', reason: 'it lies between the bounds that were found' }
}

function violationClaim({ maxViolation }: Certificate, found: Recomputed, allowed: number): Claim {
  const claim = {
    field: 'maxViolation',
    claimed: maxViolation,
    recomputed: found.maxViolation,
    allowed,
  } as const
  if (found.maxViolation === undefined) return { ...claim, verdict: 'unchecked', reason: NO_DUAL_POINT }
  if (!found.ambiguous) return equal('maxViolation', maxViolation, found.maxViolation, allowed)
  if (found.maxViolation <= maxViolation + allowed) return { ...claim, verdict: 'holds' }
  return { ...claim, verdict: 'unchecked', reason: SEVERAL_POINTS }
}

function countClaim(
  field: 'supportVectors' | 'boundedSupportVectors',
  certificate: Certificate,
  found: Recomputed,
): Claim {
  const recomputed = found[field]
  if (recomputed !== undefined) return equal(field, certificate[field], recomputed, 0)
  const claimed = certificate[field]
  return { field, claimed, recomputed, allowed: 0, verdict: 'unchecked', reason: NO_DUAL_POINT }
}

/** `converged` means that violation, gap or both are as small as was asked for: by the certificate's own word, and by the data. */
function convergedClaim(certificate: Certificate, found: Recomputed, allowed: Allowances): Claim {
  const { tol, primal, gap, maxViolation } = certificate
  const goal = goalOf(certificate)
  const size = Math.abs(primal)
  const [claimed, recomputed, slack] =
    goal === 'gap'
      ? [gap / size, found.gap / size, (2 * allowed.values) / size]
      : [maxViolation, found.maxViolation, allowed.violation]
  const most = tol * (1 + UNSTATED)
  const claim = {
    field: 'converged',
    claimed: tol,
    recomputed: recomputed ?? claimed,
    allowed: slack,
  } as const
  if (claimed > most) return { ...claim, recomputed: claimed, verdict: 'fails' }
  const widest = allowedGap(goal, tol, primal)
  if (goal === 'both' && gap > widest * (1 + UNSTATED)) {
    return { ...claim, verdict: 'fails', reason: `a gap of ${gap} where ${widest} is what` }
  }
  if (recomputed === undefined) return { ...claim, verdict: 'unchecked', reason: NO_DUAL_POINT }
  if (recomputed <= most + slack) return { ...claim, verdict: 'holds' }
  return found.ambiguous
    ? { ...claim, verdict: 'unchecked', reason: SEVERAL_POINTS }
    : { ...claim, verdict: 'fails' }
}

function goalOf({ solver }: Pick<Certificate, 'solver'>): Goal {
  return Object.hasOwn(solvers, solver) ? solvers[solver as keyof typeof solvers].goal : 'violation'
}

/** Whether a certificate is of a method whose model is no dual point. */
export function isPrimalMethod(certificate: Certificate | undefined): boolean {
  return certificate !== undefined && goalOf(certificate) === 'gap'
}

/** The fields of {@link Recomputed} that measures have. */
export function recomputedFrom(measures: Measures, rounding: number, ambiguous: boolean): Recomputed {
  const { primal, dual, gap, maxViolation, supportVectors, boundedSupportVectors } = measures
  return { primal, dual, gap, maxViolation, supportVectors, boundedSupportVectors, rounding, ambiguous }
}
