/**
 * What the errors of f32 rows add up to. The worst case of a sum Σ a_i g_i over many rows is hopeless: errors are as often up as
 * down, and mostly cancel. So rows are drawn at random, row i with probability p_i, and computed in f64, which shows their errors
 * e_i. a_i e_i / p_i then has the mean Σ a_i e_i, whatever a is: one sample serves every sum. With S draws that have the
 * standard deviation s and none of which can be larger than R (the bounds of the rows say so), the error bar is 8 s / √S + 8 R / S:
 * the empirical form of Bernstein's inequality. The second term is for what no draw has shown. It shrinks with the draws alone.
 * A sum whose worst case will do takes no part in that; each other one gets an equal share of the draws.
 */
import { joinArrays } from '../base/lists.ts'
import type { Pieces } from '../base/pieces.ts'
import type { Random } from '../base/random.ts'
import type { SamplesOnEngine } from '../engine/matrix/samples-on-engine.ts'
import type { Bounded, KnownRows } from './dual-measures.ts'
import type { RowValues } from './row-values.ts'

/** Standard errors of an error bar. Rounding errors that are not normal have been seen at six. */
const STANDARD_ERRORS = 8

/** Draws that must have hit the rows of a sum before they say anything of it: fewer show no spread to speak of. */
const LEAST_HITS = 8

/** Σ a_i e_i over the errors of some rows, or over what is `made` of them. */
export interface ErrorSum {
  readonly places: Uint32Array
  readonly factors: Float64Array
  readonly made: (error: number) => number
  /** What it can come to, and whether that is more than it may. */
  readonly worst: number
  readonly isOpen: boolean
}

/** How likely each row is drawn, up to a common factor, and the rows where that is not 0. */
export interface Weights {
  readonly weights: Float64Array
  readonly places: Uint32Array
}

/** See the header of the file. `values` and `errors` are those of the rows as they were before any was drawn. */
export class RowSample implements KnownRows {
  readonly values: Float64Array
  readonly errors: Float64Array
  private readonly rows: RowValues
  /** Row i is drawn with probability weights[i] / total; `ends` adds the weights of `places` up. */
  private weights: Float64Array = new Float64Array(0)
  private places: Uint32Array = new Uint32Array(0)
  private ends: Float64Array = new Float64Array(0)
  private total = 0
  private drawn: Uint32Array = new Uint32Array(0)

  constructor(rows: RowValues) {
    this.rows = rows
    this.values = rows.values.slice()
    this.errors = rows.errors.slice()
  }

  /** How many rows were drawn. */
  get size(): number {
    return this.drawn.length
  }

  /** Takes over rows that are f64 by now, and those drawn: nothing is missing of these. */
  update(list: Uint32Array): void {
    const { values, errors, rows, drawn } = this
    for (const places of [list, drawn]) {
      for (let k = 0; k < places.length; k++) {
        const i = places[k]
        values[i] = rows.values[i]
        errors[i] = rows.errors[i]
      }
    }
  }

  /** The errors of Σ a_i g_i over some rows, or of what is `made` of errors, which should not be above `wanted`. */
  sumOfErrors(
    places: Uint32Array,
    factors: Float64Array,
    wanted: number,
    made = (error: number): number => error,
  ): ErrorSum {
    const { errors } = this
    let worst = 0
    for (let k = 0; k < places.length; k++) worst += Math.abs(factors[places[k]]) * errors[places[k]]
    return { places, factors, made, worst, isOpen: !(worst <= wanted) }
  }

  /** How likely each row should be drawn, for some sums, and which rows may be. */
  weightsFor(sums: readonly ErrorSum[]): Weights {
    const { rows, errors } = this
    const weights = new Float64Array(errors.length)
    const list = new Uint32Array(errors.length)
    let count = 0
    for (const { places, factors, worst, isOpen } of sums) {
      if (!isOpen) continue
      for (let k = 0; k < places.length; k++) {
        const i = places[k]
        if (rows.isDouble[i]) continue
        const weight = (Math.abs(factors[i]) * errors[i]) / worst
        if (weight === 0) continue
        if (weights[i] === 0) list[count++] = i
        weights[i] += weight
      }
    }
    return { weights, places: list.slice(0, count).sort() }
  }

  /** Draws rows until there are `count`; the weights are those of the first time. */
  *draw(count: number, { weights, places }: Weights, random: Random, place?: SamplesOnEngine): Pieces {
    if (this.size === 0) {
      this.weights = weights
      this.places = places
      this.total = 0
      this.ends = new Float64Array(places.length)
      for (let k = 0; k < places.length; k++) this.ends[k] = this.total += weights[places[k]]
    }
    const list = new Uint32Array(Math.max(0, count - this.size))
    for (let k = 0; k < list.length; k++) {
      list[k] = this.places[firstAbove(this.ends, random.uniform() * this.total)]
    }
    yield* this.rows.refine(list, place)
    this.drawn = joinArrays(Uint32Array, [this.drawn, list])
  }

  /** What a sum comes to. Rows that could not have been drawn count as at worst. */
  estimate({ places, factors, made, worst, isOpen }: ErrorSum): Bounded {
    const { rows, weights, values, errors, drawn, size } = this
    let hits = 0
    for (let k = 0; k < size; k++) if (factors[drawn[k]] !== 0) hits++
    if (!isOpen || hits < LEAST_HITS) return { value: 0, error: worst }
    let rest = 0
    let range = 0
    for (let k = 0; k < places.length; k++) {
      const i = places[k]
      const most = Math.abs(factors[i]) * errors[i]
      if (weights[i] === 0) rest += most
      else range = Math.max(range, most / weights[i])
    }
    const shares = new Float64Array(size)
    let uncertain = 0
    let sum = 0
    for (let k = 0; k < size; k++) {
      const i = drawn[k]
      const factor = factors[i] / weights[i]
      shares[k] = factor * made(rows.values[i] - values[i])
      uncertain += Math.abs(factor) * rows.errors[i]
      sum += shares[k]
    }
    const mean = sum / size
    let squares = 0
    for (let k = 0; k < size; k++) squares += (shares[k] - mean) ** 2
    const deviation = Math.sqrt(squares / Math.max(1, size - 1))
    const spread = STANDARD_ERRORS * (deviation / Math.sqrt(size) + range / size)
    return { value: this.total * mean, error: this.total * (spread + uncertain / size) + rest }
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
