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
  /** D, and 1 + D K as L and U with the order of its rows. */
  private readonly D: Float64Array
  private readonly LU: Float64Array
  private readonly order: Uint32Array
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
    this.LU = new Float64Array(most * most)
    this.order = new Uint32Array(most)
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
    const { most, places, D } = this
    if (count > most) return false
    const added: number[] = []
    if (count > 0) {
      for (let i = 0; i < change.length; i++) if (change[i] !== 0 && !places.has(i)) added.push(i)
    }
    if (places.size + added.length > most) return false
    this.add(added)
    for (const [k, i] of this.list.entries()) D[k] = change[i]
    this.decompose()
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
    this.solveSmall()
    for (let k = 0; k < list.length; k++) rows.addScaled(-side[k], solutions[k], b)
  }

  /** 1 + D K = L U, with the largest pivot of each column. */
  private decompose(): void {
    const { list, most, K, D, LU, order } = this
    const n = list.length
    for (let i = 0; i < n; i++) {
      order[i] = i
      for (let j = 0; j < n; j++) LU[i * most + j] = D[i] * K[i * most + j] + (i === j ? 1 : 0)
    }
    for (let j = 0; j < n; j++) {
      let best = j
      for (let i = j + 1; i < n; i++)
        if (Math.abs(LU[order[i] * most + j]) > Math.abs(LU[order[best] * most + j])) best = i
      const pivot = order[best]
      order[best] = order[j]
      order[j] = pivot
      for (let i = j + 1; i < n; i++) {
        const own = order[i] * most
        const part = LU[own + j] / LU[pivot * most + j]
        LU[own + j] = part
        if (part !== 0) for (let k = j + 1; k < n; k++) LU[own + k] -= part * LU[pivot * most + k]
      }
    }
  }

  /** Replaces `side` by the solution of L U x = side. */
  private solveSmall(): void {
    const { list, most, LU, order, side } = this
    const n = list.length
    const x = new Float64Array(n)
    for (let i = 0; i < n; i++) {
      let sum = side[order[i]]
      for (let k = 0; k < i; k++) sum -= LU[order[i] * most + k] * x[k]
      x[i] = sum
    }
    for (let i = n - 1; i >= 0; i--) {
      for (let k = i + 1; k < n; k++) x[i] -= LU[order[i] * most + k] * x[k]
      x[i] /= LU[order[i] * most + i]
    }
    side.set(x)
  }
}
