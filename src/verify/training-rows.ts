/**
 * Which training samples the support vectors of a model are. A file that says so is held to it; otherwise they are found by
 * their values: rows are sorted by their product with one fixed vector, so that equal rows come together and rows that are
 * equal up to rounding come close, and every candidate is then compared value by value.
 */
import { countUp } from '../base/lists.ts'
import { isMatrix, type Matrix, rowStart } from '../data/matrix/matrix.ts'
import { type Samples, sampleCount } from '../data/table/dataset.ts'
import { Refuted, VectorMissing } from './part.ts'

/** Options of {@link trainingRows}. */
export interface SupportQuery {
  readonly vectors: Samples
  /** The training samples, scaled as the model scales them. */
  readonly rows: Samples
  /** Which samples the model says they are. */
  readonly indices: Uint32Array | undefined
  /** The class of each vector and of each row; all 0 where there are none. */
  readonly vectorClass: Uint32Array
  readonly rowClass: Uint32Array
  /** Coefficient of each vector, by size for classifiers. */
  readonly strength: Float64Array
  /** Of equal rows, which one takes the largest coefficient: the one of the largest target, or the largest bound. */
  readonly priority: Float64Array
}

/** The training sample of each support vector, and how it was found. */
export interface SupportRows {
  readonly rows: Uint32Array
  /** By the file's own numbers, by equal values, or by values that are equal to 8 digits, as LIBSVM writes them. */
  readonly found: 'as numbered' | 'by value' | 'by rounded value'
}

/** LIBSVM writes the values of support vectors with 8 digits: they are wrong by at most half a unit of the last one. */
const EIGHT_DIGITS = 5.00001e-8

/** See the header of the file. Throws {@link Refuted} when a support vector is not among the rows. */
export function trainingRows(query: SupportQuery): SupportRows {
  const { indices, vectorClass, rowClass } = query
  const vectors = asMatrix(query.vectors, query)
  const rows = asMatrix(query.rows, query)
  const isNumbered = (row: number, s: number): boolean =>
    row < rows.rows && rowClass[row] === vectorClass[s] && nearlyEqual(vectors, s, rows, row, 0)
  if (indices?.every(isNumbered) && new Set(indices).size === indices.length) {
    return { rows: indices, found: 'as numbered' }
  }
  const exact = assign(query, vectors, rows, 0)
  if (exact.missing === undefined) return { rows: exact.rows, found: 'by value' }
  const rounded = assign(query, vectors, rows, EIGHT_DIGITS)
  if (rounded.missing === undefined) return { rows: rounded.rows, found: 'by rounded value' }
  throw whyMissing(rounded.missing, query, vectors, rows)
}

/** Whether the first vector is among the rows, whatever its class; `tolerance` is relative to each value. */
export function looksTrainedOn(vectors: Matrix, rows: Matrix, tolerance: number): boolean {
  return vectors.rows > 0 && new SortedRows(rows).near(vectors, 0, tolerance).length > 0
}

/** Rows of one class that may be a vector, the highest priority first. */
interface Candidates {
  readonly rows: Uint32Array
  front: number
  back: number
}

/** Gives each vector a row of its own; `missing` is the first that finds none. */
function assign(query: SupportQuery, vectors: Matrix, rows: Matrix, tolerance: number) {
  const { vectorClass, rowClass, strength, priority } = query
  const sorted = new SortedRows(rows)
  const candidates: Candidates[] = []
  // Equal vectors of a class have the same candidates, and share them.
  const byValue = countUp(vectors.rows)
  const products = projections(vectors)
  byValue.sort((s, t) => vectorClass[s] - vectorClass[t] || products[s] - products[t] || s - t)
  byValue.forEach((s, k) => {
    const before = byValue[k - 1]
    if (k > 0 && vectorClass[s] === vectorClass[before] && nearlyEqual(vectors, s, vectors, before, 0)) {
      candidates[s] = candidates[before]
      return
    }
    const own = sorted.near(vectors, s, tolerance).filter((row) => rowClass[row] === vectorClass[s])
    own.sort((i, j) => priority[j] - priority[i] || i - j)
    candidates[s] = { rows: own, front: 0, back: own.length - 1 }
  })
  const chosen = new Uint32Array(vectors.rows)
  const taken = new Uint8Array(rows.rows)
  const strongestFirst = countUp(vectors.rows).sort(
    (s, t) => Math.abs(strength[t]) - Math.abs(strength[s]) || s - t,
  )
  let missing: number | undefined
  for (const s of strongestFirst) {
    const own = candidates[s]
    while (own.front <= own.back && taken[own.rows[own.front]]) own.front++
    while (own.front <= own.back && taken[own.rows[own.back]]) own.back--
    if (own.front > own.back) {
      missing = Math.min(s, missing ?? s)
      continue
    }
    chosen[s] = own.rows[strength[s] < 0 ? own.back : own.front]
    taken[chosen[s]] = 1
  }
  return { rows: chosen, missing }
}

function whyMissing(s: number, query: SupportQuery, vectors: Matrix, rows: Matrix): Refuted {
  const which = `support vector ${s + 1} of the model${isMatrix(query.vectors) ? ` (${valuesOf(vectors, s)})` : ''}`
  const found = new SortedRows(rows).near(vectors, s, EIGHT_DIGITS)
  const not = 'the model was not trained on these data:'
  if (found.length === 0) return new VectorMissing(`${not} ${which} is not among them`)
  const { rowClass, vectorClass } = query
  return new Refuted(
    found.some((row) => rowClass[row] === vectorClass[s])
      ? `${not} ${which} occurs less often than in the model`
      : `${not} ${which} is sample ${found[0] + 1}, but with another label`,
  )
}

/** The first few values of a row: `1:0.5 3:-1 …`. */
function valuesOf(matrix: Matrix, row: number): string {
  const shown: string[] = []
  forEachValue(matrix, row, (column, value) => {
    if (shown.length < 4)
      shown.push(shown.length === 3 ? '…' : `${column + 1}:${Number(value.toPrecision(6))}`)
  })
  return shown.length === 0 ? 'all zeros' : shown.join(' ')
}

/** Rows in the order of their product with one fixed vector. */
class SortedRows {
  private readonly matrix: Matrix
  private readonly order: Uint32Array
  private readonly products: Float64Array

  constructor(matrix: Matrix) {
    this.matrix = matrix
    const products = projections(matrix)
    this.order = countUp(matrix.rows).sort((i, j) => products[i] - products[j] || i - j)
    this.products = Float64Array.from(this.order, (row) => products[row])
  }

  /** The rows whose values differ from those of a vector by no more than `tolerance` times their size. */
  near(vectors: Matrix, s: number, tolerance: number): Uint32Array {
    const { matrix, order, products } = this
    const { product, size } = projection(vectors, s)
    const reach = tolerance * size * (1 + 1e-6)
    const found: number[] = []
    for (let k = firstAtLeast(products, product - reach); products[k] <= product + reach; k++) {
      if (nearlyEqual(vectors, s, matrix, order[k], tolerance)) found.push(order[k])
    }
    return Uint32Array.from(found)
  }
}

function firstAtLeast(ascending: Float64Array, value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

function projections(matrix: Matrix): Float64Array {
  return Float64Array.from({ length: matrix.rows }, (_, row) => projection(matrix, row).product)
}

/** ⟨r, x⟩ and ⟨r, |x|⟩ for a fixed vector r of numbers between ½ and 1½; the same for dense and sparse rows. */
function projection(matrix: Matrix, row: number): { product: number; size: number } {
  let product = 0
  let size = 0
  forEachValue(matrix, row, (column, value) => {
    const factor = 0.5 + (Math.imul(column + 1, 0x9e3779b1) >>> 0) / 2 ** 32
    product += factor * value
    size += factor * Math.abs(value)
  })
  return { product, size }
}

/** Calls `visit` for every value that is not 0, in the order of the columns. */
function forEachValue(matrix: Matrix, row: number, visit: (column: number, value: number) => void): void {
  const { values } = matrix
  const [start, end] = [rowStart(matrix, row), rowStart(matrix, row + 1)]
  for (let k = start; k < end; k++) {
    if (values[k] !== 0) visit(matrix.kind === 'dense' ? k - start : matrix.indices[k], values[k])
  }
}

function nearlyEqual(a: Matrix, i: number, b: Matrix, j: number, tolerance: number): boolean {
  const [aStart, aEnd] = [rowStart(a, i), rowStart(a, i + 1)]
  const [bStart, bEnd] = [rowStart(b, j), rowStart(b, j + 1)]
  let p = aStart
  let q = bStart
  for (;;) {
    while (p < aEnd && a.values[p] === 0) p++
    while (q < bEnd && b.values[q] === 0) q++
    if (p === aEnd || q === bEnd) return p === aEnd && q === bEnd
    const column = a.kind === 'dense' ? p - aStart : a.indices[p]
    if (column !== (b.kind === 'dense' ? q - bStart : b.indices[q])) return false
    const value = b.values[q++]
    if (!(Math.abs(value - a.values[p++]) <= tolerance * Math.abs(value))) return false
  }
}

/** Samples that are not vectors as one column of numbers: equal samples, as JSON writes them, have the same number. */
function asMatrix(samples: Samples, { rows }: SupportQuery): Matrix {
  if (isMatrix(samples)) return samples
  const numbers = new Map<string, number>()
  for (const sample of rows as readonly unknown[]) {
    const text = JSON.stringify(sample)
    if (!numbers.has(text)) numbers.set(text, numbers.size + 1)
  }
  const values = Float64Array.from(samples, (sample) => numbers.get(JSON.stringify(sample)) ?? -1)
  return { kind: 'dense', rows: sampleCount(samples), cols: 1, values }
}
