/**
 * A Newton step over the weights that are not 0, for a linear machine with ‖w‖₁. While they keep their signs the norm is linear in them, so
 * the objective is smooth on this face, and (R + X̃ᵀ diag(h) X̃) p = X̃ᵀβ̂ − sign w, over these features and the samples of h > 0 alone,
 * leads towards its minimum. Weights that would change their signs stop at 0; the way is halved until the objective falls. Coordinate
 * descent before it finds the face, and mends it afterwards (as ../linear/dual-face.ts does it for the dual).
 *
 * Where almost no loss is left the matrix is nearly singular, and the way along its flattest directions ends at once: R holds them, by as
 * much as steps are cut short.
 */
import { conjugateGradients } from '../../base/conjugate-gradients.ts'
import { indicesWhere, pickNumbers } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows } from '../rows/linear-rows.ts'

/** R as a part of the diagonal: at first, at least and at most, and the factor by which it follows the steps. */
const FIRST_DAMPING = 1e-3
const LEAST_DAMPING = 1e-9
const MOST_DAMPING = 1
const DAMPING_STEP = 4
/** The diagonal counts as this part of what all samples would make it, at least. */
const LEAST_DIAGONAL = 0.01
/** A step to less than this part of its way was cut short; to this part, or more, it was not. */
const SHORT_STEP = 0.1
const LONG_STEP = 0.5
const MOST_HALVINGS = 25
/** Iterations of conjugate gradients: at first; twice as many where they were not enough, half where the step was cut short. */
const FIRST_ITERATIONS = 300
const LEAST_ITERATIONS = 100
const MOST_ITERATIONS = 5000
/** The accuracy of a step, at least. */
const ACCURACY = 0.1
/** A change of the objective by less than this part is rounding. */
const ROUNDING = 1e-12

/** A model, its values at the samples, and what the losses are there: β̂ and h. The first `penalised` weights are in the norm. */
export interface FacePoint {
  readonly rows: LinearRows
  readonly terms: LossTerms
  readonly penalised: number
  readonly u: Float64Array
  readonly f: Float64Array
  readonly beta: Float64Array
  readonly curvature: Float64Array
  /** The diagonal of X̃ᵀ diag(h) X̃ if all samples had a loss. */
  readonly full: Float64Array
}

/** See the header of the file. */
export class WeightFace {
  damping = FIRST_DAMPING
  iterations = FIRST_ITERATIONS
  /** Multiply-adds so far, about. */
  work = 0
  private readonly due: Due

  constructor(due: Due) {
    this.due = due
  }

  /** Moves u and f; the system is solved to this accuracy, or a better one. */
  *step(point: FacePoint, accuracy: number): Pieces {
    const { rows, terms, penalised, u, f } = point
    const mark = rows.mark()
    const change = rows.vector(rows.cols + 1)
    const moved = rows.vector(rows.rows)
    const after = rows.vector(rows.rows)
    const { p, isSolved } = yield* this.direction(point, Math.min(ACCURACY, accuracy))
    const before = rows.lossSum(terms, f)
    /** Whether the objective is lower after so much of the step; `change` and its values, `moved`, are filled. */
    const isLower = (t: number): boolean => {
      let added = 0
      for (let j = 0; j < u.length; j++) {
        const isHeld = j < penalised && (u[j] + t * p[j]) * u[j] <= 0
        change[j] = isHeld ? -u[j] : t * p[j]
        if (j < penalised) added += Math.sign(u[j]) * change[j]
      }
      rows.values(change, moved)
      after.set(f)
      rows.addScaled(1, moved, after)
      const rise = added + rows.lossSum(terms, after) - before
      if (Math.abs(rise) > ROUNDING * before) return rise < 0
      // Too little for the difference of two sums: by the slopes at both ends.
      const ends = rows.slopeAlong(terms, f, moved, 0).slope + rows.slopeAlong(terms, f, moved, 1).slope
      return added + 0.5 * ends < 0
    }
    let t = 1
    let halvings = 0
    while (!isLower(t) && halvings++ < MOST_HALVINGS) t /= 2
    this.work += (halvings + 1) * rows.stored
    if (halvings <= MOST_HALVINGS) {
      for (let j = 0; j < u.length; j++) u[j] += change[j]
      f.set(after)
    }
    if (t < SHORT_STEP) {
      this.damping = Math.min(MOST_DAMPING, this.damping * DAMPING_STEP)
      this.iterations = Math.max(LEAST_ITERATIONS, this.iterations / 2)
    } else if (t >= LONG_STEP) {
      this.damping = Math.max(LEAST_DAMPING, this.damping / DAMPING_STEP)
      if (!isSolved && t === 1) this.iterations = Math.min(MOST_ITERATIONS, this.iterations * 2)
    }
    rows.release(mark)
  }

  /** The step p over all features, and whether the system was solved. */
  private *direction({ rows, penalised, u, beta, curvature, full }: FacePoint, accuracy: number) {
    const { cols } = rows
    const features = indicesWhere(cols, (j) => u[j] !== 0)
    const samples = indicesWhere(rows.rows, (i) => curvature[i] > 0)
    const own = rows.part(samples, features)
    const n = features.length + 1
    const at = (a: number) => (a < n - 1 ? features[a] : cols)
    const isHeld = cols < penalised && u[cols] === 0
    const vector = (values: Float64Array) => {
      const held = own.vector(values.length)
      held.set(values)
      return held
    }
    const h = vector(pickNumbers(curvature, samples))
    const residual = own.vector(n)
    const diagonal = own.vector(n)
    const ridge = own.vector(n)
    own.combine(vector(pickNumbers(beta, samples)), residual)
    own.squares(h, diagonal)
    for (let a = 0; a < n; a++) {
      const j = at(a)
      if (j < penalised) residual[a] -= Math.sign(u[j])
      ridge[a] = this.damping * Math.max(diagonal[a], LEAST_DIAGONAL * full[j])
    }
    if (isHeld) residual[n - 1] = 0
    const slopes = residual.slice()
    own.invert(1, ridge, diagonal)
    if (isHeld) diagonal[n - 1] = 0
    const step = own.vector(n)
    const system = {
      ...{
        residual,
        direction: own.vector(n),
        product: own.vector(n),
        conditioned: own.vector(n),
        loops: own,
      },
      times: (x: Float64Array, out: Float64Array) => {
        own.product(h, x, out)
        own.addProductsOf(1, ridge, x, out)
        this.work += 2 * own.stored
      },
      condition: (r: Float64Array, z: Float64Array) => own.addProductsOf(0, r, diagonal, z),
    }
    let goal = 0
    for (let a = 0; a < n; a++) goal += accuracy * accuracy * slopes[a] * slopes[a] * diagonal[a]
    const isSolved = yield* conjugateGradients(system, step, goal, this.iterations, this.due)
    const p = new Float64Array(cols + 1)
    for (let a = 0; a < n; a++) p[at(a)] = step[a]
    return { p, isSolved }
  }
}
