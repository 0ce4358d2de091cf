/**
 * Proximal Newton steps for a linear machine with ‖w‖₁; see ../methods/proximal-newton.ts. It continues from the best model that is known.
 *
 * A step needs the minimum of −⟨v, d⟩ + ½ dᵀ G d + ‖w + d‖₁ with G = X̃ᵀ diag(h) X̃, about. Coordinate descent finds which weights are not 0,
 * and where it is slow, all of these move together:
 *
 *   gram      with G itself, where features are few: a step along d_j costs n multiply-adds, and only those that move cost anything.
 *             Factors of parts of G find the minimum for the signs that epochs have left (./model-face.ts). Where h of few samples has
 *             changed, G is brought up to date.
 *   columns   with the columns of X̃ elsewhere, over the features that are not 0 or might leave it. Where a few epochs do not solve the
 *             model, a Newton step for the signs that they have left follows it (./weight-face.ts).
 */
import type { Pieces } from '../../base/pieces.ts'
import { Random } from '../../base/random.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { balancedSlopes } from '../linear/balance-bias.ts'
import type { KeptPart, LinearPoint } from '../linear/linear-point.ts'
import type {
  CurvedColumns,
  FeatureList,
  LinearRows,
  QuadraticModel,
  Triangle,
} from '../linear/linear-rows.ts'
import { STEPS_PER_REFRESH } from '../linear/newton-system.ts'
import { ModelFace } from './model-face.ts'
import { type FacePoint, WeightFace } from './weight-face.ts'

/**
 * Features up to which G is made, and what making it may cost, in passes over the data. A logistic loss bends all samples anew in each step;
 * squared losses change h of few, after the first ones. With G, mnist / 255 (81 passes, the digit 8, C = 100) takes 20.9 s instead of 13.1 s with the
 * logistic loss, and 5.8 s instead of more than 20 s with the squared hinge loss.
 */
const MOST_SQUARE = 1500
const MOST_PASSES = { logistic: 60, squared: 200 }
/** What a multiply-add with G costs beside others, which look for their numbers; an epoch over G should not cost more than a pass. */
const GRAM_PRICE = 0.25
/** Epochs over G for one step at most: a model that is not solved leads downhill, too. */
const GRAM_EPOCHS = 500
/**
 * The same over columns. With 5 and 20, random sparse data and imdb (C = 1) took from a fifth less to a quarter more time.
 */
const COLUMN_EPOCHS = 10
/** A model is solved when its violations, in sum, have fallen to this part, or to that of the gap in the primal value where it is less. */
const MODEL_PART = 0.1
/** The same over G, where epochs cost little beside making it. */
const GRAM_PART = 1e-3
/** But not to less than what the gap has to fall to, with this to spare. */
const SPARE = 0.3
/** Epochs over G that find signs before a factor: about what it costs. */
const EPOCHS_APART = 10
/** Features of |v_j| beyond this have their turn: others of a step may push them beyond 1. */
const NEAR = 0.9
/** What keeps features curved that no sample bends at present, as a part of what all samples would. */
const FLOOR = 1e-6
/** The part of the promised fall that a step has to bring, and halvings of it until then. */
const ENOUGH = 0.01
const MOST_HALVINGS = 30
/** Falls that are so small a part of the objective are rounding. So many such steps may not bring the gap down to this part of what it was. */
const ROUNDING = 1e-12
const MOST_WITHOUT_GAIN = 10
const GAIN = 0.9

/** See the header of the file. */
export class ProximalDescent implements KeptPart, FacePoint {
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly terms: LossTerms
  private readonly due: Due
  private readonly model: QuadraticModel
  /** The model as it stands, its values, and the losses there; see {@link FacePoint}. */
  readonly penalised: number
  readonly u: Float64Array
  private readonly v: Float64Array
  private readonly d: Float64Array
  readonly f: Float64Array
  private readonly q: Float64Array
  private readonly trial: Float64Array
  readonly beta: Float64Array
  readonly curvature: Float64Array
  private readonly floor: Float64Array
  private readonly solveModel: (total: number, aim: number) => Pieces<boolean>
  /** Steps where models are not solved. */
  readonly face: WeightFace
  /** What G is made of, where it is. */
  private readonly gram: Triangle | undefined
  private readonly inGram: Float64Array
  private step = 0
  private lowestGap = Number.POSITIVE_INFINITY
  private withoutGain = 0
  private isBetweenSteps = false

  constructor(problem: LinearMachineProblem, rows: LinearRows, point: LinearPoint, due: Due) {
    const n = rows.cols + 1
    this.problem = problem
    this.rows = rows
    this.point = point
    this.terms = point.terms
    this.due = due
    this.u = rows.vector(n)
    this.v = rows.vector(n)
    this.d = rows.vector(n)
    this.floor = rows.vector(n)
    this.f = rows.vector(rows.rows)
    this.q = rows.vector(rows.rows)
    this.trial = rows.vector(rows.rows)
    this.beta = rows.vector(rows.rows)
    this.curvature = rows.vector(rows.rows)
    const penalised = problem.bias === 'free' ? n - 1 : n
    this.penalised = penalised
    this.model = { penalised, v: this.v, w: this.u, d: this.d }
    this.setFloor()
    this.face = new WeightFace(
      rows,
      this.floor.map((own) => own / FLOOR),
      due,
    )
    const isSquare = fitsGram(rows, this.terms.isLogistic)
    this.gram = isSquare ? rows.triangle(n) : undefined
    this.inGram = rows.vector(isSquare ? rows.rows : 0)
    this.solveModel = isSquare ? this.byGram() : this.byColumns()
  }

  save(): object | undefined {
    if (!this.isBetweenSteps) return undefined
    const { u, f, step, lowestGap, withoutGain, inGram } = this
    return {
      fields: copyFields({ u, f, step, lowestGap, withoutGain, inGram }),
      gram: this.gram?.values.slice(),
      damping: this.face.damping,
    }
  }

  restore(saved: object): void {
    const { fields, gram, damping } = saved as { fields: object; gram?: Float64Array; damping: number }
    restoreFields(this, fields)
    this.face.damping = damping
    if (gram) this.gram?.values.set(gram)
  }

  /**
   * Each yield is a step, or a pause within one. True when the gap is within the goal, false when `givesUp` said so, or nothing
   * gets better.
   */
  *run(goal: () => number, givesUp: () => boolean = () => false): Pieces<boolean> {
    const { rows, point, u, v, d, f, q } = this
    // Where the run continues, u is restored.
    if (this.step === 0) point.toModel(u)
    for (;;) {
      if (this.step % STEPS_PER_REFRESH === 0) rows.values(u, f)
      const losses = this.measure()
      const total = this.offer(losses)
      const { gap, primal } = point
      if (gap <= goal()) return true
      if (givesUp()) return false
      d.fill(0)
      const part = Math.max(Math.min(MODEL_PART, gap / Math.abs(primal)), (SPARE * goal()) / gap)
      const isSolved = yield* this.solveModel(total, part * total)
      rows.values(d, q)
      let promised = 0
      for (let j = 0; j < d.length; j++) promised -= v[j] * d[j]
      promised += this.penalty(1) - this.penalty(0)
      // Falls that are rounding of the objective may still narrow the gap: it is of the order of the violations, they of its square.
      const isRounding = !(promised < -ROUNDING * Math.abs(primal))
      if (gap < GAIN * this.lowestGap) {
        this.lowestGap = gap
        this.withoutGain = 0
      } else if (isRounding && this.withoutGain++ >= MOST_WITHOUT_GAIN) return false
      const t = isRounding ? 1 : this.lineSearch(losses, promised)
      if (t === 0) return false
      for (let j = 0; j < u.length; j++) u[j] += t * d[j]
      rows.addScaled(t, q, f)
      if (!isSolved) {
        this.slopes()
        yield* this.face.step(this.terms, this, Math.sqrt(Math.min(1, gap / primal)))
      }
      this.step++
      point.advance()
      this.isBetweenSteps = true
      yield
      this.isBetweenSteps = false
    }
  }

  /** Fills β̂ and h at u; returns the losses there. */
  private slopes(): number {
    return balancedSlopes(this.rows, this.terms, this.problem.bias === 'free', this)
  }

  /** Fills β̂, h and v at u; returns the losses there. */
  private measure(): number {
    const losses = this.slopes()
    this.rows.combine(this.beta, this.v)
    return losses
  }

  /** Offers the model and the multiple of β̂ that is a dual point; returns the sum of the violations. */
  private offer(losses: number): number {
    const { rows, point, terms, u, v, beta, trial } = this
    const { penalised } = this.model
    let largest = 0
    let total = 0
    for (let j = 0; j < v.length; j++) {
      const slope = Math.abs(v[j])
      if (j < penalised && slope > largest) largest = slope
      if (j >= penalised) total += slope
      else total += u[j] === 0 ? Math.max(0, slope - 1) : Math.abs(Math.sign(u[j]) - v[j])
    }
    point.offerLosses(u, losses)
    const t = Math.min(1, 1 / largest)
    for (let i = 0; i < beta.length; i++) trial[i] = t * beta[i]
    point.offerDualValue(trial, rows.conjugateSum(terms, trial))
    return total
  }

  /** ‖u + t d‖₁ */
  private penalty(t: number): number {
    const { u, d, model } = this
    let sum = 0
    for (let j = 0; j < model.penalised; j++) sum += Math.abs(u[j] + t * d[j])
    return sum
  }

  /** Halves the step until the objective falls by a part of what was promised; 0 where it does not. */
  private lineSearch(losses: number, promised: number): number {
    const { rows, terms, f, q, trial } = this
    const before = this.penalty(0) + losses
    let t = 1
    for (let halvings = 0; halvings < MOST_HALVINGS; halvings++) {
      trial.set(f)
      rows.addScaled(t, q, trial)
      const after = this.penalty(t) + rows.lossSum(terms, trial)
      if (after - before <= ENOUGH * t * promised) return t
      t *= 0.5
    }
    return 0
  }

  private setFloor(): void {
    const { rows, terms, floor, trial } = this
    const { isLogistic, lower, upper, shift } = terms
    for (let i = 0; i < trial.length; i++) {
      const price = upper[i] - lower[i]
      trial[i] = price > 0 ? FLOOR * (isLogistic ? price / 4 : 1 / shift[i]) : 0
    }
    rows.squares(trial, floor)
  }

  /** By G; see the header of the file. */
  private byGram(): (total: number, aim: number) => Pieces<boolean> {
    const { rows, model, floor, curvature, inGram } = this
    const gram = this.gram as Triangle
    const n = rows.cols + 1
    const square = rows.vector(n * n)
    const image = rows.vector(n)
    const change = rows.vector(rows.rows)
    const face = new ModelFace(rows, model, square, image)
    const self = this
    return function* (total, aim) {
      const curved = rows.countPositive(curvature)
      const different = rows.difference(curvature, inGram, change)
      if (different >= curved) {
        gram.clear()
        change.set(curvature)
      }
      yield* rows.addGram(change, gram, self.due)
      inGram.set(curvature)
      for (let i = 0; i < n; i++) {
        const row = gram.row(i)
        square.set(row, i * n)
        for (let j = 0; j < i; j++) square[j * n + i] = row[j]
        square[i * n + i] += floor[i]
      }
      image.fill(0)
      const goal = Math.min(aim, GRAM_PART * total)
      for (let epochs = 0; epochs < GRAM_EPOCHS; epochs += EPOCHS_APART) {
        const left = rows.gramEpochs(model, square, image, EPOCHS_APART, goal)
        if (left <= goal) return true
        yield* face.descend(self.due)
      }
      return false
    }
  }

  /** By columns; see the header of the file. */
  private byColumns(): (total: number, aim: number) => Pieces<boolean> {
    const { rows, model, floor, curvature, u, v } = this
    const n = rows.cols + 1
    const columns = rows.transposed()
    const list: FeatureList = { order: rows.list(n), active: rows.list(1) }
    const diagonal = rows.vector(n)
    const image = rows.vector(rows.rows)
    const curved: CurvedColumns = { h: curvature, floor, diagonal }
    const self = this
    return function* (total, aim) {
      const { order, active } = list
      rows.squares(curvature, diagonal)
      let count = 0
      for (let j = 0; j < n; j++) {
        diagonal[j] += floor[j]
        if (u[j] !== 0 || Math.abs(v[j]) > NEAR || j >= model.penalised) order[count++] = j
      }
      active[0] = count
      new Random(self.step).shuffle(order.subarray(0, count))
      image.fill(0)
      let margin = total / rows.rows
      for (let epoch = 0; epoch < COLUMN_EPOCHS; epoch++) {
        const left = columns.columnEpoch(model, list, curved, image, margin)
        if (left <= aim) return true
        margin = left / rows.rows
        if (self.due()) yield
      }
      return false
    }
  }
}

/** Whether G is worth making. */
function fitsGram(rows: LinearRows, isLogistic: boolean): boolean {
  const n = rows.cols + 1
  const pass = rows.stored + rows.rows
  const most = isLogistic ? MOST_PASSES.logistic : MOST_PASSES.squared
  return n <= MOST_SQUARE && GRAM_PRICE * n * n <= pass && 0.5 * rows.rows * rows.meanSquare <= most * pass
}
