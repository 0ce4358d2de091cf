/**
 * What the errors of f32 rows add up to. The worst case of a sum Σ a_i g_i over many rows is hopeless: errors are as often up as
 * down, and mostly cancel. So rows are drawn at random, row i with probability p_i, and computed in f64, which shows their errors
 * e_i. a_i e_i / p_i then has the mean Σ a_i e_i, whatever a is: one sample serves every sum. With S draws that have the
 * standard deviation s and none of which can be larger than R (the bounds of the rows say so), the error bar is 8 s / √S + 8 R / S:
 * the empirical form of Bernstein's inequality. The second term is for what no draw has shown. It shrinks with the draws alone.
 * A sum whose worst case will do takes no part in that; each other one gets an equal share of the draws.
 */
import type { Pieces } from '../base/pieces.ts'
import type { Random } from '../base/random.ts'
import type { SamplesOnEngine } from '../engine/matrix/samples-on-engine.ts'
import type { Bounded, KnownRows } from './dual-measures.ts'
import type { RowValues } from './row-values.ts'

/** Standard errors of an error bar. Rounding errors that are not normal have been seen at six. */
const STANDARD_ERRORS = 8

/** Draws that must have hit the rows of a sum before they say anything of it: fewer show no spread to speak of. */
const LEAST_HITS = 8

/** Σ a_i e_i over the errors of rows, or over what is `made` of them. */
export interface ErrorSum {
  readonly factors: Float64Array
  readonly made: (error: number) => number
  /** What it can come to, and whether that is more than it may. */
  readonly worst: number
  readonly isOpen: boolean
}

/** See the head of the file. `values` and `errors` are those of the rows as they were before any was drawn. */
export class RowSample implements KnownRows {
  readonly values: Float64Array
  readonly errors: Float64Array
  private readonly rows: RowValues
  /** Row i is drawn with probability weights[i] / total; `ends` adds the weights up. */
  private weights: Float64Array = new Float64Array(0)
  private ends: Float64Array = new Float64Array(0)
  private total = 0
  private readonly drawn: number[] = []

  constructor(rows: RowValues) {
    this.rows = rows
    this.values = rows.values.slice()
    this.errors = rows.errors.slice()
  }

  /** How many rows were drawn. */
  get size(): number {
    return this.drawn.length
  }

  /** Takes over all rows that are f64 by now: nothing is missing of these. */
  update(): void {
    const { values, errors, rows } = this
    for (let i = 0; i < values.length; i++) {
      if (!rows.isDouble[i]) continue
      values[i] = rows.values[i]
      errors[i] = rows.errors[i]
    }
  }

  /** The errors of Σ a_i g_i, or of what is `made` of errors, which should not be above `wanted`. */
  sumOfErrors(factors: Float64Array, wanted: number, made = (error: number): number => error): ErrorSum {
    const { errors } = this
    let worst = 0
    for (let i = 0; i < factors.length; i++) worst += Math.abs(factors[i]) * errors[i]
    return { factors, made, worst, isOpen: !(worst <= wanted) }
  }

  /** How likely each row should be drawn, for some sums. */
  weightsFor(sums: readonly ErrorSum[]): Float64Array {
    const weights = new Float64Array(this.values.length)
    for (const { factors, worst, isOpen } of sums) {
      if (!isOpen) continue
      for (let i = 0; i < weights.length; i++) {
        if (!this.rows.isDouble[i]) weights[i] += (Math.abs(factors[i]) * this.errors[i]) / worst
      }
    }
    return weights
  }

  /** Draws rows until there are `count`; the weights are those of the first time. */
  *draw(count: number, weights: Float64Array, random: Random, place?: SamplesOnEngine): Pieces {
    if (this.size === 0) {
      this.weights = weights
      this.total = 0
      this.ends = new Float64Array(weights.length)
      for (let i = 0; i < weights.length; i++) this.ends[i] = this.total += weights[i]
    }
    const list = Array.from({ length: Math.max(0, count - this.size) }, () =>
      firstAbove(this.ends, random.uniform() * this.total),
    )
    yield* this.rows.refine(Uint32Array.from(list), place)
    this.drawn.push(...list)
  }

  /** What a sum comes to. Rows that could not have been drawn count as at worst. */
  estimate({ factors, made, worst, isOpen }: ErrorSum): Bounded {
    const { rows, weights, values, errors, drawn } = this
    const hits = drawn.reduce((count, i) => (factors[i] === 0 ? count : count + 1), 0)
    if (!isOpen || hits < LEAST_HITS) return { value: 0, error: worst }
    let rest = 0
    let range = 0
    for (let i = 0; i < factors.length; i++) {
      const most = Math.abs(factors[i]) * errors[i]
      if (weights[i] === 0) rest += most
      else range = Math.max(range, most / weights[i])
    }
    const shares = drawn.map((i) => (factors[i] / weights[i]) * made(rows.values[i] - values[i]))
    const uncertain = drawn.reduce((sum, i) => sum + Math.abs(factors[i] / weights[i]) * rows.errors[i], 0)
    const mean = shares.reduce((sum, share) => sum + share, 0) / this.size
    let squares = 0
    for (const share of shares) squares += (share - mean) ** 2
    const deviation = Math.sqrt(squares / Math.max(1, this.size - 1))
    const spread = STANDARD_ERRORS * (deviation / Math.sqrt(this.size) + range / this.size)
    return { value: this.total * mean, error: this.total * (spread + uncertain / this.size) + rest }
  }
}

/** The first place whose number is above `limit`, of ascending ones; the last where none is. */
function firstAbove(ends: Float64Array, limit: number): number {
  let low = 0
  let high = ends.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (ends[middle] > limit) high = middle
    else low = middle + 1
  }
  return low
}
