/** G as a square, row behind row, for ./model-face.ts: systems are solved by factors of their part of it. */
import { pickNumbers } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import type { FaceCurvature } from './model-face.ts'

/** What a multiply-add of a factor costs beside those of a pass over sparse rows: a sixth, as in ../linear/newton-system.ts. */
const FACTOR_PRICE = 1 / 6

/** See the header of the file. The image is G d, and effort is counted in factors. */
export class SquareCurvature implements FaceCurvature {
  readonly mostSystems = 20
  effort = 1
  price: number
  private readonly rows: LinearRows
  private readonly square: Float64Array
  private readonly known: Float64Array
  private readonly moved: Float64Array
  private readonly due: Due

  constructor(rows: LinearRows, square: Float64Array, image: Float64Array, due: Due) {
    this.rows = rows
    this.square = square
    this.known = image
    this.moved = new Float64Array(image.length)
    this.due = due
    this.price = factorPrice(image.length)
  }

  bends(j: number): boolean {
    return this.square[j * this.known.length + j] > 0
  }

  image(out: Float64Array): void {
    out.set(this.known)
  }

  *solve(list: Uint32Array, x: Float64Array): Pieces {
    const { rows, square } = this
    const n = x.length
    const mark = rows.mark()
    const own = pickNumbers(x, list)
    const triangle = rows.triangle(list.length)
    list.forEach((j, a) => {
      triangle.row(a).set(pickNumbers(square.subarray(j * n, j * n + n), list.subarray(0, a + 1)))
    })
    yield* triangle.factor(this.due)
    triangle.solve(own)
    list.forEach((j, a) => {
      x[j] = own[a]
    })
    rows.release(mark)
    this.effort++
    this.price = factorPrice(list.length)
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

function factorPrice(m: number): number {
  return (FACTOR_PRICE * m ** 3) / 6 + m * m
}
