import type { Evidence, Measures } from '../../certify/certificate.ts'

/** What `tol` bounds: the largest KKT violation, the duality gap relative to the primal value, or one and the other. */
export type Goal = 'violation' | 'gap' | 'both'

/**
 * Where both count, the gap may be so many times tol of the primal value: 1e-3 for the default tolerance of linear machines.
 * A violation alone says little of them: with Σ C_i large it may go with any gap.
 */
const GAP_PER_TOL = 10

/**
 * The largest gap that reaches the goal. Where the optimum is 0, which no gap is a part of, it is tol² of `unit` (gapUnit of
 * ../../problems/linear-problem.ts).
 */
export function allowedGap(goal: Goal, tol: number, primal: number, unit = 0): number {
  if (goal === 'violation') return Number.POSITIVE_INFINITY
  return (goal === 'both' ? GAP_PER_TOL : 1) * tol * Math.max(Math.abs(primal), tol * unit)
}

/**
 * Whether the goal is reached whatever is true within the error bars; never where a value is not a finite number, or the dual point,
 * which `isFeasible` is about where a solver has given one, does not keep its constraints.
 */
export function isReached(
  measures: Pick<Measures, 'primal' | 'dual' | 'gap' | 'maxViolation'> & {
    readonly evidence: Evidence
    readonly isFeasible?: boolean | undefined
  },
  goal: Goal,
  tol: number,
  gapAllowed: number,
): boolean {
  const { primal, dual, gap, maxViolation, evidence, isFeasible = true } = measures
  if (!isFeasible || ![primal, dual, gap].every(Number.isFinite)) return false
  return (
    (goal === 'gap' || maxViolation + evidence.violationError <= tol) && gap + evidence.gapError <= gapAllowed
  )
}
