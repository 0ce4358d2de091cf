import { expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { makeCrammerSinger } from '../../../src/problems/linear-problem.ts'
import { bestMultiple } from '../../../src/solve/classes/best-multiple.ts'

/** Some values of three classes, about `size`, and P of their multiples by plain sums. */
function example(seed: number, size: number) {
  const random = new Random(seed)
  const [count, k] = [25, 3]
  const y = Array.from({ length: count }, (_, i) => i % k)
  const samples = toMatrix(y.map(() => [1]))
  const problem = makeCrammerSinger({ samples, y, classes: k, C: 2 })
  const f = Float64Array.from({ length: count * k }, (_, s) => {
    const isOwn = s % k === y[Math.floor(s / k)]
    return size * (random.normal() + (isOwn ? 2 : 0))
  })
  const primalAt = (square: number, s: number) => {
    let sum = 0.5 * s * s * square
    for (let i = 0; i < count; i++) {
      const own = s * f[i * k + y[i]]
      const others = [0, 1, 2].filter((m) => m !== y[i]).map((m) => s * f[i * k + m] + 1)
      sum += 2 * (Math.max(own, ...others) - own)
    }
    return sum
  }
  return { problem, f, primalAt }
}

test.each([
  { seed: 1, size: 0.1, square: 0.5 },
  { seed: 2, size: 1, square: 5 },
  { seed: 3, size: 1, square: 1e-3 },
  { seed: 4, size: 30, square: 100 },
  { seed: 5, size: 1e-3, square: 1e-6 },
])('no other multiple has a lower value: $size, $square', ({ seed, size, square }) => {
  const { problem, f, primalAt } = example(seed, size)
  const { multiple, primal, own } = bestMultiple(problem, f, square)
  expect(own).toBeCloseTo(primalAt(square, 1), 10)
  expect(primal).toBeCloseTo(primalAt(square, multiple), 10)
  for (let power = -60; power <= 60; power++) {
    expect(primal).toBeLessThanOrEqual(primalAt(square, multiple * 1.2 ** power) * (1 + 1e-14))
    expect(primal).toBeLessThanOrEqual(primalAt(square, multiple * (1 + power * 1e-4)) * (1 + 1e-14))
  }
})

test('a model of zeros stays what it is', () => {
  const { problem, f, primalAt } = example(6, 0)
  expect(bestMultiple(problem, f, 0)).toEqual({ multiple: 1, primal: primalAt(0, 1), own: primalAt(0, 1) })
})
