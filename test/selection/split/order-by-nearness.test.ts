/** Near samples become neighbours. */
import { describe, expect, it } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import { toDense, toSparse } from '../../../src/data/matrix/matrix.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import { orderByNearness } from '../../../src/selection/split/order-by-nearness.ts'

describe('order by nearness', () => {
  const { samples } = generate('moons', { n: 500, noise: 0.2, seed: 2 })
  const { values } = toDense(samples)
  const apart = (a: number, b: number): number =>
    Math.hypot(values[2 * a] - values[2 * b], values[2 * a + 1] - values[2 * b + 1])

  it('has every sample once, and neighbours that are near', () => {
    const order = orderByNearness(samples)
    expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, i) => i))
    let ordered = 0
    let asGiven = 0
    for (let k = 1; k < 500; k++) {
      ordered += apart(order[k - 1], order[k])
      asGiven += apart(k - 1, k)
    }
    expect(ordered).toBeLessThan(asGiven / 4)
  })

  it('is the same for sparse samples, and leaves equal ones as they are', () => {
    expect(orderByNearness(toSparse(samples))).toEqual(orderByNearness(samples))
    const same = makeDataset(Array(40).fill([1, 2]), Array(40).fill(1)).samples
    expect(Array.from(orderByNearness(same))).toEqual(Array.from({ length: 40 }, (_, i) => i))
  })
})
