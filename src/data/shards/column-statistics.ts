/**
 * What scalers need to know of each column, gathered while rows come by. Means and sums of squared deviations are brought
 * up to date value by value (Welford 1962): Σx² − (Σx)²/n would lose all digits of a column that varies little. Only stored
 * values are visited; the zeros between them are added at the end (Chan, Golub, LeVeque 1979).
 */
import { allocate } from '../../base/allocate.ts'
import type { Matrix } from '../matrix/matrix.ts'

/** One number per column each. */
export interface ColumnStatistics {
  readonly min: Float64Array
  readonly max: Float64Array
  readonly mean: Float64Array
  /** Σ (x − mean)² */
  readonly deviations: Float64Array
}

/** Statistics, and what it takes to go on gathering them. */
interface GatheredStatistics extends ColumnStatistics {
  readonly rows: number
  readonly stored: Float64Array
}

/** The names of {@link ColumnStatistics}, as they are stored. */
export const STATISTICS = ['min', 'max', 'mean', 'deviations'] as const

/** Bytes per column that gathering takes. */
export const STATISTICS_BYTES = 5 * Float64Array.BYTES_PER_ELEMENT

/** See the header of the file. */
export class StatisticsGatherer {
  private rows = 0
  private stored: Float64Array = new Float64Array(0)
  private min: Float64Array = new Float64Array(0)
  private max: Float64Array = new Float64Array(0)
  private mean: Float64Array = new Float64Array(0)
  private deviations: Float64Array = new Float64Array(0)

  /** All that it knows. */
  save(): GatheredStatistics {
    const { rows, stored, min, max, mean, deviations } = this
    return { rows, stored, min, max, mean, deviations }
  }

  restore(saved: GatheredStatistics): void {
    Object.assign(this, saved)
  }

  /** Takes in some rows, which may have more columns than those before. */
  add(samples: Matrix): void {
    this.grow(samples.cols)
    this.rows += samples.rows
    const { stored, min, max, mean, deviations } = this
    const { values, cols } = samples
    const indices = samples.kind === 'sparse' ? samples.indices : undefined
    for (let k = 0, column = 0; k < values.length; k++) {
      const j = indices ? indices[k] : column
      const value = values[k]
      const change = value - mean[j]
      mean[j] += change / ++stored[j]
      deviations[j] += change * (value - mean[j])
      if (value < min[j]) min[j] = value
      if (value > max[j]) max[j] = value
      if (++column === cols) column = 0
    }
  }

  /** The statistics of columns from `first` on. */
  end(first: number, cols: number): ColumnStatistics {
    this.grow(first + cols)
    const part = (values: Float64Array) => values.slice(first, first + cols)
    const { rows } = this
    const stored = part(this.stored)
    const [min, max, mean, deviations] = [this.min, this.max, this.mean, this.deviations].map(part)
    for (let j = 0; j < cols; j++) {
      const zeros = rows - stored[j]
      if (zeros === 0) continue
      min[j] = Math.min(min[j], 0)
      max[j] = Math.max(max[j], 0)
      deviations[j] += mean[j] * mean[j] * stored[j] * (zeros / rows)
      mean[j] *= stored[j] / rows
    }
    return { min, max, mean, deviations }
  }

  private grow(cols: number): void {
    const { length } = this.mean
    if (cols <= length) return
    // Half as much again: largest indices rise in small steps.
    const room = Math.max(cols, Math.ceil(1.5 * length))
    const larger = (values: Float64Array, fill: number) => {
      const grown = allocate(Float64Array, room)
      grown.set(values)
      return fill === 0 ? grown : grown.fill(fill, length)
    }
    this.stored = larger(this.stored, 0)
    this.min = larger(this.min, Number.POSITIVE_INFINITY)
    this.max = larger(this.max, Number.NEGATIVE_INFINITY)
    this.mean = larger(this.mean, 0)
    this.deviations = larger(this.deviations, 0)
  }
}
