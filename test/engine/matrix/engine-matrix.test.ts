import { afterAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { type DenseMatrix, type Matrix, selectRows, toSparse } from '../../../src/data/matrix/matrix.ts'
import type { EngineKernel } from '../../../src/engine/matrix/engine-kernel.ts'
import {
  type EngineMatrix,
  gatherRows,
  reserveCopy,
  uploadExact,
  uploadMatrix,
  uploadQueries,
} from '../../../src/engine/matrix/engine-matrix.ts'
import { rowsInOrder, rowsTo } from '../../../src/engine/matrix/place-rows.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'
import { engineStorages, mostlyZeros, onBuild } from '../../suites/engine-kernels.ts'
import { rowOf } from '../../suites/matrices.ts'

const linear: EngineKernel = { kind: 'linear', gamma: 0, coef0: 0, degree: 0 }
const rbf: EngineKernel = { kind: 'rbf', gamma: 1, coef0: 0, degree: 0 }

/** All that products are computed from of row i. */
function storedRow(matrix: EngineMatrix, i: number) {
  const { dense, cols, integers, indptr, offsets, values, norms } = matrix
  if (integers) {
    const { ends, entries } = integers
    const [from, to] = [ends[i], ends[i + 1]].map((end) => (end - entries.pointer) / 4)
    return { norm: norms[i], entries: Array.from(entries.subarray(from, to)) }
  }
  const from = dense ? i * cols : indptr[i]
  const to = dense ? from + cols : indptr[i + 1]
  return {
    norm: norms[i],
    columns: Array.from(offsets.subarray(from, to)),
    values: Array.from(values.subarray(from, to)),
  }
}

/** Row i without its zeros: columns as the matrix numbers them, f64 and f32 values, centre added again. */
function readRow(
  { dense, cols, indptr, offsets, exact, values, positions, centre }: EngineMatrix,
  i: number,
) {
  const read: { column: number; value: number; rounded: number }[] = []
  const end = dense ? (i + 1) * cols : indptr[i + 1]
  for (let k = dense ? i * cols : indptr[i]; k < end; k++) {
    const place = dense ? k - i * cols : offsets[k] / 64
    const column = positions ? positions.indexOf(place) : place
    const value = exact[k] + (centre?.[place] ?? 0)
    if (Math.abs(value) > 1e-12) read.push({ column, value, rounded: values[k] - Math.fround(exact[k]) })
  }
  return read.sort((a, b) => a.column - b.column)
}

/** Columns and values of row i as its entries tell them. */
function readEntries({ integers }: EngineMatrix, i: number) {
  if (!integers) return undefined
  const { form, ends, entries, unit, parts } = integers
  const words = entries.subarray((ends[i] - entries.pointer) / 4, (ends[i + 1] - entries.pointer) / 4)
  const read: [column: number, value: number][] = []
  if (form === 1) for (const word of words) if (word > 0) read.push([word / 16 - 1, unit])
  for (let e = 0; form === 2 && e < words.length; e += 2) {
    const [first, second] = new Int16Array(Uint32Array.of(words[e + 1]).buffer)
    const column = words[e] / 32
    if (first !== 0) read.push([column, first / parts])
    if (second !== 0) read.push([column + 1, second / parts])
  }
  return { read, isPadded: words.length % (4 * form) === 0 }
}

/** What is wrong with a matrix in the engine that should hold these rows. */
function checkUploaded(uploaded: EngineMatrix, matrix: DenseMatrix, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const row = readRow(uploaded, i - from)
    const expected = rowOf(matrix, i).flatMap((value, column) => (value === 0 ? [] : [{ column, value }]))
    expect(row.map(({ column }) => column)).toEqual(expected.map(({ column }) => column))
    const errors = row.map(({ value }, e) => Math.abs(value - expected[e].value))
    expect(Math.max(0, ...errors)).toBeLessThanOrEqual(uploaded.centre ? 1e-14 : 0)
    expect(row.some(({ rounded }) => rounded !== 0)).toBe(false)
    const entries = readEntries(uploaded, i - from)
    if (entries) {
      expect(entries.read).toEqual(expected.map(({ column, value }) => [column, value]))
      expect(entries.isPadded).toBe(true)
    }
    const { dense, cols, indptr, exact } = uploaded
    const [start, end] = dense ? [i - from, i - from + 1].map((r) => r * cols) : indptr.subarray(i - from)
    const norm = exact.subarray(start, end).reduce((sum, value) => sum + value * value, 0)
    expect(uploaded.exactNorms[i - from]).toBe(norm)
    expect(uploaded.norms[i - from]).toBe(Math.fround(norm / 2))
  }
}

/** The same as sparse rows in which zeros are stored, too. */
function withZeros({ rows, cols, values }: DenseMatrix): Matrix {
  const indptr = Uint32Array.from({ length: rows + 1 }, (_, i) => i * cols)
  const indices = Uint32Array.from({ length: rows * cols }, (_, k) => k % cols)
  return { kind: 'sparse', rows, cols, indptr, indices, values }
}

afterAll(() => chooseEngineBuild(undefined))

describe.each(testedBuilds)('matrices in the engine, %s build', (build) => {
  it.each(engineStorages)('gathered rows of %s samples are the rows', (_, make) => {
    onBuild(build, () => {
      for (const rows of [1, 3, 64, 130]) {
        for (const cols of [1, 3, 14, 257]) {
          withEngine(1, (engine) => {
            const source = uploadMatrix(engine, make(rows * 1000 + cols, rows, cols), linear)
            const copy = reserveCopy(engine, source, rows + 1, (rows + 1) * cols)
            // Any order, and one of them twice; then fewer.
            for (const count of [rows + 1, 1, rows >> 1, 0]) {
              const chosen = Array.from({ length: count }, (_, r) => (7 * (r + 1)) % rows)
              const before = engine.mark()
              gatherRows(source, chosen, count, copy)
              expect(engine.mark()).toBe(before)
              expect(chosen.map((_, r) => storedRow(copy, r))).toEqual(
                chosen.map((i) => storedRow(source, i)),
              )
            }
          })
        }
      }
    })
  })

  it.each(engineStorages)('%s samples arrive as they are, of any kind of matrix', (_, make) => {
    onBuild(build, () => {
      for (const [rows, cols] of [
        [1, 1],
        [3, 4],
        [5, 13],
        [17, 64],
        [9, 131],
      ]) {
        const matrix = make(rows * 1000 + cols, rows, cols)
        for (const source of [matrix, toSparse(matrix), withZeros(matrix)]) {
          withEngine(1, (engine) => {
            for (const kernel of [linear, rbf]) {
              const uploaded = uploadMatrix(engine, source, kernel)
              checkUploaded(uploaded, matrix, 0, rows)
              const { positions } = uploaded
              const queries = uploadQueries(engine, source, rows >> 1, rows, uploaded)
              checkUploaded({ ...queries, positions }, matrix, rows >> 1, rows)
            }
            const exact = uploadExact(engine, source)
            expect(exact.values.length).toBe(0)
            for (let i = 0; i < rows; i++) {
              expect(readRow(exact, i).map(({ value }) => value)).toEqual(
                rowOf(matrix, i).filter((x) => x !== 0),
              )
            }
          })
        }
      }
    })
  })

  it.each(engineStorages)('%s samples arrive in another order as if they had been in it', (_, make) => {
    onBuild(build, () => {
      for (const [rows, cols] of [
        [1, 1],
        [5, 13],
        [300, 131],
      ]) {
        const matrix = make(rows * 1000 + cols, rows, cols)
        const order = Uint32Array.from({ length: rows }, (_, i) => i)
        new Random(rows).shuffle(order)
        const places = new Uint32Array(rows)
        order.forEach((row, place) => {
          places[row] = place
        })
        for (const source of [matrix, toSparse(matrix), withZeros(matrix)]) {
          withEngine(1, (engine) => {
            for (const kernel of [linear, rbf]) {
              const { exact, values, norms, offsets, indptr, centre, integers } = uploadMatrix(
                engine,
                source,
                kernel,
                rowsTo(places),
              )
              const expected = uploadMatrix(engine, selectRows(source, order), kernel)
              const alike = { exact, values, norms, offsets, centre, ...(expected.dense ? {} : { indptr }) }
              for (const [name, list] of Object.entries(alike)) {
                expect(list && Array.from(list), name).toEqual(
                  expected[name as 'exact'] && Array.from(expected[name as 'exact']),
                )
              }
              expect(integers?.form).toBe(expected.integers?.form)
              const inOrder = uploadMatrix(engine, source, kernel, rowsInOrder)
              expect(Array.from(inOrder.exact)).toEqual(
                Array.from(uploadMatrix(engine, source, kernel).exact),
              )
            }
          })
        }
      }
    })
  })

  it('a matrix of no values at all has norms of 0', () => {
    onBuild(build, () =>
      withEngine(1, (engine) => {
        const empty: DenseMatrix = { kind: 'dense', rows: 3, cols: 4, values: new Float64Array(12) }
        const uploaded = uploadMatrix(engine, toSparse(empty), rbf)
        expect(uploaded.integers).toBeUndefined()
        expect(Array.from(uploaded.exactNorms)).toEqual([0, 0, 0])
      }),
    )
  })
})

describe('matrices of many tasks', () => {
  it.each([
    ['all multiples', 0],
    ['the last value is none', 1e-5],
  ])('know whole numbers: %s', (_, odd) => {
    const matrix = mostlyZeros(3, 1500, 240)
    const values = matrix.values.map((value) => Math.round(value * 1000) / 1000)
    values[values.length - 1] = 0.5 + odd
    withEngine(1, (engine) => {
      const uploaded = uploadMatrix(engine, { ...matrix, values }, linear)
      expect(uploaded.exact.length).toBeGreaterThan(65536)
      expect(uploaded.integers?.parts).toBe(odd ? undefined : 1000)
      checkUploaded(uploaded, { ...matrix, values }, 0, 1500)
    })
  })
})
