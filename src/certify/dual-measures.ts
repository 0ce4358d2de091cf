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
 *
 * Rows become known better and better. A variable that cannot be where m or M is, or whose G is 0 whatever its row is within the
 * error, stays so: each method can be told `among` which variables to look, a list that it made itself when less was known.
 */

import { placesOfNonZeros } from '../base/lists.ts'
import type { Engine } from '../engine/memory/engine.ts'
import { type Feasibility, feasibilityOf } from '../problems/feasibility.ts'
import { type GeneralForm, generalForm, signedPointOf } from '../problems/general-form.ts'
import type { Problem } from '../problems/kernel-problem.ts'
import type { Solution } from './certificate.ts'
import { ExactSum } from './exact-sum.ts'

/** What the few operations that make a term round of it. */
const ROUNDING = 2 ** -50
/** What t_i − g_i rounds, of its parts: the error of v_i is that, and that of its row. */
const ROUNDING_OF_V = 2 ** -52

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
  /** The rows with a rate, and the variables that they are of: the gap hangs on no others. */
  readonly rows: Uint32Array
  readonly variables: Uint32Array
  /** What of the error does not come from rows. */
  readonly rounding: number
}

/** A number between two others. */
export interface Interval {
  least: number
  value: number
  most: number
}

/** m and M of each group. */
export type GroupExtremes = readonly Readonly<Record<'m' | 'M', Interval>>[]

/** Rows as they are known; one entry per sample, of which ν-SVR has two variables each. */
export interface KnownRows {
  readonly values: Float64Array
  readonly errors: Float64Array
}

/** Coefficients of an expansion, and which of them are not 0. */
interface Expansion {
  readonly coefficients: Float64Array
  readonly support: Uint32Array
}

/** A point on the engine: how many variables and rows, where values, errors, targets, β, bounds and groups are, and the tube. */
type PointOnEngine = readonly [
  ...counts: [number, number],
  ...rows: [number, number],
  ...variables: [number, number, number, number, number],
  tube: number,
]

/** See the header of the file. */
export class DualMeasures {
  private readonly problem: Problem
  private readonly form: GeneralForm
  private beta: Float64Array = new Float64Array(0)
  /** Where β is not 0. */
  private support: Uint32Array = new Uint32Array(0)
  /** What is taken from v in each group. */
  private shifts: readonly number[] = [0, 0]
  /** price − Σ β_i shift_i, and what rounds there. */
  private bracket: Bounded = { value: 0, error: 0 }

  constructor(problem: Problem) {
    this.problem = problem
    this.form = generalForm(problem)
  }

  /** Moves to another point. */
  set(solution: Solution): void {
    this.setPoint(solution.alpha)
    this.setBias(solution)
  }

  /** Moves to another dual point, or to that of an expansion which has a coefficient for each variable: β itself. */
  setPoint(alpha: Float64Array, expansion?: Expansion): void {
    const isOwn = expansion?.coefficients.length === alpha.length
    this.beta = isOwn ? expansion.coefficients : signedPointOf(this.problem, alpha)
    this.support = isOwn ? expansion.support : placesOfNonZeros(this.beta)
  }

  /** How β stands to the constraints. The other measures take it as it is: of a point that is not feasible they prove nothing. */
  get feasibility(): Feasibility {
    return feasibilityOf(this.problem, this.form, this.beta)
  }

  /** Takes another bias, and width. */
  setBias({ bias, width = 0 }: Solution): void {
    const { problem, beta, support } = this
    const { groups } = this.form
    let shifts = [bias, bias]
    let price = 0
    if (problem.task === 'nu-svc') {
      shifts = [bias - width, bias + width]
      price = -problem.nu * width * exactSum(problem.weights)
    } else if (problem.task === 'nu-svr') {
      shifts = [bias + width, bias - width]
      price = problem.nu * width * exactSum(problem.C)
    } else if (problem.task === 'one-class') {
      price = problem.nu * bias * exactSum(problem.weights)
    }
    const sum = new ExactSum()
    let size = Math.abs(price)
    for (let k = 0; k < support.length; k++) {
      const i = support[k]
      const term = beta[i] * shifts[groups ? groups[i] : 0]
      sum.add(-term)
      size += Math.abs(term)
    }
    sum.add(price)
    this.shifts = shifts
    this.bracket = { value: sum.value, error: ROUNDING * size }
  }

  /** What raising β_i gains beyond v_i; −∞ where it cannot rise. */
  private rise(i: number): number {
    const { beta, form } = this
    return beta[i] < form.upper[i] ? (beta[i] >= 0 ? -form.tube : form.tube) : Number.NEGATIVE_INFINITY
  }

  /** What lowering β_i costs beyond v_i; ∞ where it cannot fall. */
  private fall(i: number): number {
    const { beta, form } = this
    return beta[i] > form.lower[i] ? (beta[i] > 0 ? -form.tube : form.tube) : Number.POSITIVE_INFINITY
  }

  /** The variables that m and M of each group hang on, of all: for the other methods, on an engine. */
  decisiveOn(engine: Engine, rows: KnownRows): Uint32Array {
    return this.listOn(engine, rows, (common, list) => engine.exports.listDecisive(...common, list))
  }

  /** The variables that the gap hangs on, of all, in the same way. */
  gapTermsOn(engine: Engine, rows: KnownRows): Uint32Array {
    const [shift, other] = this.shifts
    return this.listOn(engine, rows, (common, list) =>
      engine.exports.listGapTerms(...common, shift, other, list),
    )
  }

  /** The variables that `choose` lists there. */
  private listOn(
    engine: Engine,
    { values, errors }: KnownRows,
    choose: (common: PointOnEngine, list: number) => number,
  ): Uint32Array {
    const { beta, form } = this
    const mark = engine.mark()
    const pointerOf = (list: Float64Array | Uint8Array): number => engine.copy(list).pointer
    const list = engine.array(Uint32Array, beta.length)
    const groups = form.groups ? pointerOf(form.groups) : 0
    const [known, off] = [pointerOf(values), pointerOf(errors)]
    const box = [
      pointerOf(form.target),
      pointerOf(beta),
      pointerOf(form.lower),
      pointerOf(form.upper),
    ] as const
    const count = choose([beta.length, values.length, known, off, ...box, groups, form.tube], list.pointer)
    const chosen = list.slice(0, count)
    engine.release(mark)
    return chosen
  }

  /** The largest m − M of any group. */
  violation(rows: KnownRows, among?: Uint32Array, extremes = this.extremes(rows, among)): Bounded {
    let least = 0
    let value = 0
    let most = 0
    for (const { m, M } of extremes) {
      least = Math.max(least, m.least - M.most)
      value = Math.max(value, m.value - M.value)
      most = Math.max(most, m.most - M.least)
    }
    return { value, error: Math.max(most - value, value - least) }
  }

  /** The variables that may be where m or M is, and by how much each reaches beyond the least that these can be. */
  decisive(
    rows: KnownRows,
    among?: Uint32Array,
    extremes = this.extremes(rows, among),
  ): { readonly variables: Uint32Array; readonly reach: Float64Array } {
    const { form, beta } = this
    const { target, groups } = form
    const { values, errors } = rows
    const length = among ? among.length : beta.length
    const variables = new Uint32Array(length)
    const reach = new Float64Array(length)
    let count = 0
    for (let k = 0; k < length; k++) {
      const i = among ? among[k] : k
      const at = i < values.length ? i : i - values.length
      const { m, M } = extremes[groups ? groups[i] : 0]
      const v = target[i] - values[at]
      const error = errors[at] + ROUNDING_OF_V * (Math.abs(target[i]) + Math.abs(values[at]))
      const above = v + this.rise(i) + error - m.least
      const below = M.most - (v + this.fall(i) - error)
      // Where a variable cannot rise or fall and its row is not known at all, one of the two is no number.
      const isAbove = above >= 0
      if (!isAbove && !(below >= 0)) continue
      variables[count] = i
      reach[count++] = isAbove && !(below > above) ? above : below
    }
    return { variables: variables.subarray(0, count), reach: reach.subarray(0, count) }
  }

  /** By how much each sample is beyond the shift of its group: what raising it gains above that, or lowering it costs below. */
  excess({ values }: KnownRows): Float64Array {
    const { form, beta, shifts } = this
    const excess = new Float64Array(values.length)
    for (let i = 0; i < beta.length; i++) {
      const at = i % values.length
      const s = form.target[i] - values[at] - shifts[form.groups ? form.groups[i] : 0]
      excess[at] = Math.max(excess[at], s + this.rise(i), -(s + this.fall(i)))
    }
    return excess
  }

  /** m and M of each group, with what they can be at least and at most. */
  extremes(rows: KnownRows, among?: Uint32Array): GroupExtremes {
    const { form, beta } = this
    const { target, groups } = form
    const { values, errors } = rows
    // m and M of each group: least, value, most. Numbers in arrays, as those of objects take room for each change.
    const m = new Float64Array(6).fill(Number.NEGATIVE_INFINITY)
    const M = new Float64Array(6).fill(Number.POSITIVE_INFINITY)
    const length = among ? among.length : beta.length
    for (let k = 0; k < length; k++) {
      const i = among ? among[k] : k
      const at = i < values.length ? i : i - values.length
      const to = groups ? 3 * groups[i] : 0
      const v = target[i] - values[at]
      const error = errors[at] + ROUNDING_OF_V * (Math.abs(target[i]) + Math.abs(values[at]))
      const up = v + this.rise(i)
      const low = v + this.fall(i)
      if (up - error > m[to]) m[to] = up - error
      if (up > m[to + 1]) m[to + 1] = up
      if (up + error > m[to + 2]) m[to + 2] = up + error
      if (low - error < M[to]) M[to] = low - error
      if (low < M[to + 1]) M[to + 1] = low
      if (low + error < M[to + 2]) M[to + 2] = low + error
    }
    const interval = ([least, value, most]: Float64Array): Interval => ({ least, value, most })
    return (groups ? [0, 3] : [0]).map((from) => ({
      m: interval(m.subarray(from)),
      M: interval(M.subarray(from)),
    }))
  }

  /** primal + dual, and what each row has to do with it. */
  gap(rows: KnownRows, among?: Uint32Array): Gap {
    const { form, beta, shifts, bracket } = this
    const { target, tube, groups, lower, upper } = form
    const { values, errors } = rows
    const length = among ? among.length : beta.length
    const rates = new Float64Array(values.length)
    const bentRates = new Float64Array(values.length)
    const variables = new Uint32Array(length)
    let count = 0
    const sum = new ExactSum()
    let rounding = bracket.error
    let error = 0
    for (let k = 0; k < length; k++) {
      const i = among ? among[k] : k
      const at = i < values.length ? i : i - values.length
      const own = beta[i]
      const s = target[i] - values[at] - shifts[groups ? groups[i] : 0]
      const off = errors[at] + ROUNDING_OF_V * (Math.abs(target[i]) + Math.abs(values[at]))
      // Most samples are beyond the margin, at the bound where they belong, and stay so within the error: G is 0.
      if (s - off > tube && own === upper[i] && own >= 0) continue
      if (s + off < -tube && own === lower[i] && own <= 0) continue
      if (own === 0 && s + off <= tube && s - off >= -tube) continue
      variables[count++] = i
      const value = termAt(form, own, i, s)
      sum.add(value)
      const bends = Math.abs(s - tube) <= off || Math.abs(s + tube) <= off
      const rate = s > tube ? own - upper[i] : s < -tube ? own - lower[i] : own
      // G is convex: it is steepest at an end.
      const steepest = Math.max(upper[i] - own, own - lower[i])
      if (bends) bentRates[at] += steepest
      else rates[at] += rate
      const most = bends ? steepest : Math.abs(rate)
      error += most * errors[at]
      rounding += most * (off - errors[at]) + ROUNDING * value
    }
    sum.add(bracket.value)
    return {
      value: sum.value,
      error: error + rounding,
      rates,
      bentRates,
      rows: this.rowsOf(variables.subarray(0, count), values.length),
      variables: variables.subarray(0, count),
      rounding,
    }
  }

  /** The rows of some variables: those of ν-SVR have two each. */
  private rowsOf(variables: Uint32Array, count: number): Uint32Array {
    return this.beta.length === count ? variables : Uint32Array.from(new Set(variables.map((i) => i % count)))
  }

  /** The dual value for Σ β_i g_i = `quadratic`. */
  dual({ value, error }: Bounded): Bounded {
    const { form, beta, support } = this
    const sum = new ExactSum()
    sum.add(0.5 * value)
    let size = Math.abs(value)
    for (let k = 0; k < support.length; k++) {
      const i = support[k]
      const tube = form.tube * Math.abs(beta[i])
      const target = form.target[i] * beta[i]
      sum.add(tube - target)
      size += tube + Math.abs(target)
    }
    return { value: sum.value, error: 0.5 * error + ROUNDING * size }
  }
}

/** Σ c_i g_i over the samples `support` with its worst error. */
export function quadraticOf(
  support: Uint32Array,
  coefficients: Float64Array,
  { values, errors }: KnownRows,
): Bounded {
  const sum = new ExactSum()
  let error = 0
  for (let k = 0; k < support.length; k++) {
    const i = support[k]
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

function exactSum(values: Float64Array): number {
  const sum = new ExactSum()
  for (const value of values) sum.add(value)
  return sum.value
}
