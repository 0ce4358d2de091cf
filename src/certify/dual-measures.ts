/**
 * A point of the dual of ../problems/general-dual.ts whose rows g_i are known within e_i: what follows for violation, gap and dual
 * value, and which rows that hangs on.
 *
 * Violation  m − M of each group, from v_i = t_i − g_i. Within their errors, m and M have ends of their own.
 * Gap        With s_i = v_i − shift_i (shift: the bias, ∓ρ or ±ε more in ν problems) and l_i(s) = upper_i max(0, s − ε) −
 *            lower_i max(0, −s − ε), the loss of sample i,
 *
 *              primal + dual = Σ_i G_i − (Σ β_i shift_i − price),     G_i = l_i(s_i) + ε |β_i| − β_i s_i >= 0
 *
 *            by Fenchel; the bracket is 0 for a feasible point (price: what a ν problem pays for its width). G_i is 0, and
 *            stays so within the errors, for every sample that is clearly beyond its margin with β_i at the bound where it
 *            belongs: most of them. Only those near the margin add to the gap, and to its error.
 * Dual       ½ Σ β_i g_i − Σ t_i β_i + ε Σ|β_i|, and primal = gap − dual.
 */

import { type GeneralForm, generalForm, signedPointOf } from '../problems/general-form.ts'
import type { Problem } from '../problems/kernel-problem.ts'
import type { Solution } from './certificate.ts'
import { ExactSum } from './exact-sum.ts'

/** What the few operations that make a term round of it. */
const ROUNDING = 2 ** -50

/** A number and how far it may be off. */
export interface Bounded {
  readonly value: number
  readonly error: number
}

/**
 * primal + dual, and how it follows each row: at a constant rate within the error of the row, or, where the loss bends within that,
 * at a rate that is at most so large.
 */
export interface Gap extends Bounded {
  readonly rates: Float64Array
  readonly bentRates: Float64Array
  /** What of the error does not come from rows. */
  readonly rounding: number
}

/** A number between two others. */
export interface Interval {
  least: number
  value: number
  most: number
}

/** Rows as they are known; one entry per sample, of which ν-SVR has two variables each. */
export interface KnownRows {
  readonly values: Float64Array
  readonly errors: Float64Array
}

/** See the head of the file. */
export class DualMeasures {
  private readonly problem: Problem
  private readonly form: GeneralForm
  private beta: Float64Array = new Float64Array(0)
  /** What raising β_i gains beyond v_i, −∞ where it cannot rise; what lowering it costs, ∞ where it cannot fall. */
  private readonly rise: Float64Array
  private readonly fall: Float64Array
  /** What is taken from v in each group. */
  private shifts: readonly number[] = [0, 0]
  private price = 0

  constructor(problem: Problem) {
    this.problem = problem
    this.form = generalForm(problem)
    this.rise = new Float64Array(this.form.target.length)
    this.fall = new Float64Array(this.form.target.length)
  }

  /** Moves to another point. */
  set(solution: Solution): void {
    this.setPoint(solution.alpha)
    this.setBias(solution)
  }

  /** Moves to another dual point. */
  setPoint(alpha: Float64Array): void {
    this.beta = signedPointOf(this.problem, alpha)
    this.setRates()
  }

  /** Takes another bias, and width. */
  setBias({ bias, width = 0 }: Solution): void {
    const { problem } = this
    this.shifts = [bias, bias]
    this.price = 0
    if (problem.task === 'nu-svc') {
      this.shifts = [bias - width, bias + width]
      this.price = -problem.nu * width * exactSum(problem.weights)
    } else if (problem.task === 'nu-svr') {
      this.shifts = [bias + width, bias - width]
      this.price = problem.nu * width * exactSum(problem.C)
    } else if (problem.task === 'one-class') {
      this.price = problem.nu * bias * exactSum(problem.weights)
    }
  }

  private setRates(): void {
    const { form, beta, rise, fall } = this
    const { lower, upper, tube } = form
    for (let i = 0; i < beta.length; i++) {
      rise[i] = beta[i] < upper[i] ? (beta[i] >= 0 ? -tube : tube) : Number.NEGATIVE_INFINITY
      fall[i] = beta[i] > lower[i] ? (beta[i] > 0 ? -tube : tube) : Number.POSITIVE_INFINITY
    }
  }

  /** The largest m − M of any group. */
  violation(rows: KnownRows): Bounded {
    let least = 0
    let value = 0
    let most = 0
    for (const { m, M } of this.extremes(rows)) {
      least = Math.max(least, m.least - M.most)
      value = Math.max(value, m.value - M.value)
      most = Math.max(most, m.most - M.least)
    }
    return { value, error: Math.max(most - value, value - least) }
  }

  /** The rows that may be where m or M is, those that reach farthest first. */
  decisive(rows: KnownRows): Uint32Array {
    const { form, beta, rise, fall } = this
    const count = rows.values.length
    const extremes = this.extremes(rows)
    const reach = new Float64Array(count).fill(Number.NEGATIVE_INFINITY)
    for (let i = 0; i < beta.length; i++) {
      const at = i % count
      const { m, M } = extremes[form.groups ? form.groups[i] : 0]
      const v = form.target[i] - rows.values[at]
      const error = errorOf(form, rows, i)
      const above = v + rise[i] + error - m.least
      const below = M.most - (v + fall[i] - error)
      reach[at] = Math.max(reach[at], above, below)
    }
    return selected(reach, 0)
  }

  /** By how much each sample is beyond the shift of its group: what raising it gains above that, or lowering it costs below. */
  excess({ values }: KnownRows): Float64Array {
    const { form, beta, rise, fall, shifts } = this
    const excess = new Float64Array(values.length)
    for (let i = 0; i < beta.length; i++) {
      const at = i % values.length
      const s = form.target[i] - values[at] - shifts[form.groups ? form.groups[i] : 0]
      excess[at] = Math.max(excess[at], s + rise[i], -(s + fall[i]))
    }
    return excess
  }

  /** m and M of each group, with what they can be at least and at most. */
  extremes(rows: KnownRows): readonly Readonly<Record<'m' | 'M', Interval>>[] {
    const { form, beta } = this
    const { target, groups } = form
    const { values } = rows
    // m and M of each group: least, value, most. Numbers in arrays, as those of objects take room for each change.
    const m = new Float64Array(6).fill(Number.NEGATIVE_INFINITY)
    const M = new Float64Array(6).fill(Number.POSITIVE_INFINITY)
    for (let i = 0; i < beta.length; i++) {
      const to = groups ? 3 * groups[i] : 0
      const v = target[i] - values[i % values.length]
      const error = errorOf(form, rows, i)
      const rise = v + this.rise[i]
      const fall = v + this.fall[i]
      if (rise - error > m[to]) m[to] = rise - error
      if (rise > m[to + 1]) m[to + 1] = rise
      if (rise + error > m[to + 2]) m[to + 2] = rise + error
      if (fall - error < M[to]) M[to] = fall - error
      if (fall < M[to + 1]) M[to + 1] = fall
      if (fall + error < M[to + 2]) M[to + 2] = fall + error
    }
    const interval = ([least, value, most]: Float64Array): Interval => ({ least, value, most })
    return (groups ? [0, 3] : [0]).map((from) => ({
      m: interval(m.subarray(from)),
      M: interval(M.subarray(from)),
    }))
  }

  /** primal + dual, and what each row has to do with it. */
  gap(rows: KnownRows): Gap {
    const { form, beta, shifts } = this
    const { target, tube, groups, lower, upper } = form
    const count = rows.values.length
    const rates = new Float64Array(count)
    const bentRates = new Float64Array(count)
    const sum = new ExactSum()
    let rounding = ROUNDING * Math.abs(this.price)
    let error = 0
    for (let i = 0; i < beta.length; i++) {
      const at = i % count
      const shift = shifts[groups ? groups[i] : 0]
      const own = beta[i]
      const s = target[i] - rows.values[at] - shift
      const off = errorOf(form, rows, i)
      sum.add(-own * shift)
      let size = Math.abs(own * shift)
      // Most samples are beyond the margin, at the bound where they belong, and stay so within the error: G is 0.
      const isNothing =
        (s - off > tube && own === upper[i] && own >= 0) ||
        (s + off < -tube && own === lower[i] && own <= 0) ||
        (own === 0 && s + off <= tube && s - off >= -tube)
      if (!isNothing) {
        const value = termAt(form, own, i, s)
        sum.add(value)
        size += value
        const bends = Math.abs(s - tube) <= off || Math.abs(s + tube) <= off
        const rate = s > tube ? own - upper[i] : s < -tube ? own - lower[i] : own
        // G is convex: it is steepest at an end.
        const steepest = Math.max(upper[i] - own, own - lower[i])
        if (bends) bentRates[at] += steepest
        else rates[at] += rate
        const most = bends ? steepest : Math.abs(rate)
        error += most * rows.errors[at]
        rounding += most * (off - rows.errors[at])
      }
      rounding += ROUNDING * size
    }
    sum.add(this.price)
    return { value: sum.value, error: error + rounding, rates, bentRates, rounding }
  }

  /** The dual value for Σ β_i g_i = `quadratic`. */
  dual({ value, error }: Bounded): Bounded {
    const { form, beta } = this
    const sum = new ExactSum()
    sum.add(0.5 * value)
    let size = Math.abs(value)
    for (let i = 0; i < beta.length; i++) {
      const tube = form.tube * Math.abs(beta[i])
      const target = form.target[i] * beta[i]
      sum.add(tube - target)
      size += tube + Math.abs(target)
    }
    return { value: sum.value, error: 0.5 * error + ROUNDING * size }
  }
}

/** Σ c_i g_i with its worst error. */
export function quadraticOf(coefficients: Float64Array, { values, errors }: KnownRows): Bounded {
  const sum = new ExactSum()
  let error = 0
  for (let i = 0; i < values.length; i++) {
    if (coefficients[i] === 0) continue
    sum.add(coefficients[i] * values[i])
    error += Math.abs(coefficients[i]) * (errors[i] + 2 ** -52 * Math.abs(values[i]))
  }
  return { value: sum.value, error }
}

/** G_i at s. Each part has one sign: what cancels where G is 0 is never computed. */
function termAt({ lower, upper, tube }: GeneralForm, own: number, i: number, s: number): number {
  if (s > tube) return (upper[i] - own) * (s - tube) + (own < 0 ? -2 * own * tube : 0)
  if (s < -tube) return (own - lower[i]) * (-s - tube) + (own > 0 ? 2 * own * tube : 0)
  return tube * Math.abs(own) - own * s
}

/** The error of v_i: that of its row, and the rounding of t_i − g_i. */
function errorOf({ target }: GeneralForm, { values, errors }: KnownRows, i: number): number {
  const at = i % values.length
  return errors[at] + 2 ** -52 * (Math.abs(target[i]) + Math.abs(values[at]))
}

/** The places of numbers above `limit`, the largest first. */
function selected(numbers: Float64Array, limit: number): Uint32Array {
  const list = new Uint32Array(numbers.length)
  let count = 0
  for (let i = 0; i < numbers.length; i++) if (numbers[i] > limit) list[count++] = i
  return list.subarray(0, count).sort((a, b) => numbers[b] - numbers[a] || a - b)
}

function exactSum(values: Float64Array): number {
  const sum = new ExactSum()
  for (const value of values) sum.add(value)
  return sum.value
}
