import { expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { DualEpochs } from '../../../src/solve/linear/dual-epochs.ts'
import { LinearPoint } from '../../../src/solve/linear/linear-point.ts'
import { PlainRows } from '../../../src/solve/linear/plain-rows.ts'

/** Random data whose rows have so many values. */
function epochsOf(count: number, width: number) {
  const random = new Random(7)
  const samples = toMatrix(
    Array.from({ length: count }, () => Array.from({ length: width }, () => random.normal())),
  )
  const z = Array.from({ length: count }, (_, i) => (i % 3 === 0 ? 1 : -1))
  const problem = makeLinearMachine({ samples, loss: 'squared-hinge', z, C: 0.01 })
  const rows = new PlainRows(samples, problem.constant)
  const point = new LinearPoint(problem, rows, {})
  return { point, epochs: new DualEpochs(problem, rows, point, random, () => false) }
}

test.each([
  ['one by one', 200, 10, 1],
  ['blocks of 32, where there are more values than a cache holds', 2100, 50, 32],
])('an epoch visits every sample once, in an order of its own: %s', (_, count, width, block) => {
  const { point, epochs } = epochsOf(count, width)
  const orders = [1, 2].map(() => {
    for (const _pause of epochs.epoch());
    epochs.bringBack()
    const { order } = epochs.save() as unknown as { order: Uint32Array }
    expect([...order].sort((a, b) => a - b)).toEqual([...Array(count).keys()])
    return [...order]
  })
  expect(orders[0]).not.toEqual(orders[1])
  // In the first epoch nothing is left out, which would move the last sample of the list.
  const followed = orders[0].filter((own, k) => own + 1 === orders[0][k + 1]).length
  expect(followed / count).toBeCloseTo(1 - 1 / block, 1)
  epochs.measure()
  expect(point.relativeGap).toBeLessThan(0.5)
})
