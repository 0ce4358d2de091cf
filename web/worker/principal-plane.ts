/**
 * The plane through the mean of the data along which it varies most. The two directions are the leading eigenvectors of
 * the covariance, found by power iteration on products with the data itself, so that wide and sparse data will do.
 */
import { type Matrix, Random } from '../../src/index.browser.ts'

/** A plane in feature space: points are origin + a · first + b · second. */
export interface DataPlane {
  readonly origin: Float64Array
  readonly first: Float64Array
  readonly second: Float64Array
  /** Share of the variance that lies in the plane. */
  readonly explained: number
}

const ITERATIONS = 60

/** See the header of the file. */
export function principalPlane(matrix: Matrix): DataPlane {
  const { rows, cols } = matrix
  const origin = timesTransposed(matrix, new Float64Array(rows).fill(1 / rows))
  const random = new Random(1)
  const found: Float64Array[] = []
  let within = 0
  for (let component = 0; component < 2; component++) {
    let direction: Float64Array = Float64Array.from({ length: cols }, () => random.normal())
    let spread = 0
    for (let iteration = 0; iteration < ITERATIONS; iteration++) {
      for (const other of found) addTo(direction, other, -dot(direction, other))
      spread = Math.sqrt(dot(direction, direction))
      if (spread === 0) break
      direction = direction.map((value) => value / spread)
      direction = covarianceTimes(matrix, origin, direction)
    }
    for (const other of found) addTo(direction, other, -dot(direction, other))
    spread = Math.sqrt(dot(direction, direction))
    within += spread
    found.push(spread > 0 ? direction.map((value) => value / spread) : direction)
  }
  return { origin, first: found[0], second: found[1], explained: within / totalVariance(matrix, origin) }
}

/** Where the rows of a matrix lie on the plane: a, b, a, b, … */
export function coordinatesOn({ origin, first, second }: DataPlane, matrix: Matrix): Float64Array {
  const a = times(matrix, first)
  const b = times(matrix, second)
  const [shiftA, shiftB] = [dot(origin, first), dot(origin, second)]
  const points = new Float64Array(2 * matrix.rows)
  for (let i = 0; i < matrix.rows; i++) {
    points[2 * i] = a[i] - shiftA
    points[2 * i + 1] = b[i] - shiftB
  }
  return points
}

/** (1/n) Σ (x_i − m)(x_i − m)ᵀ v = (1/n) Xᵀ(Xv) − m ⟨m, v⟩ */
function covarianceTimes(matrix: Matrix, mean: Float64Array, v: Float64Array): Float64Array {
  const product = timesTransposed(
    matrix,
    times(matrix, v).map((value) => value / matrix.rows),
  )
  addTo(product, mean, -dot(mean, v))
  return product
}

function totalVariance(matrix: Matrix, mean: Float64Array): number {
  let squares = 0
  for (const value of matrix.values) squares += value * value
  return squares / matrix.rows - dot(mean, mean) || 1
}

function times(matrix: Matrix, v: Float64Array): Float64Array {
  return Float64Array.from({ length: matrix.rows }, (_, i) => {
    let sum = 0
    forRow(matrix, i, (column, value) => {
      sum += value * v[column]
    })
    return sum
  })
}

function timesTransposed(matrix: Matrix, v: Float64Array): Float64Array {
  const sum = new Float64Array(matrix.cols)
  for (let i = 0; i < matrix.rows; i++) {
    forRow(matrix, i, (column, value) => {
      sum[column] += v[i] * value
    })
  }
  return sum
}

function forRow(matrix: Matrix, i: number, visit: (column: number, value: number) => void): void {
  if (matrix.kind === 'dense') {
    for (let j = 0; j < matrix.cols; j++) visit(j, matrix.values[i * matrix.cols + j])
  } else {
    for (let k = matrix.indptr[i]; k < matrix.indptr[i + 1]; k++) visit(matrix.indices[k], matrix.values[k])
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
  return sum
}

function addTo(a: Float64Array, b: Float64Array, factor: number): void {
  for (let k = 0; k < a.length; k++) a[k] += factor * b[k]
}
