/**
 * G as a square, row behind row, for ./model-face.ts. A model's first system is solved by the factor of its part of G; in the next ones
 * features have left the face, as their weights are 0. With Z, the solutions of G Z = (the unit vectors of these), and y that of the whole face,
 *
 *   y − Z c   where Z_R c = y_R in the rows R of those that have left
 *
 * is 0 there and solves the rest. Each of them costs a solution, a hundredth of a factor. Features that join ask for a new factor.
 */
import { pickNumbers } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import { SmallSystem } from '../linear/small-system.ts'
import type { LinearRows, Triangle } from '../rows/linear-rows.ts'
import type { FaceCurvature } from './model-face.ts'

/** What a multiply-add of a factor, and of a solution, costs beside those of a pass over sparse rows: as in ../linear/newton-system.ts. */
const FACTOR_PRICE = 1 / 6
const SOLUTION_PRICE = 1 / 3
/** Features that may have left, as a part of the face, and in any case: solutions for so many cost as much as a factor. */
const MOST_PART = 1 / 8
const MOST_LEFT = 128

/** See the header of the file. The image is G d, and effort is counted in solutions. */
export class SquareCurvature implements FaceCurvature {
  readonly mostSystems = 20
  effort = 1
  price: number
  private readonly rows: LinearRows
  private readonly square: Float64Array
  private readonly known: Float64Array
  private readonly moved: Float64Array
  private readonly due: Due
  /** The features of the factor, the place of each among them, and solutions for those that have left. */
  private factored: Triangle | undefined
  private base: Uint32Array = new Uint32Array()
  private readonly places: Int32Array
  private readonly solutions = new Map<number, Float64Array>()
  private readonly small = new SmallSystem(MOST_LEFT)
  private readonly side = new Float64Array(MOST_LEFT)
  /** Where memory ended before the factor. */
  private mark = 0

  constructor(rows: LinearRows, square: Float64Array, image: Float64Array, due: Due) {
    this.rows = rows
    this.square = square
    this.known = image
    this.moved = new Float64Array(image.length)
    this.places = new Int32Array(image.length)
    this.due = due
    this.price = SOLUTION_PRICE * image.length ** 2
  }

  get first(): number {
    return this.factored ? 0 : (FACTOR_PRICE * this.known.length ** 3) / 6
  }

  /** G is another one. */
  restart(): void {
    if (this.factored) this.rows.release(this.mark)
    this.factored = undefined
    this.base = new Uint32Array()
  }

  bends(j: number): boolean {
    return this.square[j * this.known.length + j] > 0
  }

  image(out: Float64Array): void {
    out.set(this.known)
  }

  *solve(list: Uint32Array, x: Float64Array): Pieces {
    if (this.factored && this.solveByEarlier(this.factored, list, x)) return
    const factor = yield* this.factor(list)
    const own = pickNumbers(x, list)
    factor.solve(own)
    this.effort++
    list.forEach((j, a) => {
      x[j] = own[a]
    })
  }

  private *factor(list: Uint32Array): Pieces<Triangle> {
    const { rows, square, places } = this
    const n = this.known.length
    this.restart()
    this.mark = rows.mark()
    const triangle = rows.triangle(list.length)
    places.fill(-1)
    list.forEach((j, a) => {
      places[j] = a
      triangle.row(a).set(pickNumbers(square.subarray(j * n, j * n + n), list.subarray(0, a + 1)))
    })
    this.base = list
    this.solutions.clear()
    this.price = SOLUTION_PRICE * list.length ** 2
    this.factored = triangle
    yield* triangle.factor(this.due)
    return triangle
  }

  /** False where features have joined, or too many have left, or rounding has spoilt the solution. */
  private solveByEarlier(factor: Triangle, list: Uint32Array, x: Float64Array): boolean {
    const { base, places, small, side } = this
    const count = base.length - list.length
    if (count > Math.min(MOST_LEFT, MOST_PART * base.length) || list.some((j) => places[j] < 0)) return false
    const own = pickNumbers(x, base)
    factor.solve(own)
    this.effort++
    const isIn = new Uint8Array(places.length)
    for (const j of list) isIn[j] = 1
    const left = base.filter((j) => isIn[j] === 0)
    const solutions = Array.from(left, (j) => this.solutionOf(factor, j))
    small.decompose(count, (i, k) => solutions[k][places[left[i]]])
    for (let k = 0; k < count; k++) side[k] = own[places[left[k]]]
    small.solve(side)
    for (let k = 0; k < count; k++) for (let a = 0; a < own.length; a++) own[a] -= side[k] * solutions[k][a]
    if (!own.every(Number.isFinite)) return false
    for (const j of list) x[j] = own[places[j]]
    return true
  }

  /** The solution for the unit vector of a feature. */
  private solutionOf(factor: Triangle, j: number): Float64Array {
    const known = this.solutions.get(j)
    if (known) return known
    const own = new Float64Array(this.base.length)
    own[this.places[j]] = 1
    factor.solve(own)
    this.effort++
    this.solutions.set(j, own)
    return own
  }

  bend(change: Float64Array): number {
    const { square, moved } = this
    const n = change.length
    moved.fill(0)
    for (let j = 0; j < n; j++) {
      const own = change[j]
      if (own !== 0) for (let k = 0; k < n; k++) moved[k] += own * square[j * n + k]
    }
    let sum = 0
    for (let j = 0; j < n; j++) sum += change[j] * moved[j]
    return sum
  }

  take(): void {
    const { known, moved } = this
    for (let k = 0; k < moved.length; k++) known[k] += moved[k]
  }
}
