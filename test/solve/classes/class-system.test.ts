import { afterAll, expect, test } from 'vitest'
import { inOneGo } from '../../../src/base/pieces.ts'
import { Random } from '../../../src/base/random.ts'
import { toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { groupByPairs } from '../../../src/solve/classes/active-classes.ts'
import { ClassSystem } from '../../../src/solve/classes/class-system.ts'
import { EngineRows } from '../../../src/solve/rows/engine-rows.ts'
import type { LinearRows } from '../../../src/solve/rows/linear-rows.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'
import { endThreads, startThreads } from '../../suites/engine-threads.ts'

afterAll(endThreads)

/** Samples between two classes each. */
function betweenClasses(random: Random, count: number, k: number) {
  const first = Array.from({ length: count }, () => random.int(k))
  return {
    count,
    samples: Uint32Array.from(first.keys()),
    starts: Uint32Array.from({ length: count + 1 }, (_, i) => 2 * i),
    classes: Uint32Array.from(first.flatMap((m) => [m, (m + 1 + random.int(k - 1)) % k])),
    curvature: new Float64Array(count).fill(1),
  }
}

/** k numbers for each of n features that sum to 0. */
function balancedWeights(random: Random, n: number, k: number): Float64Array {
  return Float64Array.from(
    Array.from({ length: n }, () => {
      const own = Array.from({ length: k }, () => random.normal())
      const mean = own.reduce((sum, value) => sum + value, 0) / k
      return own.map((value) => value - mean)
    }).flat(),
  )
}

/** Thirty values in a row, about. */
function sparseSamples(random: Random, count: number, features: number) {
  const values = Array.from({ length: count }, () =>
    Array.from({ length: features }, () => (random.uniform() < 30 / features ? random.normal() : 0)),
  )
  return toSparse(toMatrix(values))
}

// 300 samples are worked with by rows. Of 3,200, which are too many directions for that, blocks of classes are factored with 160 features, and
// with 1,600 the diagonal takes their place.
test.each([
  { count: 300, features: 160, scale: 1000, accuracy: 1e-4, left: 1e-12 },
  { count: 300, features: 1600, scale: 1000, accuracy: 1e-4, left: 1e-12 },
  { count: 3200, features: 160, scale: 1000, accuracy: 1e-4, left: 0.1 },
  { count: 3200, features: 1600, scale: 0.01, accuracy: 1e-2, left: 0.1 },
])(
  '$count samples, $features features: systems are solved, and the weights of a feature sum to 0',
  (problem) => {
    const { count, features, scale, accuracy, left: most } = problem
    const random = new Random(3)
    const k = 10
    const samples = toMatrix(
      Array.from({ length: count }, () =>
        Array.from({ length: features }, () => (random.uniform() < 30 / features ? random.normal() : 0)),
      ),
    )
    const rows = new PlainRows(samples, 1)
    const active = betweenClasses(random, samples.rows, k)
    // As Newton's method has them: not in the order of the rows.
    groupByPairs(active, k)
    const g = balancedWeights(random, features + 1, k)
    const p = new Float64Array(g.length)
    const system = new ClassSystem(rows, k, () => false)
    // Whatever way the system before has taken.
    inOneGo(system.solve({ ...active, count: 300 }, scale, g, p, accuracy))
    inOneGo(system.solve(active, scale, g, p, accuracy))
    const size = Math.max(...p.map(Math.abs))
    expect(size).toBeGreaterThan(0)
    for (let j = 0; j <= features; j++) {
      let sum = 0
      for (let m = 0; m < k; m++) sum += p[j * k + m]
      expect(Math.abs(sum)).toBeLessThan(1e-12 * size)
    }
    const left = new Float64Array(g.length)
    rows.classProduct(active, k, p, left)
    let [before, after] = [0, 0]
    for (let j = 0; j < g.length; j++) {
      before += g[j] ** 2
      after += (scale * left[j] + p[j] + g[j]) ** 2
    }
    expect(after).toBeLessThan(most * before)
  },
)

test('systems have the same bits on any number of threads, and are those of plain rows but for rounding', async () => {
  const k = 6
  const samples = sparseSamples(new Random(4), 4000, 260)
  const solve = (rows: LinearRows) => {
    const random = new Random(5)
    const { count, samples, starts, classes, curvature } = betweenClasses(random, rows.rows, k)
    const held = <T extends Float64Array | Uint32Array>(copy: T, values: T) => {
      copy.set(values)
      return copy
    }
    const active = {
      count,
      samples: held(rows.list(samples.length), samples),
      starts: held(rows.list(starts.length), starts),
      classes: held(rows.list(classes.length), classes),
      curvature: held(rows.vector(curvature.length), curvature),
    }
    const weights = balancedWeights(random, rows.cols + 1, k)
    const g = held(rows.vector(weights.length), weights)
    const p = rows.vector(g.length)
    inOneGo(new ClassSystem(rows, k, () => false).solve(active, 10, g, p, 1e-8))
    return p.slice()
  }
  const plain = solve(new PlainRows(samples, 1))
  const alone = withEngine(1, (engine) => solve(new EngineRows(engine, samples, 1)))
  await startThreads(3)
  const shared = withEngine(3, (engine) => solve(new EngineRows(engine, samples, 1)))
  expect(shared).toEqual(alone)
  const size = Math.max(...plain.map(Math.abs))
  expect(Math.max(...plain.map((own, j) => Math.abs(own - alone[j])))).toBeLessThan(1e-6 * size)
})
