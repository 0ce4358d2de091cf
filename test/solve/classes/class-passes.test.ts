import { afterAll, describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { type Matrix, toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { makeCrammerSinger } from '../../../src/problems/linear-problem.ts'
import { groupByPairs } from '../../../src/solve/classes/active-classes.ts'
import { ClassEpochs } from '../../../src/solve/classes/class-epochs.ts'
import { EngineRows } from '../../../src/solve/rows/engine-rows.ts'
import { type LinearRows, membersOf } from '../../../src/solve/rows/linear-rows.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'

/** Random values, of which a part is 0. */
function samplesOf(rows: number, cols: number, share: number, seed: number): Matrix {
  const random = new Random(seed)
  const matrix = toMatrix(
    Array.from({ length: rows }, () =>
      Array.from({ length: cols }, () => (random.uniform() < share ? random.normal() : 0)),
    ),
  )
  return share < 0.5 ? toSparse(matrix) : matrix
}

/** What `run` gives with plain rows and with those of the engine. */
function both<T>(samples: Matrix, constant: number, run: (rows: LinearRows) => T): T[] {
  return withEngine(1, (engine) =>
    [new PlainRows(samples, constant), new EngineRows(engine, samples, constant)].map(run),
  )
}

function held<T extends Float64Array | Uint32Array>(room: T, values: ArrayLike<number>): T {
  room.set(values)
  return room
}

/** Classes of each sample: most have two, the same ones as their neighbours, the others one to k. */
function someClasses(count: number, k: number): number[][] {
  return Array.from({ length: count }, (_, a) => {
    if (a % 9 < 7) return a < count / 2 ? [0, k - 1] : [1, 2]
    return Array.from({ length: 1 + (a % k) }, (_, m) => m)
  })
}

describe.each(testedBuilds)('of the build %s', (build) => {
  afterAll(() => chooseEngineBuild(undefined))

  // Pairs of classes share the way to their weights; 8 share registers in epochs.
  test.each([
    { k: 3, share: 1 },
    { k: 4, share: 0.3 },
    { k: 8, share: 0.3 },
    { k: 11, share: 1 },
    { k: 20, share: 0.2 },
  ])(
    'passes over listed classes have the bits of plain loops: $k classes, $share of the values',
    ({ k, share }) => {
      chooseEngineBuild(build)
      const [count, cols] = [90, 13]
      const samples = samplesOf(count, cols, share, k)
      const random = new Random(2)
      const lists = someClasses(count, k)
      const starts = [0, ...lists.map((_, a) => lists.slice(0, a + 1).flat().length)]
      const numbers = (length: number) => Float64Array.from({ length }, () => random.normal())
      const [w, factors, curvature] = [numbers((cols + 1) * k), numbers(starts[count]), numbers(count)]
      const [plain, engine] = both(samples, 1.5, (rows) => {
        const active = {
          count,
          samples: held(
            rows.list(count),
            lists.map((_, a) => count - 1 - a),
          ),
          starts: held(rows.list(count + 1), starts),
          classes: held(rows.list(starts[count]), lists.flat()),
          curvature: held(rows.vector(count), curvature),
        }
        const own = held(rows.vector(w.length), w)
        const values = rows.vector(starts[count])
        const among = rows.vector(starts[count])
        const back = rows.vector(starts[count])
        const sum = rows.vector(w.length)
        const product = rows.vector(w.length)
        const grouped = rows.vector(w.length)
        rows.listedValues(active, k, own, values)
        rows.classGrams(membersOf(rows, active, k), held(rows.vector(factors.length), factors), among)
        rows.listedCombine(active, k, held(rows.vector(factors.length), factors), sum)
        rows.listedValues(active, k, sum, back)
        rows.classProduct(active, k, own, product)
        groupByPairs(active, k)
        rows.classProduct(active, k, own, grouped)
        // The values of the combination are the same sums in another order.
        for (let s = 0; s < back.length; s++) expect(among[s]).toBeCloseTo(back[s], 9)
        return [values, sum, product, grouped, among].map((found) => Array.from(found))
      })
      expect(engine).toEqual(plain)
      const [values, sum, product, grouped] = plain
      // Plain sums, sample by sample.
      const x = (i: number, j: number) => {
        if (j === cols) return 1.5
        if (samples.kind === 'dense') return samples.values[i * cols + j]
        const place = samples.indices.subarray(samples.indptr[i], samples.indptr[i + 1]).indexOf(j)
        return place < 0 ? 0 : samples.values[samples.indptr[i] + place]
      }
      const expectedSum = new Float64Array(w.length)
      const expectedProduct = new Float64Array(w.length)
      lists.forEach((own, a) => {
        const i = count - 1 - a
        const found = own.map((m) => {
          let value = 0
          for (let j = 0; j <= cols; j++) value += x(i, j) * w[j * k + m]
          return value
        })
        const mean = found.reduce((total, value) => total + value, 0) / own.length
        own.forEach((m, s) => {
          expect(values[starts[a] + s]).toBeCloseTo(found[s], 10)
          for (let j = 0; j <= cols; j++) {
            expectedSum[j * k + m] += factors[starts[a] + s] * x(i, j)
            expectedProduct[j * k + m] += curvature[a] * (found[s] - mean) * x(i, j)
          }
        })
      })
      for (let j = 0; j < w.length; j++) {
        expect(sum[j]).toBeCloseTo(expectedSum[j], 9)
        expect(product[j]).toBeCloseTo(expectedProduct[j], 9)
        expect(grouped[j]).toBeCloseTo(expectedProduct[j], 9)
      }
    },
  )

  test.each([
    { k: 3, share: 1, constant: 1 },
    { k: 5, share: 0.3, constant: 0 },
    { k: 8, share: 0.3, constant: 2 },
    { k: 11, share: 1, constant: 0 },
    { k: 20, share: 0.2, constant: 1 },
  ])(
    'epochs have the bits of plain ones: $k classes, $share of the values, constant $constant',
    ({ k, share, constant }) => {
      chooseEngineBuild(build)
      const count = 150
      const samples = samplesOf(count, 17, share, k)
      const y = Array.from({ length: count }, (_, i) => (i * i) % k)
      const C = y.map((_, i) => (i % 13 === 0 ? 0 : 0.1 + (i % 3)))
      const problem = makeCrammerSinger({ samples, y, classes: k, C, constant })
      const [plain, engine] = both(samples, constant, (rows) => {
        const random = new Random(1)
        const epochs = new ClassEpochs(problem, 1e-3, rows)
        for (let epoch = 1; epoch <= 25; epoch++) {
          random.shuffle(epochs.order.subarray(0, epochs.active))
          epochs.start()
          while (epochs.sweep(7));
          epochs.end(1e-3)
        }
        const { active, largest, changed } = epochs
        return {
          active,
          largest,
          changed,
          alpha: [...epochs.alpha],
          w: [...epochs.w],
          order: [...epochs.order],
        }
      })
      expect(engine).toEqual(plain)
      expect(plain.changed).toBe(true)
      for (let i = 0; i < count; i++) {
        const own = plain.alpha.slice(i * k, (i + 1) * k)
        expect(Math.abs(own.reduce((total, entry) => total + entry, 0))).toBeLessThan(1e-12)
        own.forEach((entry, m) => {
          expect(entry).toBeLessThanOrEqual(m === y[i] ? C[i] : 0)
        })
      }
    },
  )
})

test('samples between the same two classes come together, each with its classes and its curvature', () => {
  const active = {
    count: 5,
    samples: Uint32Array.of(3, 4, 5, 6, 7),
    starts: Uint32Array.of(0, 2, 5, 7, 9, 11),
    classes: Uint32Array.of(1, 2, 0, 1, 2, 0, 1, 1, 2, 0, 1),
    curvature: Float64Array.of(3, 4, 5, 6, 7),
  }
  groupByPairs(active, 3)
  expect(active).toEqual({
    count: 5,
    samples: Uint32Array.of(5, 7, 3, 6, 4),
    starts: Uint32Array.of(0, 2, 4, 6, 8, 11),
    classes: Uint32Array.of(0, 1, 0, 1, 1, 2, 1, 2, 0, 1, 2),
    curvature: Float64Array.of(5, 7, 3, 6, 4),
  })
})
