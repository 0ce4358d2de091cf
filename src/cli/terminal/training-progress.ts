/** Shows how far a solver has come. */
import type { Progress } from '../../solve/driver/run.ts'
import { count, number } from '../report/output.ts'
import type { LateBar } from './late-bar.ts'

/** What may end a run before it has converged. */
export interface RunLimits {
  readonly maxIter?: number
  readonly timeLimit?: number
}

/**
 * A callback for `onProgress` that drives `bar`. Violations fall geometrically, more or less: the bar shows how many
 * of the powers of ten between the first violation and the tolerance are behind us, or how near a limit is. It never
 * goes back.
 */
export function trainingProgress(bar: LateBar, limits: RunLimits): (progress: Progress) => void {
  const { maxIter = Number.POSITIVE_INFINITY, timeLimit = Number.POSITIVE_INFINITY } = limits
  let first = Number.NaN
  let furthest = 0
  return ({ solver, iteration, seconds, violation, tol }) => {
    if (Number.isNaN(first)) first = violation
    const converged = Math.log(first / violation) / Math.log(first / tol)
    const fractions = [furthest, converged, iteration / maxIter, seconds / timeLimit].filter(Number.isFinite)
    furthest = Math.min(1, Math.max(...fractions))
    const words = `violation ${number(violation, 3)}, ${count(iteration)} iterations, ${seconds.toFixed(1)} s`
    bar.update(solver, furthest, words)
  }
}
