/**
 * The dual point of a model's coefficients, and whether it is feasible: within its bounds, with the sums that the problem
 * requires. Only a feasible point bounds the optimum. Notation: ../problems/kernel-problem.ts, ../problems/general-dual.ts.
 */
import { countUp } from '../base/lists.ts'
import type { Solution } from '../certify/certificate.ts'
import { expansionValues } from '../certify/expansion-values.ts'
import { DRIFT } from '../problems/feasibility.ts'
import type { NuSvrProblem, Problem } from '../problems/kernel-problem.ts'
import { upperBounds } from '../problems/problem.ts'

/** A dual point, and what is wrong with it. */
export interface DualPoint {
  readonly solution: Solution
  /** Constraints that it does not keep, a sentence each. */
  readonly faults: readonly string[]
  /** ν-SVR: the coefficients are differences α − α* of more than one dual point. */
  readonly ambiguous: boolean
}

/** Options of {@link dualPoint}. */
export interface ModelPoint {
  /** c_i of f(x) = Σ c_i k(x_i, x) + b, one per sample. */
  readonly coefficients: Float64Array
  readonly bias: number
  /** ρ of ν-SVC and ε of ν-SVR, where the model says them. */
  readonly width: number | undefined
  /** How messages call a sample. */
  readonly nameOf: (sample: number) => string
  readonly threads: number
}

/** Rounding of a multiplier at its bound: c ρ is not the α that c = α / ρ came from, and texts have 16 digits. */
const AT_BOUND = 1e-12

/** See the header of the file. */
export function dualPoint(problem: Problem, point: ModelPoint): DualPoint {
  const faults: string[] = []
  const { coefficients, bias } = point
  const bounds = boundsOf(problem)
  const scale = problem.task === 'nu-svc' ? scaleOf(problem, point) : 1
  const signs = 'y' in problem ? problem.y : undefined
  const signed = coefficients.map((c) => c * scale)
  const outside: number[] = []
  for (let i = 0; i < signed.length; i++) {
    const size = signs ? signs[i] * signed[i] : Math.abs(signed[i])
    if (size < 0 || (problem.task === 'one-class' && signed[i] < 0)) outside.push(i)
    else if (size > bounds[i] * (1 + AT_BOUND)) outside.push(i)
    else if (size >= bounds[i] * (1 - AT_BOUND)) signed[i] = Math.sign(signed[i]) * bounds[i]
  }
  if (outside.length > 0) {
    const [i] = outside
    const others = outside.length > 1 ? `, and ${outside.length - 1} more are outside theirs` : ''
    const wrongSide = signs && signs[i] * signed[i] < 0 ? ` (the label requires the other sign)` : ''
    faults.push(
      `the multiplier of ${point.nameOf(i)} is ${signed[i]}, but its bound is ${bounds[i]}${wrongSide}${others}`,
    )
  }
  checkSums(problem, signed, faults)
  if (problem.task === 'nu-svr') {
    const g = expansionValues(problem, signed, point.threads)
    const errors = g.map((value, i) => Math.abs(problem.z[i] - value - bias))
    const { alpha, ambiguous } = alphaAndAlphaStar(problem, signed, errors)
    return { solution: { alpha, bias, width: point.width ?? tubeOf(problem, errors) }, faults, ambiguous }
  }
  const alpha = signs ? signed.map((c, i) => Math.abs(c) * (c * signs[i] < 0 ? -1 : 1)) : signed
  const width = problem.task === 'nu-svc' ? { width: point.width ?? scale } : {}
  return { solution: { alpha, bias: bias * scale, ...width }, faults, ambiguous: false }
}

function boundsOf(problem: Problem): Float64Array {
  if (problem.task === 'svc') return upperBounds(problem)
  return 'C' in problem ? problem.C : problem.weights
}

/** What ν-SVC's coefficients were divided by: its margin ρ, unless it has none; where nobody says it, from the sum of its multipliers. */
function scaleOf(
  { nu, weights }: { nu: number; weights: Float64Array },
  { width, coefficients }: ModelPoint,
): number {
  if (width === undefined) return (nu * sum(weights)) / sum(coefficients.map(Math.abs))
  return width > 0 ? width : 1
}

/** The sums that the problem fixes. */
function checkSums(problem: Problem, signed: Float64Array, faults: string[]): void {
  const sizes = signed.map(Math.abs)
  const all = sum(sizes)
  const check = (what: string, got: number, wanted: number): void => {
    if (Math.abs(got - wanted) <= DRIFT * Math.max(all, Math.abs(wanted))) return
    faults.push(`${what} sum to ${got}, but the problem requires ${wanted}`)
  }
  switch (problem.task) {
    case 'svc':
      if (problem.bias === 'free') check('the coefficients', sum(signed), 0)
      return
    case 'svr':
      check('the coefficients', sum(signed), 0)
      return
    case 'one-class':
      check('the multipliers', all, problem.nu * sum(problem.weights))
      return
    case 'nu-svc': {
      const half = (problem.nu * sum(problem.weights)) / 2
      for (const sign of [1, -1]) {
        const own = sum(sizes.filter((_, i) => problem.y[i] === sign))
        check(`the multipliers of the ${sign > 0 ? 'positive' : 'negative'} class`, own, half)
      }
      return
    }
    case 'nu-svr': {
      const most = problem.nu * sum(problem.C)
      check('the coefficients', sum(signed), 0)
      if (all > most) check('the sizes of the coefficients', all, most)
    }
  }
}

/**
 * α and −α* of ν-SVR from their sums β. Where Σ |β_i| is less than the ν Σ C_i that α and α* sum to, the rest is added to
 * both of some samples, which changes neither the model nor the dual value: to those that lie deepest in the tube.
 */
function alphaAndAlphaStar({ C, nu }: NuSvrProblem, beta: Float64Array, errors: Float64Array) {
  const count = beta.length
  const alpha = new Float64Array(2 * count)
  for (let i = 0; i < count; i++) alpha[beta[i] > 0 ? i : i + count] = beta[i]
  const wanted = nu * sum(C)
  let rest = (wanted - sum(beta.map(Math.abs))) / 2
  if (rest <= DRIFT * wanted) return { alpha, ambiguous: false }
  for (const i of countUp(count).sort((a, b) => errors[a] - errors[b] || a - b)) {
    const share = Math.max(0, Math.min(rest, C[i] - Math.abs(beta[i])))
    alpha[i] += share
    alpha[i + count] -= share
    rest -= share
  }
  return { alpha, ambiguous: true }
}

/** The half-width of the tube that makes ν-SVR's primal value smallest for a given function: a quantile of the errors. */
function tubeOf({ C, nu }: NuSvrProblem, errors: Float64Array): number {
  let outside = nu * sum(C)
  for (const i of countUp(errors.length).sort((a, b) => errors[b] - errors[a])) {
    outside -= C[i]
    if (outside < 0) return errors[i]
  }
  return 0
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}
