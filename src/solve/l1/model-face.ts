/**
 * The minimum of a quadratic model over the weights that are not 0 (see ./proximal-descent.ts), by factors of their part of G. Weights
 * that would change their signs stop at 0; the way is halved until the model falls, but for the part on which all keep their signs. What is
 * left is solved again, until all keep them. Coordinate descent before it finds the signs, and mends them afterwards.
 */
import { indicesWhere, pickNumbers } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows, QuadraticModel } from '../rows/linear-rows.ts'

/** Factors until epochs have their turn again. */
const MOST_FACTORS = 20
/** Beyond the first weight that reaches 0, a way is not halved to less than this. */
const SHORTEST = 0.1
/** What a multiply-add of a factor costs beside those of a pass over sparse rows: a sixth, as in ../linear/newton-system.ts. */
const FACTOR_PRICE = 1 / 6

/** See the header of the file. G is a square, and image = G d. */
export class ModelFace {
  private readonly rows: LinearRows
  private readonly model: QuadraticModel
  private readonly square: Float64Array
  private readonly image: Float64Array
  private readonly moved: Float64Array
  /** Factors that the last minimum took. */
  private factors = 1

  constructor(rows: LinearRows, model: QuadraticModel, square: Float64Array, image: Float64Array) {
    this.rows = rows
    this.model = model
    this.square = square
    this.image = image
    this.moved = new Float64Array(model.d.length)
  }

  /** What the next minimum costs in multiply-adds, if it takes as many factors as the last one. */
  get price(): number {
    return this.factors * factorPrice(this.free().length)
  }

  /** Moves d and its image; returns what that cost. */
  *descend(due: Due): Pieces<number> {
    const { rows } = this
    let work = 0
    let isDone = false
    for (this.factors = 0; !isDone && this.factors < MOST_FACTORS; this.factors++) {
      const free = this.free()
      work += factorPrice(free.length)
      const mark = rows.mark()
      isDone = yield* this.step(free, due)
      rows.release(mark)
    }
    return work
  }

  /** The weights that are not 0, and those that the norm leaves out. */
  private free(): Uint32Array {
    const { square } = this
    const { penalised, w, d } = this.model
    const n = d.length
    return indicesWhere(n, (j) => (w[j] + d[j] !== 0 || j >= penalised) && square[j * n + j] > 0)
  }

  /** True when all weights have kept their signs, or rounding alone is left. */
  private *step(free: Uint32Array, due: Due): Pieces<boolean> {
    const { rows, square, image } = this
    const { penalised, v, w, d } = this.model
    const n = d.length
    const m = free.length
    const slopes = new Float64Array(m)
    const step = new Float64Array(m)
    const triangle = rows.triangle(m)
    for (let a = 0; a < m; a++) {
      const j = free[a]
      slopes[a] = image[j] - v[j] + (j < penalised ? Math.sign(w[j] + d[j]) : 0)
      step[a] = -slopes[a]
      triangle.row(a).set(pickNumbers(square.subarray(j * n, j * n + n), free.subarray(0, a + 1)))
    }
    yield* triangle.factor(due)
    triangle.solve(step)
    let first = 1
    for (let a = 0; a < m; a++) {
      const weight = w[free[a]] + d[free[a]]
      if (free[a] < penalised && (weight + step[a]) * weight < 0) first = Math.min(first, -weight / step[a])
    }
    for (let length = 1; length > Math.max(first, SHORTEST); length /= 2) {
      if (this.move(free, slopes, step, length)) return false
    }
    return !this.move(free, slopes, step, first) || first === 1
  }

  /** Goes so far, with weights that would change their signs at 0, if the model falls. */
  private move(free: Uint32Array, slopes: Float64Array, step: Float64Array, length: number): boolean {
    const { square, image, moved } = this
    const { penalised, w, d } = this.model
    const n = d.length
    const change = step.map((own, a) => {
      const weight = w[free[a]] + d[free[a]]
      const target = weight + length * own
      return free[a] < penalised && target * weight <= 0 ? -weight : length * own
    })
    moved.fill(0)
    for (let a = 0; a < change.length; a++) {
      const own = change[a]
      const start = free[a] * n
      for (let k = 0; k < n; k++) moved[k] += own * square[start + k]
    }
    let rise = 0
    for (let a = 0; a < change.length; a++) rise += (slopes[a] + 0.5 * moved[free[a]]) * change[a]
    if (!(rise < 0)) return false
    for (let a = 0; a < change.length; a++) {
      const j = free[a]
      d[j] = change[a] === -(w[j] + d[j]) ? -w[j] : d[j] + change[a]
    }
    for (let k = 0; k < n; k++) image[k] += moved[k]
    return true
  }
}

function factorPrice(m: number): number {
  return (FACTOR_PRICE * m ** 3) / 6 + m * m
}
