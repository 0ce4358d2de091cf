/**
 * Working sets for a linear machine with ‖w‖₁ of many features; see ../methods/proximal-newton.ts.
 *
 * Sets      at the solution few features are not 0, and with the squared hinge loss few samples have a loss. The machine of the features
 *           that are not 0, or might leave it, and of the samples near their margin is solved by proximal Newton steps
 *           (./proximal-descent.ts) to a part of the gap; then all features and samples say what has to be in the next set.
 * Prices    at w = 0 and a large C nearly all features might leave 0. So C begins where few do, and rises.
 */
import { indicesWhere, pickNumbers } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import { type LinearMachineProblem, termsOf } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { balancedSlopes } from '../linear/balance-bias.ts'
import { type KeptPart, LinearPoint } from '../linear/linear-point.ts'
import type { LinearRows } from '../linear/linear-rows.ts'
import { ProximalDescent } from './proximal-descent.ts'

/**
 * C rises by this factor, each to a relative gap of so much, or until the primal value falls by no more than this part from one set to
 * the next: at a large C the gap is that of the worst feature until the last. With 3 instead of 10, imdb and random sparse data (C = 1) take
 * from a sixth less to a third longer, and news20 (C = 100) as long.
 */
const PRICE_STEP = 10
const PRICE_GAP = 0.05
const PRICE_FALL = 0.002
/** Features of |v_j| beyond this are in the set: others may push them beyond 1. */
const NEAR = 0.9
/**
 * Samples that are beyond their margin by no more than this are in the set, those of f = ±1 being at it. Where one of the others gets a loss, twice
 * as much.
 */
const FIRST_REACH = 0.3
/** A set is solved to this part of the gap, in so many steps at most, but not below this part of the goal. */
const INNER_PART = 0.1
const INNER_STEPS = 20
const SPARE = 0.3
/** Looks at which the gap and the primal value are no lower, but for this part: then it is rounding that is left. */
const MOST_WITHOUT_GAIN = 10
const ROUNDING = 1e-12

/** See the header of the file. */
export class L1WorkingSets implements KeptPart {
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly due: Due
  private readonly u: Float64Array
  private readonly v: Float64Array
  private readonly f: Float64Array
  private readonly beta: Float64Array
  private readonly curvature: Float64Array
  private readonly trial: Float64Array
  /** The price of losses, as a part of the one requested, and the losses at it. */
  private price = 0
  private terms: LossTerms
  /** The lowest values at this price. */
  private primal = Number.POSITIVE_INFINITY
  private dual = Number.POSITIVE_INFINITY
  /** Samples of less loss than minus this are left out. */
  private reach = FIRST_REACH
  private damping = 0
  private lowest = Number.POSITIVE_INFINITY
  private withoutGain = 0
  private isBetweenSets = false

  constructor(problem: LinearMachineProblem, rows: LinearRows, point: LinearPoint, due: Due) {
    const n = rows.cols + 1
    this.problem = problem
    this.rows = rows
    this.point = point
    this.due = due
    this.terms = point.terms
    this.u = rows.vector(n)
    this.v = rows.vector(n)
    this.f = rows.vector(rows.rows)
    this.beta = rows.vector(rows.rows)
    this.curvature = rows.vector(rows.rows)
    this.trial = rows.vector(rows.rows)
  }

  save(): object | undefined {
    if (!this.isBetweenSets) return undefined
    const { u, price, primal, dual, reach, damping, lowest, withoutGain } = this
    return copyFields({ u, price, primal, dual, reach, damping, lowest, withoutGain })
  }

  restore(saved: object): void {
    restoreFields(this, saved)
    this.setTerms()
  }

  /** Each yield is a step, or a pause within one. True when the gap is within the goal, false when nothing gets better. */
  *run(goal: () => number): Pieces<boolean> {
    const { point, u } = this
    if (this.price === 0) {
      point.toModel(u)
      this.setPrice(u.some((own) => own !== 0) ? 1 : this.firstPrice())
    }
    for (;;) {
      this.isBetweenSets = true
      yield
      this.isBetweenSets = false
      const before = this.primal
      const now = this.look()
      const gap = this.primal + this.dual
      if (now > before) this.reach *= 2
      const isFinal = this.price === 1
      const aim = isFinal ? goal() : PRICE_GAP * this.primal
      if (gap <= aim || (!isFinal && before - now <= PRICE_FALL * now)) {
        if (isFinal) return true
        this.setPrice(this.price * PRICE_STEP)
        continue
      }
      const isLower = gap + this.primal < this.lowest - ROUNDING * this.primal
      this.withoutGain = isLower ? 0 : this.withoutGain + 1
      this.lowest = Math.min(this.lowest, gap + this.primal)
      if (this.withoutGain > MOST_WITHOUT_GAIN) return false
      yield* this.solveOn(Math.max(INNER_PART * gap, SPARE * aim))
    }
  }

  /** Solves for the features and samples of a working set alone, to this gap. */
  private *solveOn(goal: number): Pieces {
    const { problem, rows, u, v, price } = this
    const { cols } = rows
    const mark = rows.mark()
    const features = indicesWhere(cols, (j) => u[j] !== 0 || Math.abs(v[j]) > NEAR)
    const samples = this.samplesWithin()
    const columns = rows.columns(features)
    const own = samples.length === rows.rows ? columns : columns.some(samples)
    const small: LinearMachineProblem = {
      ...problem,
      samples: own.matrix,
      z: pickNumbers(problem.z, samples),
      C: pickNumbers(problem.C, samples).map((C) => price * C),
    }
    const weights = pickNumbers(u, [...features, cols])
    if (problem.constant > 0) weights[features.length] *= problem.constant
    const point = new LinearPoint(small, own, { start: { weights }, resume: undefined })
    const descent = new ProximalDescent(small, own, point, this.due)
    if (this.damping > 0) descent.face.damping = this.damping
    let steps = 0
    const run = descent.run(
      () => goal,
      () => steps > INNER_STEPS,
    )
    try {
      while (!run.next().done) {
        if (point.state.iteration > steps) {
          steps = point.state.iteration
          this.point.advance()
        }
        yield
      }
    } finally {
      // The latest model, not the lowest: near the end its primal value is the same, and its violations are less.
      u.fill(0)
      for (let a = 0; a < features.length; a++) u[features[a]] = descent.u[a]
      u[cols] = descent.u[features.length]
      this.damping = descent.face.damping
      rows.release(mark)
    }
  }

  /** The samples of a loss, or near one; all where every sample has a loss. */
  private samplesWithin(): Uint32Array {
    const { rows, problem, f, reach } = this
    const { z, C, loss } = problem
    return indicesWhere(rows.rows, (i) => C[i] > 0 && (loss === 'logistic' || 1 - z[i] * f[i] > -reach))
  }

  /** Measures u, and returns its primal value. */
  private look(): number {
    const { rows, point, terms, u, v, f, beta, trial } = this
    rows.values(u, f)
    const losses = this.measure()
    point.offerModel(u, f)
    let norm = 0
    let largest = 0
    const penalised = this.problem.bias === 'free' ? rows.cols : rows.cols + 1
    for (let j = 0; j < penalised; j++) {
      norm += Math.abs(u[j])
      largest = Math.max(largest, Math.abs(v[j]))
    }
    const t = Math.min(1, 1 / largest)
    for (let i = 0; i < beta.length; i++) trial[i] = t * beta[i]
    point.offerDualValue(trial, rows.conjugateSum(point.terms, trial))
    this.dual = Math.min(this.dual, rows.conjugateSum(terms, trial))
    const primal = norm + losses
    this.primal = Math.min(this.primal, primal)
    return primal
  }

  /** Fills β̂, h and v at u; returns the losses. */
  private measure(): number {
    const { rows, terms, u, v, f, beta, curvature } = this
    const losses = balancedSlopes(rows, terms, this.problem.bias === 'free', { u, f, beta, curvature })
    rows.combine(beta, v)
    return losses
  }

  /** At w = 0, the price at which the first features leave 0, as a part of the one requested. */
  private firstPrice(): number {
    this.measure()
    let largest = 0
    for (let j = 0; j < this.rows.cols; j++) largest = Math.max(largest, Math.abs(this.v[j]))
    return PRICE_STEP / largest
  }

  private setPrice(price: number): void {
    // A last step that is next to none is not worth its own.
    this.price = price * Math.sqrt(PRICE_STEP) < 1 ? price : 1
    this.setTerms()
    this.primal = Number.POSITIVE_INFINITY
    this.dual = Number.POSITIVE_INFINITY
    this.lowest = Number.POSITIVE_INFINITY
    this.reach = FIRST_REACH
  }

  private setTerms(): void {
    const { problem, rows, point, price } = this
    this.terms =
      price === 1 ? point.terms : rows.terms(termsOf({ ...problem, C: problem.C.map((C) => price * C) }))
  }
}
