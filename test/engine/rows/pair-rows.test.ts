import { describe, expect, it } from 'vitest'
import { type DenseMatrix, selectRows } from '../../../src/data/matrix/matrix.ts'
import { type EngineKernel, uploadKernel } from '../../../src/engine/matrix/engine-kernel.ts'
import { type EngineMatrix, uploadMatrix } from '../../../src/engine/matrix/engine-matrix.ts'
import { joinRanges } from '../../../src/engine/matrix/select-rows.ts'
import { type Engine, withEngine } from '../../../src/engine/memory/engine.ts'
import { PairRows, PairSlots } from '../../../src/engine/rows/pair-rows.ts'
import { engineStorages, naiveKernel } from '../../suites/engine-kernels.ts'
import { rowOf, someMatrix } from '../../suites/matrices.ts'

const kernel: EngineKernel = { kind: 'rbf', gamma: 0.05, coef0: 0, degree: 0 }
const range = (from: number, to: number) => Uint32Array.from({ length: to - from }, (_, k) => from + k)

describe('row slots', () => {
  const slotsOf = (engine: Engine, bytes: number) => new PairSlots(engine, bytes, 20, 2, 10)

  it('keep what was used last', () => {
    withEngine(1, (engine) => {
      const slots = slotsOf(engine, 3 * 128)
      const places = [0, 1, 2].map((sample) => slots.take(0, sample))
      expect(places.map((place) => place - places[0])).toEqual([0, 128, 256])
      expect(slots.use(0, 0)).toBe(true)
      expect(slots.use(1, 0)).toBe(false)
      expect(slots.take(1, 0)).toBe(places[1])
      expect([0, 1, 2].map((sample) => slots.find(0, sample))).toEqual([places[0], 0, places[2]])
      expect(slots.take(1, 5)).toBe(places[2])
      expect(slots.find(0, 2)).toBe(0)
    })
  })

  it('fill what was given back first', () => {
    withEngine(1, (engine) => {
      const slots = slotsOf(engine, 3 * 128)
      const places = [4, 5, 6].map((sample) => slots.take(0, sample))
      slots.drop(0, Uint32Array.of(1, 5))
      expect(slots.find(0, 5)).toBe(0)
      expect(slots.take(1, 9)).toBe(places[1])
      expect([4, 6].map((sample) => slots.find(0, sample))).toEqual([places[0], places[2]])
      // Now the least recently used one has to go.
      expect(slots.take(1, 8)).toBe(places[0])
    })
  })

  it('are as many as must be at least, and no more than can be asked for', () => {
    withEngine(1, (engine) => {
      const before = engine.mark()
      slotsOf(engine, 0)
      expect(engine.mark() - before).toBe(2 * 128)
      slotsOf(engine, 1e6)
      expect(engine.mark() - before).toBe((2 + 20) * 128)
    })
  })
})

describe.each(engineStorages)('ranges of %s rows', (_, make) => {
  it.each([
    [0, 5, 9, 13],
    [3, 4, 0, 3],
    [2, 2, 4, 11],
  ])('%i to %i and %i to %i: what the same rows give when uploaded', (a, b, c, d) => {
    const matrix = make(5, 13, 12)
    const chosen = Uint32Array.from([...range(a, b), ...range(c, d)])
    withEngine(1, (engine) => {
      engine.reserveScratch(12)
      const source = uploadMatrix(engine, matrix, kernel)
      const joined = joinRanges(engine, source, [
        [a, b],
        [c, d],
      ])
      expect(joined.integers?.form).toBe(source.integers?.form)
      const rows = kernelRows(engine, joined, chosen.length)
      const samples = Array.from(chosen, (i) => rowOf(matrix, i))
      rows.forEach((row, i) => {
        row.forEach((value, j) => {
          expect(Math.abs(value - naiveKernel(kernel, samples[i], samples[j]))).toBeLessThan(1e-5)
        })
      })
      expect([...joined.exactNorms]).toEqual(Array.from(chosen, (i) => source.exactNorms[i]))
      expect(joined.exact.length).toBe(joined.values.length)
      expect(joined.centre).toBe(source.centre)
    })
  })
})

/** All kernel values of the first `count` rows of a matrix in the engine. */
function kernelRows(engine: Engine, matrix: EngineMatrix, count: number): Float32Array[] {
  const rows = Array.from({ length: count }, () => engine.array(Float32Array, 16))
  const queries = engine.array(Uint32Array, count)
  queries.set(range(0, count))
  const pointers = engine.array(Uint32Array, count)
  pointers.set(rows.map(({ pointer }) => pointer))
  const shared = { matrix: matrix.pointer, kernel: uploadKernel(engine, kernel), from: 0, to: count }
  const asked = { queryMatrix: matrix.pointer, queries: queries.pointer, count, rows: pointers.pointer }
  engine.run({ kind: 'kernel-rows', ...shared, ...asked, parts: 1 })
  return rows.map((row) => row.slice(0, count))
}

describe('rows of a pair', () => {
  /** Classes of 7, 5 and 9 samples; the pair is the first and the last of them. */
  const matrix = someMatrix(9, 21, 10)
  const members = Uint32Array.from([...range(0, 7), ...range(12, 21)])
  const split = 7
  const samples = selectRows(matrix, members) as DenseMatrix
  const exact = (i: number, j: number) => naiveKernel(kernel, rowOf(samples, i), rowOf(samples, j))

  function withRows(bytes: number, use: (rows: PairRows, engine: Engine, slots: PairSlots) => void): void {
    withEngine(1, (engine) => {
      engine.reserveScratch(10)
      const slots = new PairSlots(engine, bytes, 9, 2 * 6, 21)
      const whole = uploadMatrix(engine, matrix, kernel)
      const pair = {
        kernel: uploadKernel(engine, kernel),
        samples: joinRanges(engine, whole, [
          [0, 7],
          [12, 21],
        ]),
        members,
        split,
        diagonal: new Float64Array(16).fill(1),
      }
      use(new PairRows(engine, pair, slots, 6, 60), engine, slots)
    })
  }

  function expectSubtracted(rows: PairRows, engine: Engine, list: readonly number[]): void {
    const vector = engine.array(Float64Array, 24)
    vector.set(Float64Array.from(vector, (_, j) => j))
    const listed = engine.array(Uint32Array, list.length)
    listed.set(list)
    const coefficients = engine.array(Float64Array, list.length)
    coefficients.set(list.map((i) => i - 4.5))
    rows.subtract(vector, listed, coefficients, list.length)
    for (let j = 0; j < 16; j++) {
      const sum = list.reduce((total, i) => total + (i - 4.5) * exact(i, j), 0)
      expect(Math.abs(vector[j] - (j - sum))).toBeLessThan(1e-5)
    }
  }

  function expectSquare(rows: PairRows, engine: Engine, list: readonly number[], known: number): void {
    const count = list.length
    const K = engine.array(Float32Array, 8 * 8)
    K.fill(-7)
    rows.square(Uint32Array.from(list), count, known, K, 8)
    for (let a = 0; a < count; a++) {
      for (let b = 0; b < count; b++) {
        if (a < known && b < known) expect(K[a * 8 + b]).toBe(-7)
        else expect(Math.abs(K[a * 8 + b] - exact(list[a], list[b]))).toBeLessThan(1e-5)
      }
    }
  }

  it.each([1e6, 0])('both pieces of each row, with %d bytes for them', (bytes) => {
    withRows(bytes, (rows, engine) => {
      for (const list of [[0, 3, 6], [7, 15], [1, 3, 8, 9, 15, 2], [4], [3, 0, 5, 10, 11, 12]]) {
        expectSubtracted(rows, engine, list)
      }
    })
  })

  it('values of a working set, whether pieces are there or not', () => {
    withRows(1e6, (rows, engine) => {
      const sets = [[0, 3, 7, 9, 15, 5], [3, 12, 1, 9], [2, 4, 6], [8, 10, 14], [11]]
      for (const list of sets) for (const known of [0, 1, 3]) expectSquare(rows, engine, list, known)
      expectSubtracted(rows, engine, [0, 3, 9, 12])
      for (const list of sets) for (const known of [0, 1, 3]) expectSquare(rows, engine, list, known)
      rows.end()
      for (const list of sets) for (const known of [0, 1, 3]) expectSquare(rows, engine, list, known)
    })
  })

  it('own pieces outlive the pair, cross pieces do not', () => {
    withRows(1e6, (rows, engine, slots) => {
      expectSubtracted(rows, engine, [2, 8])
      const [own, cross] = [0, 1]
      const [first, second] = [members[2], members[8]]
      expect([own, cross].map((table) => slots.find(table, first) > 0)).toEqual([true, true])
      rows.end()
      for (const sample of [first, second]) {
        expect([own, cross].map((table) => slots.find(table, sample) > 0)).toEqual([true, false])
      }
      PairRows.drop(slots, range(0, 7))
      expect(slots.find(own, first)).toBe(0)
      expect(slots.find(own, second)).toBeGreaterThan(0)
    })
  })
})
