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
