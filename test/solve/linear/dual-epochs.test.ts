import { expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { DualEpochs } from '../../../src/solve/linear/dual-epochs.ts'
import { LinearPoint } from '../../../src/solve/linear/linear-point.ts'
import type { SweepVectors } from '../../../src/solve/rows/linear-rows.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'

/** Random data whose rows have so many values. */
function epochsOf(count: number, width: number, C = 0.01) {
  const random = new Random(7)
  const samples = toMatrix(
    Array.from({ length: count }, () => Array.from({ length: width }, () => random.normal())),
  )
  const z = Array.from({ length: count }, (_, i) => (i % 3 === 0 ? 1 : -1))
  const problem = makeLinearMachine({ samples, loss: 'squared-hinge', z, C })
  const rows = new PlainRows(samples, problem.constant)
  const point = new LinearPoint(problem, rows, {})
  return { point, epochs: new DualEpochs(problem, rows, point, random, () => false) }
}

test.each([
  ['one by one', 200, 10, 1],
  ['blocks of 32, where there are more values than a cache holds', 2100, 50, 32],
])('an epoch visits every sample once, in an order of its own: %s', (_, count, width, block) => {
  const { point, epochs } = epochsOf(count, width)
  const { vectors } = epochs as unknown as { vectors: SweepVectors }
  const orders = [1, 2].map(() => {
    epochs.bringBack()
    const before = [...vectors.order]
    for (const _pause of epochs.epoch());
    const order = [...vectors.turns].flatMap((turn) => before.slice(turn * block, (turn + 1) * block))
    expect([...order].sort((a, b) => a - b)).toEqual([...Array(count).keys()])
    return order
  })
  expect(vectors.block).toBe(block)
  expect(orders[0]).not.toEqual(orders[1])
  const followed = orders[0].filter((own, k) => own + 1 === orders[0][k + 1]).length
  expect(followed / count).toBeCloseTo(1 - 1 / block, 1)
  epochs.measure()
  expect(point.relativeGap).toBeLessThan(0.5)
})

test('samples that are left out leave the order, and come back in their places', () => {
  const { epochs } = epochsOf(200, 10, 10)
  const { vectors } = epochs as unknown as { vectors: SweepVectors }
  for (let epoch = 0; epoch < 20; epoch++) for (const _pause of epochs.epoch());
  const active = [...vectors.order.subarray(0, epochs.active)]
  expect(active.length).toBeLessThan(200)
  expect(active).toEqual([...new Set(active)].sort((a, b) => a - b))
  expect(epochs.bringBack()).toBe(true)
  expect([...vectors.order]).toEqual([...Array(200).keys()])
})

test.each([
  ['hinge', 0],
  ['squared-hinge', 0],
  ['epsilon-insensitive', 0.3],
] as const)('a look brings back what is not held by more than anything moves: %s', (loss, epsilon) => {
  const random = new Random(11)
  const count = 300
  const features = Array.from({ length: count }, () => [3 * random.normal(), random.normal(), 1])
  const samples = toMatrix(features)
  const z = features.map(([x]) => (epsilon > 0 ? x + random.normal() : x + random.normal() > 0 ? 1 : -1))
  const problem = makeLinearMachine({ samples, loss, z, C: 0.2, ...(epsilon > 0 ? { epsilon } : {}) })
  const rows = new PlainRows(samples, problem.constant)
  const point = new LinearPoint(problem, rows, {})
  const epochs = new DualEpochs(problem, rows, point, random, () => false)
  const { vectors } = epochs as unknown as { vectors: SweepVectors }
  for (let epoch = 0; epoch < 6; epoch++) for (const _pause of epochs.epoch());
  epochs.measure()
  const { beta, lower, upper, shift, w } = vectors
  // The directional derivatives of the dual for a rise and for a fall of each β_i.
  const slopes = [...beta].map((own, i) => {
    const row = [0, 1, 2].reduce((sum, j) => sum + (samples.values as Float64Array)[3 * i + j] * w[j], 0)
    const gradient = row + problem.constant * w[3] - z[i] + shift[i] * own
    return {
      rise: gradient + (own >= 0 ? epsilon : -epsilon),
      fall: -gradient + (own > 0 ? -epsilon : epsilon),
    }
  })
  const violation = ({ rise, fall }: { rise: number; fall: number }, i: number) =>
    Math.max(0, beta[i] < upper[i] ? -rise : 0, beta[i] > lower[i] ? -fall : 0)
  const violations = slopes.map(violation)
  expect(epochs.largest).toBeCloseTo(Math.max(...violations), 9)
  const listed = new Set(vectors.order.subarray(0, epochs.active))
  expect(listed.size).toBeLessThan(count)
  slopes.forEach(({ rise, fall }, i) => {
    if (violations[i] > 1e-9 || (beta[i] > lower[i] && beta[i] < upper[i] && beta[i] !== 0))
      expect(listed).toContain(i)
    const room = Math.min(beta[i] < upper[i] ? rise : Infinity, beta[i] > lower[i] ? fall : Infinity)
    if (room > epochs.largest + 1e-9) expect(listed).not.toContain(i)
  })
})
