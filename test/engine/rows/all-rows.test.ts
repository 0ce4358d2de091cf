import { describe, expect, it } from 'vitest'
import { type EngineKernel, uploadKernel } from '../../../src/engine/matrix/engine-kernel.ts'
import { uploadMatrix } from '../../../src/engine/matrix/engine-matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { AllRows } from '../../../src/engine/rows/all-rows.ts'
import { EngineRows } from '../../../src/engine/rows/engine-rows.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'
import { engineStorages } from '../../suites/engine-kernels.ts'

const kernels: EngineKernel[] = [
  { kind: 'rbf', gamma: 0.05, coef0: 0, degree: 0 },
  { kind: 'polynomial', gamma: 0.1, coef0: 1, degree: 3 },
]
const cols = 12

describe.each(testedBuilds)('%s build', (build) => {
  describe.each(engineStorages)('all rows of %s samples', (_, make) => {
    it.each([1, 3, 4, 15, 16, 17, 63, 64, 65, 81, 130])('%i: the bits of rows made one by one', (count) => {
      chooseEngineBuild(build)
      const matrix = make(5, count, cols)
      for (const kernel of kernels) {
        withEngine(1, (engine) => {
          engine.reserveScratch(cols)
          const pointer = uploadKernel(engine, kernel)
          const source = uploadMatrix(engine, matrix, kernel)
          const diagonal = Float64Array.from({ length: count }, (_, i) => 1 + i / 64)
          const all = new AllRows(engine, pointer, source, diagonal, count)
          const single = new EngineRows(engine, pointer, source, diagonal, 1e6, count)
          const samples = engine.array(Uint32Array, 1)
          const one = engine.array(Float64Array, 1)
          one[0] = -1
          for (let i = 0; i < count; i++) {
            samples[0] = i
            const rows = [all, single].map((source) => {
              const vector = engine.array(Float64Array, count + 8)
              vector.fill(0)
              source.subtract(vector, samples, one, 1)
              return [...vector.subarray(0, count)]
            })
            expect(rows[0]).toEqual(rows[1])
            expect(rows[0][i]).toBe(diagonal[i])
          }
        })
      }
      chooseEngineBuild(undefined)
    })
  })
})

it('a square of them is filled but for what is known', () => {
  const count = 21
  const [, make] = engineStorages[0]
  withEngine(1, (engine) => {
    engine.reserveScratch(cols)
    const source = uploadMatrix(engine, make(7, count, cols), kernels[0])
    const diagonal = new Float64Array(count).fill(1)
    const rows = new AllRows(engine, uploadKernel(engine, kernels[0]), source, diagonal, 8)
    const row = (sample: number) => {
      const vector = engine.array(Float64Array, count + 8)
      const samples = engine.array(Uint32Array, 1)
      const one = engine.array(Float64Array, 1)
      vector.fill(0)
      samples[0] = sample
      one[0] = -1
      rows.subtract(vector, samples, one, 1)
      return vector
    }
    const set = Uint32Array.of(20, 3, 11, 3, 0)
    const stride = 8
    const K = engine.array(Float32Array, stride * stride)
    K.fill(9)
    rows.square(set, set.length, 2, K, stride)
    for (let a = 0; a < stride; a++) {
      for (let b = 0; b < stride; b++) {
        const isFilled = a < 5 && b < 5 && (a >= 2 || b >= 2)
        expect(K[a * stride + b]).toBe(isFilled ? row(set[a])[set[b]] : 9)
      }
    }
  })
})

describe.each(testedBuilds)('%s build', (build) => {
  it.each([
    [16, 17],
    [16, 96],
    [80, 130],
    [128, 210],
  ])('a matrix whose first %i rows of %i know each other: the rest follows', (known, count) => {
    chooseEngineBuild(build)
    const [, make] = engineStorages[0]
    withEngine(2, (engine) => {
      engine.reserveScratch(cols)
      const source = uploadMatrix(engine, make(3, count, cols), kernels[0])
      const kernel = uploadKernel(engine, kernels[0])
      const stride = 16 * Math.ceil(count / 16)
      const samples = engine.array(Uint32Array, count)
      const pointers = engine.array(Uint32Array, count)
      const makeRows = (values: Float32Array & { pointer: number }, from: number) => {
        for (let i = 0; i < count; i++) {
          samples[i] = i
          pointers[i] = values.pointer + 4 * i * stride
        }
        const queries = { queryMatrix: source.pointer, queries: samples.pointer, count }
        const rows = pointers.pointer
        engine.run({ kind: 'kernel-matrix', matrix: source.pointer, kernel, ...queries, from, rows })
      }
      const whole = engine.array(Float32Array, count * stride)
      makeRows(whole, 0)
      const rest = engine.array(Float32Array, count * stride)
      rest.fill(-1)
      makeRows(rest, known)
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < count; j++) {
          const isKnown = i < known && j < known
          expect(rest[i * stride + j], `${i} ${j}`).toBe(isKnown ? -1 : whole[i * stride + j])
        }
      }
    })
    chooseEngineBuild(undefined)
  })
})
