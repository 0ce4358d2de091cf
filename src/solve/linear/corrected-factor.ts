/**
 * A factored matrix M to which multiples of a few rows are added: with S = M⁻¹X_cᵀ and K = X_c S, by the identity of Sherman, Morrison and
 * Woodbury,
 *
 *   (M + X_cᵀ D X_c)⁻¹ = M⁻¹ − S (1 + D K)⁻¹ D Sᵀ
 *
 * S and K stay from one D to the next, so that a row costs one solution with the factor. D_i may be negative, where a row leaves: what is left
 * of it then is a difference, so whoever solves with it looks at how accurate the result is.
 */

import type { LinearRows, Triangle } from '../rows/linear-rows.ts'
import { SmallSystem } from './small-system.ts'

/** Rows of the correction, at most, as a part of the size of M: solutions for so many cost about as much as a new factor. */
const MOST_PART = 1 / 8
/** ... and in any case: their systems are solved by plain loops, 128 in about a millisecond. */
const MOST_ROWS = 128
/** Smaller matrices are factored anew, which takes no longer than these loops: a9a (124, hinge) took a tenth longer with corrections. */
const LEAST_SIZE = 256

/** See the header of the file. */
export class CorrectedFactor {
  private readonly rows: LinearRows
  private readonly factor: Triangle
  private readonly most: number
  /** The rows c in the order in which they came, the place of each, and the columns of S. */
  private list: number[] = []
  private readonly places = new Map<number, number>()
  private readonly solutions: Float64Array[] = []
  private readonly K: Float64Array
  /** D, and 1 + D K. */
  private readonly D: Float64Array
  private readonly small: SmallSystem
  private readonly side: Float64Array
  private readonly unit: Float64Array
  private readonly row: Float64Array

  constructor(rows: LinearRows, factor: Triangle) {
    this.rows = rows
    this.factor = factor
    const { size } = factor
    const most = size < LEAST_SIZE ? 0 : Math.min(MOST_ROWS, Math.floor(MOST_PART * size))
    this.most = most
    for (let k = 0; k < most; k++) this.solutions.push(rows.vector(factor.size))
    this.K = new Float64Array(most * most)
    this.D = new Float64Array(most)
    this.small = new SmallSystem(most)
    this.side = new Float64Array(most)
    this.unit = rows.vector(most > 0 ? rows.rows : 0)
    this.row = rows.vector(factor.size)
  }

  /** The rows that it has solutions for. */
  get known(): readonly number[] {
    return this.list
  }

  /** Forgets everything: the factor is another one. */
  reset(): void {
    this.list = []
    this.places.clear()
  }

  /** Takes `change` for D, in which `count` rows are not 0. False, and nothing is changed, where these are too many. */
  take(change: Float64Array, count: number): boolean {
    const { most, places, D, K } = this
    if (count > most) return false
    const added: number[] = []
    if (count > 0) {
      for (let i = 0; i < change.length; i++) if (change[i] !== 0 && !places.has(i)) added.push(i)
    }
    if (places.size + added.length > most) return false
    this.add(added)
    for (const [k, i] of this.list.entries()) D[k] = change[i]
    this.small.decompose(this.list.length, (i, j) => D[i] * K[i * most + j] + (i === j ? 1 : 0))
    return true
  }

  /** Has solutions for these rows, too. */
  add(added: readonly number[]): void {
    const { rows, factor, list, places, solutions, K, most, unit, row } = this
    for (const i of added) {
      const k = list.length
      unit[i] = 1
      rows.combine(unit, row)
      unit[i] = 0
      solutions[k].set(row)
      factor.solve(solutions[k])
      for (let other = 0; other <= k; other++) {
        K[k * most + other] = rows.dot(row, solutions[other])
        K[other * most + k] = K[k * most + other]
      }
      places.set(i, k)
      list.push(i)
    }
  }

  /** Replaces b by x of (M + X_cᵀ D X_c) x = b. */
  solve(b: Float64Array): void {
    const { rows, factor, list, solutions, D, side } = this
    for (let k = 0; k < list.length; k++) side[k] = D[k] * rows.dot(solutions[k], b)
    factor.solve(b)
    this.small.solve(side)
    for (let k = 0; k < list.length; k++) rows.addScaled(-side[k], solutions[k], b)
  }
}
