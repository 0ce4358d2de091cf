import { expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { areEqualRows, firstEqualRows } from '../../../src/data/matrix/equal-rows.ts'
import { lazyRows } from '../../../src/data/matrix/lazy-rows.ts'
import { type DenseMatrix, type Matrix, selectRows, toSparse } from '../../../src/data/matrix/matrix.ts'

/** Rows of few different values, so that many are equal; some of nothing but zeros. */
function fewValues(seed: number, rows: number, cols: number): DenseMatrix {
  const random = new Random(seed)
  const values = Float64Array.from({ length: rows * cols }, () => random.int(3) / 3)
  for (let i = 0; i < rows; i += 7) values.fill(0, i * cols, (i + 1) * cols)
  return { kind: 'dense', rows, cols, values }
}

it.each([0, 1, 2, 3, 60, 400])('finds the first equal one of %i rows, dense and sparse', (rows) => {
  const matrix = fewValues(rows, rows, 4)
  const list = Uint32Array.from({ length: rows }, (_, i) => rows - 1 - i)
  const texts = Array.from(list, (i) => matrix.values.subarray(4 * i, 4 * i + 4).join())
  const expected = Uint32Array.from(texts, (text) => texts.indexOf(text))
  expect(firstEqualRows(matrix, list)).toEqual(expected)
  expect(firstEqualRows(toSparse(matrix), list)).toEqual(expected)
})

it('tells rows with the same values in other columns apart', () => {
  const values = Float64Array.of(1, 0, 2, 0, 1, 2, 1, 2, 0, 1, 0, 2)
  const matrix: DenseMatrix = { kind: 'dense', rows: 4, cols: 3, values }
  const list = Uint32Array.of(0, 1, 2, 3)
  expect(firstEqualRows(toSparse(matrix), list)).toEqual(Uint32Array.of(0, 1, 2, 0))
})

it.each([100, 1])('tells long rows apart that differ in one of 500 columns, %i different ones', (places) => {
  // Hashes of some values alone are those of all rows: each is compared with all others before it.
  const [rows, cols] = [120, 500]
  const random = new Random(places)
  const values = new Float64Array(rows * cols).fill(1)
  for (let i = 0; i < rows; i++) values[i * cols + 137 + random.int(places)] = 2 + random.int(3)
  const matrix: DenseMatrix = { kind: 'dense', rows, cols, values }
  const texts = Array.from({ length: rows }, (_, i) => values.subarray(i * cols, (i + 1) * cols).join())
  const expected = Uint32Array.from(texts, (text) => texts.indexOf(text))
  const list = Uint32Array.from({ length: rows }, (_, i) => i)
  expect(firstEqualRows(matrix, list)).toEqual(expected)
  expect(firstEqualRows(toSparse(matrix), list)).toEqual(expected)
})

it('looks at late rows where they come from', () => {
  const matrix = toSparse(fewValues(5, 90, 3))
  const chosen = Uint32Array.from({ length: 60 }, (_, k) => (k * 37) % 90)
  const list = Uint32Array.from({ length: 50 }, (_, k) => (k * 7) % 60)
  const expected = firstEqualRows(selectRows(matrix, chosen), list)
  expect(firstEqualRows(lazyRows(matrix, chosen), list)).toEqual(expected)
  expect(new Set(expected).size).toBeLessThan(list.length)
})

it('calls rows equal where values and columns are', () => {
  // 5 at column 0, 5 at column 1, 5 at column 0 again, 5 and 6, and nothing.
  const matrix: Matrix = {
    ...{ kind: 'sparse', rows: 5, cols: 3 },
    indptr: Uint32Array.of(0, 1, 2, 3, 5, 5),
    indices: Uint32Array.of(0, 1, 0, 0, 2),
    values: Float64Array.of(5, 5, 5, 5, 6),
  }
  expect([1, 2, 3, 4].map((other) => areEqualRows(matrix, 0, other))).toEqual([false, true, false, false])
  const dense: Matrix = { kind: 'dense', rows: 3, cols: 2, values: Float64Array.of(1, 2, 1, 3, 1, 2) }
  expect([1, 2].map((other) => areEqualRows(dense, 0, other))).toEqual([false, true])
})
