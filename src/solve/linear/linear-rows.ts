/**
 * What solvers of linear machines need of the samples: passes over the rows x̃_i = (x_i, s), the constant feature s last (0 where
 * there is no bias, 1 where it is free). Whoever holds the samples in another way (./plain-rows.ts, ./engine-rows.ts, or in pieces
 * that come from a disk) implements this and gets all solvers with it. Vectors over features have cols + 1 entries.
 */
import type { Pieces } from '../../base/pieces.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { Due } from '../driver/pieces.ts'

/** See the header of the file. */
export interface LinearRows {
  readonly rows: number
  /** The rows x_i themselves, without the constant feature. */
  readonly matrix: Matrix
  /** Features, the constant one not counted. */
  readonly cols: number
  /** s */
  readonly constant: number
  /** Values that are stored: what a pass costs. */
  readonly stored: number
  /** Values of each row, on average squared: what a row adds to a Gram matrix of columns costs half of it. */
  readonly meanSquare: number
  /** ‖x̃_i‖² of every row. */
  readonly squaredNorms: Float64Array
  /** A vector where the passes can read and write it without copying; zeros. */
  vector(length: number): Float64Array
  /** A list of numbers of rows, there too. */
  list(length: number): Uint32Array
  /** Where memory ends now, and forgets what came behind it: vectors and triangles. */
  mark(): number
  release(mark: number): void
  /** out_i = ⟨x̃_i, w⟩ */
  values(w: Float64Array, out: Float64Array): void
  /** out = Σ_i factors_i x̃_i; rows of factor 0 cost nothing. */
  combine(factors: Float64Array, out: Float64Array): void
  /** out = Σ_i factors_i ⟨x̃_i, x⟩ x̃_i */
  product(factors: Float64Array, x: Float64Array, out: Float64Array): void
  /** out_j = Σ_i factors_i x̃_ij² */
  squares(factors: Float64Array, out: Float64Array): void
  /** to += factor · from */
  addScaled(factor: number, from: Float64Array, to: Float64Array): void
  /** out = a − b; returns how many entries of it are not 0. */
  difference(a: Float64Array, b: Float64Array, out: Float64Array): number
  /** How many entries are above 0. */
  countPositive(values: Float64Array): number
  /** Losses of all rows where the passes can read them without copying; the four below are those of linear-loss.ts. */
  terms(terms: LossTerms): LossTerms
  slopes(terms: LossTerms, f: Float64Array, beta: Float64Array, curvature: Float64Array): number
  lossSum(terms: LossTerms, f: Float64Array): number
  conjugateSum(terms: LossTerms, beta: Float64Array): number
  slopeAlong(
    terms: LossTerms,
    f: Float64Array,
    q: Float64Array,
    t: number,
  ): { readonly slope: number; readonly bend: number }
  /** A symmetric matrix of n rows; zeros. */
  triangle(n: number): Triangle
  /** target += Σ_i factors_i x̃_i x̃_iᵀ */
  addGram(factors: Float64Array, target: Triangle, due: Due): Pieces
  /** target_ab = ⟨x̃_i, x̃_k⟩ for the rows i = list_a and k = list_b, count of them. */
  rowGram(list: Uint32Array, count: number, target: Triangle, due: Due): Pieces
  /** The same rows with some of the features alone, and the constant one. */
  columns(features: Uint32Array): LinearRows
  /** A sweep of dual coordinate descent. */
  sweep(vectors: SweepVectors, state: SweepState, steps: number): void
}

/** A symmetric matrix, and then its factor. */
export interface Triangle {
  readonly size: number
  /** Row after row; how they lie is its own affair. */
  readonly values: Float64Array
  clear(): void
  /** Row i up to the diagonal, to be read and written. */
  row(i: number): Float64Array
  copy(from: Triangle): void
  /** Adds to the diagonal. */
  addDiagonal(values: Float64Array): void
  /** Replaces the matrix by its Cholesky factor; pivots that are rounding alone hold their variables where they are. */
  factor(due: Due): Pieces
  /** Replaces b by x of A x = b, A the matrix that was factored. */
  solve(b: Float64Array): void
}

/** The vectors of a sweep; see ../methods/dual-descent.ts. They are from {@link LinearRows.vector} and {@link LinearRows.list}. */
export interface SweepVectors {
  readonly order: Uint32Array
  readonly beta: Float64Array
  readonly z: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  /** D_i */
  readonly shift: Float64Array
  /** ‖x̃_i‖² + D_i */
  readonly curvature: Float64Array
  readonly w: Float64Array
  readonly epsilon: number
}

/** Where a sweep stands. */
export interface SweepState {
  /** The next position in the order, where its active part ends, and how many β have moved. */
  position: number
  active: number
  changes: number
  /** Slopes that hold a sample at β = 0, or at its other bound, by more than this leave it out. */
  heldAtZero: number
  heldAtBound: number
  /** Extremes of the projected gradient so far, signed as the labels are, and the sum of its absolute values. */
  highest: number
  lowest: number
  total: number
}
