/** How kernels read sample sets: as a matrix, or as a list of whatever the user's function takes. */
import { allocate } from '../base/allocate.ts'
import { DataError, HyperplaneError } from '../base/errors.ts'
import {
  type DenseMatrix,
  isMatrix,
  type Matrix,
  type RowsInput,
  toDense,
  toMatrix,
} from '../data/matrix/matrix.ts'
import type { Samples } from '../data/table/dataset.ts'

/** The samples as a matrix, for kernels over vectors; a list of equally long number rows is turned into one. */
export function asVectors(who: string, samples: Samples): Matrix {
  if (isMatrix(samples)) return samples
  try {
    return toMatrix(samples as RowsInput)
  } catch (error) {
    if (!(error instanceof HyperplaneError)) throw error
    throw new DataError(`${who} needs vectors: ${error.message}`)
  }
}

/**
 * The samples as a list, for user functions: a list as it is, a matrix as one Float64Array of `width`
 * values per row, zeros included.
 */
export function asList<S>(samples: Samples<S>, width: number): readonly S[] {
  if (!isMatrix(samples)) return samples
  const { rows, cols, values } = widen(toDense(samples), width)
  const list: Float64Array[] = []
  for (let i = 0; i < rows; i++) list.push(values.subarray(i * cols, (i + 1) * cols))
  return list as S[]
}

/** Columns that both sample sets have when missing ones are zeros; 0 when there are no matrices. */
export function commonWidth(a: Samples, b: Samples): number {
  return Math.max(isMatrix(a) ? a.cols : 0, isMatrix(b) ? b.cols : 0)
}

function widen(matrix: DenseMatrix, width: number): DenseMatrix {
  const { rows, cols } = matrix
  if (cols === width) return matrix
  const values = allocate(Float64Array, rows * width)
  for (let i = 0; i < rows; i++) values.set(matrix.values.subarray(i * cols, (i + 1) * cols), i * width)
  return { kind: 'dense', rows, cols: width, values }
}
