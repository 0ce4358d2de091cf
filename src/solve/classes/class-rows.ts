/**
 * The inverse of the Hessian of Crammer and Singer's machine (./class-system.ts) by the directions in which its samples bend it. With an
 * orthonormal basis b_i1 … b_iq of the numbers over S that sum to 0, q = |S| − 1, it is H = 1 + s U diag(h) Uᵀ, the columns of U
 * being x̃_i ⊗ b_ir. So, by the identity of Woodbury,
 *
 *   H⁻¹ = 1 − U (diag(1 / (s h)) + UᵀU)⁻¹ Uᵀ,   (UᵀU)_(ir)(lt) = ⟨x̃_i, x̃_l⟩ ⟨b_ir, b_lt⟩.
 */
import type { Preconditioner } from '../../base/conjugate-gradients.ts'
import { countUp } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import type { ActiveClasses, LinearRows, Triangle } from '../rows/linear-rows.ts'

/** Directions up to which the matrix over them is factored: 3,000 take 36 MB and about two seconds. */
export const MOST_DIRECTIONS = 3000

/** See the header of the file. Products of all rows with each other are kept where these are no more than the directions may be. */
export class ClassRows {
  private readonly rows: LinearRows
  private readonly k: number
  private readonly products: Triangle | undefined
  private isFilled = false

  constructor(rows: LinearRows, k: number) {
    this.rows = rows
    this.k = k
    this.products = rows.rows <= MOST_DIRECTIONS ? rows.triangle(rows.rows) : undefined
  }

  /**
   * What the factor costs in multiply-adds, its own at a sixth of the price of others; infinite where directions are too many. Products that are
   * kept cost nothing, also before they are there: a run that continues from a snapshot must choose as the one that made it.
   */
  cost({ count, starts }: ActiveClasses): number {
    const { rows, products } = this
    const directions = starts[count] - count
    if (directions > MOST_DIRECTIONS) return Number.POSITIVE_INFINITY
    return (products ? 0 : 0.5 * count ** 2 * (rows.stored / rows.rows + 1)) + directions ** 3 / 36
  }

  /** Works out the inverse for these samples; it serves until the memory of the rows is released to where it was before. */
  *factor(active: ActiveClasses, scale: number, due: Due): Pieces<Preconditioner> {
    const { k } = this
    const { curvature } = active
    const { own, places, products } = yield* this.productsOf(active, due)
    const basis = new ClassBasis(active, places, k)
    const { directions, owner } = basis
    const factor = own.triangle(directions)
    for (let d = 0; d < directions; d++) {
      const from = products.row(places[owner[d]])
      const to = factor.row(d)
      basis.spread(d)
      for (let e = 0; e <= d; e++) to[e] = from[places[owner[e]]] * basis.product(e)
      if (due()) yield
    }
    factor.addDiagonal(Float64Array.from(owner, (a) => 1 / (scale * curvature[a])))
    yield* factor.factor(due)
    const values = own.vector(own.rows * k)
    const side = new Float64Array(directions)
    return (r, z) => {
      own.classValues(r, k, values)
      basis.coordinates(values, side)
      factor.solve(side)
      basis.combination(side, values)
      own.classCombine(values, k, z)
      for (let j = 0; j < z.length; j++) z[j] = r[j] - z[j]
    }
  }

  /** The products of the active samples with each other: which rows have them, and at which places. */
  private *productsOf({ count, samples }: ActiveClasses, due: Due) {
    const { rows } = this
    const active = samples.slice(0, count)
    const own = this.products ? rows : rows.some(active)
    const products = this.products ?? own.triangle(count)
    if (!this.isFilled) yield* own.rowGram(countUp(own.rows), own.rows, products, due)
    this.isFilled = this.products !== undefined
    return { own, products, places: this.products ? active : countUp(count) }
  }
}

/** Helmert's basis of the numbers that sum to 0, over the classes of each sample: b_r is 1 for the first r of them, −r for the next. */
class ClassBasis {
  readonly directions: number
  /** The sample of each direction, as its place among the active ones. */
  readonly owner: Uint32Array
  private readonly k: number
  private readonly places: Uint32Array
  private readonly starts: Uint32Array
  private readonly classes: Uint32Array
  /** r of each direction. */
  private readonly number: Uint32Array
  /** A direction over all classes. */
  private readonly spreadOut: Float64Array

  /** `places` says where the values of the active samples are. */
  constructor({ count, starts, classes }: ActiveClasses, places: Uint32Array, k: number) {
    this.directions = starts[count] - count
    this.owner = new Uint32Array(this.directions)
    this.number = new Uint32Array(this.directions)
    this.starts = starts
    this.classes = classes
    this.k = k
    this.places = places
    this.spreadOut = new Float64Array(k)
    // Ascending, as the rows of a triangle have their products with those before them alone.
    const ascending = countUp(count).sort((a, b) => places[a] - places[b])
    let d = 0
    for (const a of ascending) {
      for (let r = 1; r < starts[a + 1] - starts[a]; r++, d++) {
        this.owner[d] = a
        this.number[d] = r
      }
    }
  }

  /** Takes one direction to be multiplied by others. */
  spread(d: number): void {
    this.spreadOut.fill(0)
    this.add(d, 1, this.spreadOut, 0)
  }

  /** Its product with another one. */
  product(d: number): number {
    return this.times(d, this.spreadOut, 0)
  }

  /** out = ⟨values of its sample, direction⟩ */
  coordinates(values: Float64Array, out: Float64Array): void {
    for (let d = 0; d < out.length; d++) out[d] = this.times(d, values, this.start(d))
  }

  /** out = Σ coordinate · direction, by sample */
  combination(coordinates: Float64Array, out: Float64Array): void {
    out.fill(0)
    for (let d = 0; d < coordinates.length; d++) this.add(d, coordinates[d], out, this.start(d))
  }

  private start(d: number): number {
    return this.places[this.owner[d]] * this.k
  }

  private times(d: number, values: Float64Array, from: number): number {
    const { starts, classes, owner, number } = this
    const start = starts[owner[d]]
    const r = number[d]
    let sum = -r * values[from + classes[start + r]]
    for (let s = start; s < start + r; s++) sum += values[from + classes[s]]
    return sum / Math.sqrt(r * (r + 1))
  }

  private add(d: number, factor: number, out: Float64Array, from: number): void {
    const { starts, classes, owner, number } = this
    const start = starts[owner[d]]
    const r = number[d]
    const part = factor / Math.sqrt(r * (r + 1))
    out[from + classes[start + r]] -= r * part
    for (let s = start; s < start + r; s++) out[from + classes[s]] += part
  }
}
