/**
 * The inverse of the Hessian of Crammer and Singer's machine (./class-system.ts) by the directions in which its samples bend it. With an
 * orthonormal basis b_i1 … b_iq of the numbers over S that sum to 0, q = |S| − 1, it is H = 1 + s U diag(h) Uᵀ, the columns of U
 * being x̃_i ⊗ b_ir. So, by the identity of Woodbury,
 *
 *   H⁻¹ = 1 − U K⁻¹ Uᵀ,   K = diag(1 / (s h)) + UᵀU,   (UᵀU)_(ir)(lt) = ⟨x̃_i, x̃_l⟩ ⟨b_ir, b_lt⟩.
 *
 * K is factored for the samples and classes of one system. For later ones it is bordered (./class-columns.ts): by the columns of directions that
 * have come, and for those that have gone by columns of the identity, whose multipliers keep their coordinates at 0. With C these
 * columns, and B the products of those that have come with each other,
 *
 *   K x + C y = t,   Cᵀ x + B y = t′:   (B − CᵀK⁻¹C) y = t′ − CᵀK⁻¹t,   x = K⁻¹t − K⁻¹C y.
 */
import type { Preconditioner } from '../../base/conjugate-gradients.ts'
import { countUp } from '../../base/lists.ts'
import { inOneGo, type Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields } from '../driver/saved-fields.ts'
import type { ActiveClasses, LinearRows, Triangle } from '../rows/linear-rows.ts'
import { ClassColumns, type Column, mostColumns } from './class-columns.ts'
import { ClassDirections, nameOf } from './class-directions.ts'

/** Directions up to which the matrix over them is factored: 8,000 take 256 MB. */
const MOST_DIRECTIONS = 8000
/** Rows up to which the products of all with each other are kept: 36 MB. */
export const MOST_KEPT = 3000

/**
 * Of the columns that a factor may have, so many are the changes from one system to others that it serves: each costs as much as an iteration,
 * and those after it need some, too.
 */
const NEAR_PART = 0.5

/** A factor of K, for these samples and this s. */
interface Factored {
  readonly active: ActiveClasses
  readonly scale: number
  readonly directions: ClassDirections
  readonly columns: ClassColumns
  /** Directions in K by their names, and the columns. */
  readonly places: ReadonlyMap<string, number>
  readonly columnOf: Map<string, number>
}

/** See the header of the file. The end of the memory of the rows is its own from the first factor on. */
export class ClassRows {
  private readonly rows: LinearRows
  private readonly k: number
  private readonly due: Due
  private readonly products: Triangle | undefined
  private isFilled = false
  private readonly values: Float64Array
  private mark: number | undefined
  private factored: Factored | undefined
  /** Directions of the system from which on a factor would have served, and what iterations have cost since. */
  private reference: ReadonlyMap<string, number> = new Map()
  private spent = 0
  /** Directions of the present list. Where each is in K; or −1 less its column. */
  private directions: ClassDirections | undefined
  private where = new Int32Array()

  constructor(rows: LinearRows, k: number, due: Due) {
    this.rows = rows
    this.k = k
    this.due = due
    this.products = rows.rows <= MOST_KEPT ? rows.triangle(rows.rows) : undefined
    this.values = rows.vector(rows.rows * k)
  }

  /**
   * What a factor costs in multiply-adds, its own at a sixth of the price of others; infinite where directions are too many. Products that are
   * kept cost nothing, also before they are there: a run that continues from a snapshot must choose as the one that made it.
   */
  cost({ count, starts }: ActiveClasses): number {
    const { rows, products } = this
    const directions = starts[count] - count
    if (directions > MOST_DIRECTIONS) return Number.POSITIVE_INFINITY
    return (products ? 0 : 0.5 * directions ** 2 * (rows.stored / rows.rows + 1)) + directions ** 3 / 36
  }

  /** What an iteration with it costs. */
  costOfStep({ count, starts }: ActiveClasses): number {
    return 4 * starts[count] * (this.rows.stored / this.rows.rows + 1) + (starts[count] - count) ** 2 / 3
  }

  /**
   * Whether iterations with anything else have by now cost as much as a factor, which would have served for all of them. It would have done so
   * from one system on to those that have directions in common with it, but for a few.
   */
  isDue(active: ActiveClasses): boolean {
    return this.spent >= this.cost(active) && this.isNear(active)
  }

  /** What a system for these samples has cost without. */
  spend(active: ActiveClasses, cost: number): void {
    if (this.cost(active) === Number.POSITIVE_INFINITY) return
    if (!this.isNear(active)) {
      this.reference = namesOf(new ClassDirections(active))
      this.spent = 0
    }
    this.spent += cost
  }

  private isNear(active: ActiveClasses): boolean {
    const { reference } = this
    const directions = new ClassDirections(active)
    const most = NEAR_PART * mostColumns(directions.count)
    if (Math.abs(directions.count - reference.size) > most) return false
    let common = 0
    for (let d = 0; d < directions.count; d++) if (reference.has(nameOf(directions.partOf(d)))) common++
    return directions.count + reference.size - 2 * common <= most
  }

  /** All that does not follow from the problem: the factor follows from the samples that it is for. */
  save() {
    const { spent, reference, factored } = this
    if (!factored) return { spent, reference: [...reference.keys()] }
    const { active, scale, columns } = factored
    const own = { active: copyFields(active), scale, known: columns.known.slice() }
    return { spent, reference: [...reference.keys()], factored: own }
  }

  restore({ spent, reference, factored }: ReturnType<ClassRows['save']>): void {
    if (factored) {
      const { active, scale, known } = factored
      inOneGo(this.factor(active, scale))
      for (const column of known) this.addColumn(column)
    }
    this.spent = spent
    this.reference = new Map(reference.map((name, d) => [name, d]))
  }

  /** Factors K afresh for these samples. */
  *factor(active: ActiveClasses, scale: number): Pieces {
    const { rows, k, due } = this
    this.factored = undefined
    this.spent = 0
    if (this.mark !== undefined) rows.release(this.mark)
    this.mark = rows.mark()
    const own = ascending(rows, active)
    const directions = new ClassDirections(own)
    const factor = rows.triangle(directions.count)
    const ridge = Float64Array.from(directions.owner, (a) => 1 / (scale * own.curvature[a]))
    yield* this.fillProducts(own, directions, factor)
    factor.addDiagonal(ridge)
    yield* factor.factor(due)
    const columns = new ClassColumns(rows, k, own, directions, factor)
    const places = namesOf(directions)
    this.reference = places
    this.factored = { active: own, scale, directions, columns, places, columnOf: new Map() }
  }

  /** Fills a triangle with UᵀU. */
  private *fillProducts(active: ActiveClasses, directions: ClassDirections, target: Triangle): Pieces {
    const { rows, k, products, due } = this
    const { owner, count } = directions
    const samples = Uint32Array.from(owner, (a) => active.samples[a])
    if (!products) yield* rows.rowGram(samples, count, target, due)
    else if (!this.isFilled) yield* rows.rowGram(countUp(rows.rows), rows.rows, products, due)
    this.isFilled = products !== undefined
    const own = new Float64Array(k)
    for (let d = 0; d < count; d++) {
      const to = target.row(d)
      const from = products?.row(samples[d])
      directions.spread(d, own)
      for (let e = 0; e <= d; e++) to[e] = (from ? from[samples[e]] : to[e]) * directions.product(e, own)
      directions.spread(d, own, true)
      if (due()) yield
    }
  }

  /** Whether the factor can be bordered for these samples. */
  take(active: ActiveClasses): boolean {
    const { factored } = this
    if (!factored) return false
    const { places, columns, columnOf, scale, directions: before } = factored
    const directions = new ClassDirections(active)
    if (Math.abs(directions.count - before.count) > columns.most) return false
    const where = new Int32Array(directions.count)
    const isLeft = new Uint8Array(before.count).fill(1)
    const used: number[] = []
    const added: { readonly column: Column; readonly d: number }[] = []
    const room = columns.most - columns.known.length
    const need = (column: Column, d: number) => {
      const at = columnOf.get(nameOfColumn(column))
      if (at === undefined) added.push({ column, d })
      else {
        used.push(at)
        if (d >= 0) where[d] = -1 - at
      }
      return added.length <= room
    }
    for (let d = 0; d < directions.count; d++) {
      const part = directions.partOf(d)
      const name = nameOf(part)
      const place = places.get(name)
      if (place !== undefined) {
        where[d] = place
        isLeft[place] = 0
        continue
      }
      const ridge = 1 / (scale * active.curvature[directions.owner[d]])
      if (!need({ ...part, ridge }, d)) return false
    }
    for (let place = 0; place < isLeft.length; place++) {
      if (isLeft[place] && !need(place, -1)) return false
    }
    for (const { column, d } of added) {
      const at = this.addColumn(column)
      used.push(at)
      if (d >= 0) where[d] = -1 - at
    }
    columns.use(used)
    this.directions = directions
    this.where = where
    return true
  }

  private addColumn(column: Column): number {
    const { columns, columnOf } = this.factored as Factored
    columns.add(column)
    columnOf.set(nameOfColumn(column), columns.known.length - 1)
    return columns.known.length - 1
  }

  /** The inverse for the samples that it took, and s as it was for the factor. */
  condition(active: ActiveClasses): Preconditioner {
    const { rows, k, values, where } = this
    const { columns, directions: before } = this.factored as Factored
    const directions = this.directions as ClassDirections
    const side = rows.vector(before.count)
    const come = new Float64Array(columns.most)
    const own = new Float64Array(directions.count)
    return (r, z) => {
      rows.listedValues(active, k, r, values)
      directions.coordinates(values, own)
      side.fill(0)
      come.fill(0)
      for (let d = 0; d < own.length; d++) {
        if (where[d] >= 0) side[where[d]] = own[d]
        else come[-1 - where[d]] = own[d]
      }
      columns.solve(side, come)
      for (let d = 0; d < own.length; d++) own[d] = where[d] >= 0 ? side[where[d]] : come[-1 - where[d]]
      directions.combination(own, values)
      rows.listedCombine(active, k, values, z)
      for (let j = 0; j < z.length; j++) z[j] = r[j] - z[j]
    }
  }
}

function nameOfColumn(column: Column): string {
  return typeof column === 'number' ? `${column}` : nameOf(column)
}

/** The place of each direction by its name. */
function namesOf(directions: ClassDirections): ReadonlyMap<string, number> {
  return new Map(Array.from(countUp(directions.count), (d) => [nameOf(directions.partOf(d)), d]))
}

/** These samples in their own order. */
function ascending(rows: LinearRows, active: ActiveClasses): ActiveClasses {
  const { count, starts } = active
  const own = {
    count,
    ...{ samples: rows.list(count), starts: rows.list(count + 1), classes: rows.list(starts[count]) },
    curvature: rows.vector(count),
  }
  const order = countUp(count).sort((a, b) => active.samples[a] - active.samples[b])
  let end = 0
  for (const [place, a] of order.entries()) {
    own.samples[place] = active.samples[a]
    own.curvature[place] = active.curvature[a]
    for (let s = starts[a]; s < starts[a + 1]; s++) own.classes[end++] = active.classes[s]
    own.starts[place + 1] = end
  }
  return own
}
