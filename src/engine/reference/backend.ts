/**
 * The seam between the mathematics and the machine. Built-in kernels are made of two things only, products and
 * squared distances between the rows of two matrices; a backend supplies them. The plain one is `reference.ts`;
 * every other backend must give the same numbers to rounding, and runs in the same test suite.
 */
import type { Matrix } from '../../data/matrix/matrix.ts'

/** One quantity between row i of a fixed query matrix and the rows of a fixed target matrix. */
export interface RowOperation {
  /** `out[j]` = the quantity for query row i and target row j, for every from <= j < targets.rows. */
  row(i: number, out: Float64Array, from?: number): void
}

/**
 * Vector work on pairs of matrices. Both methods prepare what there is to say of the targets (norms, copies) and their
 * scratch once, so that rows cost no allocation. The query row is read when it is asked for: who has a single row after
 * the other may keep one matrix for them all. The matrices may be dense or sparse and of different widths: missing
 * columns are zeros.
 */
export interface ComputeBackend {
  readonly name: string
  /** ⟨x_i, z_j⟩ */
  products(queries: Matrix, targets: Matrix): RowOperation
  /** ‖x_i − z_j‖², never negative and exactly 0 for equal rows. */
  squaredDistances(queries: Matrix, targets: Matrix): RowOperation
}
