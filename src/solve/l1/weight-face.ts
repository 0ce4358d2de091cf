/**
 * A Newton step over the weights that are not 0, for a linear machine with ‖w‖₁. While they keep their signs the norm is linear in them, so
 * the objective is smooth on this face, and (R + X̃ᵀ diag(h) X̃) p = X̃ᵀβ̂ − sign w, over these features and the samples of h > 0 alone,
 * leads towards its minimum. Weights that would change their signs stop at 0; the way is halved until the objective falls. Coordinate
 * descent before it finds the face, and mends it afterwards (as ../linear/dual-face.ts does it for the dual).
 *
 * Where almost no loss is left the matrix is nearly singular, and the way along its flattest directions ends at once: R holds them, by as
 * much as steps are cut short.
 */
import { indicesWhere, pickNumbers } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows } from '../linear/linear-rows.ts'
import { NewtonSystem } from '../linear/newton-system.ts'

/** R as a part of the diagonal: at first, at least and at most, and the factor by which it follows the steps. */
const FIRST_DAMPING = 1e-3
const LEAST_DAMPING = 1e-9
const MOST_DAMPING = 1
const DAMPING_STEP = 4
/** The diagonal counts as this part of what all samples would make it, at least. */
const LEAST_DIAGONAL = 0.01
/** A step to this part of its way, or less, was cut short; to this part, or more, it was not. */
const SHORT_STEP = 0.1
const LONG_STEP = 0.5
const MOST_HALVINGS = 25
/**
 * Iterations of conjugate gradients where there is no factor, and those where accuracies below this are asked for. Before, flat directions end
 * the way at once, and more iterations follow them; then they are what is left.
 */
const FIRST_ITERATIONS = 300
const MOST_ITERATIONS = 2000
const FINE = 0.03
/** R of a weight that is to stay at 0. */
const HELD = 1e100
/** A fall of the objective by less than this part is rounding. */
const ROUNDING = 1e-12

/** A model, its values at the samples, and what the losses are there: β̂ and h. The first `penalised` weights are in the norm. */
export interface FacePoint {
  readonly penalised: number
  readonly u: Float64Array
  readonly f: Float64Array
  readonly beta: Float64Array
  readonly curvature: Float64Array
}

/** See the header of the file. */
export class WeightFace {
  damping = FIRST_DAMPING
  private readonly rows: LinearRows
  private readonly due: Due
  /** The diagonal of X̃ᵀ diag(h) X̃ if all samples were as curved as they can be. */
  private readonly full: Float64Array

  constructor(rows: LinearRows, full: Float64Array, due: Due) {
    this.rows = rows
    this.full = full
    this.due = due
  }

  /** Moves u and f; the system is solved to `accuracy`. */
  *step(terms: LossTerms, point: FacePoint, accuracy: number): Pieces {
    const { rows, full, due } = this
    const { penalised, u, f, beta, curvature } = point
    const { cols } = rows
    const mark = rows.mark()
    const features = indicesWhere(cols, (j) => u[j] !== 0)
    const own = rows.columns(features)
    const n = features.length + 1
    const at = (a: number) => (a < n - 1 ? features[a] : cols)
    const bent = indicesWhere(rows.rows, (i) => curvature[i] > 0)
    const bentRows = bent.length === rows.rows ? own : own.some(bent)
    const h = bentRows.vector(bent.length)
    h.set(pickNumbers(curvature, bent))
    const g = bentRows.vector(n)
    const p = bentRows.vector(n)
    const ridge = bentRows.vector(n)
    bentRows.squares(h, ridge)
    own.combine(beta, g)
    const isHeld = cols < penalised && u[cols] === 0
    for (let a = 0; a < n; a++) {
      const j = at(a)
      ridge[a] = this.damping * Math.max(ridge[a], LEAST_DIAGONAL * full[j])
      g[a] = (j < penalised ? Math.sign(u[j]) : 0) - g[a]
    }
    if (isHeld) {
      ridge[n - 1] = HELD
      g[n - 1] = 0
    }
    const system = new NewtonSystem(bentRows, ridge, due, true)
    yield* system.solve(
      h,
      1,
      g,
      p,
      Math.min(system.leastAccuracy, accuracy),
      accuracy > FINE ? FIRST_ITERATIONS : MOST_ITERATIONS,
    )
    if (isHeld) p[n - 1] = 0
    let promised = 0
    for (let a = 0; a < n; a++) promised += g[a] * p[a]
    const change = own.vector(n)
    const moved = own.vector(rows.rows)
    /** ‖w‖₁ after so much of the step, with `change` filled. */
    const go = (t: number): number => {
      let norm = 0
      for (let a = 0; a < n; a++) {
        const j = at(a)
        const target = u[j] + t * p[a]
        change[a] = j < penalised && target * u[j] <= 0 ? -u[j] : t * p[a]
        if (j < penalised) norm += Math.abs(u[j] + change[a])
      }
      own.values(change, moved)
      rows.addScaled(1, f, moved)
      return norm
    }
    let before = rows.lossSum(terms, f)
    for (let a = 0; a < n; a++) if (at(a) < penalised) before += Math.abs(u[at(a)])
    const isRounding = !(promised < -ROUNDING * before)
    let t = 1
    let halvings = 0
    for (; halvings <= MOST_HALVINGS; halvings++, t /= 2) {
      const norm = go(t)
      if (isRounding || norm + rows.lossSum(terms, moved) < before) break
    }
    if (halvings <= MOST_HALVINGS) {
      for (let a = 0; a < n; a++) u[at(a)] += change[a]
      f.set(moved)
    }
    if (t <= SHORT_STEP) this.damping = Math.min(MOST_DAMPING, this.damping * DAMPING_STEP)
    else if (t >= LONG_STEP) this.damping = Math.max(LEAST_DAMPING, this.damping / DAMPING_STEP)
    rows.release(mark)
  }
}
