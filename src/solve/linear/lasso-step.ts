/**
 * The quadratic problem of a Newton step with ‖w‖₁: min over x of ⟨g, x − w⟩ + ½ (x − w)ᵀH(x − w) + Σ λ_j |x_j|.
 *
 * Coordinate descent finds out which x_j are 0 and the signs of the others; where features are nearly dependent it would take
 * for ever to find their values. So between sweeps x goes towards the minimum on the face of these signs, by Cholesky's factor of
 * the part of H that belongs to it, as far as signs allow. Every move lowers the value.
 */
import type { Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows, Triangle } from './linear-rows.ts'

/** Rounds of a sweep and a move, at most. */
const MOST_ROUNDS = 60
/** A face so large is not factored: sweeps alone have to do. */
const MOST_ON_FACE = 2500

/** See the head of the file. */
export class LassoStep {
  private readonly rows: LinearRows
  private readonly lambda: Float64Array
  private readonly due: Due
  private readonly size: number
  private readonly gram: Triangle
  private readonly H: Float64Array
  /** The gradient of the quadratic part at x. */
  private readonly slope: Float64Array
  private readonly product: Float64Array

  constructor(rows: LinearRows, lambda: Float64Array, due: Due) {
    this.rows = rows
    this.lambda = lambda
    this.due = due
    this.size = lambda.length
    this.gram = rows.triangle(this.size)
    this.H = new Float64Array(this.size * this.size)
    this.slope = new Float64Array(this.size)
    this.product = new Float64Array(this.size)
  }

  /** Moves x, which is w to begin with, to the minimum, about; `accuracy` is a part of the first subgradient. */
  *solve(curvature: Float64Array, g: Float64Array, x: Float64Array, accuracy: number): Pieces {
    const { slope, size, due } = this
    yield* this.assemble(curvature)
    slope.set(g)
    let first = 0
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const largest = this.sweep(x)
      if (due()) yield
      if (round === 0) first = largest
      if (largest <= accuracy * first) return
      let onFace = 0
      for (let j = 0; j < size; j++) if (x[j] !== 0) onFace++
      if (onFace > 0 && onFace <= MOST_ON_FACE) yield* this.moveOnFace(x, onFace)
    }
  }

  /** H = Σ h_i x̃_i x̃_iᵀ, in full. */
  private *assemble(curvature: Float64Array): Pieces {
    const { rows, gram, H, size, due } = this
    gram.clear()
    yield* rows.addGram(curvature, gram, due)
    let most = 0
    for (let i = 0; i < size; i++) {
      const own = gram.row(i)
      for (let j = 0; j <= i; j++) {
        H[i * size + j] = own[j]
        H[j * size + i] = own[j]
      }
      most = Math.max(most, own[i])
    }
    // Keeps every coordinate curved: features that are 0 wherever losses are curved.
    const least = most > 0 ? 1e-12 * most : 1
    for (let i = 0; i < size; i++) H[i * size + i] += least
  }

  /** Minimises over each coordinate in turn; returns the largest change of the subgradient it met. */
  private sweep(x: Float64Array): number {
    const { H, slope, lambda, size } = this
    let largest = 0
    for (let j = 0; j < size; j++) {
      const bend = H[j * size + j]
      const target = x[j] - slope[j] / bend
      const shrunk = Math.abs(target) - lambda[j] / bend
      const moved = shrunk > 0 ? Math.sign(target) * shrunk : 0
      const change = moved - x[j]
      if (change === 0) continue
      largest = Math.max(largest, Math.abs(change) * bend)
      x[j] = moved
      const row = j * size
      for (let k = 0; k < size; k++) slope[k] += change * H[row + k]
    }
    return largest
  }

  /** Goes towards the minimum on the face of the present signs, until one would change. */
  private *moveOnFace(x: Float64Array, count: number): Pieces {
    const { rows, H, slope, lambda, size, due } = this
    const face = new Uint32Array(count)
    let at = 0
    for (let j = 0; j < size; j++) if (x[j] !== 0) face[at++] = j
    const mark = rows.mark()
    const factor = rows.triangle(count)
    for (let a = 0; a < count; a++) {
      const row = factor.row(a)
      for (let b = 0; b <= a; b++) row[b] = H[face[a] * size + face[b]]
    }
    yield* factor.factor(due)
    const p = new Float64Array(count)
    for (let a = 0; a < count; a++) p[a] = -slope[face[a]] - lambda[face[a]] * Math.sign(x[face[a]])
    factor.solve(p)
    rows.release(mark)
    // Past where signs change they are 0 instead; where that does not lower the value, it ends at the first such change.
    if (this.tryMove(x, face, (a) => (isCrossed(x[face[a]], p[a], lambda[face[a]]) ? 0 : x[face[a]] + p[a])))
      return
    let t = 1
    let stopper = -1
    for (let a = 0; a < count; a++) {
      if (!isCrossed(x[face[a]], p[a], lambda[face[a]])) continue
      const reach = -x[face[a]] / p[a]
      if (reach < t) {
        t = reach
        stopper = a
      }
    }
    this.tryMove(x, face, (a) => (a === stopper ? 0 : x[face[a]] + t * p[a]))
  }

  /** Moves the coordinates of a face where that lowers the value; true when it does. */
  private tryMove(x: Float64Array, face: Uint32Array, target: (a: number) => number): boolean {
    const { H, slope, lambda, size, product } = this
    product.fill(0)
    let value = 0
    for (let a = 0; a < face.length; a++) {
      const j = face[a]
      const moved = target(a)
      const change = moved - x[j]
      if (change === 0) continue
      value += slope[j] * change + lambda[j] * (Math.abs(moved) - Math.abs(x[j]))
      const row = j * size
      for (let k = 0; k < size; k++) product[k] += change * H[row + k]
    }
    for (let a = 0; a < face.length; a++) value += 0.5 * (target(a) - x[face[a]]) * product[face[a]]
    if (!(value < 0)) return false
    for (let k = 0; k < size; k++) slope[k] += product[k]
    const moved = Float64Array.from(face, (_, a) => target(a))
    for (let a = 0; a < face.length; a++) x[face[a]] = moved[a]
    return true
  }
}

/** Whether a step changes the sign of a coordinate that has one to keep. */
function isCrossed(x: number, step: number, lambda: number): boolean {
  return lambda > 0 && x * (x + step) < 0
}
