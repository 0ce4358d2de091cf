/**
 * G = X̃ᵀ diag(h) X̃ + diag(floor) by passes over the samples, for ./model-face.ts: systems are solved by conjugate gradients, with the
 * diagonal as their preconditioner. Where their features have few of the values, on a copy of these.
 */
import { conjugateGradients } from '../../base/conjugate-gradients.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import type { CurvedColumns, LinearRows } from '../rows/linear-rows.ts'
import type { FaceCurvature } from './model-face.ts'

/** Features with less than this part of the values are copied: that costs as much as some products. */
const COPIED_PART = 0.5
/** Products that a minimum is expected to take before the first one. */
const FIRST_PRODUCTS = 8
/** What a product costs beside an epoch over the same values: it goes through them in order, and all threads share it. */
const PRODUCT_PRICE = 0.5

/** See the header of the file. Effort is counted in products. */
export class ColumnCurvature implements FaceCurvature {
  readonly mostSystems = 1
  effort = FIRST_PRODUCTS
  price: number
  private readonly rows: LinearRows
  private readonly starts: Uint32Array
  private readonly h: Float64Array
  private readonly curved: CurvedColumns
  private readonly d: Float64Array
  private readonly due: Due
  /** X̃ change */
  private readonly moved: Float64Array

  /** The columns of the samples begin at `starts`; d is that of the model. */
  constructor(
    rows: LinearRows,
    starts: Uint32Array,
    h: Float64Array,
    curved: CurvedColumns,
    d: Float64Array,
    due: Due,
  ) {
    this.rows = rows
    this.starts = starts
    this.h = h
    this.curved = curved
    this.d = d
    this.due = due
    this.price = PRODUCT_PRICE * 2 * rows.stored
    this.moved = rows.vector(rows.rows)
  }

  bends(j: number): boolean {
    return this.curved.diagonal[j] > 0
  }

  image(out: Float64Array): void {
    const { d, curved, moved } = this
    const { pairs, floor } = curved
    for (let i = 0; i < moved.length; i++) moved[i] = pairs[2 * i + 1]
    this.rows.combine(moved, out)
    for (let j = 0; j < d.length; j++) out[j] += floor[j] * d[j]
  }

  *solve(list: Uint32Array, x: Float64Array, part: number, work: number): Pieces {
    const { rows, starts, h, curved } = this
    const mark = rows.mark()
    let stored = 0
    for (const j of list) stored += starts[j + 1] - starts[j]
    const isCopied = stored < COPIED_PART * rows.stored
    const features = list.at(-1) === rows.cols ? list.subarray(0, -1) : list
    const own = isCopied ? rows.columns(features) : rows
    this.price = PRODUCT_PRICE * 2 * (isCopied ? stored : rows.stored)
    const n = own.cols + 1
    const at = isCopied ? (a: number) => (a < n - 1 ? features[a] : rows.cols) : (a: number) => a
    const [residual, direction, product, conditioned, inverse, floor, solution] = Array.from(
      { length: 7 },
      () => own.vector(n),
    )
    let goal = 0
    // x is 0 for features that are not listed, and stays so.
    for (let a = 0; a < n; a++) {
      const j = at(a)
      if (x[j] === 0) continue
      residual[a] = x[j]
      inverse[a] = 1 / curved.diagonal[j]
      floor[a] = curved.floor[j]
      goal += (part * x[j]) ** 2 * inverse[a]
    }
    const times = (from: Float64Array, out: Float64Array) => {
      own.product(h, from, out)
      own.addProductsOf(1, floor, from, out)
      this.effort++
    }
    // What is 0 in the preconditioner is 0 in all directions.
    const condition = (r: Float64Array, z: Float64Array) => own.addProductsOf(0, r, inverse, z)
    const system = { residual, direction, product, conditioned, loops: own, times, condition }
    yield* conjugateGradients(system, solution, goal, Math.ceil(work / this.price), this.due)
    for (let a = 0; a < n; a++) x[at(a)] = solution[a]
    rows.release(mark)
  }

  bend(change: Float64Array): number {
    const { rows, h, curved, moved } = this
    rows.values(change, moved)
    let sum = 0
    for (let i = 0; i < moved.length; i++) sum += h[i] * moved[i] * moved[i]
    for (let j = 0; j < change.length; j++) sum += curved.floor[j] * change[j] * change[j]
    return sum
  }

  take(): void {
    const { h, curved, moved } = this
    for (let i = 0; i < moved.length; i++) curved.pairs[2 * i + 1] += h[i] * moved[i]
  }
}
