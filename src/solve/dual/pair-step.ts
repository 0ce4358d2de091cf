/**
 * The heart of every SMO solver: minimise the dual over two variables α_i, α_j, all others fixed.
 *
 * With E_k = Σ_p α_p y_p K_pk − y_k (any constant may be added to all E), the balance constraint leaves one degree of
 * freedom, α_j ∈ [L, H], along which the dual is  Φ(δ) = Φ(0) + y_j (E_j − E_i) δ + ½ η δ²,  δ = α_j − α_j^old,
 * η = K_ii + K_jj − 2 K_ij. Its minimum is at α_j + y_j (E_i − E_j) / η, clipped to [L, H]; when η is not positive
 * (duplicates, kernels that are not positive definite) the better end of the segment is taken.
 * Sources: Platt 1998; seeds 000 (eq. 5–8), 001 (eq. 79–98), 002, 003.
 */

/** Curvature below this share of K_ii + K_jj is rounding: the ends are compared instead (seed 000, made scale-free). */
const ETA_TINY = 1e-15
/** Pair steps of a run, at most, by default. LIBSVM's rule. */
export const mostPairSteps = (samples: number): number => Math.max(10_000_000, 100 * samples)
/** Values nearer to a bound than this share of the step's scale lie on it: thousands of roundings of 2^−53, as in assembly/dual/rates.ts. */
export const SNAP = 1e-12
/** Curvature that stands in for one that is not positive where pairs are compared. LIBSVM's number. */
export const TAU = 1e-12

/** One step, for teaching and for the solvers themselves. A solver reuses one object for all its steps. */
export interface SmoStep {
  /** The solver's iteration that made the step. */
  iteration: number
  i: number
  j: number
  yi: number
  yj: number
  /** Errors (or f values) of the pair before the step; only their difference matters. */
  errorI: number
  errorJ: number
  eta: number
  /** The segment of feasible α_j. */
  low: number
  high: number
  /** Minimum along the line, before clipping; NaN when η was not positive. */
  unclipped: number
  oldAlphaI: number
  oldAlphaJ: number
  alphaI: number
  alphaJ: number
  /** The samples that the pair was chosen among, for solvers that work on a few at a time. */
  workingSet?: Uint32Array
  /**
   * The samples that are not shrunk, ascending, if they differ from the previous step: after shrinking, or when all have
   * returned. All are active at first.
   */
  active?: Uint32Array | undefined
}

/** An empty step to be filled in by {@link solvePair}. */
export function emptyStep(): SmoStep {
  return {
    iteration: 0,
    i: -1,
    j: -1,
    yi: 0,
    yj: 0,
    errorI: 0,
    errorJ: 0,
    eta: 0,
    low: 0,
    high: 0,
    unclipped: 0,
    oldAlphaI: 0,
    oldAlphaJ: 0,
    alphaI: 0,
    alphaJ: 0,
  }
}

/**
 * Fills in η, the segment and the new values of a step whose indices, labels, errors and old values are set.
 * Returns false when the pair cannot move. `alphaJ` may come out infinite: the hard-margin dual is then unbounded.
 */
export function solvePair(
  step: SmoStep,
  kii: number,
  kjj: number,
  kij: number,
  Ci: number,
  Cj: number,
): boolean {
  const { yi, yj, oldAlphaI, oldAlphaJ } = step
  const sign = yi * yj
  const sum = oldAlphaI + oldAlphaJ
  const difference = oldAlphaJ - oldAlphaI
  step.low = sign > 0 ? Math.max(0, sum - Ci) : Math.max(0, difference)
  step.high = sign > 0 ? Math.min(Cj, sum) : Math.min(Cj, Ci + difference)
  step.eta = kii + kjj - 2 * kij
  const slope = yj * (step.errorJ - step.errorI)
  let alphaJ: number
  if (step.eta > ETA_TINY * (Math.abs(kii) + Math.abs(kjj))) {
    step.unclipped = oldAlphaJ - slope / step.eta
    alphaJ = Math.min(step.high, Math.max(step.low, step.unclipped))
  } else {
    step.unclipped = Number.NaN
    alphaJ = betterEnd(step, slope)
  }
  if (alphaJ === Number.POSITIVE_INFINITY) {
    step.alphaI = alphaJ
    step.alphaJ = alphaJ
    return true
  }
  // Index sets drift unless values at a bound are exactly there; but snapping must not undo a step too small for it.
  if (place(step, alphaJ, sign, Ci, Cj, SNAP) || place(step, alphaJ, sign, Ci, Cj, 0)) return true
  step.alphaI = oldAlphaI
  step.alphaJ = oldAlphaJ
  return false
}

/** Sets α_j, and α_i from the balance, both within their bounds; false when that leaves one of them where it was. */
function place(
  step: SmoStep,
  alphaJ: number,
  sign: number,
  Ci: number,
  Cj: number,
  tolerance: number,
): boolean {
  const { oldAlphaI, oldAlphaJ } = step
  const scale = Math.max(oldAlphaI, oldAlphaJ, alphaJ)
  step.alphaJ = snap(alphaJ, Cj, tolerance * Math.min(scale, Cj))
  const alphaI = oldAlphaI + sign * (oldAlphaJ - step.alphaJ)
  step.alphaI = snap(alphaI, Ci, tolerance * Math.min(scale, Ci))
  // What α_i was moved by, α_j takes over where it is free to, so that the balance stays.
  if (step.alphaI !== alphaI && step.alphaJ > 0 && step.alphaJ < Cj) {
    step.alphaJ = snap(step.alphaJ + sign * (alphaI - step.alphaI), Cj, 0)
  }
  return step.alphaI !== oldAlphaI && step.alphaJ !== oldAlphaJ
}

/** The end of the segment where Φ is lower; the old value when both ends are no better than where we stand. */
function betterEnd(step: SmoStep, slope: number): number {
  const atLow = changeAt(step.low - step.oldAlphaJ, slope, step.eta)
  const atHigh = changeAt(step.high - step.oldAlphaJ, slope, step.eta)
  if (Math.min(atLow, atHigh) >= 0) return step.oldAlphaJ
  return atLow < atHigh ? step.low : step.high
}

function changeAt(delta: number, slope: number, eta: number): number {
  if (delta === 0) return 0
  if (delta === Number.POSITIVE_INFINITY) return slope < 0 ? Number.NEGATIVE_INFINITY : 0
  return slope * delta + 0.5 * eta * delta * delta
}

/** Puts a value within `tiny` of a bound, or beyond it, exactly onto it. */
function snap(alpha: number, C: number, tiny: number): number {
  if (alpha <= tiny) return 0
  return alpha >= C - tiny ? C : alpha
}
