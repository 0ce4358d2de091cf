/**
 * The quadratic problem of a Newton step with ‖w‖₁ (./lasso-step.ts), where features are so many that their matrix H would not
 * fit: coordinate descent by columns of the data. H stays X̃ᵀ diag(h) X̃, and q = X̃(x − w) is kept, so a coordinate costs the values
 * of its column twice. Between sweeps over all features, in a new random order each, come sweeps over those that are not 0.
 */
import type { Pieces } from '../../base/pieces.ts'
import { Random } from '../../base/random.ts'
import type { SparseMatrix } from '../../data/matrix/matrix.ts'
import { transpose } from '../../data/matrix/transpose.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows } from './linear-rows.ts'

/** Sweeps over all features, at most, and over those that are not 0 between two of them. */
const MOST_ROUNDS = 40
const SWEEPS_PER_ROUND = 10
/** What keeps every coordinate curved, as a part of the largest curvature. */
const LEAST_CURVATURE = 1e-12
/** Coordinates between two looks at the clock. */
const PER_LOOK = 256

/** See the header of the file. */
export class ColumnStep {
  private readonly columns: SparseMatrix
  private readonly constant: number
  private readonly lambda: Float64Array
  private readonly due: Due
  /** The curvature of each coordinate, and the gradient at w. */
  private readonly bends: Float64Array
  private g: Float64Array = new Float64Array()
  private h: Float64Array = new Float64Array()
  private readonly q: Float64Array

  constructor(rows: LinearRows, lambda: Float64Array, due: Due) {
    this.columns = transpose(rows.matrix)
    this.constant = rows.constant
    this.lambda = lambda
    this.due = due
    this.bends = new Float64Array(lambda.length)
    this.q = new Float64Array(rows.rows)
  }

  /** Moves x, which is w to begin with, to the minimum, about; `accuracy` is a part of the first subgradient. */
  *solve(curvature: Float64Array, g: Float64Array, x: Float64Array, accuracy: number): Pieces {
    this.g = g
    this.h = curvature
    this.q.fill(0)
    this.measureBends()
    // The same order for the same step, wherever a run that was interrupted continues.
    const random = new Random(0)
    const all = Uint32Array.from(x.keys())
    let first = 0
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const largest = yield* this.sweep(x, all, random)
      if (round === 0) first = largest
      if (largest <= accuracy * first) return
      const used = all.filter((j) => x[j] !== 0)
      for (let sweep = 0; sweep < SWEEPS_PER_ROUND; sweep++) {
        if ((yield* this.sweep(x, used, random)) <= accuracy * first) break
      }
    }
  }

  private measureBends(): void {
    const { bends, h, constant } = this
    const { indptr, indices, values } = this.columns
    const last = bends.length - 1
    let most = 0
    for (let j = 0; j < last; j++) {
      let sum = 0
      for (let k = indptr[j]; k < indptr[j + 1]; k++) sum += h[indices[k]] * values[k] * values[k]
      bends[j] = sum
      most = Math.max(most, sum)
    }
    let total = 0
    for (const own of h) total += own
    bends[last] = constant * constant * total
    most = Math.max(most, bends[last])
    const least = most > 0 ? LEAST_CURVATURE * most : 1
    for (let j = 0; j <= last; j++) bends[j] = Math.max(bends[j], least)
  }

  /** Minimises over each of some coordinates in turn; returns the largest change of the subgradient it met. */
  private *sweep(x: Float64Array, order: Uint32Array, random: Random): Pieces<number> {
    const { bends, g, h, q, lambda, constant, due } = this
    const { indptr, indices, values } = this.columns
    const last = x.length - 1
    random.shuffle(order)
    let largest = 0
    for (let a = 0; a < order.length; a++) {
      const j = order[a]
      const start = j < last ? indptr[j] : 0
      const end = j < last ? indptr[j + 1] : 0
      let slope = g[j]
      for (let k = start; k < end; k++) slope += h[indices[k]] * q[indices[k]] * values[k]
      if (j === last && constant > 0) for (let i = 0; i < q.length; i++) slope += constant * h[i] * q[i]
      const target = x[j] - slope / bends[j]
      const shrunk = Math.abs(target) - lambda[j] / bends[j]
      const moved = shrunk > 0 ? Math.sign(target) * shrunk : 0
      const change = moved - x[j]
      if (change !== 0) {
        largest = Math.max(largest, Math.abs(change) * bends[j])
        x[j] = moved
        for (let k = start; k < end; k++) q[indices[k]] += change * values[k]
        if (j === last && constant > 0) for (let i = 0; i < q.length; i++) q[i] += change * constant
      }
      if (a % PER_LOOK === 0 && due()) yield
    }
    return largest
  }
}
