/**
 * Proximal Newton steps for a linear machine with ‖w‖₁; see ../methods/proximal-newton.ts. It continues from the best model that is known.
 *
 * A step needs the minimum of −⟨v, d⟩ + ½ dᵀ G d + ‖w + d‖₁ with G = X̃ᵀ diag(h) X̃, about. Coordinate descent finds it:
 *
 *   gram      with G itself, where features are few: a step along d_j costs n multiply-adds, and only those that move cost anything, so
 *             hundreds of epochs are a small part of a pass over the data. Where h of few samples has changed, G is brought up to date.
 *             Its diagonal is damped, the more the less the last model was worth.
 *             Where epochs would take longer than factors of G, these lead the weights that are not 0 to their minimum
 *             (./model-face.ts).
 *   columns   with the columns of X̃ elsewhere, over the features that are not 0 or might leave it. Where signs have settled, and further
 *             epochs would take longer than conjugate gradients, these lead the weights that are not 0 to their minimum.
 */
import { dotProduct } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import { Random } from '../../base/random.ts'
import type { SparseMatrix } from '../../data/matrix/matrix.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { balanceBias } from '../linear/balance-bias.ts'
import type { KeptPart, LinearPoint } from '../linear/linear-point.ts'
import { STEPS_PER_REFRESH } from '../linear/newton-system.ts'
import type { CurvedColumns, FeatureList, LinearRows, QuadraticModel, Triangle } from '../rows/linear-rows.ts'
import { ColumnCurvature } from './column-curvature.ts'
import { type FaceCurvature, ModelFace } from './model-face.ts'
import { SquareCurvature } from './square-curvature.ts'
import { ROUNDING, Stall } from './stall.ts'

/**
 * Features up to which G is made, and what making it may cost, in passes over the data. A logistic loss bends all samples anew in each step;
 * squared losses change h of few, after the first ones (docs/benchmarks.md). With fewer samples per feature than `TALL`, G may be nearly singular.
 */
const MOST_SQUARE = 1500
const MOST_PASSES = 60
const MOST_PASSES_SQUARED = 300
const TALL = 3
/** What a multiply-add with G costs beside others, which look for their numbers; an epoch over G should not cost more than a pass. */
const GRAM_PRICE = 0.25
/** Epochs over G, and over columns, for one step at most: a model that is not solved leads downhill, too. */
const GRAM_EPOCHS = 2000
const COLUMN_EPOCHS = 40
/**
 * A face may take so many times what these do: where epochs would crawl for hundreds, it is the only way to the minimum. imdb with the logistic loss
 * and C = 10 takes 10 steps instead of 12.
 */
const FACE_SHARE = 2
/** Signs have settled when an epoch has changed this part of those that it went over, or fewer. */
const SETTLED = 0.01
/** A face where violations have not fallen to this part is not worth another visit before the next step. */
const GAIN = 0.3
/** A system on columns is solved to this part of what the violations have to fall to: they are those of single weights. */
const SYSTEM_PART = 0.3
/** A model is solved when its violations, in sum, have fallen to this part, or to that of the gap in the primal value where it is less. */
const MODEL_PART = 0.1
/** The same over G, where epochs cost little beside making it. */
const GRAM_PART = 1e-3
/** But not to less than what the gap has to fall to, with this to spare. */
const SPARE = 0.3
/** Epochs over G between two looks at how fast they are. */
const EPOCHS_APART = 10
/** Features of |v_j| beyond this have their turn: others of a step may push them beyond 1. */
const NEAR = 0.9
/** What keeps features curved that no sample bends at present, as a part of what all samples would. */
const FLOOR = 1e-6
/**
 * The same over G, where it is damping: of squared losses at first, as samples come into the loss and leave it in each step, at least and at
 * most. It falls after a step that brought more than half of what its model said, or whose fall is rounding, and rises after one that would have
 * gone uphill. One class of mnist as it is (squared hinge, C = 100) takes 140 steps with FLOOR throughout, and 28 so.
 */
const FIRST_DAMPING = 1e-2
const LEAST_DAMPING = 1e-10
const MOST_DAMPING = 0.1
const DAMPING_STEP = 4
const GOOD = 0.5
/** The part of the promised fall that a step has to bring, and halvings of it until then. */
const ENOUGH = 0.01
const MOST_HALVINGS = 30

/** See the header of the file. */
export class ProximalDescent implements KeptPart {
  /** Multiply-adds so far, about. */
  work = 0
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly terms: LossTerms
  private readonly due: Due
  private readonly model: QuadraticModel
  private readonly u: Float64Array
  private readonly v: Float64Array
  private readonly d: Float64Array
  private readonly f: Float64Array
  private readonly q: Float64Array
  private readonly trial: Float64Array
  private readonly beta: Float64Array
  private readonly curvature: Float64Array
  private readonly floor: Float64Array
  /** The diagonal of G if all samples bent. The floor is this part of it. */
  private readonly full: Float64Array
  private damping = FLOOR
  private readonly solveModel: (total: number, aim: number) => Pieces
  /** What G is made of, where it is. */
  private readonly gram: Triangle | undefined
  private readonly inGram: Float64Array
  private faceCurvature!: FaceCurvature
  private step = 0
  private readonly stall = new Stall()
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
    this.full = rows.vector(n)
    this.f = rows.vector(rows.rows)
    this.q = rows.vector(rows.rows)
    this.trial = rows.vector(rows.rows)
    this.beta = rows.vector(rows.rows)
    this.curvature = rows.vector(rows.rows)
    const penalised = problem.bias === 'free' ? n - 1 : n
    this.model = { penalised, v: this.v, w: this.u, d: this.d }
    this.setFull()
    const isSquare = usesGram(rows, this.terms)
    this.gram = isSquare ? rows.triangle(n) : undefined
    this.inGram = rows.vector(isSquare ? rows.rows : 0)
    if (isSquare && !this.terms.isLogistic) this.damping = FIRST_DAMPING
    this.setFloor()
    this.solveModel = isSquare ? this.byGram() : this.byColumns()
  }

  save(): object | undefined {
    if (!this.isBetweenSteps) return undefined
    const { u, f, step, work, damping, inGram, stall } = this
    return {
      fields: copyFields({ u, f, step, work, damping, inGram }),
      face: copyFields({ effort: this.faceCurvature.effort, price: this.faceCurvature.price }),
      stall: stall.save(),
      gram: this.gram?.values.slice(),
    }
  }

  restore(saved: object): void {
    const { fields, face, stall, gram } = saved as Record<'fields' | 'face' | 'stall', object> & {
      readonly gram?: Float64Array
    }
    restoreFields(this, fields)
    restoreFields(this.faceCurvature, face)
    this.stall.restore(stall)
    if (gram) this.gram?.values.set(gram)
    this.setFloor()
  }

  /**
   * Each yield is a step, or a pause within one. True when the gap is within the goal, false when `givesUp` said so, or nothing
   * gets better.
   */
  *run(goal: () => number, givesUp: () => boolean): Pieces<boolean> {
    const { rows, point, u, v, d, f, q } = this
    // Where the run continues, u is restored.
    if (this.step === 0) point.toModel(u)
    for (;;) {
      if (this.step % STEPS_PER_REFRESH === 0) rows.values(u, f)
      const losses = this.measure()
      const total = this.offer(losses)
      const { gap } = point
      if (gap <= goal()) return true
      if (givesUp()) return false
      d.fill(0)
      const part = Math.max(Math.min(MODEL_PART, gap / Math.abs(point.primal)), (SPARE * goal()) / gap)
      yield* this.solveModel(total, part * total)
      rows.values(d, q)
      const promised = this.penalty(1) - this.penalty(0) - dotProduct(v, d)
      const isRounding = !(promised < -ROUNDING * Math.abs(point.primal))
      if (this.stall.isOver(gap, isRounding)) return false
      const { t, rise } = isRounding ? { t: 1, rise: 0 } : this.lineSearch(losses, promised)
      if (t === 0) return false
      if (this.gram) this.damp(isRounding ? promised : rise, promised)
      rows.addScaled(t, d, u)
      rows.addScaled(t, q, f)
      this.work += 6 * rows.stored
      this.step++
      point.advance()
      this.isBetweenSteps = true
      yield
      this.isBetweenSteps = false
    }
  }

  /** Fills β̂, h and v at u; returns the losses there. */
  private measure(): number {
    const { rows, terms, u, v, f, beta, curvature } = this
    let losses: number
    if (this.problem.bias === 'free') {
      u[u.length - 1] += balanceBias(rows, terms, f, beta, curvature, 0)
      losses = rows.lossSum(terms, f)
    } else losses = rows.slopes(terms, f, beta, curvature)
    rows.combine(beta, v)
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

  /**
   * Halves the step until the objective falls by a part of what was promised; t is 0 where it does not. Also by how much the objective
   * rises along the whole step.
   */
  private lineSearch(losses: number, promised: number): { readonly t: number; readonly rise: number } {
    const { rows, terms, f, q, trial } = this
    const before = this.penalty(0) + losses
    let rise = Number.NaN
    let t = 1
    for (let halvings = 0; halvings < MOST_HALVINGS; halvings++) {
      trial.set(f)
      rows.addScaled(t, q, trial)
      const change = this.penalty(t) + rows.lossSum(terms, trial) - before
      if (t === 1) rise = change
      if (change <= ENOUGH * t * promised) return { t, rise }
      t *= 0.5
    }
    return { t: 0, rise }
  }

  /** Damping for the next step, after one along which the objective rises by so much, and its slope is what was promised. */
  private damp(rise: number, promised: number): void {
    const { rows, curvature, q, trial } = this
    trial.fill(0)
    rows.addProductsOf(0, curvature, q, trial)
    const gain = rise / (promised + 0.5 * rows.dot(trial, q))
    if (gain > GOOD) this.damping = Math.max(LEAST_DAMPING, this.damping / DAMPING_STEP)
    else if (!(gain > 0)) this.damping = Math.min(MOST_DAMPING, this.damping * DAMPING_STEP)
    this.setFloor()
  }

  private setFull(): void {
    const { rows, terms, full, trial } = this
    const { isLogistic, lower, upper, shift } = terms
    for (let i = 0; i < trial.length; i++) {
      const price = upper[i] - lower[i]
      trial[i] = price > 0 ? (isLogistic ? price / 4 : 1 / shift[i]) : 0
    }
    rows.squares(trial, full)
  }

  private setFloor(): void {
    const { floor, full, damping } = this
    for (let j = 0; j < floor.length; j++) floor[j] = damping * full[j]
  }

  /** By G; see the header of the file. */
  private byGram(): (total: number, aim: number) => Pieces {
    const { rows, model, floor, curvature, inGram, due } = this
    const gram = this.gram as Triangle
    const n = rows.cols + 1
    const square = rows.vector(n * n)
    const image = rows.vector(n)
    const change = rows.vector(rows.rows)
    const faceCurvature = new SquareCurvature(rows, square, image, due)
    const face = this.faceOf(faceCurvature)
    const self = this
    return function* (total, aim) {
      faceCurvature.restart()
      const curved = rows.countPositive(curvature)
      const different = rows.difference(curvature, inGram, change)
      if (different >= curved) {
        gram.clear()
        change.set(curvature)
      }
      yield* rows.addGram(change, gram, due)
      inGram.set(curvature)
      self.work += 0.5 * Math.min(different, curved) * rows.meanSquare
      fillSquare(gram, floor, square)
      image.fill(0)
      const goal = Math.min(aim, GRAM_PART * total)
      const price = GRAM_PRICE * EPOCHS_APART * n * n
      let before = Number.POSITIVE_INFINITY
      for (let epochs = 0; epochs < GRAM_EPOCHS; epochs += EPOCHS_APART) {
        const left = rows.gramEpochs(model, square, image, EPOCHS_APART, goal)
        self.work += price
        if (left <= goal) return
        const ahead = price * turnsAhead(before, left, goal)
        const facePrice = face.price
        before = left
        if (ahead > facePrice) {
          yield* face.descend(goal / left, ahead)
          self.work += facePrice
          before = Number.POSITIVE_INFINITY
        }
        if (due()) yield
      }
    }
  }

  /** By columns; see the header of the file. */
  private byColumns(): (total: number, aim: number) => Pieces {
    const { rows, model, floor, curvature, due } = this
    const n = rows.cols + 1
    const columns = rows.transposed()
    const starts = (columns.matrix as SparseMatrix).indptr
    const list: FeatureList = { order: rows.list(n), active: rows.list(2) }
    const diagonal = rows.vector(n)
    const pairs = rows.vector(2 * rows.rows)
    const curved: CurvedColumns = { pairs, floor, diagonal }
    const face = this.faceOf(new ColumnCurvature(rows, columns, curvature, curved, model.d, due))
    const self = this
    return function* (total, aim) {
      diagonal.fill(0)
      fillPairs(curvature, pairs)
      self.list(list)
      const most = COLUMN_EPOCHS * 2 * storedOf(list, starts)
      let margin = total / rows.rows
      let before = Number.POSITIVE_INFINITY
      let atFace = Number.POSITIVE_INFINITY
      let isFaceWorth = true
      for (const end = self.work + most; self.work < end; ) {
        const price = 2 * storedOf(list, starts)
        const left = columns.columnEpoch(model, list, curved, margin)
        self.work += price
        if (left <= aim) return
        margin = left / rows.rows
        if (left > GAIN * atFace) isFaceWorth = false
        atFace = Number.POSITIVE_INFINITY
        const ahead = Math.min(FACE_SHARE * most, price * turnsAhead(before, left, aim))
        before = left
        const [count, changed] = list.active
        if (isFaceWorth && changed <= SETTLED * count && ahead > face.price) {
          yield* face.descend((SYSTEM_PART * aim) / left, ahead)
          self.work += face.price
          before = Number.POSITIVE_INFINITY
          atFace = left
        }
        if (due()) yield
      }
    }
  }

  private faceOf(curvature: FaceCurvature): ModelFace {
    this.faceCurvature = curvature
    return new ModelFace(this.model, curvature, (length) => this.rows.vector(length))
  }

  /** Lists the features that are not 0 or might leave it, in an order of this step. */
  private list({ order, active }: FeatureList): void {
    const { model, u, v } = this
    let count = 0
    for (let j = 0; j < u.length; j++) {
      if (u[j] !== 0 || Math.abs(v[j]) > NEAR || j >= model.penalised) order[count++] = j
    }
    active[0] = count
    new Random(this.step).shuffle(order.subarray(0, count))
  }
}

/** Whether steps are worked out over the matrix of the features; see the header of the file. */
export function usesGram(rows: LinearRows, { isLogistic }: LossTerms): boolean {
  const n = rows.cols + 1
  const pass = rows.stored + rows.rows
  const most = isLogistic || rows.rows < TALL * n ? MOST_PASSES : MOST_PASSES_SQUARED
  return n <= MOST_SQUARE && GRAM_PRICE * n * n <= pass && 0.5 * rows.rows * rows.meanSquare <= most * pass
}

/** Turns like the last one, which brought violations from `before` to `left`, until they are `aim`. */
function turnsAhead(before: number, left: number, aim: number): number {
  return left < before ? Math.log(left / aim) / Math.log(before / left) : Number.POSITIVE_INFINITY
}

/** G + diag(floor) as a square. */
function fillSquare(gram: Triangle, floor: Float64Array, square: Float64Array): void {
  const n = floor.length
  for (let i = 0; i < n; i++) {
    const row = gram.row(i)
    square.set(row, i * n)
    for (let j = 0; j < i; j++) square[j * n + i] = row[j]
    square[i * n + i] += floor[i]
  }
}

/** h_i and 0 for each sample. */
function fillPairs(h: Float64Array, pairs: Float64Array): void {
  for (let i = 0; i < h.length; i++) {
    pairs[2 * i] = h[i]
    pairs[2 * i + 1] = 0
  }
}

/** Values stored of the features of a list. */
function storedOf({ order, active }: FeatureList, starts: Uint32Array): number {
  let sum = 0
  for (let a = 0; a < active[0]; a++) sum += starts[order[a] + 1] - starts[order[a]]
  return sum
}
