/**
 * Coordinate descent on squared hinge losses themselves, for a linear machine with ‖w‖₁ that has thousands of weights other than 0; see
 * ../methods/proximal-newton.ts.
 *
 * Epochs    with s_i = √(2C_i) (1 − z_i f_i) the losses are ½ Σ max(0, s_i)². An epoch moves one weight after the other, each to the minimum of
 *           the model of these losses, halved until the objective falls; features that stay at 0 leave it.
 * Faces     after some epochs the weights that are not 0 move together (./weight-face.ts).
 * Prices    at w = 0 and a large C nearly all features leave 0. So C begins where few do, and rises by tens.
 * Source    Yuan, Chang, Hsieh, Lin 2010 (epochs).
 */
import type { Pieces } from '../../base/pieces.ts'
import { Random } from '../../base/random.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import { type LinearMachineProblem, termsOf } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { balanceBias } from '../linear/balance-bias.ts'
import type { KeptPart, LinearPoint } from '../linear/linear-point.ts'
import type { FeatureList, LinearRows } from '../linear/linear-rows.ts'
import { type FacePoint, WeightFace } from './weight-face.ts'

/**
 * C rises by this factor: each to a relative gap of so much, or until the objective falls by no more than this part in a step. At a large
 * C the gap is that of the worst feature until the last.
 */
const PRICE_STEP = 10
const PRICE_GAP = 0.05
const PRICE_FALL = 0.002
/** Epochs between two steps on faces. */
const EPOCHS = 5
/** Features of |v_j| beyond this have their turn: others may push them beyond 1. */
const NEAR = 0.9
/** Weights other than 0 up to which factors of their matrix, as ../methods/l1-newton.ts has them, are the better way. */
const MOST_FACTORED = 1500
/** Falls that are so small a part of the objective are rounding. After so many such steps that do not bring the gap to this part it is over. */
const ROUNDING = 1e-12
const MOST_WITHOUT_GAIN = 50
const GAIN = 0.9

/** See the header of the file. */
export class LossDescent implements KeptPart, FacePoint {
  /** Multiply-adds so far, about. */
  work = 0
  readonly penalised: number
  readonly u: Float64Array
  readonly f: Float64Array
  readonly beta: Float64Array
  readonly curvature: Float64Array
  private readonly v: Float64Array
  private readonly s: Float64Array
  private readonly dualPoint: Float64Array
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly due: Due
  private readonly face: WeightFace
  /** √(2C_i), the columns of X̃ with each sample times z_i √(2C_i), and their squared norms. */
  private readonly roots: Float64Array
  private readonly columns: LinearRows
  private readonly squares: Float64Array
  private readonly list: FeatureList
  /** The price of losses, as a part of the one requested, and the losses at it; 0 before the first step. */
  private price = 0
  private terms: LossTerms
  /** The lowest values at this price, and the latest. */
  private primal = Number.POSITIVE_INFINITY
  private dual = Number.POSITIVE_INFINITY
  private latest = Number.POSITIVE_INFINITY
  private step = 0
  private lowestGap = Number.POSITIVE_INFINITY
  private withoutGain = 0
  private isBetweenSteps = false

  constructor(problem: LinearMachineProblem, rows: LinearRows, point: LinearPoint, due: Due) {
    const n = rows.cols + 1
    const { z, shift } = point.terms
    this.problem = problem
    this.rows = rows
    this.point = point
    this.terms = point.terms
    this.due = due
    this.penalised = problem.bias === 'free' ? n - 1 : n
    this.u = rows.vector(n)
    this.v = rows.vector(n)
    this.f = rows.vector(rows.rows)
    this.s = rows.vector(rows.rows)
    this.beta = rows.vector(rows.rows)
    this.dualPoint = rows.vector(rows.rows)
    this.curvature = rows.vector(rows.rows)
    this.roots = shift.map((D) => (D > 0 ? 1 / Math.sqrt(D) : 0))
    this.columns = rows.transposed(this.roots.map((root, i) => root * z[i]))
    this.squares = rows.vector(n)
    this.squares.set(this.columns.squaredNorms)
    this.list = { order: rows.list(n), active: rows.list(1) }
    this.face = new WeightFace(rows, this.squares, due)
  }

  save(): object | undefined {
    if (!this.isBetweenSteps) return undefined
    const { u, work, price, primal, dual, latest, step, lowestGap, withoutGain } = this
    const { damping, iterations } = this.face
    return {
      fields: copyFields({ u, work, price, primal, dual, latest, step, lowestGap, withoutGain }),
      face: { damping, iterations },
    }
  }

  restore(saved: object): void {
    const { fields, face } = saved as { fields: object; face: object }
    restoreFields(this, fields)
    Object.assign(this.face, face)
    this.setTerms()
  }

  /**
   * From w = 0. Each yield is a step, or a pause within one. True when the gap is within the goal, false when `givesUp` said so, nothing
   * gets better, or the price requested is reached with few weights other than 0.
   */
  *run(goal: () => number, givesUp: () => boolean): Pieces<boolean> {
    const { rows, point, u, f, face } = this
    if (this.price === 0) this.setPrice(this.firstPrice())
    for (;;) {
      rows.values(u, f)
      const { total, primal } = this.look()
      const isFinal = this.price === 1
      const gap = isFinal ? point.gap : this.primal + this.dual
      const aim = isFinal ? goal() : PRICE_GAP * this.primal
      const fallen = this.latest - primal
      this.latest = primal
      if (gap <= aim || (!isFinal && fallen <= PRICE_FALL * primal)) {
        if (isFinal) return true
        this.setPrice(PRICE_STEP * this.price)
        if (this.price === 1 && !hasManyWeights(u)) return false
        continue
      }
      if (givesUp()) return false
      if (gap < GAIN * this.lowestGap) {
        this.lowestGap = gap
        this.withoutGain = 0
      } else if (fallen <= ROUNDING * primal && this.withoutGain++ >= MOST_WITHOUT_GAIN) return false
      yield* this.descend(total)
      rows.values(u, f)
      this.slopes()
      const before = face.work
      yield* face.step(this.terms, this, this.price, Math.sqrt(gap / this.primal))
      this.work += 4 * rows.stored + face.work - before
      this.step++
      point.advance()
      this.isBetweenSteps = true
      yield
      this.isBetweenSteps = false
    }
  }

  /** Epochs from u, whose violations are `total` in sum. */
  private *descend(total: number): Pieces {
    const { rows, columns, point, list, roots, price, penalised, u, v, f, s, squares } = this
    const { z } = point.terms
    const { order, active } = list
    const random = new Random(this.step)
    active[0] = 0
    for (let j = 0; j < u.length; j++) {
      if (u[j] !== 0 || Math.abs(v[j]) > NEAR || j >= penalised) order[active[0]++] = j
    }
    for (let i = 0; i < s.length; i++) s[i] = roots[i] * (1 - z[i] * f[i])
    // The columns have the losses at the price requested: at another one, the norm is multiplied instead.
    let left = total / price
    for (let epoch = 0; epoch < EPOCHS; epoch++) {
      random.shuffle(order.subarray(0, active[0]))
      this.work += (2 * rows.stored * active[0]) / u.length
      left = columns.lossEpoch({ penalised, w: u }, list, s, squares, 1 / price, left / rows.rows)
      if (this.due()) yield
    }
  }

  /** Fills β̂ and h at u, with a free bias where β̂ is balanced; returns the losses. */
  private slopes(): number {
    const { rows, terms, u, f, beta, curvature } = this
    if (this.problem.bias !== 'free') return rows.slopes(terms, f, beta, curvature)
    u[u.length - 1] += balanceBias(rows, terms, f, beta, curvature, 0)
    return rows.lossSum(terms, f)
  }

  /** Offers the model and the multiple of β̂ that is a dual point; returns the sum of the violations and the primal value at this price. */
  private look(): { readonly total: number; readonly primal: number } {
    const { rows, point, terms, penalised, u, v, f, beta, dualPoint } = this
    let primal = this.slopes()
    rows.combine(beta, v)
    let largest = 0
    let total = 0
    for (let j = 0; j < v.length; j++) {
      const slope = Math.abs(v[j])
      if (j >= penalised) {
        total += slope
        continue
      }
      primal += Math.abs(u[j])
      if (slope > largest) largest = slope
      total += u[j] === 0 ? Math.max(0, slope - 1) : Math.abs(Math.sign(u[j]) - v[j])
    }
    const t = Math.min(1, 1 / largest)
    for (let i = 0; i < beta.length; i++) dualPoint[i] = t * beta[i]
    this.primal = Math.min(this.primal, primal)
    this.dual = Math.min(this.dual, rows.conjugateSum(terms, dualPoint))
    point.offerModel(u, f)
    point.offerDualValue(dualPoint, rows.conjugateSum(point.terms, dualPoint))
    return { total, primal }
  }

  /** Full steps below 1, as many as leave a feature or more that is not 0. */
  private firstPrice(): number {
    const { rows, v, penalised } = this
    this.slopes()
    rows.combine(this.beta, v)
    let largest = 1
    for (let j = 0; j < penalised; j++) largest = Math.max(largest, Math.abs(v[j]))
    const steps = Math.ceil(Math.log(largest) / Math.log(PRICE_STEP)) - 1
    return PRICE_STEP ** -Math.max(0, steps)
  }

  private setPrice(price: number): void {
    // Powers of ten, but for rounding.
    this.price = price * Math.sqrt(PRICE_STEP) < 1 ? price : 1
    this.primal = Number.POSITIVE_INFINITY
    this.dual = Number.POSITIVE_INFINITY
    this.latest = Number.POSITIVE_INFINITY
    this.lowestGap = Number.POSITIVE_INFINITY
    this.setTerms()
  }

  private setTerms(): void {
    const { problem, rows, point, price } = this
    this.terms =
      price === 1 ? point.terms : rows.terms(termsOf({ ...problem, C: problem.C.map((C) => price * C) }))
  }
}

/** Whether a model has so many weights other than 0 that this descent may be the better way. */
export function hasManyWeights(w: Float64Array): boolean {
  let count = 0
  for (const own of w) if (own !== 0) count++
  return count > MOST_FACTORED
}
