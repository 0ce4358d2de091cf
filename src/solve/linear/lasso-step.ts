/**
 * The quadratic problem of a Newton step with ‖w‖₁: min over x of ⟨g, x − w⟩ + ½ (x − w)ᵀH(x − w) + Σ λ_j |x_j|.
 *
 * Coordinate descent finds out which x_j are 0 and the signs of the others; where features are nearly dependent it would take
 * for ever to find their values. So between sweeps x goes towards the minimum on the face of these signs, by Cholesky's factor of
 * the part of H that belongs to it: along the whole way with the coordinates that change signs held at 0, or straight on to where
 * the value is least, whichever is lower. Where a coordinate has become 0 on the way, the face is a smaller one, and x goes on
 * there. So features that depend on each other exactly, along which only ‖x‖₁ changes, cost a move each.
 */
import type { Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows, Triangle } from './linear-rows.ts'

/** Rounds of sweeps and moves, at most. */
const MOST_ROUNDS = 60
/** A sweep costs as much as a move on a face of 100 features, or less. */
const SWEEPS_PER_ROUND = 10
/** Multiply-adds for moves that follow each other without a sweep, in all: about a second. */
const WORK_OF_MOVES = 1e9
/** What keeps every coordinate curved, as a part of its own curvature: far above rounding, far below what changes a step. */
const LEAST_CURVATURE = 1e-12
/** A face so large is not factored: sweeps alone have to do. */
const MOST_ON_FACE = 2500

/** See the header of the file. */
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
    let work = 0
    for (let round = 0; round < MOST_ROUNDS; round++) {
      for (let sweep = 0; sweep < SWEEPS_PER_ROUND; sweep++) {
        const largest = this.sweep(x)
        if (due()) yield
        if (round === 0 && sweep === 0) first = largest
        if (largest <= accuracy * first) return
      }
      for (let goesOn = true; goesOn; ) {
        let onFace = 0
        for (let j = 0; j < size; j++) if (x[j] !== 0) onFace++
        if (onFace === 0 || onFace > MOST_ON_FACE) break
        const isStopped = yield* this.moveOnFace(x, onFace)
        work += onFace ** 3 / 6
        goesOn = isStopped && work < WORK_OF_MOVES
      }
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
    // Features that are 0 wherever losses are curved have no curvature of their own.
    const least = most > 0 ? LEAST_CURVATURE * most : 1
    for (let i = 0; i < size; i++) H[i * size + i] += LEAST_CURVATURE * H[i * size + i] || least
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

  /** Goes towards the minimum on the face of the present signs; true when it has ended where a coordinate became 0. */
  private *moveOnFace(x: Float64Array, count: number): Pieces<boolean> {
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
    const p = Float64Array.from(face, (j) => -slope[j] - lambda[j] * Math.sign(x[j]))
    factor.solve(p)
    rows.release(mark)
    const { t, stopper, value } = this.lowestAlong(x, face, p)
    const held = Float64Array.from(face, (j, a) => (isCrossed(x[j], p[a], lambda[j]) ? 0 : x[j] + p[a]))
    const straight = Float64Array.from(face, (j, a) => (a === stopper ? 0 : x[j] + t * p[a]))
    if (stopper >= 0 && this.gain(x, face, held) < value) {
      this.move(x, face, held)
      return true
    }
    if (!(value < 0)) return false
    this.gain(x, face, straight)
    this.move(x, face, straight)
    return stopper >= 0
  }

  /** The t at which the value along x + t p is least, the coordinate of the face that is 0 there, and what is gained. */
  private lowestAlong(
    x: Float64Array,
    face: Uint32Array,
    p: Float64Array,
  ): { t: number; stopper: number; value: number } {
    const { H, slope, lambda, size } = this
    let bend = 0
    let start = 0
    for (let a = 0; a < face.length; a++) {
      const row = face[a] * size
      let own = 0
      for (let b = 0; b < face.length; b++) own += H[row + face[b]] * p[b]
      bend += p[a] * own
      start += p[a] * (slope[face[a]] + lambda[face[a]] * Math.sign(x[face[a]]))
    }
    const crossings: { a: number; at: number }[] = []
    for (let a = 0; a < face.length; a++) {
      if (isCrossed(x[face[a]], p[a], lambda[face[a]])) crossings.push({ a, at: -x[face[a]] / p[a] })
    }
    crossings.sort((one, other) => one.at - other.at || one.a - other.a)
    let t = 0
    let value = 0
    let steep = start
    const goTo = (next: number) => {
      value += steep * (next - t) + 0.5 * bend * (next * next - t * t)
      t = next
    }
    for (const { a, at } of crossings) {
      if (steep + bend * at >= 0) break
      goTo(at)
      steep += 2 * lambda[face[a]] * Math.abs(p[a])
      if (steep + bend * at >= 0) return { t, stopper: a, value }
    }
    goTo(-steep / bend)
    return { t, stopper: -1, value }
  }

  /** What moving the coordinates of a face to `target` adds to the value; leaves in `product` what it adds to the slope. */
  private gain(x: Float64Array, face: Uint32Array, target: Float64Array): number {
    const { H, slope, lambda, size, product } = this
    product.fill(0)
    let value = 0
    for (let a = 0; a < face.length; a++) {
      const j = face[a]
      const change = target[a] - x[j]
      if (change === 0) continue
      value += slope[j] * change + lambda[j] * (Math.abs(target[a]) - Math.abs(x[j]))
      const row = j * size
      for (let k = 0; k < size; k++) product[k] += change * H[row + k]
    }
    for (let a = 0; a < face.length; a++) value += 0.5 * (target[a] - x[face[a]]) * product[face[a]]
    return value
  }

  /** Moves there, after {@link gain}. */
  private move(x: Float64Array, face: Uint32Array, target: Float64Array): void {
    const { slope, product } = this
    for (let k = 0; k < slope.length; k++) slope[k] += product[k]
    for (let a = 0; a < face.length; a++) x[face[a]] = target[a]
  }
}

/** Whether a step changes the sign of a coordinate that has one to keep. */
function isCrossed(x: number, step: number, lambda: number): boolean {
  return lambda > 0 && x * (x + step) < 0
}
