/**
 * The minimum of a quadratic model over the weights that are not 0 (see ./proximal-descent.ts), by factors of their part of G. A weight
 * that would change its sign stops at 0: all of them where the model falls then, or else the first one, with the others on the way
 * there. What is left is solved again, until all keep their signs. Coordinate descent before it finds the signs, and mends them afterwards.
 */
import type { Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows, QuadraticModel } from '../linear/linear-rows.ts'

/** Factors until epochs have their turn again. */
const MOST_FACTORS = 50

/** See the header of the file. G is a square, and image = G d. */
export class ModelFace {
  private readonly rows: LinearRows
  private readonly model: QuadraticModel
  private readonly square: Float64Array
  private readonly image: Float64Array

  constructor(rows: LinearRows, model: QuadraticModel, square: Float64Array, image: Float64Array) {
    this.rows = rows
    this.model = model
    this.square = square
    this.image = image
  }

  /** Moves d and its image. */
  *descend(due: Due): Pieces {
    for (let factors = 0; factors < MOST_FACTORS; factors++) {
      const mark = this.rows.mark()
      const isDone = yield* this.step(due)
      this.rows.release(mark)
      if (isDone) return
    }
  }

  /** True when all weights have kept their signs, or rounding alone is left. */
  private *step(due: Due): Pieces<boolean> {
    const { rows, square } = this
    const { penalised, v, w, d } = this.model
    const n = d.length
    const free: number[] = []
    for (let j = 0; j < n; j++) {
      if ((w[j] + d[j] !== 0 || j >= penalised) && square[j * n + j] > 0) free.push(j)
    }
    const slopes = free.map((j) => this.image[j] - v[j] + (j < penalised ? Math.sign(w[j] + d[j]) : 0))
    const step = Float64Array.from(slopes, (own) => -own)
    const triangle = rows.triangle(free.length)
    free.forEach((j, a) => {
      const row = triangle.row(a)
      for (let b = 0; b <= a; b++) row[b] = square[j * n + free[b]]
    })
    yield* triangle.factor(due)
    triangle.solve(step)
    let first = 1
    free.forEach((j, a) => {
      const weight = w[j] + d[j]
      if (j < penalised && (weight + step[a]) * weight < 0) first = Math.min(first, -weight / step[a])
    })
    if (this.move(free, slopes, step, 1)) return first === 1
    return !this.move(free, slopes, step, first)
  }

  /** Goes so far, with weights that would change their signs at 0, if the model falls. */
  private move(
    free: readonly number[],
    slopes: readonly number[],
    step: Float64Array,
    length: number,
  ): boolean {
    const { square, image } = this
    const { penalised, w, d } = this.model
    const n = d.length
    const moved = new Float64Array(n)
    const change = free.map((j, a) => {
      const weight = w[j] + d[j]
      const target = weight + length * step[a]
      const own = j < penalised && target * weight <= 0 ? -weight : length * step[a]
      const row = square.subarray(j * n, (j + 1) * n)
      for (let k = 0; k < n; k++) moved[k] += own * row[k]
      return own
    })
    const rise = free.reduce((sum, j, a) => sum + (slopes[a] + 0.5 * moved[j]) * change[a], 0)
    if (!(rise < 0)) return false
    free.forEach((j, a) => {
      d[j] = change[a] === -(w[j] + d[j]) ? -w[j] : d[j] + change[a]
    })
    for (let k = 0; k < n; k++) image[k] += moved[k]
    return true
  }
}
