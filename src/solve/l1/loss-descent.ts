/**
 * Coordinate descent on squared hinge losses themselves, for a linear machine with ‖w‖₁ that has thousands of weights other than 0; see
 * ../methods/proximal-newton.ts.
 *
 * Epochs    an epoch moves one weight after the other, each to the minimum of the model of the losses, halved until the objective falls;
 *           features that stay at 0 leave it.
 * Faces     after some epochs the weights that are not 0 move together (./weight-face.ts).
 * Parts     both work on the features that may leave 0 and the samples that may have a loss (./loss-part.ts): of news20 with C = 100, a
 *           twenty-fifth of the values. Then a look at all says what the model is worth. If samples elsewhere have come into the loss, and
 *           the objective has risen, it was too small a part.
 * Prices    at w = 0 and a large C nearly all features leave 0. So C begins where few do, and rises by tens.
 * Interior  at the last of several prices, where systems have sparse factors, interior points (./interior-descent.ts) go on instead.
 * Source    Yuan, Chang, Hsieh, Lin 2010 (epochs).
 */
import { indicesWhere } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import { Random } from '../../base/random.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { balanceBias } from '../linear/balance-bias.ts'
import type { KeptPart, LinearPoint } from '../linear/linear-point.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { hasSparseFactor, InteriorDescent } from './interior-descent.ts'
import { LossPart } from './loss-part.ts'
import { ROUNDING, Stall } from './stall.ts'
import { WeightFace } from './weight-face.ts'

/**
 * C rises by this factor: each to a relative gap of so much, or until the objective falls by no more than this part between two looks. At
 * a large C the gap is that of the worst feature until the last.
 */
const PRICE_STEP = 10
const PRICE_GAP = 0.05
const PRICE_FALL = 0.002
/** Epochs between two steps on faces, and such rounds between two looks at all samples: fewer where violations have fallen to this part. */
const EPOCHS = 5
const ROUNDS = 10
const ROUNDS_PART = 0.1
/** Features of |v_j| beyond this are in the part: others may push them beyond 1. */
const NEAR = 0.9
/**
 * Samples whose z_i f_i is beyond 1 by less than the reach are in it: at each price this at first, then as much as the last step has moved any
 * f_i. Where samples from farther away have come into the loss, so many times as much.
 */
const FIRST_REACH = 0.5
const FARTHER = 4
/** Weights other than 0 up to which factors of their matrix, as ../methods/l1-newton.ts has them, are the better way. */
const MOST_FACTORED = 1500

/** See the header of the file. */
export class LossDescent implements KeptPart {
  /** Multiply-adds so far, about. */
  work = 0
  private readonly penalised: number
  private readonly u: Float64Array
  private readonly v: Float64Array
  private readonly f: Float64Array
  private readonly beta: Float64Array
  private readonly curvature: Float64Array
  private readonly dualPoint: Float64Array
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly due: Due
  private readonly face: WeightFace
  private interior: InteriorDescent | undefined
  private stall = new Stall()
  /** The price of losses, as a part of the one requested, and the losses at it; 0 before the first step. */
  private price = 0
  private terms: LossTerms
  /** The lowest values at this price, and the best model at the last look. */
  private primal = Number.POSITIVE_INFINITY
  private dual = Number.POSITIVE_INFINITY
  private readonly best: Float64Array
  private reach = FIRST_REACH
  private step = 0
  private isBetweenSteps = false

  constructor(problem: LinearMachineProblem, rows: LinearRows, point: LinearPoint, due: Due) {
    const n = rows.cols + 1
    this.problem = problem
    this.rows = rows
    this.point = point
    this.terms = point.terms
    this.due = due
    this.penalised = problem.bias === 'free' ? n - 1 : n
    this.u = rows.vector(n)
    this.v = rows.vector(n)
    this.best = rows.vector(n)
    this.f = rows.vector(rows.rows)
    this.beta = rows.vector(rows.rows)
    this.dualPoint = rows.vector(rows.rows)
    this.curvature = rows.vector(rows.rows)
    this.face = new WeightFace(due)
  }

  save(): object | undefined {
    const interior = this.interior?.save()
    if (!this.isBetweenSteps && !interior) return undefined
    const { u, best, f, work, price, primal, dual, reach, step, stall } = this
    const { damping, iterations } = this.face
    return {
      fields: copyFields({ u, best, f, work, price, primal, dual, reach, step }),
      face: { damping, iterations },
      stall: stall.save(),
      interior,
    }
  }

  restore(saved: object): void {
    const { fields, face, stall, interior } = saved as Record<'fields' | 'face' | 'stall', object> & {
      readonly interior?: object
    }
    restoreFields(this, fields)
    Object.assign(this.face, face)
    this.stall.restore(stall)
    this.setTerms()
    if (!interior) return
    this.interior = new InteriorDescent(this.problem, this.rows, this.point, this.due)
    this.interior.restore(interior)
  }

  /**
   * From w = 0. Each yield is a step, or a pause within one. True when the gap is within the goal, false when `givesUp` said so, nothing
   * gets better, or the price requested is reached with few weights other than 0.
   */
  *run(goal: () => number, givesUp: () => boolean): Pieces<boolean> {
    const { point, u, best } = this
    if (this.price === 0) this.setPrice(this.firstPrice())
    if (this.interior && (yield* this.inside(goal))) return true
    for (;;) {
      const { total, primal, fallen, moved } = this.look()
      if (fallen < -ROUNDING * primal) {
        this.reach = FARTHER * moved
        u.set(best)
        continue
      }
      if (fallen > 0 && fallen < Number.POSITIVE_INFINITY) this.reach = moved
      best.set(u)
      const isFinal = this.price === 1
      const gap = isFinal ? point.gap : this.primal + this.dual
      const aim = isFinal ? goal() : PRICE_GAP * this.primal
      if (gap <= aim || (!isFinal && fallen <= PRICE_FALL * primal)) {
        if (isFinal) return true
        this.setPrice(PRICE_STEP * this.price)
        if (this.price < 1) continue
        if (this.problem.bias !== 'free' && hasSparseFactor(this.rows, u, this.beta)) {
          this.interior = new InteriorDescent(this.problem, this.rows, point, this.due)
          if (yield* this.inside(goal)) return true
        }
        if (!hasManyWeights(u)) return false
        continue
      }
      if (givesUp() || this.stall.isOver(gap, fallen <= ROUNDING * primal)) return false
      yield* this.descend(total, Math.sqrt(gap / this.primal))
      this.step++
      point.advance()
      this.isBetweenSteps = true
      yield
      this.isBetweenSteps = false
    }
  }

  /** Interior points at the price requested, from u and β̂ of the price before; true when the gap is within the goal. */
  private *inside(goal: () => number): Pieces<boolean> {
    const isDone = yield* (this.interior as InteriorDescent).run(this.u, this.beta, goal)
    this.interior = undefined
    return isDone
  }

  /** Rounds of epochs and a step on the face, from u, whose violations are `total` in sum. */
  private *descend(total: number, accuracy: number): Pieces {
    const { problem, rows, terms, face, u, v, f } = this
    const mark = rows.mark()
    const random = new Random(this.step)
    const samples = indicesWhere(rows.rows, (i) => terms.z[i] * f[i] < 1 + this.reach)
    const features = indicesWhere(rows.cols, (j) => u[j] !== 0 || Math.abs(v[j]) > NEAR)
    const part = new LossPart(problem, rows, terms, u, samples, features)
    const before = face.work
    let left = total
    for (let round = 0; round < ROUNDS && left > ROUNDS_PART * total; round++) {
      left = yield* part.descend(EPOCHS, random, left, this.due)
      yield* face.step(part, accuracy)
    }
    part.copyTo(u)
    this.work += 4 * rows.stored + part.work + face.work - before
    rows.release(mark)
  }

  /** Fills f, β̂ and h at u, with a free bias where β̂ is balanced; returns the losses. */
  private slopes(): number {
    const { rows, terms, u, f, beta, curvature } = this
    rows.values(u, f)
    if (this.problem.bias !== 'free') return rows.slopes(terms, f, beta, curvature)
    u[u.length - 1] += balanceBias(rows, terms, f, beta, curvature, 0)
    return rows.lossSum(terms, f)
  }

  /**
   * Offers the model and the multiple of β̂ that is a dual point; returns the sum of the violations, the primal value at this price, by how
   * much that is less than the lowest before, and the largest change of any f_i since the last look.
   */
  private look(): Record<'total' | 'primal' | 'fallen' | 'moved', number> {
    const { rows, point, terms, penalised, u, v, f, beta, dualPoint } = this
    dualPoint.set(f)
    let primal = this.slopes()
    let moved = 0
    for (let i = 0; i < f.length; i++) moved = Math.max(moved, Math.abs(f[i] - dualPoint[i]))
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
    const fallen = this.primal - primal
    this.primal = Math.min(this.primal, primal)
    this.dual = Math.min(this.dual, rows.conjugateSum(terms, dualPoint))
    point.offerModel(u, f)
    point.offerDualValue(dualPoint, rows.conjugateSum(point.terms, dualPoint))
    return { total, primal, fallen, moved }
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
    this.reach = FIRST_REACH
    this.stall = new Stall()
    this.setTerms()
  }

  private setTerms(): void {
    const { problem, rows, point, price } = this
    this.terms = price === 1 ? point.terms : rows.termsOf({ ...problem, C: problem.C.map((C) => price * C) })
  }
}

/** Whether a model has so many weights other than 0 that this descent may be the better way. */
export function hasManyWeights(w: Float64Array): boolean {
  let count = 0
  for (const own of w) if (own !== 0) count++
  return count > MOST_FACTORED
}
