/**
 * Newton's method on the primal of a linear machine; see ../methods/newton.ts. It continues from the best model and dual
 * point that
 * are known, and improves both.
 */
import { indicesWhere } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import { isSmooth, type LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { balanceBias } from './balance-bias.ts'
import { lineSearch, type SlopeAt } from './line-search.ts'
import type { KeptPart, LinearPoint } from './linear-point.ts'
import { NewtonSystem, STEPS_PER_REFRESH } from './newton-system.ts'

/**
 * Multipliers are updated when the gradient's part of the gap has fallen to this. Tried on a9a, w8a and madelon (hinge): 0.1 and
 * 0.7 took as many steps within 15 %.
 */
const INNER_PART = 0.3
/**
 * The first width of smoothing, in units of margins or targets: so wide that at w = 0 every loss is curved. How it falls from one
 * update of the multipliers to the next: a power of two keeps the Gram matrix. Steps with the hinge loss by 1/2 and by 1/4: mnist as it
 * is (C = 1) 161 and 273, w8a (C = 100) 129 and 177, a9a (C = 1) 31 and 44; on a9a, w8a, covtype, madelon, splice and cod-rna with C =
 * 0.01, 1 and 100 fewer on 14 of 18, and five more at most. On mnist 1/√2 and 1/√8 take 173 and 224, and a first width of 2 and 4
 * takes 214 and 187. From a start it is 1: with 4 and 1/4 it took more steps (48 starts from most of the samples of random text and
 * moons).
 */
const WIDEST = 16
const NARROWING = 1 / 2
/**
 * The same where features are too many for a factor, and a step for the samples that were free leads from one width to the next. On random
 * sparse data with the hinge and the epsilon-insensitive loss (C = 1 and 100) that step takes a quarter of the time away, 1/√2 instead of 1/2 a
 * sixth of what is left; 0.84 takes as long. With factors the step costs one more of them: it saves steps, but no time.
 */
const NARROWING_PREDICTED = Math.SQRT1_2
/** The least width, as a part of the first one: below it the systems are rounding. */
const LEAST_WIDTH = 2 ** -40
/**
 * Newton steps for one choice of the multipliers, at most: narrowing before the gradient has fallen ends far from the solution. On
 * mnist as it is (hinge, C = 1) up to 60 are taken, and 60 are too few.
 */
const MOST_INNER = 400
/**
 * Steps of a smooth problem, or updates of the multipliers, without a lower gap or value: then it is rounding that is left. From a start
 * that is near the solution, updates gain nothing until the width has fallen by orders of magnitude.
 */
const MOST_STEPS_WITHOUT_GAIN = 10
const MOST_UPDATES_WITHOUT_GAIN = 20
/** A value is lower where it is so by this part of its size: less is rounding of a sum over many samples. */
const REAL_GAIN = 1e-12
/** A gap is lower where it has fallen to this part of what it was: otherwise a digit would take more than twenty steps. */
const REAL_FALL = 0.9
/** What a step costs beside its system, in passes over the data: values, slopes, X̃ᵀβ̂. */
const PASSES = 3
/** How accurately a system is solved at most: beyond it, rounding of the factor decides. */
const MOST_ACCURACY = 1e-6

/** See the header of the file. Each yield is a Newton step, or a pause within one; true when `isDone` said so. */
export class NewtonDescent implements KeptPart {
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly system: NewtonSystem
  private readonly u: Float64Array
  private readonly f: Float64Array
  private readonly beta: Float64Array
  private readonly curvature: Float64Array
  private readonly v: Float64Array
  private readonly g: Float64Array
  private readonly p: Float64Array
  private readonly q: Float64Array
  /** The multipliers about which losses with kinks are smoothed, and how widely. */
  private readonly centre: Float64Array
  private readonly smoothed: LossTerms
  private width = 1
  /** Steps with these, and whether one has just ended. */
  private step = 0
  isBetweenSteps = false
  private passes = 0
  private lowestGap = Number.POSITIVE_INFINITY
  private lowestPrimal = Number.POSITIVE_INFINITY
  private withoutGain = 0

  constructor(problem: LinearMachineProblem, rows: LinearRows, point: LinearPoint, due: Due) {
    const n = rows.cols + 1
    this.problem = problem
    this.rows = rows
    this.point = point
    const ridge = rows.vector(n).fill(1)
    if (problem.bias === 'free') ridge[n - 1] = 0
    this.system = new NewtonSystem(rows, ridge, due)
    this.u = rows.vector(n)
    this.v = rows.vector(n)
    this.g = rows.vector(n)
    this.p = rows.vector(n)
    this.f = rows.vector(rows.rows)
    this.beta = rows.vector(rows.rows)
    this.curvature = rows.vector(rows.rows)
    this.q = rows.vector(rows.rows)
    const isPlain = isSmooth(problem.loss)
    this.centre = new Float64Array(isPlain ? 0 : rows.rows)
    this.smoothed = isPlain
      ? point.terms
      : { ...point.terms, z: rows.vector(rows.rows), shift: rows.vector(rows.rows) }
  }

  save(): object | undefined {
    if (!this.isBetweenSteps) return undefined
    const { u, f, centre, width, step, passes, lowestGap, lowestPrimal, withoutGain } = this
    const fields = { u, f, centre, width, step, passes, lowestGap, lowestPrimal, withoutGain }
    return { fields: copyFields(fields), system: this.system.save() }
  }

  restore(saved: object): void {
    const { fields, system } = saved as { fields: object; system: ReturnType<NewtonSystem['save']> }
    restoreFields(this, fields)
    this.system.restore(system)
  }

  /** Multiply-adds so far, about. */
  get work(): number {
    return this.system.work + this.passes * this.rows.stored
  }

  *run(isDone: () => boolean): Pieces<boolean> {
    const { problem, point, u } = this
    const isPlain = isSmooth(problem.loss)
    // Where the run continues, all this is restored.
    if (this.step === 0) {
      point.toModel(u)
      if (!isPlain) {
        this.centre.set(point.state.alpha)
        this.width = this.firstWidth()
      }
    }
    if (isPlain) return yield* this.descend(point.terms, isDone, () => false)
    return yield* this.multipliers(isDone)
  }

  /** The augmented Lagrangian: losses smoothed about the multipliers, ever less. */
  private *multipliers(isDone: () => boolean): Pieces<boolean> {
    const { point, beta, centre, smoothed } = this
    const leastWidth = LEAST_WIDTH * WIDEST * this.widthUnit()
    const predicts = !this.system.isFactored
    let free: Uint32Array | undefined
    for (;;) {
      smoothTerms(point.terms, centre, this.width, smoothed)
      if (free) yield* this.predict(free)
      const settled = (gradientGap: number, gap: number) => gradientGap <= INNER_PART * gap
      if (yield* this.descend(smoothed, isDone, settled)) return true
      if (this.hasStalled(MOST_UPDATES_WITHOUT_GAIN)) return false
      if (predicts) free = indicesWhere(beta.length, (i) => this.curvature[i] > 0)
      centre.set(beta)
      this.step = 0
      if (this.width > leastWidth) this.width *= predicts ? NARROWING_PREDICTED : NARROWING
    }
  }

  /**
   * A Newton step towards the minimum for new multipliers, as if the samples that were free stayed so. Narrower losses lead many of their β̂ to
   * bounds at first: the others are too few to hold all directions, and Newton steps would bring them back a few at a time.
   */
  private *predict(free: Uint32Array): Pieces {
    const { rows, u, f, beta, curvature, v, g, p, width, smoothed, centre } = this
    const { bias, balance } = this.problem
    const { z, shift, epsilon } = smoothed
    rows.values(u, f)
    rows.slopes(smoothed, f, beta, curvature)
    curvature.fill(0)
    for (const i of free) {
      beta[i] = (z[i] - f[i] - epsilon * Math.sign(centre[i])) / shift[i]
      curvature[i] = width / shift[i]
    }
    rows.combine(beta, v)
    g.set(u)
    rows.addScaled(-1, v, g)
    if (bias === 'free') g[g.length - 1] = balance - v[v.length - 1]
    yield* this.system.solve(curvature, 1 / width, g, p, this.q, this.system.leastAccuracy)
    this.passes += PASSES
    const slope = this.slopeAlong(smoothed)
    const start = slope(0).slope
    if (start < 0) rows.addScaled(lineSearch(slope, -start), p, u)
    this.point.advance()
    yield
  }

  /** Newton steps on smooth losses until done, or `settled`; true when done. h is given in units of 1 / width. */
  private *descend(
    terms: LossTerms,
    isDone: () => boolean,
    settled: (gradientGap: number, gap: number) => boolean,
  ): Pieces<boolean> {
    const { rows, point, u, f, beta, curvature, v, g, p, q, width } = this
    const { bias, balance } = this.problem
    const isPlain = terms === point.terms
    while (this.step < MOST_INNER || isPlain) {
      if (this.step % STEPS_PER_REFRESH === 0) rows.values(u, f)
      let losses = 0
      if (bias === 'free') u[u.length - 1] += balanceBias(rows, terms, f, beta, curvature, balance)
      else losses = rows.slopes(terms, f, beta, curvature)
      rows.combine(beta, v)
      g.set(u)
      rows.addScaled(-1, v, g)
      if (bias === 'free') g[g.length - 1] = 0
      const gradient = rows.dot(g, g)
      let gap = 0.5 * gradient
      // Where β̂ is the slope of the losses themselves, their conjugates follow: −⟨u, v⟩ less the losses.
      if (isPlain && bias !== 'free') point.offerDualValue(beta, gap - point.offerLosses(u, losses))
      else gap = point.offerModel(u, f) + point.offerDual(beta, v)
      if (isDone()) return true
      if (settled(0.5 * gradient, gap) || gradient === 0) return false
      if (isPlain && this.hasStalled(MOST_STEPS_WITHOUT_GAIN)) return false
      if (width !== 1) for (let i = 0; i < curvature.length; i++) curvature[i] *= width
      // Newton's method converges quadratically only where systems are solved more and more accurately.
      const accuracy = Math.min(
        this.system.leastAccuracy,
        Math.max(MOST_ACCURACY, Math.sqrt(Math.abs(gap / point.primal))),
      )
      yield* this.system.solve(curvature, 1 / width, g, p, q, accuracy)
      const t = this.stepLength(terms)
      rows.addScaled(t, p, u)
      rows.addScaled(t, q, f)
      point.advance()
      this.step++
      this.passes += PASSES
      this.isBetweenSteps = true
      yield
      this.isBetweenSteps = false
    }
    return false
  }

  /** The step along p that minimises the smooth objective, about: its slope is monotone. */
  private stepLength(terms: LossTerms): number {
    return lineSearch(this.slopeAlong(terms), Math.abs(this.rows.dot(this.g, this.p)))
  }

  /** The slope of the smooth objective along p, from u. */
  private slopeAlong(terms: LossTerms): SlopeAt {
    const { rows, u, f, p, q } = this
    const { bias, balance } = this.problem
    const isFree = bias === 'free'
    const penalised = p.length - Number(isFree)
    const linear = rows.dot(u, p, penalised) + (isFree ? balance * p[penalised] : 0)
    const square = rows.dot(p, p, penalised)
    return (t) => {
      const { slope, bend } = rows.slopeAlong(terms, f, q, t)
      return { slope: slope + linear + t * square, bend: bend + square }
    }
  }

  /** Whether neither the gap nor the primal value has become smaller for more than so many times. */
  private hasStalled(most: number): boolean {
    const { gap, primal } = this.point
    const isLower =
      gap < REAL_FALL * this.lowestGap || primal < this.lowestPrimal - REAL_GAIN * Math.abs(primal)
    this.lowestGap = Math.min(gap, this.lowestGap)
    this.lowestPrimal = Math.min(primal, this.lowestPrimal)
    this.withoutGain = isLower ? 0 : this.withoutGain + 1
    return this.withoutGain > most
  }

  /** The width that smoothing begins with. A model that is lower than w = 0, where f still is, has margins, or residuals, of the right size. */
  private firstWidth(): number {
    const { rows, point, f } = this
    const isNear = point.primal < rows.lossSum(point.terms, f)
    return (isNear ? 1 : WIDEST) * this.widthUnit()
  }

  /** The size of margins, or of targets, a power of two. */
  private widthUnit(): number {
    const { loss, z, epsilon } = this.problem
    if (loss === 'hinge') return 1
    let size = 0
    if (loss === 'one-class') {
      const { squaredNorms } = this.rows
      for (const norm of squaredNorms) size += norm / squaredNorms.length
    } else for (const target of z) size += Math.abs(target) / z.length
    const unit = Math.max(size, epsilon)
    return unit > 0 ? 2 ** Math.round(Math.log2(unit)) : 1
  }
}

/**
 * Losses with −½ (width / C_i) (β − centre_i)² added to what is maximised: z_i becomes z_i + D centre_i and D_i the larger. The slope
 * of the loss is then continuous, and at its centre what it was.
 */
function smoothTerms(terms: LossTerms, centre: Float64Array, width: number, smoothed: LossTerms): void {
  const { lower, upper, z } = terms
  for (let i = 0; i < z.length; i++) {
    const bound = Math.max(upper[i], -lower[i])
    const own = bound > 0 ? width * (1 / bound) : 0
    smoothed.shift[i] = own
    smoothed.z[i] = z[i] + own * centre[i]
  }
}
