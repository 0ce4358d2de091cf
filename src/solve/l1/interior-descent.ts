/**
 * An interior point method for a linear machine with ‖w‖₁ and squared hinge losses, for C so large that almost no loss is left,
 * and a bias that is regularised or absent.
 *
 * With w = p − q, a_i = z_i β_i and D of ../../problems/linear-loss.ts, v = X̃ᵀβ, w is optimal when all of these are at least 0 and
 *
 *   s⁺ = 1 − v,   s⁻ = 1 + v,   t_i = z_i f_i + D_i a_i − 1,      p_j s⁺_j = 0,   q_j s⁻_j = 0,   a_i t_i = 0
 *
 * Steps lead to products of μ instead, which falls towards 0: one to see how far it can fall, then one that takes the second order into account
 * (Mehrotra). Both are solutions with one factor (./sparse-factor.ts) of R + X̃ᵀ diag(h) X̃,
 *
 *   h_i = 1 / (D_i + t_i / a_i),   R_j = 1 / (p_j / s⁺_j + q_j / s⁻_j)
 *
 * Parts     only features with |v_j| near 1 and samples with margins near 1 take part. All others are looked at after each step, and join with
 *           products of μ.
 * Stop      t β with t = min(1, 1/‖v‖∞) is a dual point; the gap to the best model is within the goal.
 * Source    Mehrotra 1992.
 */
import { indicesWhere, pickNumbers, placesOfNonZeros } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { KeptPart, LinearPoint } from '../linear/linear-point.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { InteriorSystem, type InteriorVectors } from './interior-system.ts'
import { SparseFactor } from './sparse-factor.ts'

/** Features of |v_j| beyond this, and samples of margins up to this, take part when there are others beyond 1, or within it. */
const NEAR = 0.9
const REACH = 0.1
/** Products are this part of ‖w‖₁ at first, in sum. With 0.5 and 2, 1.4 and 4 times as many features of one class of news20 join. */
const FIRST_PART = 0.1
/** A step goes to this part of the way to the first bound. */
const TO_BOUND = 0.995
/** How accurately the two systems of a step are solved: with 1e-2 and 1e-4, one class of news20 takes 26 steps instead of 20. */
const ROUGH = 1e-3
const ACCURATE = 1e-5
/** Iterations without a factor until one is asked for. With 60 and 150, one class of news20 takes as long. */
const MOST_PLAIN = 700
const MOST_STEPS = 150
/** Multiply-adds of a sparse factor, at most: those of news20 (C = 100, one class) take 1e8, dense ones of as many weights 2e9. */
const MOST_PRICE = 4e8
/**
 * Where more than this part of all values is stored, factors are dense, however few multiply-adds they take: gisette_like, a fifth of whose values
 * are, takes 76 s (C = 10) with interior points, and 23 s with ../methods/l1-newton.ts.
 */
const DENSE_PART = 0.1
/** Steps to less than this part of their way in a row: it is rounding that is left. */
const SHORT = 1e-4
const MOST_SHORT = 5

/** See the header of the file. */
export class InteriorDescent implements KeptPart {
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly terms: LossTerms
  private readonly due: Due
  private readonly u: Float64Array
  private readonly v: Float64Array
  private readonly f: Float64Array
  private readonly beta: Float64Array
  private readonly trial: Float64Array
  private readonly p: Float64Array
  private readonly q: Float64Array
  private readonly above: Float64Array
  private readonly below: Float64Array
  private readonly a: Float64Array
  private readonly t: Float64Array
  private features: Uint32Array = new Uint32Array()
  private samples: Uint32Array = new Uint32Array()
  /** Whether iterations without a factor have come to take longer than one. */
  private hasFactor = false
  private step = 0
  private short = 0
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
    this.f = rows.vector(rows.rows)
    this.beta = rows.vector(rows.rows)
    this.trial = rows.vector(rows.rows)
    this.p = new Float64Array(n)
    this.q = new Float64Array(n)
    this.above = new Float64Array(n)
    this.below = new Float64Array(n)
    this.a = new Float64Array(rows.rows)
    this.t = new Float64Array(rows.rows)
  }

  save(): object | undefined {
    if (!this.isBetweenSteps) return undefined
    const { p, q, above, below, a, t, features, samples, hasFactor, step, short } = this
    return copyFields({ p, q, above, below, a, t, features, samples, hasFactor, step, short })
  }

  restore(saved: object): void {
    restoreFields(this, saved)
  }

  /** True when the gap is within the goal, false when factors are too large, or rounding is all that is left. */
  *run(model: Float64Array, slopes: Float64Array, goal: () => number): Pieces<boolean> {
    const { rows, point } = this
    const mark = rows.mark()
    let part: Part | undefined
    if (this.step === 0) this.begin(model, slopes)
    while (this.step < MOST_STEPS && this.short < MOST_SHORT) {
      this.look()
      if (point.gap <= goal()) return true
      if (this.grow() || !part) {
        rows.release(mark)
        part = this.part()
      }
      const length = yield* this.advance(part)
      this.short = length < SHORT ? this.short + 1 : 0
      this.step++
      point.advance()
      this.isBetweenSteps = true
      yield
      this.isBetweenSteps = false
    }
    return false
  }

  /** Products of what may not fall below 0, on average. */
  private get mean(): number {
    const { p, q, above, below, a, t, features, samples } = this
    let sum = 0
    const add = (j: number) => {
      sum += p[j] * above[j] + q[j] * below[j]
    }
    for (const j of features) add(j)
    add(this.rows.cols)
    for (const i of samples) sum += a[i] * t[i]
    return sum / (2 * (features.length + 1) + samples.length)
  }

  private begin(model: Float64Array, slopes: Float64Array): void {
    const { rows, problem, u, v, f, beta, a } = this
    const { z } = problem
    u.set(model)
    beta.set(slopes)
    rows.values(u, f)
    rows.combine(beta, v)
    // A multiple of β that is a dual point. As it is, thousands of features without a part in the solution may be beyond 1.
    let largest = 1
    for (const slope of v) largest = Math.max(largest, Math.abs(slope))
    for (let j = 0; j < v.length; j++) v[j] /= largest
    for (let i = 0; i < beta.length; i++) beta[i] /= largest
    let norm = 0
    for (const own of u) norm += Math.abs(own)
    this.features = indicesWhere(rows.cols, (j) => u[j] !== 0 || Math.abs(v[j]) > NEAR)
    this.samples = indicesWhere(
      rows.rows,
      (i) => this.terms.shift[i] > 0 && (beta[i] !== 0 || z[i] * f[i] < 1 + REACH),
    )
    const mean = (FIRST_PART * norm) / (2 * this.features.length + this.samples.length)
    for (const j of this.features) this.joinFeature(j, u[j], mean)
    this.joinFeature(rows.cols, u[rows.cols], mean)
    for (const i of this.samples) {
      a[i] = z[i] * beta[i]
      this.joinSample(i, mean)
    }
  }

  /** A weight, with products of `mean` where that can be. */
  private joinFeature(j: number, weight: number, mean: number): void {
    const { p, q, above, below, v } = this
    const least = Math.min(1, Math.sqrt(mean))
    above[j] = Math.max(1 - v[j], weight > 0 ? mean / (weight + mean) : least)
    below[j] = Math.max(1 + v[j], weight < 0 ? mean / (mean - weight) : least)
    p[j] = Math.max(weight, 0) + mean / Math.max(above[j], least)
    q[j] = Math.max(-weight, 0) + mean / Math.max(below[j], least)
  }

  private joinSample(i: number, mean: number): void {
    const { a, t, f } = this
    const least = Math.min(1, Math.sqrt(mean))
    const beyond = this.problem.z[i] * f[i] + this.terms.shift[i] * a[i] - 1
    t[i] = Math.max(beyond, a[i] > least ? mean / a[i] : least)
    a[i] = Math.max(a[i], mean / t[i])
  }

  /** Fills f and v, and offers the model and the dual point. */
  private look(): void {
    const { rows, problem, point, terms, u, v, f, beta, trial, p, q, above, below, a } = this
    for (let j = 0; j < u.length; j++) u[j] = p[j] > above[j] || q[j] > below[j] ? p[j] - q[j] : 0
    rows.values(u, f)
    point.offerModel(u, f)
    for (let j = 0; j < u.length; j++) u[j] = p[j] - q[j]
    rows.values(u, f)
    for (let i = 0; i < a.length; i++) beta[i] = problem.z[i] * a[i]
    rows.combine(beta, v)
    let largest = 0
    for (const slope of v) largest = Math.max(largest, Math.abs(slope))
    const scale = Math.min(1, 1 / largest)
    for (let i = 0; i < a.length; i++) trial[i] = scale * beta[i]
    point.offerDualValue(trial, rows.conjugateSum(terms, trial))
  }

  /** Whether features or samples have joined. */
  private grow(): boolean {
    const { rows, problem, terms, v, f } = this
    const { z } = problem
    const isIn = new Uint8Array(Math.max(rows.cols, rows.rows))
    const mean = this.mean
    for (const j of this.features) isIn[j] = 1
    let isOutside = false
    for (let j = 0; j < rows.cols; j++) if (!isIn[j] && Math.abs(v[j]) > 1) isOutside = true
    if (isOutside) {
      this.features = indicesWhere(rows.cols, (j) => isIn[j] === 1 || Math.abs(v[j]) > NEAR)
      for (const j of this.features) if (!isIn[j]) this.joinFeature(j, 0, mean)
    }
    isIn.fill(0)
    for (const i of this.samples) isIn[i] = 1
    let isWithin = false
    for (let i = 0; i < rows.rows; i++) if (!isIn[i] && terms.shift[i] > 0 && z[i] * f[i] < 1) isWithin = true
    if (isWithin) {
      this.samples = indicesWhere(
        rows.rows,
        (i) => isIn[i] === 1 || (terms.shift[i] > 0 && z[i] * f[i] < 1 + REACH),
      )
      for (const i of this.samples) if (!isIn[i]) this.joinSample(i, mean)
    }
    return isOutside || isWithin
  }

  private part(): Part {
    const own = this.rows.part(this.samples, this.features)
    const n = own.cols + 1
    const vectors = Array.from({ length: 8 }, () => own.vector(n))
    const [R, rhs, d, product, diagonal, residual, direction, conditioned] = vectors
    const [h, side, moved] = Array.from({ length: 3 }, () => own.vector(own.rows))
    return { own, h, side, moved, R, rhs, d, product, diagonal, residual, direction, conditioned }
  }

  /** A step; returns which part of its way it went. */
  private *advance(part: Part): Pieces<number> {
    const { own, h, side, moved, R, rhs, d } = part
    const { features, samples } = this
    const { cols } = this.rows
    const n = own.cols + 1
    const all = Uint32Array.from({ length: n }, (_, b) => (b < n - 1 ? features[b] : cols))
    const [p, q, above, below, v] = [this.p, this.q, this.above, this.below, this.v].map((x) =>
      pickNumbers(x, all),
    )
    const [a, t, f, z, D] = [this.a, this.t, this.f, this.problem.z, this.terms.shift].map((x) =>
      pickNumbers(x, samples),
    )
    const mean = this.mean
    for (let i = 0; i < a.length; i++) h[i] = 1 / (D[i] + t[i] / a[i])
    for (let b = 0; b < n; b++) R[b] = 1 / (p[b] / above[b] + q[b] / below[b])
    const mark = own.mark()
    const system = new InteriorSystem(part, this.due)
    const pairs = [p, above, q, below, a, t]
    const free = new Float64Array(n)
    const zeros = () => pairs.map((x) => new Float64Array(x.length))
    const self = this
    function* solution(target: number, second: readonly Float64Array[], accuracy: number) {
      const changes = zeros()
      const [dp, dAbove, dq, dBelow, da, dt] = changes
      const restOf = (k: number, b: number) =>
        target - pairs[k][b] * pairs[k + 1][b] - second[k][b] * second[k + 1][b]
      // R (Δw − e) = X̃ᵀ Δβ, and Δβ = z h (r − z X̃ Δw).
      for (let i = 0; i < a.length; i++) {
        side[i] = z[i] * h[i] * (restOf(4, i) / a[i] - (z[i] * f[i] + D[i] * a[i] - 1 - t[i]))
      }
      own.combine(side, rhs)
      for (let b = 0; b < n; b++) {
        const up = restOf(0, b) - p[b] * (1 - v[b] - above[b])
        const down = restOf(2, b) - q[b] * (1 + v[b] - below[b])
        free[b] = up / above[b] - down / below[b]
        rhs[b] += R[b] * free[b]
      }
      self.hasFactor = yield* system.solve(accuracy, self.hasFactor, MOST_PLAIN)
      own.values(d, moved)
      for (let i = 0; i < a.length; i++) side[i] -= h[i] * moved[i]
      for (let b = 0; b < n; b++) {
        const change = R[b] * (d[b] - free[b])
        dAbove[b] = 1 - v[b] - above[b] - change
        dBelow[b] = 1 + v[b] - below[b] + change
        dp[b] = (restOf(0, b) - p[b] * dAbove[b]) / above[b]
        dq[b] = (restOf(2, b) - q[b] * dBelow[b]) / below[b]
      }
      for (let i = 0; i < a.length; i++) {
        da[i] = z[i] * side[i]
        dt[i] = (restOf(4, i) - t[i] * da[i]) / a[i]
      }
      return changes
    }
    const wayOf = (changes: readonly Float64Array[]) => {
      let way = 1 / TO_BOUND
      changes.forEach((change, k) => {
        for (let b = 0; b < change.length; b++)
          if (change[b] < 0) way = Math.min(way, pairs[k][b] / -change[b])
      })
      return way
    }
    const first = yield* solution(0, zeros(), ROUGH)
    const way = Math.min(1, wayOf(first))
    let sum = 0
    for (let k = 0; k < pairs.length; k += 2) {
      for (let b = 0; b < pairs[k].length; b++)
        sum += (pairs[k][b] + way * first[k][b]) * (pairs[k + 1][b] + way * first[k + 1][b])
    }
    const ahead = sum / (2 * n + a.length)
    const changes = yield* solution(mean * Math.min(1, (ahead / mean) ** 3), first, ACCURATE)
    const length = Math.min(1, TO_BOUND * wayOf(changes))
    const targets = [this.p, this.above, this.q, this.below, this.a, this.t]
    targets.forEach((target, k) => {
      const list = k < 4 ? all : samples
      for (let b = 0; b < list.length; b++) target[list[b]] += length * changes[k][b]
    })
    own.release(mark)
    return length
  }
}

/**
 * Whether the factor of the features that are not 0 and the samples with a loss, β ≠ 0, is a sparse one: then interior points are the better
 * way (docs/benchmarks.md).
 */
export function hasSparseFactor(rows: LinearRows, model: Float64Array, beta: Float64Array): boolean {
  if (rows.stored > DENSE_PART * rows.rows * rows.cols) return false
  const mark = rows.mark()
  const features = indicesWhere(rows.cols, (j) => model[j] !== 0)
  const { price } = new SparseFactor(rows.part(placesOfNonZeros(beta), features))
  rows.release(mark)
  return price <= MOST_PRICE
}

/** The features and samples that take part, and vectors over them. */
interface Part extends InteriorVectors {
  readonly side: Float64Array
  readonly moved: Float64Array
}
