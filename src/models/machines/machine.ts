import type { DenseMatrix } from '../../data/matrix/matrix.ts'
import type { Samples } from '../../data/table/dataset.ts'
import type { DecisionOptions } from './decision-options.ts'

/**
 * Whether rounding leaves open what is wanted of a row: its values start at values[at], and each may be off by as much as
 * the entry of `errors` at its place says.
 */
export type Settled = (values: Float64Array, errors: Float64Array, at: number) => boolean

/** Sees the values of some rows, the first of which is row `from`. The array is its own. */
export type Visit = (values: Float64Array, from: number) => void

/** What computes the values of a model: one or several functions of a row. */
export interface Machine<S = never> {
  /** Functions. */
  readonly outputs: number
  /** Columns of a row that it looks at. */
  readonly width: number
  /**
   * Rows x outputs values, row-major. Rows that f32 does not settle are computed in f64; by default a row is settled when
   * the sign of each of its values is.
   */
  values(samples: Samples<S>, options: Required<DecisionOptions>, settled?: Settled): Float64Array
  /** The same in blocks of rows, for callers that reduce them: all values of many functions together may not fit into memory. */
  visit(samples: Samples<S>, options: Required<DecisionOptions>, visit: Visit, settled?: Settled): void
  /**
   * Prepares the functions for the one row of a matrix that is filled anew before each call; undefined where the general
   * way is the only one.
   */
  single(row: DenseMatrix): ((out: Float64Array) => void) | undefined
}
