import { afterAll, describe, expect, it } from 'vitest'
import type { DenseMatrix } from '../../../src/data/matrix/matrix.ts'
import { KernelSums } from '../../../src/engine/jobs/kernel-sums.ts'
import type { EngineKernel } from '../../../src/engine/matrix/engine-kernel.ts'
import {
  gatherRows,
  reserveCopy,
  uploadMatrix,
  uploadQueries,
} from '../../../src/engine/matrix/engine-matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import * as reference from '../../../src/engine/reference/reference.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'
import { decimals, mostlyZeros, naiveKernel, onBuild, zerosAnd } from '../../suites/engine-kernels.ts'
import { rowOf } from '../../suites/matrices.ts'

const linear: EngineKernel = { kind: 'linear', gamma: 0, coef0: 0, degree: 0 }
const rbf: EngineKernel = { kind: 'rbf', gamma: 0.2, coef0: 0, degree: 0 }
const COUNTS = 1
const PAIRS = 2

/** Values in every third column, in the next ones in the next row: no column is empty, and storage is sparse. */
function spread(rows: number, cols: number, value: (k: number) => number): DenseMatrix {
  const values = Float64Array.from({ length: rows * cols }, (_, k) =>
    ((k % cols) + Math.floor(k / cols)) % 3 === 0 ? value(k) : 0,
  )
  return { kind: 'dense', rows, cols, values }
}

/** k(x_j, q_i) in f64, [i][j]: each sample is the only term of its own sum. */
function exactValues(kernel: EngineKernel, samples: DenseMatrix, queries: DenseMatrix): Float64Array {
  const own = Uint32Array.from({ length: samples.rows }, (_, j) => j)
  const layout = { rows: 1, groupEnds: own.map((j) => j + 1), targets: own, outputs: samples.rows }
  const ones = new Float64Array(samples.rows).fill(1)
  return withEngine(1, (engine) => new KernelSums(engine, kernel, samples, ones, layout).of(queries, 'f64'))
    .values
}

/** The matrix with its first row once more in place of the last. */
function withEqualRows(matrix: DenseMatrix): DenseMatrix {
  const values = matrix.values.slice()
  values.copyWithin((matrix.rows - 1) * matrix.cols, 0, matrix.cols)
  return { ...matrix, values }
}

/** How the engine stores a matrix: form and parts, or undefined. */
function wholeOf(matrix: DenseMatrix) {
  return withEngine(1, (engine) => {
    const { integers } = uploadMatrix(engine, matrix, linear)
    return integers && { form: integers.form, unit: integers.unit }
  })
}

function sumsOf(kernel: EngineKernel, samples: DenseMatrix, queries: DenseMatrix): Float64Array {
  return withEngine(1, (engine) => {
    const ones = new Float64Array(samples.rows).fill(1)
    return new KernelSums(engine, kernel, samples, ones).of(queries, 'f32').values
  })
}

function largestError(kernel: EngineKernel, samples: DenseMatrix, queries: DenseMatrix): number {
  const rows = Array.from({ length: samples.rows }, (_, j) => rowOf(samples, j))
  let largest = 0
  sumsOf(kernel, samples, queries).forEach((sum, i) => {
    const query = rowOf(queries, i)
    const expected = rows.reduce((total, row) => total + naiveKernel(kernel, row, query), 0)
    largest = Math.max(largest, Math.abs(sum - expected))
  })
  return largest
}

describe('which numbers are computed with as whole ones', () => {
  it('counts of one number, as long as a byte holds them', () => {
    expect(wholeOf(spread(4, 255, () => 0.18257))).toEqual({ form: COUNTS, unit: 0.18257 })
    expect(wholeOf(spread(3, 765, () => 0.18257))).toEqual({ form: COUNTS, unit: 0.18257 })
    expect(wholeOf(spread(3, 768, () => 0.18257))).toBeUndefined()
    expect(wholeOf(spread(3, 768, () => 1))).toEqual({ form: PAIRS, unit: 1 })
  })

  it('decimals of a few digits and grey levels', () => {
    expect(wholeOf(spread(3, 30, (k) => k - 40))).toEqual({ form: PAIRS, unit: 1 })
    expect(wholeOf(spread(3, 30, (k) => (k - 40) / 10))).toEqual({ form: PAIRS, unit: 0.1 })
    expect(wholeOf(spread(3, 30, (k) => (k - 40) / 1000))).toEqual({ form: PAIRS, unit: 0.001 })
    expect(wholeOf(spread(3, 30, (k) => (k + 1) / 255))).toEqual({ form: PAIRS, unit: 1 / 255 })
    expect(wholeOf(mostlyZeros(1, 3, 30))).toBeUndefined()
  })

  it('numbers whose products have room', () => {
    expect(wholeOf(spread(3, 6, (k) => 32767 - k))).toEqual({ form: PAIRS, unit: 1 })
    expect(wholeOf(spread(3, 9, (k) => 32767 - k))).toBeUndefined()
    expect(wholeOf(spread(3, 6, (k) => 32768 - k))).toBeUndefined()
  })
})

describe('products of whole numbers', () => {
  it('are exact where f32 is', () => {
    const samples = spread(70, 41, (k) => (k % 200) - 100)
    expect(largestError(linear, samples, samples)).toBe(0)
    const binary = zerosAnd(1, 2, 70, 41)
    expect(largestError(linear, binary, binary)).toBe(0)
  })

  it('do not overflow at their limits', () => {
    const samples = spread(20, 6, () => 32767)
    samples.values[0] = -32767
    const expected = 2 * 32767 ** 2
    expect(largestError(linear, samples, samples)).toBeLessThan(20 * expected * 2 ** -23)
  })

  it.each([decimals, (seed: number, rows: number, cols: number) => zerosAnd(0.3, seed, rows, cols)])(
    'with queries of other numbers or more columns are computed as f32 or with their own columns',
    (make) => {
      const samples = make(5, 70, 20)
      for (const cols of [20, 21, 47]) {
        for (const queries of [make(6, 19, cols), mostlyZeros(7, 19, cols)]) {
          expect(largestError(rbf, samples, queries)).toBeLessThan(70 * 1e-6)
        }
      }
      withEngine(1, (engine) => {
        const uploaded = uploadMatrix(engine, samples, rbf)
        expect(uploadQueries(engine, make(6, 19, 20), 0, 19, uploaded).integers?.unit).toBe(
          uploaded.integers?.unit,
        )
        expect(uploadQueries(engine, mostlyZeros(7, 19, 20), 0, 19, uploaded).integers).toBeUndefined()
      })
    },
  )

  it('of gathered rows are those of the rows', () => {
    for (const samples of [decimals(8, 50, 13), zerosAnd(0.3, 9, 50, 13)]) {
      withEngine(1, (engine) => {
        const source = uploadMatrix(engine, samples, rbf)
        const copy = reserveCopy(engine, source, 50, source.values.length)
        const chosen = [49, 0, 0, 7, 31]
        gatherRows(source, chosen, chosen.length, copy)
        chosen.forEach((row, r) => {
          const entries = (integers = source.integers, i = row) => {
            const from = ((integers?.ends[i] ?? 0) - (integers?.entries.pointer ?? 0)) / 4
            const to = ((integers?.ends[i + 1] ?? 0) - (integers?.entries.pointer ?? 0)) / 4
            return Array.from(integers?.entries.subarray(from, to) ?? [])
          }
          expect(entries(copy.integers, r)).toEqual(entries())
          expect(copy.norms[r]).toBe(source.norms[row])
        })
      })
    }
  })
})

describe.each(testedBuilds)('exact values of whole numbers in the %s build', (build) => {
  afterAll(() => chooseEngineBuild(undefined))
  const makers = [
    ['counts', COUNTS, (seed: number, rows: number, cols: number) => zerosAnd(0.18257, seed, rows, cols)],
    ['decimals', PAIRS, decimals],
    [
      'whole numbers',
      PAIRS,
      (_: number, rows: number, cols: number) => spread(rows, cols, (k) => (k % 5) - 2),
    ],
  ] as const
  const sizes = [
    [5, 1, 14],
    [63, 7, 14],
    [64, 8, 41],
    [65, 9, 257],
    [130, 17, 29],
  ] as const

  it.each(makers)('%s: are those of the reference backend', (_, form, make) => {
    const soft: EngineKernel = { ...rbf, gamma: 0.02 }
    const expected = { products: new Float64Array(130), distances: new Float64Array(130) }
    onBuild(build, () => {
      for (const [count, rows, cols] of sizes) {
        const samples = make(count, count, cols)
        const queries = make(rows, rows, cols)
        expect(wholeOf(samples)?.form).toBe(form)
        const products = exactValues(linear, samples, queries)
        const values = exactValues(soft, samples, queries)
        let inProducts = 0
        let inValues = 0
        for (let i = 0; i < rows; i++) {
          reference.products(queries, samples).row(i, expected.products)
          reference.squaredDistances(queries, samples).row(i, expected.distances)
          for (let j = 0; j < count; j++) {
            const value = Math.exp(-soft.gamma * expected.distances[j])
            inProducts = Math.max(inProducts, Math.abs(products[i * count + j] - expected.products[j]))
            inValues = Math.max(inValues, Math.abs(values[i * count + j] / value - 1))
          }
        }
        expect(inProducts).toBeLessThan(1e-13)
        expect(inValues).toBeLessThan(1e-13)
      }
    })
  })

  it.each(makers)('%s: equal rows have the value 1', (_, __, make) => {
    onBuild(build, () => {
      for (const [count, , cols] of sizes) {
        const samples = withEqualRows(make(count, count, cols))
        const wide: EngineKernel = { ...rbf, gamma: 1000 }
        for (const queries of [samples, { ...samples }]) {
          const values = exactValues(wide, samples, queries)
          expect(values[count - 1]).toBe(1)
          for (let i = 0; i < count; i++) expect(values[i * count + i]).toBe(1)
        }
      }
    })
  })

  it('distances lose nothing to norms that cancel', () => {
    onBuild(build, () => {
      // Two numbers a row: ‖x‖² is near 1800, the distance to its neighbour 1e-6.
      const samples = spread(9, 6, (k) => (30_000 + (k % 3)) / 1000)
      const queries = spread(9, 6, (k) => (30_000 + (k % 3) + (k % 6 < 3 ? 1 : 0)) / 1000)
      const narrow: EngineKernel = { ...rbf, gamma: 1e6 }
      const values = exactValues(narrow, samples, queries)
      for (let i = 0; i < 9; i++) {
        expect(Math.abs(values[i * 9 + i] - Math.exp(-1))).toBeLessThan(1e-15)
      }
    })
  })
})
