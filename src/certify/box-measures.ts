/**
 * How good a solution of a ν problem, of one class or of regression is: the measures of ./certificate.ts for the problems
 * of ./any-problem.ts, in the common form of ./box-dual.ts.
 */
import { expansionCoefficients, type Problem } from '../problems/any-problem.ts'
import { type BoxForm, boxForm, signedPointOf } from '../problems/box-form.ts'
import type { SvmProblem } from '../problems/problem.ts'
import type { Measures, Solution } from './certificate.ts'
import { expansionValues } from './expansion-values.ts'

/** Every problem but two-class classification with C. */
export type BoxProblem = Exclude<Problem, SvmProblem>

/** m and M of the head of ./box-dual.ts for one group; ∓∞ where nothing may move. */
export interface GroupExtremes {
  m: number
  M: number
}

/**
 * The extremes of v = t − g for each group (only the first is used without groups). g may have one value a sample where
 * the variables are two a sample.
 */
export function groupExtremes(form: BoxForm, beta: Float64Array, g: Float64Array): GroupExtremes[] {
  const { target, lower, upper, tube, groups } = form
  const found = [0, 1].map(() => ({ m: Number.NEGATIVE_INFINITY, M: Number.POSITIVE_INFINITY }))
  for (let i = 0; i < beta.length; i++) {
    const b = beta[i]
    const v = target[i] - g[i % g.length]
    const extremes = found[groups ? groups[i] : 0]
    if (b < upper[i]) extremes.m = Math.max(extremes.m, b >= 0 ? v - tube : v + tube)
    if (b > lower[i]) extremes.M = Math.min(extremes.M, b > 0 ? v - tube : v + tube)
  }
  return found
}

/** As {@link measureSvc}, for the other problems. */
export function measureBox(
  problem: BoxProblem,
  solution: Solution,
  dualValues?: Float64Array,
  threads = 1,
): Measures {
  const form = boxForm(problem)
  const beta = signedPointOf(problem, solution.alpha)
  const coefficients = expansionCoefficients(problem, solution.alpha)
  const g = dualValues ?? expansionValues(problem, coefficients, threads)
  const bounds = 'C' in problem ? problem.C : problem.weights
  let norm = 0
  let supportVectors = 0
  let boundedSupportVectors = 0
  for (let i = 0; i < coefficients.length; i++) {
    norm += coefficients[i] * g[i]
    if (coefficients[i] === 0) continue
    supportVectors++
    if (Math.abs(coefficients[i]) >= bounds[i]) boundedSupportVectors++
  }
  let dual = 0.5 * norm
  for (let i = 0; i < beta.length; i++) dual += form.tube * Math.abs(beta[i]) - form.target[i] * beta[i]
  const primal = 0.5 * norm + primalLoss(problem, solution, g)
  const maxViolation = groupExtremes(form, beta, g).reduce((most, { m, M }) => Math.max(most, m - M), 0)
  return { primal, dual, gap: primal + dual, maxViolation, supportVectors, boundedSupportVectors }
}

/** What the primal adds to ½‖w‖². */
function primalLoss(problem: BoxProblem, { bias, width = 0 }: Solution, g: Float64Array): number {
  let loss = 0
  switch (problem.task) {
    case 'nu-svc': {
      const { y, weights, nu } = problem
      for (let i = 0; i < y.length; i++) {
        loss += weights[i] * (Math.max(0, width - y[i] * (g[i] + bias)) - nu * width)
      }
      return loss
    }
    case 'one-class': {
      const { weights, nu } = problem
      const rho = -bias
      for (let i = 0; i < weights.length; i++) loss += weights[i] * (Math.max(0, rho - g[i]) - nu * rho)
      return loss
    }
    default: {
      const { z, C } = problem
      const tube = problem.task === 'svr' ? problem.epsilon : width
      const price = problem.task === 'svr' ? 0 : problem.nu * tube
      for (let i = 0; i < z.length; i++) {
        loss += C[i] * (Math.max(0, Math.abs(z[i] - g[i] - bias) - tube) + price)
      }
      return loss
    }
  }
}
