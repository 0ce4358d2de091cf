/**
 * Newton's method for a linear machine with ‖w‖₁, by smoothing of the norm.
 *
 * a_j = √(w_j² + δ_j²) takes the place of |w_j|, and δ falls to 0. The slope w_j / a_j bends so sharply near 0 that Newton steps on the sum
 * alone would be as short as δ. So it is a variable of its own, s_j between −1 and 1 with s_j a_j = w_j, and steps are those of Newton's
 * method for this equation together with s = X̃ᵀβ̂:
 *
 *   (R + X̃ᵀ diag(h) X̃) p = −g,   R_j = (1 − s_j w_j / a_j) / a_j,   g = w / a − X̃ᵀβ̂,   s_j ← s_j + t (R_j p_j + w_j / a_j − s_j)
 *
 * g is the gradient of the smooth sum, and R > 0 as |s_j| < 1: p leads downhill from any w, and a line search ends where the slope
 * vanishes. An s_j that would leave its bounds becomes w_j / a_j. δ falls as soon as Newton steps gain less than smoothing adds.
 *
 * Parts     where features are many, those take part that are not 0 or have been near |v_j| = 1. All are looked at after each step.
 * Systems   of few features have the factors of ../linear/newton-system.ts, others the sparse ones of ./interior-system.ts.
 * Not for   fewer than two samples for each feature that takes part, where first systems are large and dense; squared hinge losses of many
 *           features: where few samples have a loss, nearly all features join.
 * Stop      a weight of |w_j| <= δ_j is 0 in the model, and t β̂ with t = min(1, 1/‖X̃ᵀβ̂‖∞) is a dual point; the gap is within the goal.
 * Source    Chan, Golub, Mulet 1999.
 */
import { indicesWhere, pickNumbers } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { balanceBias } from '../linear/balance-bias.ts'
import { lineSearch } from '../linear/line-search.ts'
import type { KeptPart, LinearPoint } from '../linear/linear-point.ts'
import { NewtonSystem } from '../linear/newton-system.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { InteriorSystem, type InteriorVectors } from './interior-system.ts'
import { ROUNDING, Stall } from './stall.ts'

/** Features up to which all take part, as far as ../linear/newton-system.ts has factors for them. */
const FEW = 1499
/** Samples for each feature that takes part, at least. */
const SAMPLES = 2
/** Otherwise features of |v_j| beyond this join as soon as one is beyond 1: others may push them there. */
const NEAR = 0.9
/** The first width, as a part of what a feature adds to f where it is not 0: the mean over those whose weights are not 0, or this. */
const FIRST_PART = 0.1
const WIDEST = 2 ** -4
/** Below this part of the first, systems are rounding. */
const LEAST_WIDTH = 2 ** -40
/** By what the width falls after a step that went this part of its way, or more: steps that kinks cut short ask for less. */
const FALLS = [
  { least: 0.9, factor: 0.1 },
  { least: 0.3, factor: 0.3 },
]
/** How accurately systems are solved: of few features, and of many. With 0.01 instead of 0.1, one class of news20 takes 8.6 instead of 7.7 s. */
const ACCURACY = 1e-3
const WIDE_ACCURACY = 0.1
/** Iterations without a factor, for a system of many features, until one is asked for. With 700, the same class takes 24.7 s. */
const MOST_PLAIN = 150
/** Most problems end within 40 steps, and mnist as it is (squared hinge) within 100. */
const MOST_STEPS = 200

/** See the header of the file. */
export class SmoothDescent implements KeptPart {
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly terms: LossTerms
  private readonly due: Due
  /** w and its slopes, of all features. */
  private readonly w: Float64Array
  private readonly s: Float64Array
  /** What a feature adds to f for a weight of 1, the root of its mean square: δ_j is the width divided by it. */
  private readonly sizes: Float64Array
  private readonly u: Float64Array
  private readonly v: Float64Array
  private readonly f: Float64Array
  private readonly values: Float64Array
  private readonly beta: Float64Array
  private readonly curvature: Float64Array
  private readonly moved: Float64Array
  private features: Uint32Array = new Uint32Array()
  private width = 0
  private leastWidth = 0
  private hasFactor = false
  private step = 0
  private readonly stall = new Stall()
  private system: NewtonSystem | undefined
  private savedSystem: object | undefined
  private isBetweenSteps = false

  constructor(problem: LinearMachineProblem, rows: LinearRows, point: LinearPoint, due: Due) {
    const n = rows.cols + 1
    this.problem = problem
    this.rows = rows
    this.point = point
    this.terms = point.terms
    this.due = due
    this.w = rows.vector(n)
    this.s = rows.vector(n)
    this.sizes = rows.vector(n)
    this.u = rows.vector(n)
    this.v = rows.vector(n)
    this.f = rows.vector(rows.rows)
    this.values = rows.vector(rows.rows)
    this.beta = rows.vector(rows.rows)
    this.curvature = rows.vector(rows.rows)
    this.moved = rows.vector(rows.rows)
    this.values.fill(1 / rows.rows)
    rows.squares(this.values, this.sizes)
    for (let j = 0; j < n; j++) this.sizes[j] = this.sizes[j] > 0 ? Math.sqrt(this.sizes[j]) : 1
  }

  save(): object | undefined {
    if (!this.isBetweenSteps) return undefined
    const { w, s, features, width, leastWidth, hasFactor, step, stall, system } = this
    return {
      fields: copyFields({ w, s, features, width, leastWidth, hasFactor, step }),
      stall: stall.save(),
      system: system?.save(),
    }
  }

  restore(saved: object): void {
    const { fields, stall, system } = saved as { fields: object; stall: object; system?: object }
    restoreFields(this, fields)
    this.stall.restore(stall)
    this.savedSystem = system
  }

  /** From the best model that is known. True when the gap is within the goal, false when nothing gets better, or this is not the method. */
  *run(goal: () => number): Pieces<boolean> {
    const { rows, point } = this
    const mark = rows.mark()
    let part: InteriorVectors | undefined
    if (this.step === 0) this.begin()
    while (this.step < MOST_STEPS) {
      this.look()
      if (point.gap <= goal()) return true
      const hasGrown = this.grow()
      if (!suits(rows, this.terms, this.features.length)) return false
      if (hasGrown || !part) {
        rows.release(mark)
        part = this.part()
      }
      const promised = yield* this.advance(part)
      if (this.stall.isOver(point.gap, !(promised > ROUNDING * Math.abs(point.primal)))) return false
      this.step++
      point.advance()
      this.isBetweenSteps = true
      yield
      this.isBetweenSteps = false
    }
    return false
  }

  private get isFree(): boolean {
    return this.problem.bias === 'free'
  }

  private widthOf(j: number): number {
    return this.width / this.sizes[j]
  }

  private slopeOf(j: number, weight: number): number {
    return weight / Math.hypot(weight, this.widthOf(j))
  }

  private begin(): void {
    const { rows, w, s, v, sizes, point } = this
    point.toModel(w)
    const share = typicalShare(w, sizes) || WIDEST
    this.width = FIRST_PART * share
    this.leastWidth = LEAST_WIDTH * share
    this.measure()
    for (let j = 0; j < w.length; j++) s[j] = w[j] !== 0 ? this.slopeOf(j, w[j]) : clip(v[j])
    this.features = indicesWhere(rows.cols, (j) => rows.cols <= FEW || w[j] !== 0 || Math.abs(v[j]) > NEAR)
  }

  /** Fills f, β̂, h and v at w. */
  private measure(): void {
    const { rows, terms, w, f, beta, curvature, v } = this
    rows.values(w, f)
    if (this.isFree) w[rows.cols] += balanceBias(rows, terms, f, beta, curvature, 0)
    else rows.slopes(terms, f, beta, curvature)
    rows.combine(beta, v)
  }

  /** Fills f, β̂, h and v, and offers the model and the dual point. */
  private look(): void {
    const { rows, point, terms, w, u, v, beta, values } = this
    this.measure()
    const { cols } = rows
    let largest = 0
    for (let j = 0; j <= cols; j++) {
      const isPenalised = j < cols || !this.isFree
      u[j] = isPenalised && Math.abs(w[j]) <= this.widthOf(j) ? 0 : w[j]
      if (isPenalised) largest = Math.max(largest, Math.abs(v[j]))
    }
    rows.values(u, values)
    point.offerModel(u, values)
    const t = Math.min(1, 1 / largest)
    for (let i = 0; i < beta.length; i++) values[i] = t * beta[i]
    point.offerDualValue(values, rows.conjugateSum(terms, values))
  }

  /** Whether features have joined. */
  private grow(): boolean {
    const { rows, v, s } = this
    if (this.features.length === rows.cols) return false
    const isIn = new Uint8Array(rows.cols)
    for (const j of this.features) isIn[j] = 1
    let isOutside = false
    for (let j = 0; j < rows.cols; j++) if (!isIn[j] && Math.abs(v[j]) > 1) isOutside = true
    if (!isOutside) return false
    this.features = indicesWhere(rows.cols, (j) => isIn[j] === 1 || Math.abs(v[j]) > NEAR)
    for (const j of this.features) if (!isIn[j]) s[j] = clip(v[j])
    return true
  }

  private part(): InteriorVectors {
    const { rows, curvature, due } = this
    const own = rows.columns(this.features)
    const n = own.cols + 1
    const [ridge, side, d, product, diagonal, residual, direction, conditioned] = Array.from(
      { length: 8 },
      () => own.vector(n),
    )
    this.system = n <= FEW + 1 ? new NewtonSystem(own, ridge, due) : undefined
    if (this.savedSystem) this.system?.restore(this.savedSystem as ReturnType<NewtonSystem['save']>)
    this.savedSystem = undefined
    const vectors = { own, h: curvature, R: ridge, rhs: side, d }
    return { ...vectors, product, diagonal, residual, direction, conditioned }
  }

  /** A step; returns what it promised. */
  private *advance(part: InteriorVectors): Pieces<number> {
    const { rows, features, moved } = this
    const { own, h, R, rhs: g, d } = part
    const n = own.cols + 1
    const m = this.isFree ? n - 1 : n
    const all = Uint32Array.from({ length: n }, (_, b) => (b < n - 1 ? features[b] : rows.cols))
    const [w, s, v] = [this.w, this.s, this.v].map((x) => pickNumbers(x, all))
    const widths = Float64Array.from(all, (j) => this.widthOf(j))
    for (let b = 0; b < m; b++) {
      const a = Math.hypot(w[b], widths[b])
      R[b] = (1 - (s[b] * w[b]) / a) / a
      g[b] = w[b] / a - v[b]
    }
    if (this.isFree) R[m] = g[m] = 0
    const gradient = g.slice()
    if (this.system) yield* this.system.solve(h, 1, g, d, moved, ACCURACY)
    else {
      for (let b = 0; b < n; b++) g[b] = -g[b]
      const mark = own.mark()
      const wide = new InteriorSystem(part, this.due)
      this.hasFactor = yield* wide.solve(WIDE_ACCURACY, this.hasFactor, MOST_PLAIN)
      own.release(mark)
      own.values(d, moved)
    }
    let promised = 0
    for (let b = 0; b < n; b++) promised -= gradient[b] * d[b]
    const t = lineSearch((t) => {
      let { slope, bend } = rows.slopeAlong(this.terms, this.f, moved, t)
      for (let b = 0; b < m; b++) {
        const weight = w[b] + t * d[b]
        const a = Math.hypot(weight, widths[b])
        slope += (d[b] * weight) / a
        bend += (d[b] * widths[b]) ** 2 / a ** 3
      }
      return { slope, bend }
    }, promised)
    let added = 0
    for (let b = 0; b < n; b++) {
      const j = all[b]
      const moving = s[b] + t * (R[b] * d[b] + w[b] / Math.hypot(w[b], widths[b]) - s[b])
      this.w[j] += t * d[b]
      if (b >= m) continue
      this.s[j] = Math.abs(moving) < 1 ? moving : this.slopeOf(j, this.w[j])
      added += Math.hypot(this.w[j], widths[b]) - Math.abs(this.w[j])
    }
    if (promised <= added && this.width > this.leastWidth)
      this.width *= FALLS.find(({ least }) => t >= least)?.factor ?? 1
    return promised
  }
}

/** Whether smoothing is the better way from a model with so many weights other than 0; see the header of the file. */
export function suits(rows: LinearRows, { isLogistic }: LossTerms, weights: number): boolean {
  const isFew = rows.cols <= FEW
  return (isLogistic || isFew) && SAMPLES * (isFew ? rows.cols : weights) <= rows.rows
}

function clip(slope: number): number {
  return Math.max(-NEAR, Math.min(NEAR, slope))
}

/** The mean of what features add to f, where their weight is not 0; 0 where there is none. */
function typicalShare(w: Float64Array, sizes: Float64Array): number {
  let sum = 0
  let count = 0
  for (let j = 0; j < w.length - 1; j++) {
    if (w[j] === 0) continue
    sum += Math.abs(w[j]) * sizes[j]
    count++
  }
  return count > 0 ? sum / count : 0
}
