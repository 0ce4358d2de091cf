import { afterAll, describe, expect, it, vi } from 'vitest'
import { HyperplaneError } from '../../../src/base/errors.ts'
import { Random } from '../../../src/base/random.ts'
import type { DenseMatrix } from '../../../src/data/matrix/matrix.ts'
import { type EngineKernel, uploadKernel } from '../../../src/engine/matrix/engine-kernel.ts'
import { uploadMatrix } from '../../../src/engine/matrix/engine-matrix.ts'
import { Engine, withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { EngineRows } from '../../../src/engine/rows/engine-rows.ts'
import { kernelFromSpec } from '../../../src/kernels/kernel-from-spec.ts'
import { kernelMatrix } from '../../../src/kernels/kernel-matrix.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'
import {
  engineKernels,
  engineStorages,
  mostlyZeros,
  naiveKernel,
  onBuild,
} from '../../suites/engine-kernels.ts'
import { rowOf, someMatrix } from '../../suites/matrices.ts'

const kernels = engineKernels

/**
 * The largest error in units of what f32 allows: a sum of k products of unit size is good to about √k · 2^−24, and the
 * kernel passes errors of its argument on.
 */
function largestError(
  kernel: EngineKernel,
  matrix: DenseMatrix,
  actual: readonly ArrayLike<number>[],
): number {
  const rows = Array.from({ length: matrix.rows }, (_, i) => rowOf(matrix, i))
  const norms = rows.map((row) => row.reduce((sum, value) => sum + value * value, 0))
  const rounding = 4 * Math.sqrt(matrix.cols) * 2 ** -24
  let largest = 0
  rows.forEach((x, i) => {
    rows.forEach((z, j) => {
      const expected = naiveKernel(kernel, x, z)
      const size = kernel.kind === 'linear' ? norms[i] + norms[j] : kernel.gamma * (norms[i] + norms[j])
      const slope = kernel.kind === 'polynomial' ? kernel.degree * (size + 1) ** (kernel.degree - 1) : 1
      const allowed = 1e-7 * (1 + Math.abs(expected)) + rounding * size * slope
      largest = Math.max(largest, Math.abs(actual[i][j] - expected) / allowed)
    })
  })
  return largest
}

function diagonalOf(matrix: DenseMatrix, kernel: EngineKernel): Float64Array {
  return Float64Array.from({ length: matrix.rows }, (_, i) =>
    naiveKernel(kernel, rowOf(matrix, i), rowOf(matrix, i)),
  )
}

/** All rows of the kernel matrix, made by the engine. */
function engineRows(matrix: DenseMatrix, kernel: EngineKernel): Float32Array[] {
  return withEngine(1, (engine) => {
    engine.reserveScratch(matrix.cols)
    const kernelPointer = uploadKernel(engine, kernel)
    const uploaded = uploadMatrix(engine, matrix, kernel)
    const rows = new EngineRows(engine, kernelPointer, uploaded, diagonalOf(matrix, kernel), 1e6, matrix.rows)
    rows.require(
      Uint32Array.from({ length: matrix.rows }, (_, i) => i),
      matrix.rows,
    )
    return Array.from({ length: matrix.rows }, (_, i) =>
      new Float32Array(engine.memory.buffer, rows.pointer(i), matrix.rows).slice(),
    )
  })
}

/** The same by the reference backend. */
function referenceRows(matrix: DenseMatrix, kernel: EngineKernel): Float64Array[] {
  const { rows, values } = kernelMatrix(kernelFromSpec(kernel), matrix)
  return Array.from({ length: rows }, (_, i) => values.subarray(i * rows, (i + 1) * rows))
}

/** Two values in every row of six columns. */
function spread(rows: number, cols: number): DenseMatrix {
  const values = Float64Array.from({ length: rows * cols }, (_, k) =>
    ((k % cols) + Math.floor(k / cols)) % 3 ? 0 : 1,
  )
  return { kind: 'dense', rows, cols, values }
}

afterAll(() => chooseEngineBuild(undefined))

it('all builds are tested', () => {
  expect(testedBuilds).toEqual(['relaxed', 'simd', 'scalar'])
})

describe.each([
  ['reference backend', referenceRows] as const,
  ...testedBuilds.map((build) => {
    const rows = (matrix: DenseMatrix, kernel: EngineKernel) =>
      onBuild(build, () => engineRows(matrix, kernel))
    return [`${build} build`, rows] as const
  }),
])('%s', (_, rowsOf) => {
  it.each(engineStorages)('kernel rows of %s samples equal their definition at awkward sizes', (_, make) => {
    for (const kernel of kernels) {
      for (const rows of [1, 3, 4, 5, 15, 16, 17, 63, 64, 65, 130]) {
        for (const cols of [1, 3, 4, 5, 14, 257]) {
          if (rows > 17 && cols > 14 && rows !== 65) continue
          const matrix = make(rows * 1000 + cols, rows, cols)
          expect(largestError(kernel, matrix, rowsOf(matrix, kernel))).toBeLessThan(1)
        }
      }
    }
  })
})

describe.each(testedBuilds)('engine, %s build', (build) => {
  it('exp has an absolute error below 1e-7 and never gives a denormal', () => {
    onBuild(build, () =>
      withEngine(1, (engine) => {
        const kernel = { kind: 'rbf', gamma: 1, coef0: 0, degree: 0 } as const
        const random = new Random(1)
        // Samples and queries have nothing in common: distances are sums of norms, and one value of two is stored.
        const [samples, queries] = [64, 16]
        const half = (value: number) => Math.fround((value * value) / 2)
        engine.reserveScratch(2)
        for (let round = 0; round < 200; round++) {
          const mark = engine.mark()
          const values = new Float64Array(2 * (samples + queries))
          for (let s = 0; s < samples; s++) {
            values[2 * s] = Math.sqrt(2 * random.uniform() * (round < 100 ? 1 : 100))
          }
          for (let q = 0; q < queries; q++) values[2 * (samples + q) + 1] = Math.sqrt(q / 16)
          const matrix: DenseMatrix = { kind: 'dense', rows: samples + queries, cols: 2, values }
          const uploaded = uploadMatrix(engine, matrix, kernel)
          expect(uploaded.dense).toBe(false)
          const diagonal = diagonalOf(matrix, kernel)
          const rows = new EngineRows(engine, uploadKernel(engine, kernel), uploaded, diagonal, 1e6, queries)
          rows.require(
            Uint32Array.from({ length: queries }, (_, q) => samples + q),
            queries,
          )
          let error = 0
          let smallest = 1
          for (let q = 0; q < queries; q++) {
            const row = new Float32Array(engine.memory.buffer, rows.pointer(samples + q), samples)
            for (let s = 0; s < samples; s++) {
              const norms = half(values[2 * s]) + half(values[2 * (samples + q) + 1])
              error = Math.max(error, Math.abs(row[s] - Math.exp(-2 * Math.fround(norms))))
              if (row[s] !== 0) smallest = Math.min(smallest, row[s])
            }
          }
          engine.release(mark)
          expect(error).toBeLessThan(1e-7)
          expect(smallest).toBeGreaterThan(1e-37)
        }
      }),
    )
  })

  it('equal rows have rbf value 1 when their values are small whole numbers', () => {
    onBuild(build, () => {
      const matrix: DenseMatrix = {
        kind: 'dense',
        rows: 8,
        cols: 3,
        values: Float64Array.from({ length: 24 }, (_, k) => (k % 3) + 1),
      }
      for (const row of engineRows(matrix, { kind: 'rbf', gamma: 0.7, coef0: 0, degree: 0 })) {
        expect(Array.from(row)).toEqual(new Array(8).fill(1))
      }
    })
  })

  it('subtracts rows from a vector at any length and count', () => {
    onBuild(build, () =>
      withEngine(1, (engine) => {
        const random = new Random(5)
        for (const length of [0, 1, 2, 3, 5, 1023, 1024, 1025, 5000]) {
          for (const count of [0, 1, 3, 4, 5, 9]) {
            const mark = engine.mark()
            engine.reserveScratch(1)
            const vector = engine.array(Float64Array, length + 2)
            const pointers = engine.array(Uint32Array, count)
            const coefficients = engine.array(Float64Array, count)
            const expected = new Float64Array(length)
            const sizes = new Float64Array(length)
            for (let i = 0; i < length; i++) expected[i] = vector[i] = random.normal()
            for (let k = 0; k < count; k++) {
              const row = engine.array(Float32Array, length + 4)
              pointers[k] = row.pointer
              coefficients[k] = random.normal()
              for (let i = 0; i < length; i++) {
                row[i] = random.normal()
                expected[i] -= coefficients[k] * row[i]
                sizes[i] += Math.abs(expected[i]) + Math.abs(coefficients[k] * row[i])
              }
            }
            engine.run({
              kind: 'subtract-rows',
              vector: vector.pointer,
              from: 0,
              to: length,
              rows: pointers.pointer,
              coefficients: coefficients.pointer,
              count,
            })
            // A fused multiply-add rounds once where the others round twice.
            const rounding = build === 'relaxed' ? 2 ** -53 : 0
            const wrong = expected.filter(
              (value, i) => !(Math.abs(vector[i] - value) <= rounding * 2 * sizes[i]),
            )
            expect(Array.from(wrong)).toEqual([])
            engine.release(mark)
          }
        }
      }),
    )
  })
})

describe('engine builds and storages agree to the bit', () => {
  it('the scalar and the SIMD build', () => {
    for (const [, make] of engineStorages) {
      const matrix = make(3, 70, 37)
      for (const kernel of kernels) {
        const scalar = onBuild('scalar', () => engineRows(matrix, kernel))
        const simd = onBuild('simd', () => engineRows(matrix, kernel))
        expect(simd).toEqual(scalar)
      }
    }
  })

  it('K(x, z) = K(z, x)', () => {
    const matrix = mostlyZeros(4, 50, 20)
    for (const kernel of kernels) {
      const rows = engineRows(matrix, kernel)
      for (let i = 0; i < 50; i++) for (let j = 0; j < i; j++) expect(rows[i][j]).toBe(rows[j][i])
    }
  })
})

describe('the arena', () => {
  it('grows, releases to a mark, and keeps what was written', () => {
    const engine = new Engine()
    const first = engine.array(Float64Array, 1000).fill(7)
    const mark = engine.mark()
    const second = engine.array(Float64Array, 1_000_000).fill(3)
    expect(second.pointer % 64).toBe(0)
    engine.release(mark)
    expect(engine.array(Uint8Array, 10).pointer).toBe(second.pointer)
    expect(first.every((value) => value === 7)).toBe(true)
  })

  it('says what is needed when memory cannot be had', () => {
    expect(() => new Engine().allocate(5e9)).toThrow(
      'engine: 5001 MB are needed, but WebAssembly has 4294 MB at most; use fewer samples or a smaller cacheBytes',
    )
  })

  it.each([
    ['dense', someMatrix(3, 40, 6), 'with 240 values need 0.00640 MB, and 0.00300 MB are free: about 18'],
    ['sparse', spread(40, 6), 'with 80 values need 0.00448 MB, and 0.00300 MB are free: about 26'],
  ] as const)('says how many samples would fit where all of them do not: %s', (_, matrix, words) => {
    withEngine(1, (engine) => {
      const before = engine.mark()
      vi.spyOn(engine, 'spareBytes', 'get').mockReturnValue(3000)
      const message = `engine: 40 samples ${words} such samples would fit`
      expect(() => uploadMatrix(engine, matrix, kernels[3])).toThrow(new HyperplaneError(message))
      expect(engine.mark()).toBe(before)
      vi.restoreAllMocks()
    })
  })
})

describe('rows kept by the engine', () => {
  it('gives up the least recently used rows and computes them again, the same', () => {
    withEngine(1, (engine) => {
      const matrix = someMatrix(9, 40, 6)
      const kernel = kernels[3]
      const kernelPointer = uploadKernel(engine, kernel)
      const uploaded = uploadMatrix(engine, matrix, kernel)
      engine.reserveScratch(6)
      // Room for 8 rows of 40 columns.
      const rows = new EngineRows(engine, kernelPointer, uploaded, diagonalOf(matrix, kernel), 8 * 192, 8)
      const read = (i: number) => Array.from(new Float32Array(engine.memory.buffer, rows.pointer(i), 40))
      const all = engineRows(matrix, kernel)
      const run = vi.spyOn(engine, 'run')
      for (let first = 0; first + 8 <= 40; first += 4) {
        const wanted = Uint32Array.from({ length: 8 }, (_, a) => first + a)
        rows.require(wanted, 8)
        for (const i of wanted) expect(read(i)).toEqual(Array.from(all[i]))
      }
      // Each call found half of its rows.
      expect(run.mock.calls.map(([job]) => job.count)).toEqual([8, ...new Array(8).fill(4)])
      run.mockRestore()
    })
  })
})
