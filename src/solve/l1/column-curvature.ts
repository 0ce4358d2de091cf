/**
 * G = X̃ᵀ diag(h) X̃ + diag(floor) for ./model-face.ts, where it is not worked out: systems are solved by conjugate gradients, with the
 * diagonal as their preconditioner, over the columns of their features alone, or where few samples bend these, over a copy of what these have.
 */
import { conjugateGradients } from '../../base/conjugate-gradients.ts'
import { countUp, indicesWhere, pickNumbers } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { SparseMatrix } from '../../data/matrix/matrix.ts'
import type { Due } from '../driver/pieces.ts'
import type { CurvedColumns, LinearRows, ListedClasses } from '../rows/linear-rows.ts'
import type { FaceCurvature } from './model-face.ts'

/** Fewer samples than this part are copied. gisette_like (squared hinge, C = 1), where an eighth of them bend, takes 16 s by columns. */
const FEW_PART = 0.5
/** Products that a minimum is expected to take before the first one. */
const FIRST_PRODUCTS = 8
/** What a product costs beside an epoch over the same values: it goes through them in order, and all threads share it. */
const PRODUCT_PRICE = 0.5

type Product = (from: Float64Array, out: Float64Array) => void

/** See the header of the file. Effort is counted in products. */
export class ColumnCurvature implements FaceCurvature {
  readonly mostSystems = 1
  readonly first = 0
  effort = FIRST_PRODUCTS
  price: number
  private readonly rows: LinearRows
  private readonly columns: LinearRows
  private readonly h: Float64Array
  private readonly curved: CurvedColumns
  private readonly d: Float64Array
  private readonly due: Due
  /** X̃ change */
  private readonly moved: Float64Array

  /** The samples, and their columns (see {@link LinearRows.transposed}); d is that of the model. */
  constructor(
    rows: LinearRows,
    columns: LinearRows,
    h: Float64Array,
    curved: CurvedColumns,
    d: Float64Array,
    due: Due,
  ) {
    this.rows = rows
    this.columns = columns
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
    const { rows, columns, curved } = this
    const mark = rows.mark()
    const bent = indicesWhere(rows.rows, (i) => this.h[i] > 0)
    const image = bent.length < FEW_PART * rows.rows ? this.byRows(list, bent) : this.byColumns(list)
    // One more than there are features: rows may have a constant one.
    const [residual, direction, product, conditioned, inverse, floor, solution] = Array.from(
      { length: 7 },
      () => columns.vector(list.length + 1),
    )
    let goal = 0
    for (const [a, j] of list.entries()) {
      residual[a] = x[j]
      inverse[a] = 1 / curved.diagonal[j]
      floor[a] = curved.floor[j]
      goal += (part * x[j]) ** 2 * inverse[a]
    }
    const times = (from: Float64Array, out: Float64Array) => {
      image(from, out)
      columns.addProductsOf(1, floor, from, out)
      this.effort++
    }
    const condition = (r: Float64Array, z: Float64Array) => columns.addProductsOf(0, r, inverse, z)
    const system = { residual, direction, product, conditioned, loops: columns, times, condition }
    yield* conjugateGradients(system, solution, goal, Math.ceil(work / this.price), this.due)
    for (const [a, j] of list.entries()) x[j] = solution[a]
    rows.release(mark)
  }

  /** X̃ᵀ diag(h) X̃ over these features, by a copy of the samples that bend them. */
  private byRows(list: Uint32Array, bent: Uint32Array): Product {
    const { rows } = this
    const features = list.at(-1) === rows.cols ? list.subarray(0, -1) : list
    const own = rows.part(bent, features)
    const h = own.vector(bent.length)
    h.set(pickNumbers(this.h, bent))
    this.price = PRODUCT_PRICE * 2 * own.stored
    return (from, out) => own.product(h, from, out)
  }

  /** The same by the columns. */
  private byColumns(list: Uint32Array): Product {
    const { columns } = this
    const count = list.length
    const own: ListedClasses = {
      ...{
        count,
        samples: columns.list(count),
        starts: columns.list(count + 1),
        classes: columns.list(count),
      },
    }
    own.samples.set(list)
    own.starts.set(countUp(count + 1))
    const { indptr } = columns.matrix as SparseMatrix
    let stored = 0
    for (const j of list) stored += indptr[j + 1] - indptr[j]
    this.price = PRODUCT_PRICE * 2 * stored
    // An entry for each sample, and one for a constant feature that columns do not have.
    const [h, along, bent] = Array.from({ length: 3 }, () => columns.vector(columns.cols + 1))
    h.set(this.h)
    return (from, out) => {
      columns.listedCombine(own, 1, from, along)
      columns.addProductsOf(0, h, along, bent)
      columns.listedValues(own, 1, bent, out)
    }
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
