/**
 * Dual coordinate descent for linear regression: one β at a time.
 *
 * Problem   the dual of regression in ../../problems/linear-problem.ts. With G_i = ⟨w, x̃_i⟩ − z_i + D_i β_i the slope of the
 *           dual along β_i is G_i + ε where β_i > 0 and G_i − ε where β_i < 0; at 0 it is optimal while |G_i| <= ε.
 * Method    in each epoch, in a new random order, minimise the dual over β_i alone. With H = ‖x̃_i‖² + D_i that is
 *             β_i ← clip(β_i − (G_i + ε)/H)   where that is > 0,   clip(β_i − (G_i − ε)/H)   where that is < 0,   else 0,
 *           and w ← w + (β_i − β_i^old) x̃_i.
 * Shrinking a sample at 0 or at a bound whose slope points into it by more than the largest violation of the epoch before
 *           is left out until the others are solved; then all come back.
 * Stop      the largest violation over all samples is within tol, for a w computed afresh from β, and so is the gap
 *           (../linear/coordinate-descent.ts).
 * Source    Ho, Lin 2012, "Large-scale linear support vector regression".
 * Cost      a step O(non-zeros of the row).
 */
import { allocate } from '../../base/allocate.ts'
import { countUp } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { addRow, rowDot, squaredNorms } from '../../data/matrix/products.ts'
import { type LinearSvrProblem, linearWeights, tubeBounds, tubeShift } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { Solver } from '../driver/solver.ts'
import { stepsPerSlice } from '../dual/kernel-expansion.ts'
import { descend, type Epochs } from '../linear/coordinate-descent.ts'

/** See the head of the file. */
export const svrDescent: Solver<object, LinearSvrProblem> = {
  name: 'svr-descent',
  title: 'Dual coordinate descent for regression',
  source: 'Ho, Lin 2012',
  tasks: ['linear-svr'],
  biasForms: ['regularised', 'none'],
  linearOnly: true,
  squaredLoss: true,
  unit: 'epoch',
  goal: 'both',
  defaults: { tol: 1e-4, maxIter: () => 100_000 },
  options: {},

  run(problem, context) {
    const epochs = new TubeEpochs(problem)
    return descend(epochs, epochs.values().primal, context)
  },
}

/** β, w, and the order in which samples are visited. */
class TubeEpochs implements Epochs {
  /** β. */
  readonly alpha: Float64Array
  /** The samples of positive C; the first `active` of them are visited, the others are shrunk. */
  readonly order: Uint32Array
  readonly visitsPerSlice: number
  active: number
  largest = 0
  changed = false

  private readonly problem: LinearSvrProblem
  private readonly samples: Matrix
  private readonly w: Float64Array
  private readonly upper: Float64Array
  private readonly extra: Float64Array
  private readonly curvature: Float64Array
  private position = 0
  /** Slopes beyond this point into a bound for sure: the largest violation of the epoch before. */
  private threshold = Number.POSITIVE_INFINITY

  constructor(problem: LinearSvrProblem) {
    const { samples, C, constant } = problem
    this.problem = problem
    this.samples = samples
    this.visitsPerSlice = stepsPerSlice(problem)
    this.alpha = new Float64Array(samples.rows)
    this.w = allocate(Float64Array, samples.cols + 1)
    this.upper = tubeBounds(problem)
    this.extra = tubeShift(problem)
    this.curvature = squaredNorms(samples).map((norm, i) => norm + constant ** 2 + this.extra[i])
    this.order = countUp(C.length).filter((i) => C[i] > 0)
    this.active = this.order.length
  }

  save(): object {
    const { alpha, order, w, active, largest, changed, position, threshold } = this
    return copyFields({ alpha, order, w, active, largest, changed, position, threshold })
  }

  restore(saved: object): void {
    restoreFields(this, saved)
  }

  start(): void {
    this.position = 0
    this.largest = 0
    this.changed = false
  }

  sweep(visits: number): boolean {
    const { problem, samples, alpha: beta, order, w, upper, extra, curvature, threshold } = this
    const { z, epsilon, constant } = problem
    const { cols } = samples
    let { position, active, largest } = this
    for (let visit = 0; visit < visits && position < active; visit++) {
      const i = order[position]
      const old = beta[i]
      const limit = upper[i]
      const gradient = rowDot(samples, i, w) + constant * w[cols] - z[i] + extra[i] * old
      const above = gradient + epsilon
      const below = gradient - epsilon
      const settled =
        old === 0
          ? above > threshold && below < -threshold
          : old === limit
            ? above < -threshold
            : old === -limit && below > threshold
      if (settled) {
        active--
        order[position] = order[active]
        order[active] = i
        continue
      }
      position++
      const violation = violationOf(old, above, below, limit)
      if (violation === 0) continue
      if (violation > largest) largest = violation
      const moved = minimiser(old, above, below, curvature[i], limit)
      if (moved === old) continue
      beta[i] = moved
      addRow(samples, i, moved - old, w)
      w[cols] += (moved - old) * constant
      this.changed = true
    }
    this.position = position
    this.active = active
    this.largest = largest
    return position < active
  }

  end(aim: number): boolean {
    const settled = this.largest <= aim || !this.changed
    const allActive = this.active === this.order.length
    this.threshold = this.largest
    if (settled && !allActive) {
      this.active = this.order.length
      this.threshold = Number.POSITIVE_INFINITY
    }
    return settled && allActive
  }

  values(): { primal: number; dual: number } {
    const { alpha, w, samples, extra, problem } = this
    const { z, C, epsilon, constant, loss } = problem
    let norm = 0
    for (const weight of w) norm += weight * weight
    let losses = 0
    let dual = 0.5 * norm
    for (let i = 0; i < z.length; i++) {
      const error = rowDot(samples, i, w) + constant * w[samples.cols] - z[i]
      const outside = Math.max(0, Math.abs(error) - epsilon)
      losses += C[i] * (loss === 'epsilon-insensitive' ? outside : outside * outside)
      dual += 0.5 * extra[i] * alpha[i] ** 2 - z[i] * alpha[i] + epsilon * Math.abs(alpha[i])
    }
    return { primal: 0.5 * norm + losses, dual }
  }

  *refresh(due: Due): Pieces {
    const { alpha: beta, w, order, samples, upper, extra } = this
    const { z, epsilon, constant } = this.problem
    w.set(linearWeights(this.problem, beta))
    this.largest = 0
    for (const i of order) {
      const gradient = rowDot(samples, i, w) + constant * w[samples.cols] - z[i] + extra[i] * beta[i]
      const violation = violationOf(beta[i], gradient + epsilon, gradient - epsilon, upper[i])
      this.largest = Math.max(this.largest, violation)
      if (due()) yield
    }
    this.threshold = this.largest
  }
}

/** What the dual gains, per unit of one β, from the better one of a rise and a fall: its projected gradient. */
function violationOf(beta: number, above: number, below: number, limit: number): number {
  const rise = beta < limit ? (beta >= 0 ? -above : -below) : 0
  const fall = beta > -limit ? (beta > 0 ? above : below) : 0
  return Math.max(0, rise, fall)
}

/** Where the dual is lowest along one β: slopes `above` for β > 0 and `below` for β < 0 at `old`, |β| <= limit. */
function minimiser(old: number, above: number, below: number, curvature: number, limit: number): number {
  if (curvature === 0) return above < 0 ? limit : below > 0 ? -limit : 0
  const ifPositive = old - above / curvature
  if (ifPositive > 0) return Math.min(limit, ifPositive)
  const ifNegative = old - below / curvature
  return ifNegative < 0 ? Math.max(-limit, ifNegative) : 0
}
