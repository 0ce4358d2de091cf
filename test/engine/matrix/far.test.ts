import { afterAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import type { DenseMatrix } from '../../../src/data/matrix/matrix.ts'
import { KernelSums } from '../../../src/engine/jobs/kernel-sums.ts'
import { type EngineKernel, uploadKernel } from '../../../src/engine/matrix/engine-kernel.ts'
import { uploadMatrix } from '../../../src/engine/matrix/engine-matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { AllRows } from '../../../src/engine/rows/all-rows.ts'
import { rbf, toMatrix } from '../../../src/index.ts'
import { makeProblem, measure, smo, solveSync } from '../../../src/solvers.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'
import { onBuild } from '../../suites/engine-kernels.ts'
import { definedValues, engineValues, farSamples } from '../../suites/engine-values.ts'

const kernel: EngineKernel = { kind: 'rbf', gamma: 1, coef0: 0, degree: 0 }
/** What f32 makes of samples that are near, and what one that is far may add. */
const CLOSE = 2e-3
const lengths = [1, 15, 16, 17, 50]

function largestDifference(found: readonly Float64Array[], expected: readonly Float64Array[]): number {
  return Math.max(
    ...found.flatMap((row, i) => Array.from(row, (value, j) => Math.abs(value - expected[i][j]))),
  )
}

/** Samples for each length; some have no values at all. */
function* cases(make: (random: Random, rows: number, cols: number) => DenseMatrix) {
  for (const cols of lengths) {
    const random = new Random(cols)
    const samples = make(random, 70, cols)
    samples.values.fill(0, 3 * cols, 4 * cols)
    yield { samples, queries: make(random, 17, cols) }
  }
}

afterAll(() => chooseEngineBuild(undefined))

describe.each(testedBuilds)('samples far away, on the %s build', (build) => {
  describe.each(farSamples)('%s', (_, make) => {
    it('rows are their definition, of samples and of copies', () => {
      onBuild(build, () => {
        for (const { samples, queries } of cases(make)) {
          const expected = definedValues(kernel, samples, queries)
          const { rows } = engineValues(kernel, samples, queries, 'f32')
          expect(largestDifference(rows, expected)).toBeLessThan(CLOSE)
          expect(engineValues(kernel, samples, queries, 'f32', true).rows).toEqual(rows)
          const exact = engineValues(kernel, samples, queries, 'f64').rows
          // At 1e6, 16 digits leave 1e-10 of a value.
          expect(largestDifference(exact, expected)).toBeLessThan(1e-9)
        }
      })
    })

    it('whole matrices are made of rows', () => {
      onBuild(build, () => {
        for (const { samples } of cases(make)) {
          const count = samples.rows
          const { rows } = engineValues(kernel, samples, samples, 'f32')
          const all = withEngine(1, (engine) => {
            engine.reserveScratch(samples.cols)
            const matrix = uploadMatrix(engine, samples, kernel)
            const diagonal = new Float64Array(count).fill(1)
            const whole = new AllRows(engine, uploadKernel(engine, kernel), matrix, diagonal, count)
            const K = engine.array(Float32Array, count * count)
            whole.square(
              Uint32Array.from({ length: count }, (_, i) => i),
              count,
              0,
              K,
              count,
            )
            return K.slice()
          })
          rows.forEach((row, i) => {
            row[i] = 1
          })
          expect(Float64Array.from(all)).toEqual(Float64Array.from(rows.flatMap((row) => Array.from(row))))
        }
      })
    })

    it('sums are made of such values', () => {
      onBuild(build, () => {
        for (const { samples, queries } of cases(make)) {
          const random = new Random(7)
          const coefficients = Float64Array.from({ length: samples.rows }, () => random.normal())
          const expected = definedValues(kernel, samples, queries)
          for (const precision of ['f32', 'f64'] as const) {
            const { rows } = engineValues(kernel, samples, queries, precision)
            const sums = withEngine(1, (engine) =>
              new KernelSums(engine, kernel, samples, coefficients).of(queries, precision),
            )
            rows.forEach((row, i) => {
              const sum = row.reduce((all, value, j) => all + coefficients[j] * value, 0)
              expect(Math.abs(sums.values[i] - sum)).toBeLessThan(1e-12)
              const truth = expected[i].reduce((all, value, j) => all + coefficients[j] * value, 0)
              expect(Math.abs(sums.values[i] - truth)).toBeLessThanOrEqual(sums.errors[i])
            })
          }
        }
      })
    })

    it('distances are good to f32', () => {
      onBuild(build, () => {
        for (const { samples } of cases(make)) {
          const count = samples.rows
          const stride = 4 * Math.ceil(count / 16) * 16
          const distances = withEngine(1, (engine) => {
            engine.reserveScratch(samples.cols)
            const matrix = uploadMatrix(engine, samples, kernel)
            const numbers = engine.array(Uint32Array, count)
            for (let i = 0; i < count; i++) numbers[i] = i
            const found = engine.array(Float32Array, (count * stride) / 4)
            const pointers = { matrix: matrix.pointer, kernel: uploadKernel(engine, kernel) }
            const job = { samples: numbers.pointer, count, distances: found.pointer, stride, transformed: 0 }
            engine.run({ kind: 'distances', ...pointers, ...job })
            return found.slice()
          })
          let worst = 0
          for (let i = 0; i < count; i++) {
            for (let j = 0; j < count; j++) {
              let expected = 0
              for (let k = 0; k < samples.cols; k++) {
                expected += (samples.values[i * samples.cols + k] - samples.values[j * samples.cols + k]) ** 2
              }
              // Half a unit in the last place, and what the centre takes away of values at 1e6.
              const allowed = 2 ** -23.9 * expected + 4e-10 * Math.sqrt(expected)
              const off = Math.abs(distances[(i * stride) / 4 + j] - expected)
              worst = Math.max(worst, off === 0 ? 0 : off / allowed)
            }
          }
          expect(worst).toBeLessThanOrEqual(1)
        }
      })
    })
  })
})

describe('smo', () => {
  it.each([3000, 1e6, 1e12])('solves with f32 rows where some samples are at %d', (far) => {
    const random = new Random(2)
    const rows = Array.from({ length: 2000 }, (_, i) =>
      i < 5
        ? [far + random.normal() / 3, far + random.normal() / 3]
        : [2 * random.normal(), 2 * random.normal()],
    )
    const y = Float64Array.from(rows.map((_, i) => (i < 5 || random.uniform() < 0.5 ? 1 : -1)))
    const problem = makeProblem({ samples: toMatrix(rows), kernel: rbf({ gamma: 1 }), y, C: 0.3 })
    const solution = solveSync(problem, smo)
    expect(solution.certificate).toMatchObject({ stopReason: 'converged', precision: 'f32' })
    const { maxViolation, gap } = measure(problem, solution)
    expect(maxViolation).toBeLessThan(1e-3)
    expect(gap).toBeLessThan(0.01)
  })
})
