/**
 * Cholesky's factor of a sparse R + X̃ᵀ diag(h) X̃, R diagonal, for features most of which are in few of the rows.
 *
 * Features have their turn by the number of rows they are in, rare ones first: what one of them adds to the others is confined to those that it
 * shares rows with. A row joins the pattern of column j of L with its first feature, and so does the pattern of each column whose first entry below
 * the diagonal is j. Where a pattern has come to half of the features that are left, these are the tail: what all columns before add to it is the
 * Gram matrix of their entries there, and it is factored as a dense matrix.
 *
 * Of news20 (C = 100, one class, squared hinge), 2,508 features and 2,056 rows at the optimum: the tail has about 900 features, and a factor takes
 * a twentieth of the multiply-adds of a dense one. Minimum degree instead of this order saves a third of them.
 */
import type { Pieces } from '../../base/pieces.ts'
import { type SparseMatrix, toSparse } from '../../data/matrix/matrix.ts'
import { selectColumns } from '../../data/matrix/select-columns.ts'
import { transpose } from '../../data/matrix/transpose.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows, Triangle } from '../rows/linear-rows.ts'

/** The tail begins where a column's pattern is this part of the features that are left. */
const DENSE_PART = 0.5
/** A pivot smaller than this part of its diagonal is rounding: its variable stays where it is. The same as of dense matrices. */
const LEAST_PIVOT = 1e-14
const HUGE = 1e150

/** See the header of the file. Making one decides on the order and the patterns, and so on what a factor costs. */
export class SparseFactor {
  /** Multiply-adds of a factor, about. */
  readonly price: number
  private readonly rows: LinearRows
  /** The features in their order, the constant one among them, and the rows with their features so. */
  private readonly order: Uint32Array
  private readonly matrix: SparseMatrix
  private readonly columns: SparseMatrix
  /** Where the tail begins, and the columns of L before it: below the diagonal, ascending. */
  private readonly tail: number
  private readonly starts: Uint32Array
  private readonly places: Uint32Array
  private readonly values: Float64Array
  private readonly diagonal: Float64Array
  private triangle: Triangle | undefined

  constructor(rows: LinearRows) {
    const n = rows.cols + 1
    this.rows = rows
    const whole = withConstantColumn(toSparse(rows.matrix), rows.constant)
    const counts = new Uint32Array(n)
    for (const j of whole.indices) counts[j]++
    this.order = Uint32Array.from({ length: n }, (_, j) => j).sort((a, b) => counts[a] - counts[b] || a - b)
    this.matrix = selectColumns(whole, this.order) as SparseMatrix
    this.columns = transpose(this.matrix)
    const { tail, starts, places, price } = patterns(this.matrix)
    this.tail = tail
    this.starts = starts
    this.places = places
    this.values = new Float64Array(places.length)
    this.diagonal = new Float64Array(tail)
    const left = n - tail
    this.price = price + left ** 3 / 6
  }

  /** Factors the matrix of these h and R. */
  *factor(h: Float64Array, ridge: Float64Array, due: Due): Pieces {
    const { matrix, columns, order, tail, starts, places, values, diagonal } = this
    const sums = new Float64Array(order.length)
    /** For each feature the columns whose next entry is in its row of L, as a chain, and where that entry is. */
    const first = new Int32Array(tail).fill(-1)
    const next = new Int32Array(tail).fill(-1)
    const position = starts.slice(0, tail)
    const join = (k: number) => {
      const row = position[k] < starts[k + 1] ? places[position[k]] : tail
      if (row >= tail) return
      next[k] = first[row]
      first[row] = k
    }
    for (let j = 0; j < tail; j++) {
      for (let a = columns.indptr[j]; a < columns.indptr[j + 1]; a++) {
        const i = columns.indices[a]
        const scaled = h[i] * columns.values[a]
        for (let k = matrix.indptr[i + 1] - 1; k >= matrix.indptr[i] && matrix.indices[k] >= j; k--)
          sums[matrix.indices[k]] += scaled * matrix.values[k]
      }
      sums[j] += ridge[order[j]]
      const own = sums[j]
      for (let k = first[j], following = -1; k >= 0; k = following) {
        following = next[k]
        const factor = values[position[k]]
        for (let a = position[k]; a < starts[k + 1]; a++) sums[places[a]] -= factor * values[a]
        position[k]++
        join(k)
      }
      const pivot = sums[j] > LEAST_PIVOT * own ? Math.sqrt(sums[j]) : HUGE
      diagonal[j] = pivot
      sums[j] = 0
      for (let a = starts[j]; a < starts[j + 1]; a++) {
        values[a] = sums[places[a]] / pivot
        sums[places[a]] = 0
      }
      join(j)
      if (due()) yield
    }
    yield* this.factorTail(h, ridge, due)
  }

  /** What the rows add to the tail, less what the columns before it take. */
  private *factorTail(h: Float64Array, ridge: Float64Array, due: Due): Pieces {
    const { rows, matrix, order, tail, starts, places, values } = this
    // A column more: dense matrices have one for a constant feature, which is 0 here.
    const triangle = rows.triangle(order.length - tail + 1)
    this.triangle = triangle
    const mark = rows.mark()
    const count = matrix.rows + tail
    const indptr = new Uint32Array(count + 1)
    const indices = new Uint32Array(matrix.indices.length + places.length)
    const entries = new Float64Array(indices.length)
    let end = 0
    const take = (own: Uint32Array, from: number, to: number, numbers: Float64Array) => {
      for (let k = from; k < to; k++) {
        if (own[k] < tail) continue
        indices[end] = own[k] - tail
        entries[end++] = numbers[k]
      }
    }
    for (let i = 0; i < count; i++) {
      const k = i - matrix.rows
      if (k < 0) take(matrix.indices, matrix.indptr[i], matrix.indptr[i + 1], matrix.values)
      else take(places, starts[k], starts[k + 1], values)
      indptr[i + 1] = end
    }
    const cols = order.length - tail
    const parts = { indices: indices.slice(0, end), values: entries.slice(0, end) }
    const own = rows.of({ kind: 'sparse', rows: count, cols, indptr, ...parts }, 0)
    const factors = own.vector(count)
    factors.fill(-1)
    factors.set(h.subarray(0, matrix.rows))
    triangle.clear()
    yield* own.addGram(factors, triangle, due)
    const added = new Float64Array(cols + 1)
    for (let a = 0; a < cols; a++) added[a] = ridge[order[tail + a]]
    triangle.addDiagonal(added)
    yield* triangle.factor(due)
    rows.release(mark)
  }

  /** Replaces b by x of A x = b, A the matrix that was factored. */
  solve(b: Float64Array): void {
    const { order, tail, starts, places, values, diagonal } = this
    const x = new Float64Array(order.length + 1)
    for (let j = 0; j < order.length; j++) x[j] = b[order[j]]
    for (let j = 0; j < tail; j++) {
      const own = x[j] / diagonal[j]
      x[j] = own
      for (let a = starts[j]; a < starts[j + 1]; a++) x[places[a]] -= own * values[a]
    }
    this.triangle?.solve(x.subarray(tail))
    for (let j = tail - 1; j >= 0; j--) {
      let sum = x[j]
      for (let a = starts[j]; a < starts[j + 1]; a++) sum -= values[a] * x[places[a]]
      x[j] = sum / diagonal[j]
    }
    for (let j = 0; j < order.length; j++) b[order[j]] = x[j]
  }
}

/** The matrix with a column more, which is the same value in all rows. */
function withConstantColumn(matrix: SparseMatrix, constant: number): SparseMatrix {
  const { rows, cols, indptr, indices, values } = matrix
  const grown = {
    indptr: indptr.map((start, i) => start + i),
    indices: new Uint32Array(indices.length + rows).fill(cols),
    values: new Float64Array(indices.length + rows).fill(constant),
  }
  for (let i = 0; i < rows; i++) {
    grown.indices.set(indices.subarray(indptr[i], indptr[i + 1]), grown.indptr[i])
    grown.values.set(values.subarray(indptr[i], indptr[i + 1]), grown.indptr[i])
  }
  return { kind: 'sparse', rows, cols: cols + 1, ...grown }
}

/** The patterns of the columns of L before the tail, and multiply-adds that these take. */
function patterns({ rows, cols, indptr, indices }: SparseMatrix) {
  /** Chains of the rows, then of the columns, whose first entry is that of a column. */
  const first = new Int32Array(cols).fill(-1)
  const next = new Int32Array(rows + cols).fill(-1)
  const join = (member: number, j: number) => {
    next[member] = first[j]
    first[j] = member
  }
  for (let i = 0; i < rows; i++) if (indptr[i] < indptr[i + 1]) join(i, indices[indptr[i]])
  const seen = new Int32Array(cols).fill(-1)
  const starts = new Uint32Array(cols + 1)
  let places = new Uint32Array(4 * indices.length)
  let end = 0
  let price = 0
  let tail = 0
  for (; tail < cols; tail++) {
    const j = tail
    const start = end
    if (places.length < end + cols) {
      const longer = new Uint32Array(2 * places.length + cols)
      longer.set(places)
      places = longer
    }
    seen[j] = j
    for (let member = first[j]; member >= 0; member = next[member]) {
      const isRow = member < rows
      const list = isRow ? indices : places
      const to = isRow ? indptr[member + 1] : starts[member - rows + 1]
      for (let k = isRow ? indptr[member] : starts[member - rows]; k < to; k++) {
        if (seen[list[k]] === j || list[k] <= j) continue
        seen[list[k]] = j
        places[end++] = list[k]
      }
    }
    const size = end - start
    if (size >= DENSE_PART * (cols - j - 1)) {
      end = start
      break
    }
    places.subarray(start, end).sort()
    starts[j + 1] = end
    price += 0.5 * size * size
    if (size > 0) join(rows + j, places[start])
  }
  return { tail, starts: starts.slice(0, tail + 1), places: places.slice(0, end), price }
}
