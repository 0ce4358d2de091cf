/** Whether a dual point keeps its constraints: only such a point says something about the optimum. Notation: ./general-dual.ts. */
import { sumOf } from '../base/lists.ts'
import type { GeneralForm } from './general-form.ts'
import type { Problem } from './kernel-problem.ts'

/** What steps that should keep a sum of β may move it by rounding, as a part of Σ |β_i|. */
export const DRIFT = 1e-9

/** How a dual point, or a part of it, stands to the constraints: plain data. */
export interface Feasibility {
  readonly isInBox: boolean
  /** Σ β_i of each group, less what the problem requires; those of parts add up, as do their sizes. */
  readonly excess: readonly [number, number]
  /** Σ |β_i| */
  readonly size: number
}

/** How β stands to the constraints of a problem, which has this form. */
export function feasibilityOf(
  problem: Problem,
  { lower, upper, groups }: Pick<GeneralForm, 'lower' | 'upper' | 'groups'>,
  beta: Float64Array,
): Feasibility {
  const [first, second] = requiredSums(problem)
  const excess: [number, number] = [-first, -second]
  let isInBox = true
  let size = 0
  for (let i = 0; i < beta.length; i++) {
    if (!(beta[i] >= lower[i] && beta[i] <= upper[i])) isInBox = false
    excess[groups ? groups[i] : 0] += beta[i]
    size += Math.abs(beta[i])
  }
  return { isInBox, excess, size }
}

/** What β sums to, by group. */
function requiredSums(problem: Problem): readonly [number, number] {
  if (!('nu' in problem)) return [0, 0]
  const total = problem.nu * sumOf('C' in problem ? problem.C : problem.weights)
  return problem.task === 'one-class' ? [total, 0] : [total / 2, -total / 2]
}

/** Whether all constraints are kept. */
export function isFeasible({ isInBox, excess, size }: Feasibility): boolean {
  return isInBox && excess.every((sum) => Math.abs(sum) <= DRIFT * size)
}
