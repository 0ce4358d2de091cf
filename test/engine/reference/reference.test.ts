/** Products and distances at every row length around a vector width and in every storage. */
import { describe, expect, it } from 'vitest'
import { type Matrix, selectRows, toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { products, type RowOperation, squaredDistances } from '../../../src/engine/reference/reference.ts'
import { rowOf, someMatrix, storages } from '../../suites/matrices.ts'

const lengths = [0, 1, 3, 4, 5, 14]

function rowsOf(operation: RowOperation, queries: number, targets: number): number[][] {
  return Array.from({ length: queries }, (_, i) => {
    const out = new Float64Array(targets)
    operation.row(i, out)
    return Array.from(out)
  })
}

function expectClose(actual: number[][], expected: number[][], relative: number): void {
  expect(actual.map((row) => row.length)).toEqual(expected.map((row) => row.length))
  for (let i = 0; i < expected.length; i++) {
    for (let j = 0; j < expected[i].length; j++) {
      const allowed = relative * Math.max(1, Math.abs(expected[i][j]))
      expect(Math.abs(actual[i][j] - expected[i][j])).toBeLessThanOrEqual(allowed)
    }
  }
}

const dot = (x: number[], z: number[]): number => x.reduce((sum, value, k) => sum + value * z[k], 0)
const distance = (x: number[], z: number[]): number =>
  x.reduce((sum, value, k) => sum + (value - z[k]) ** 2, 0)

const RELATIVE = 1e-13

const pairs = storages.flatMap((a) => storages.map((b) => ({ a, b })))
describe.each(pairs)('$a.storage with $b.storage', ({ a, b }) => {
  it.each(lengths)('rows of length %i', (cols) => {
    for (const targetRows of lengths) {
      const x = someMatrix(11 + cols, 5, cols)
      const z = someMatrix(23 + targetRows, targetRows, cols)
      const queries = a.store(x)
      const targets = b.store(z)
      const naive = (f: typeof dot) =>
        Array.from({ length: 5 }, (_, i) =>
          Array.from({ length: targetRows }, (_, j) => f(rowOf(x, i), rowOf(z, j))),
        )
      expectClose(rowsOf(products(queries, targets), 5, targetRows), naive(dot), RELATIVE)
      expectClose(rowsOf(squaredDistances(queries, targets), 5, targetRows), naive(distance), RELATIVE)
    }
  })

  it.each([
    [3, 6],
    [6, 3],
    [0, 4],
    [4, 0],
  ])('widths %i and %i: missing columns are zeros', (queryCols, targetCols) => {
    const x = someMatrix(1, 4, queryCols)
    const z = someMatrix(2, 7, targetCols)
    const width = Math.max(queryCols, targetCols)
    const naive = (f: typeof dot) =>
      Array.from({ length: 4 }, (_, i) =>
        Array.from({ length: 7 }, (_, j) => f(rowOf(x, i, width), rowOf(z, j, width))),
      )
    expectClose(rowsOf(products(a.store(x), b.store(z)), 4, 7), naive(dot), RELATIVE)
    expectClose(rowsOf(squaredDistances(a.store(x), b.store(z)), 4, 7), naive(distance), RELATIVE)
  })

  it('gives the end of a row alone', () => {
    const x = a.store(someMatrix(3, 2, 5))
    const z = b.store(someMatrix(4, 9, 5))
    for (const make of [products, squaredDistances]) {
      const whole = new Float64Array(9)
      make(x, z).row(1, whole)
      for (let from = 0; from <= 9; from++) {
        const part = new Float64Array(9)
        make(x, z).row(1, part, from)
        expect(part.subarray(from)).toEqual(whole.subarray(from))
      }
    }
  })

  it('rows do not depend on the rows made before them', () => {
    const x = a.store(someMatrix(5, 6, 7))
    const z = b.store(someMatrix(6, 6, 7))
    for (const make of [products, squaredDistances]) {
      const used = make(x, z)
      for (const i of [0, 5, 2, 2, 0, 3]) {
        const out = new Float64Array(6)
        const fresh = new Float64Array(6)
        used.row(i, out)
        make(x, z).row(i, fresh)
        expect(out).toEqual(fresh)
      }
    }
  })

  it('equal rows are at distance 0, and no distance is negative', () => {
    const x = someMatrix(7, 8, 14)
    const twice = selectRows(x, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7])
    const rows = rowsOf(squaredDistances(a.store(x), b.store(twice as typeof x)), 8, 16)
    for (let i = 0; i < 8; i++) {
      expect(rows[i][i]).toBe(0)
      expect(rows[i][i + 8]).toBe(0)
      expect(Math.min(...rows[i])).toBe(0)
    }
  })

  it('a feature near 1e6 does not hide one near 1e-6', () => {
    const points = toMatrix([
      [1e6, 1e-6],
      [1e6, 3e-6],
      [1e6, 0],
      [-1e6, 1e-6],
    ]) as ReturnType<typeof someMatrix>
    const [row] = rowsOf(squaredDistances(a.store(points), b.store(points)), 1, 4)
    expect(row[0]).toBe(0)
    expect(row[1]).toBeCloseTo(4e-12, 24)
    expect(row[2]).toBeCloseTo(1e-12, 24)
    expect(row[3]).toBe(4e12)
  })
})

it('every storage gives the same bits, and the matrix is symmetric to the last bit', () => {
  const dense = someMatrix(8, 9, 14)
  const sparse = toSparse(dense)
  const combinations: [Matrix, Matrix][] = [
    [dense, dense],
    [dense, sparse],
    [sparse, dense],
    [sparse, sparse],
  ]
  const all = combinations.map(([x, z]) => rowsOf(products(x, z), 9, 9))
  for (const rows of all) {
    expect(rows).toEqual(all[0])
    for (let i = 0; i < 9; i++) for (let j = 0; j < i; j++) expect(rows[i][j]).toBe(rows[j][i])
  }
  for (const [x, z] of combinations) {
    const rows = rowsOf(squaredDistances(x, z), 9, 9)
    for (let i = 0; i < 9; i++) for (let j = 0; j < i; j++) expect(rows[i][j]).toBe(rows[j][i])
  }
})

it('norms that overflow still give the right distance, infinite or not', () => {
  const points = toMatrix([
    [1e200, 1],
    [1e200, 3],
    [-1e200, 0],
  ])
  for (const matrix of [points, toSparse(points)]) {
    const out = new Float64Array(3)
    squaredDistances(matrix, matrix).row(0, out)
    expect(Array.from(out)).toEqual([0, 4, Number.POSITIVE_INFINITY])
  }
})

it('products in every storage skip what is not stored: explicit zeros change nothing', () => {
  const dense = toMatrix([[0, 2, 0, 3]])
  const explicit = {
    kind: 'sparse' as const,
    rows: 1,
    cols: 4,
    indptr: Uint32Array.of(0, 3),
    indices: Uint32Array.of(0, 1, 3),
    values: Float64Array.of(0, 2, 3),
  }
  const out = new Float64Array(1)
  squaredDistances(explicit, dense).row(0, out)
  expect(out[0]).toBe(0)
  squaredDistances(dense, explicit).row(0, out)
  expect(out[0]).toBe(0)
  products(explicit, explicit).row(0, out)
  expect(out[0]).toBe(13)
})
