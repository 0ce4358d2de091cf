/**
 * Kernel values that were computed elsewhere, in LIBSVM's form (`label 0:serial 1:k1 2:k2 …`). A sample is the row
 *
 *   column 0    serial: this sample's number in the training set, 1 … n; read only where the sample is a target
 *   column j    k(x, t_j) with training sample number j
 *
 * so k(a, b) = a[serial of b]. Because a sample carries its own column, rows may be picked freely (folds, support
 * vectors) while columns keep their meaning, and a target needs no more than its serial: the support vectors of a
 * model may be stored as one column. Query samples need every column that the targets' serials name.
 */
import { DataError } from '../base/errors.ts'
import { type DenseMatrix, type Matrix, type RowsInput, toDense, toMatrix } from '../data/matrix/matrix.ts'
import type { Kernel } from './kernel.ts'
import { asVectors } from './vectors.ts'

/** The kernel that looks its values up; see the header of its file for what its samples are. */
export function precomputed(): Kernel {
  const kernel: Kernel = {
    spec: { kind: 'precomputed' },
    portable: true,
    resolve: () => kernel,
    between(a, b) {
      const { rows, cols: width, values } = toDense(asVectors('precomputed', a))
      const columns = serials(asVectors('precomputed', b), width)
      const cols = columns.length
      return {
        rows,
        cols,
        row(i, out, from = 0) {
          const start = i * width
          for (let j = from; j < cols; j++) out[j] = values[start + columns[j]]
        },
      }
    },
    diagonal(samples) {
      const matrix = toDense(asVectors('precomputed', samples))
      const { cols, values } = matrix
      return Float64Array.from(serials(matrix, cols), (column, i) => values[i * cols + column])
    },
  }
  return kernel
}

/**
 * Samples for the precomputed kernel from a matrix of values alone: row i holds k(x_i, t_j) in column j, counted from
 * 0, against all training samples in their order. The serial numbers 1, 2, … are put before it.
 */
export function precomputedSamples(kernelValues: RowsInput): DenseMatrix {
  const given = toDense(toMatrix(kernelValues))
  const { rows } = given
  const cols = given.cols + 1
  const values = new Float64Array(rows * cols)
  for (let i = 0; i < rows; i++) {
    values[i * cols] = i + 1
    values.set(given.values.subarray(i * given.cols, (i + 1) * given.cols), i * cols + 1)
  }
  return { kind: 'dense', rows, cols, values }
}

/** The serial of each target, which must name a column of the queries. */
function serials(targets: Matrix, queryCols: number): Uint32Array {
  const columns = new Uint32Array(targets.rows)
  for (let j = 0; j < targets.rows; j++) {
    const serial = firstColumn(targets, j)
    if (!(Number.isInteger(serial) && serial >= 1 && serial < queryCols)) {
      throw new DataError(
        `precomputed: column 0 of sample ${j} must be its serial number in the training set, a whole number from 1 ` +
          `to ${queryCols - 1} (the kernel values of a sample), got ${serial}`,
      )
    }
    columns[j] = serial
  }
  return columns
}

function firstColumn(matrix: Matrix, row: number): number {
  if (matrix.kind === 'dense') return matrix.cols > 0 ? matrix.values[row * matrix.cols] : 0
  const k = matrix.indptr[row]
  return k < matrix.indptr[row + 1] && matrix.indices[k] === 0 ? matrix.values[k] : 0
}
