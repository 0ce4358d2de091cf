/**
 * Columns that border a factored matrix K over directions of samples (./class-rows.ts): of directions that have come, C_d = (⟨u_d, u_e⟩) over
 * those of K, and of those that have gone, columns of the identity. Each K⁻¹ C_c is worked out once; which of them are there is another
 * matter.
 */
import { SmallSystem } from '../linear/small-system.ts'
import type { LinearRows, ListedClasses, Triangle } from '../rows/linear-rows.ts'
import { addDirection, type ClassDirections, coordinate, type DirectionPart } from './class-directions.ts'

/** A direction that has come, with its 1 / (s h), or the place in K of one that has gone. */
export type Column = (DirectionPart & { readonly ridge: number }) | number

/** Columns, at most, and as a part of the directions: each costs a system with K, and so many of these cost as much as a factor. */
const MOST_COLUMNS = 400
const MOST_PART = 1 / 12

/** Columns for a matrix of so many directions, at most. */
export const mostColumns = (directions: number): number =>
  Math.min(MOST_COLUMNS, Math.floor(MOST_PART * directions))

/** See the header of the file. */
export class ClassColumns {
  readonly most: number
  readonly known: Column[] = []
  private readonly rows: LinearRows
  private readonly k: number
  private readonly base: ListedClasses
  private readonly directions: ClassDirections
  private readonly factor: Triangle
  /** K⁻¹ C, and B − CᵀK⁻¹C. */
  private readonly solutions: Float64Array[] = []
  private readonly schur: Float64Array
  private readonly small: SmallSystem
  private readonly side: Float64Array
  private used: readonly number[] = []
  /** Directions that have come, one after the other. */
  private readonly come: ListedClasses
  private readonly numbers: Float64Array
  private readonly values: Float64Array
  private readonly comeValues: Float64Array
  private readonly weights: Float64Array
  private readonly column: Float64Array

  constructor(
    rows: LinearRows,
    k: number,
    base: ListedClasses,
    directions: ClassDirections,
    factor: Triangle,
  ) {
    const most = mostColumns(directions.count)
    this.rows = rows
    this.k = k
    this.base = base
    this.directions = directions
    this.factor = factor
    this.most = most
    this.schur = new Float64Array(most * most)
    this.small = new SmallSystem(most)
    this.side = new Float64Array(most)
    this.come = {
      ...{ count: 0, samples: rows.list(most), starts: rows.list(most + 1) },
      classes: rows.list(most * k),
    }
    this.numbers = rows.vector(most * k)
    this.values = rows.vector(base.starts[base.count])
    this.comeValues = rows.vector(most * k)
    this.weights = rows.vector((rows.cols + 1) * k)
    this.column = rows.vector(directions.count)
    for (let c = 0; c < most; c++) this.solutions.push(rows.vector(directions.count))
  }

  /** Has another column, too. */
  add(column: Column): void {
    const { known, most, solutions, schur, rows, factor } = this
    const c = known.length
    const own = this.column
    const products = this.fill(column)
    const solution = solutions[c]
    solution.set(own)
    factor.solve(solution)
    known.push(column)
    for (let other = 0; other <= c; other++) {
      const value = products[other] - rows.dot(own, solutions[other])
      schur[c * most + other] = value
      schur[other * most + c] = value
    }
  }

  /** Fills `column` with C_c; returns its entries of B. */
  private fill(column: Column): Float64Array {
    const { known, rows, k, base, directions, values, come, comeValues, numbers, weights } = this
    const products = new Float64Array(known.length + 1)
    if (typeof column === 'number') {
      this.column.fill(0)
      this.column[column] = 1
      return products
    }
    const { sample, classes, ridge } = column
    const start = come.starts[come.count]
    come.samples[come.count++] = sample
    come.classes.set(classes, start)
    come.starts[come.count] = start + classes.length
    addDirection(1, numbers, start, classes.length - 1)
    rows.listedCombine(come, k, numbers, weights)
    numbers.fill(0)
    rows.listedValues(base, k, weights, values)
    directions.coordinates(values, this.column)
    rows.listedValues(come, k, weights, comeValues)
    let place = 0
    for (let c = 0; c <= known.length; c++) {
      const own = c < known.length ? known[c] : column
      if (typeof own === 'number') continue
      products[c] = coordinate(comeValues, come.starts[place++], own.classes.length - 1)
    }
    products[known.length] += ridge
    return products
  }

  /** Takes these of the known columns to be there. */
  use(used: readonly number[]): void {
    const { schur, most, small } = this
    this.used = used
    small.decompose(used.length, (i, j) => schur[used[i] * most + used[j]])
  }

  /** Replaces t by x; entries of `come`, one for each column, from t′ to y. See ./class-rows.ts. */
  solve(t: Float64Array, come: Float64Array): void {
    const { used, side, small, solutions, rows, factor } = this
    for (let u = 0; u < used.length; u++) side[u] = come[used[u]] - rows.dot(solutions[used[u]], t)
    factor.solve(t)
    small.solve(side)
    for (let u = 0; u < used.length; u++) {
      rows.addScaled(-side[u], solutions[used[u]], t)
      come[used[u]] = side[u]
    }
  }
}
