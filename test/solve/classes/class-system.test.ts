import { expect, test } from 'vitest'
import { inOneGo } from '../../../src/base/pieces.ts'
import { Random } from '../../../src/base/random.ts'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { ClassSystem } from '../../../src/solve/classes/class-system.ts'
import { PlainRows } from '../../../src/solve/linear/plain-rows.ts'

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
    const g = balancedWeights(random, features + 1, k)
    const p = new Float64Array(g.length)
    inOneGo(new ClassSystem(rows, k, () => false).solve(active, scale, g, p, accuracy))
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
