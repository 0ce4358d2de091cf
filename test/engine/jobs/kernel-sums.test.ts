import { afterAll, describe, expect, it, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { type DenseMatrix, type Matrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import type { Precision } from '../../../src/engine/jobs/kernel-error.ts'
import { KernelSums, type Sums } from '../../../src/engine/jobs/kernel-sums.ts'
import type { EngineKernel } from '../../../src/engine/matrix/engine-kernel.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'
import {
  engineKernels,
  engineStorages,
  halfEmpty,
  mostlyZeros,
  naiveKernel,
  onBuild,
} from '../../suites/engine-kernels.ts'
import { endThreads, startThreads } from '../../suites/engine-threads.ts'
import { rowOf, someMatrix } from '../../suites/matrices.ts'
import { remembered } from '../../suites/remembered.ts'

const precisions = ['f32', 'f64'] as const

function someCoefficients(seed: number, count: number): Float64Array {
  const random = new Random(seed)
  return Float64Array.from({ length: count }, (_, j) => (j % 5 === 3 ? 0 : random.normal()))
}

function engineSums(
  kernel: EngineKernel,
  samples: Matrix,
  coefficients: Float64Array,
  queries: Matrix,
  precision: Precision,
  threads = 1,
): Sums {
  return withEngine(threads, (engine) =>
    new KernelSums(engine, kernel, samples, coefficients).of(queries, precision),
  )
}

const naiveSums = remembered(
  (
    kernel: EngineKernel,
    samples: DenseMatrix,
    coefficients: Float64Array,
    queries: DenseMatrix,
  ): number[] => {
    const rows = Array.from({ length: samples.rows }, (_, j) => rowOf(samples, j))
    return Array.from({ length: queries.rows }, (_, i) => {
      const query = rowOf(queries, i)
      return rows.reduce((sum, row, j) => sum + coefficients[j] * naiveKernel(kernel, row, query), 0)
    })
  },
)

/** The sums that are further from what is expected than their bounds allow. */
function beyondBounds({ values, errors }: Sums, expected: readonly number[]): number[] {
  return expected.filter((value, i) => !(Math.abs(values[i] - value) <= errors[i]))
}

afterAll(() => chooseEngineBuild(undefined))

describe.each(testedBuilds)('sums of the %s build', (build) => {
  describe.each(engineStorages)('over %s samples', (_, make) => {
    it.each(precisions)('%s: are their definition within their bounds, at awkward sizes', (precision) => {
      onBuild(build, () => {
        for (const kernel of engineKernels) {
          for (const count of [1, 63, 64, 65, 130]) {
            for (const rows of [1, 7, 8, 9, 17, 33]) {
              const cols = [1, 3, 14, 257][(count + rows) % 4]
              const samples = make(count * 100 + rows, count, cols)
              const queries = make(rows * 100 + count, rows, cols)
              const coefficients = someCoefficients(count, count)
              const sums = engineSums(kernel, samples, coefficients, queries, precision)
              expect(beyondBounds(sums, naiveSums(kernel, samples, coefficients, queries))).toEqual([])
            }
          }
        }
      })
    })
  })

  it.each(precisions)(
    '%s: several sums at once, whatever groups and coefficients they are made of',
    (precision) => {
      onBuild(build, () => {
        const random = new Random(11)
        for (const [, make] of engineStorages) {
          for (const kernel of engineKernels) {
            for (const [count, ends] of [
              [5, [5]],
              [70, [0, 3, 3, 64, 70]],
              [200, [63, 64, 65, 130, 200]],
            ] as const) {
              const samples = make(count, count, 6)
              const queries = make(count + 1, 19, 6)
              const rows = 3
              const layout = {
                rows,
                groupEnds: Uint32Array.from(ends),
                targets: Uint32Array.from({ length: rows * ends.length }, () => random.int(4)),
                outputs: 5,
              }
              const coefficients = Float64Array.from({ length: rows * count }, () =>
                random.uniform() < 0.4 ? 0 : random.normal(),
              )
              // One sample that no sum needs.
              for (let r = 0; r < rows; r++) coefficients[r * count + 1] = 0
              const sums = withEngine(1, (engine) =>
                new KernelSums(engine, kernel, samples, coefficients, layout).of(queries, precision),
              )
              const perOutput = Array.from({ length: layout.outputs }, (_, p) => {
                const own = new Float64Array(count)
                for (let j = 0; j < count; j++) {
                  const group = ends.findIndex((end) => j < end)
                  for (let r = 0; r < rows; r++) {
                    if (layout.targets[group * rows + r] === p) own[j] += coefficients[r * count + j]
                  }
                }
                return naiveSums(kernel, samples, own, queries)
              })
              const expected = Array.from({ length: 19 * layout.outputs }, (_, at) => {
                return perOutput[at % layout.outputs][Math.floor(at / layout.outputs)]
              })
              expect(beyondBounds(sums, expected)).toEqual([])
              // The last sum has no terms.
              expect(sums.values[4]).toBe(0)
            }
          }
        }
      })
    },
  )

  it('exp is good to an ulp and what its argument loses, and never gives a denormal', () => {
    onBuild(build, () => {
      // One sample at 0: the squared distance of k / 1024 is exact.
      const origin: DenseMatrix = { kind: 'dense', rows: 1, cols: 1, values: Float64Array.of(0) }
      const values = Float64Array.from({ length: 40_000 }, (_, k) => k / 1024)
      const queries: DenseMatrix = { kind: 'dense', rows: values.length, cols: 1, values }
      const rbf: EngineKernel = { kind: 'rbf', gamma: 1, coef0: 0, degree: 0 }
      const sums = engineSums(rbf, origin, Float64Array.of(1), queries, 'f64')
      let error = 0
      values.forEach((x, k) => {
        const expected = Math.exp(-x * x)
        const ulps = Math.abs(sums.values[k] - expected) / (expected * 2 ** -52)
        if (expected > 2 ** -900) error = Math.max(error, ulps / (1 + x * x))
        else expect(sums.values[k]).toBe(0)
      })
      expect(error).toBeLessThan(1)
      expect(sums.values[0]).toBe(1)
    })
  })

  it('tanh is good to a few ulps, near 0 too, and ends in ±1', () => {
    onBuild(build, () => {
      const one: DenseMatrix = { kind: 'dense', rows: 1, cols: 1, values: Float64Array.of(1) }
      const random = new Random(3)
      const sizes = [1e-300, 1e-9, 1e-3, 1, 20, 1e3, 1e300]
      const values = Float64Array.from({ length: 7000 }, (_, k) => sizes[k % 7] * (2 * random.uniform() - 1))
      const queries: DenseMatrix = { kind: 'dense', rows: values.length, cols: 1, values }
      const tanh: EngineKernel = { kind: 'sigmoid', gamma: 1, coef0: 0, degree: 0 }
      const sums = engineSums(tanh, one, Float64Array.of(1), queries, 'f64')
      let error = 0
      values.forEach((t, k) => {
        const expected = Math.tanh(t)
        error = Math.max(error, Math.abs(sums.values[k] - expected) / Math.abs(expected))
      })
      expect(error).toBeLessThan(6 * 2 ** -52)
    })
  })
})

describe('the same bits', () => {
  it.each(precisions)('%s: in the scalar and the SIMD build', (precision) => {
    for (const [, make] of engineStorages) {
      const samples = make(5, 70, 19)
      const coefficients = someCoefficients(5, 70)
      for (const kernel of engineKernels) {
        const [scalar, simd] = (['scalar', 'simd'] as const).map((build) =>
          onBuild(build, () => engineSums(kernel, samples, coefficients, make(6, 21, 19), precision)),
        )
        expect(simd).toEqual(scalar)
      }
    }
  })

  it.each(precisions)('%s: for a query alone and among others, in pieces or at once', (precision) => {
    chooseEngineBuild(undefined)
    const kernel = engineKernels[3]
    const samples = mostlyZeros(7, 20, 900)
    const coefficients = someCoefficients(7, 20)
    // About 270 values per row: uploaded in several pieces.
    const queries = mostlyZeros(8, 5000, 900)
    const together = engineSums(kernel, samples, coefficients, queries, precision)
    for (const i of [0, 1, 1023, 1024, 1999, 4999]) {
      const alone: DenseMatrix = {
        kind: 'dense',
        rows: 1,
        cols: 900,
        values: Float64Array.from(rowOf(queries, i)),
      }
      const single = engineSums(kernel, samples, coefficients, alone, precision)
      expect(single.values[0]).toBe(together.values[i])
      expect(single.errors[0]).toBe(together.errors[i])
    }
    const sparse = engineSums(kernel, toSparse(samples), coefficients, toSparse(queries), precision)
    expect(sparse).toEqual(together)
  })

  it('on one, two and three threads', async () => {
    chooseEngineBuild(undefined)
    await startThreads(3)
    try {
      for (const [, make] of engineStorages) {
        const samples = make(21, 300, 19)
        const queries = make(22, 1500, 19)
        const coefficients = someCoefficients(21, 300)
        for (const precision of precisions) {
          const sumsOn = (threads: number) =>
            engineSums(engineKernels[3], samples, coefficients, queries, precision, threads)
          const alone = sumsOn(1)
          expect(sumsOn(2)).toEqual(alone)
          expect(sumsOn(3)).toEqual(alone)
        }
      }
    } finally {
      endThreads()
    }
  })

  it('for the samples as their own queries', () => {
    for (const [, make] of engineStorages) {
      const samples = make(9, 40, 6)
      const coefficients = someCoefficients(9, 40)
      for (const kernel of engineKernels) {
        const own = engineSums(kernel, samples, coefficients, samples, 'f64')
        expect(own).toEqual(engineSums(kernel, samples, coefficients, { ...samples }, 'f64'))
      }
    }
  })
})

describe('queries', () => {
  it.each(precisions)('%s: may have columns that the samples lack', (precision) => {
    for (const [, make] of engineStorages) {
      const samples = make(11, 30, 5)
      const queries = make(12, 20, 8)
      const coefficients = someCoefficients(11, 30)
      for (const kernel of engineKernels) {
        const sums = engineSums(kernel, samples, coefficients, queries, precision)
        expect(beyondBounds(sums, naiveSums(kernel, samples, coefficients, queries))).toEqual([])
      }
    }
  })

  it.each(precisions)('%s: may have values where all samples have none', (precision) => {
    const samples = halfEmpty(15, 30, 7)
    const coefficients = someCoefficients(15, 30)
    for (const queries of [someMatrix(16, 20, 7), someMatrix(17, 20, 9)]) {
      for (const kernel of engineKernels) {
        const expected = naiveSums(kernel, samples, coefficients, queries)
        for (const given of [queries, toSparse(queries)]) {
          const sums = engineSums(kernel, samples, coefficients, given, precision)
          expect(beyondBounds(sums, expected)).toEqual([])
        }
      }
    }
  })

  it('may be stored in another way than the samples', () => {
    const samples = someMatrix(13, 30, 6)
    const queries = mostlyZeros(14, 20, 6)
    const coefficients = someCoefficients(13, 30)
    for (const kernel of engineKernels) {
      const sums = engineSums(kernel, samples, coefficients, toSparse(queries), 'f32')
      expect(beyondBounds(sums, naiveSums(kernel, samples, coefficients, queries))).toEqual([])
    }
  })
})

describe('bounds', () => {
  const rbf: EngineKernel = { kind: 'rbf', gamma: 1, coef0: 0, degree: 0 }
  /** One sample on each of three axes: stored sparsely, so that nothing is centred. */
  const onAxes = (size: number): DenseMatrix => ({
    kind: 'dense',
    rows: 3,
    cols: 3,
    values: Float64Array.of(size, 0, 0, 0, size, 0, 0, 0, size),
  })
  const ones = Float64Array.of(1, 1, 1)

  test('grow with the norms, but not for far samples, as long as they fit', () => {
    const bound = (size: number, precision: Precision) =>
      engineSums(rbf, onAxes(size), ones, onAxes(size + 1), precision).errors[0]
    expect(bound(1, 'f32')).toBeLessThan(1e-5)
    expect(bound(30, 'f64')).toBeLessThan(1e-11)
    expect(bound(30, 'f32')).toBeGreaterThan(1e-4)
    expect(bound(1e4, 'f32')).toBeLessThan(1e-5)
    expect(bound(1e4, 'f64')).toBeLessThan(1e-9)
    expect(bound(1e20, 'f32')).toBe(Number.POSITIVE_INFINITY)
    expect(bound(1e20, 'f64')).toBe(Number.POSITIVE_INFINITY)
    expect(bound(1e200, 'f64')).toBe(Number.POSITIVE_INFINITY)
  })

  test('stay small for dense data far from 0: its columns are centred', () => {
    const random = new Random(17)
    const far = (count: number): DenseMatrix => ({
      kind: 'dense',
      rows: count,
      cols: 2,
      values: Float64Array.from({ length: 2 * count }, () => 1e5 + random.normal()),
    })
    const [samples, queries] = [far(20), far(10)]
    const coefficients = someCoefficients(17, 20)
    const sums = engineSums(rbf, samples, coefficients, queries, 'f64')
    // 1e5 itself leaves 16 − 5 digits to the differences that make a distance.
    const expected = naiveSums(rbf, samples, coefficients, queries)
    for (let i = 0; i < 10; i++) expect(Math.abs(sums.values[i] - expected[i])).toBeLessThan(1e-9)
    expect(sums.errors.every((error) => error < 1e-11)).toBe(true)
  })

  test('are infinite where a power does not fit f32', () => {
    const power: EngineKernel = { kind: 'polynomial', gamma: 1, coef0: 0, degree: 20 }
    const sums = engineSums(power, onAxes(5), ones, onAxes(7), 'f32')
    expect(sums.errors[0]).toBe(Number.POSITIVE_INFINITY)
    const exact = engineSums(power, onAxes(5), ones, onAxes(7), 'f64')
    expect(Math.abs(exact.values[0] - 35 ** 20)).toBeLessThan(exact.errors[0])
  })
})
