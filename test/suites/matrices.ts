/** Seeded matrices in every storage, for suites that run over all of them. */
import { Random } from '../../src/base/random.ts'
import { type DenseMatrix, type Matrix, toSparse } from '../../src/data/matrix/matrix.ts'

/** A dense matrix, about a third of it zeros; every storage of the same numbers must behave the same. */
export function someMatrix(seed: number, rows: number, cols: number): DenseMatrix {
  const random = new Random(seed)
  const values = Float64Array.from({ length: rows * cols }, () =>
    random.uniform() < 0.35 ? 0 : random.normal(),
  )
  return { kind: 'dense', rows, cols, values }
}

/** The two ways to store a matrix. */
export const storages: readonly { readonly storage: string; readonly store: (m: DenseMatrix) => Matrix }[] = [
  { storage: 'dense', store: (matrix) => matrix },
  { storage: 'sparse', store: toSparse },
]

/** Row i as numbers, filled up with zeros to `width`. */
export function rowOf(matrix: DenseMatrix, i: number, width: number = matrix.cols): number[] {
  const row = Array.from(matrix.values.subarray(i * matrix.cols, (i + 1) * matrix.cols))
  while (row.length < width) row.push(0)
  return row
}

/** The matrix times a number. */
export function times(matrix: DenseMatrix, factor: number): DenseMatrix {
  return { ...matrix, values: matrix.values.map((value) => factor * value) }
}
