import { expect, test } from 'vitest'
import { toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import type { Problem } from '../../../src/problems/kernel-problem.ts'
import { feasibleStart, matchStart } from '../../../src/solve/dual/kernel-start.ts'

const rows = [
  [1, 0, 2],
  [0, 0, 0],
  [1, 0, 2],
  [3, -1, 0],
]
const samples = toMatrix(rows)

test('rows are found by their values and labels, alike ones one by one, however they are stored', () => {
  const vectors = toSparse(toMatrix([rows[0], rows[3], rows[0], [9, 9, 9]]))
  const start = { vectors, labels: Float64Array.of(1, 0, 0, 1), alphas: [Float64Array.of(1, 2, 3, 4)] }
  const labels = Float64Array.of(1, 1, 0, 0)
  const found = matchStart(start, { samples, labels })
  expect([...found.rows]).toEqual([0, 2, 3])
  expect([...found.alphas[0]]).toEqual([1, 3, 2])
  const none = matchStart(start, { samples, labels: labels.map((label) => 1 - label) })
  expect([...none.rows]).toEqual([0, 2])
})

test('multipliers are cut to the bounds, and have the sums that the problem asks for', () => {
  const common = { samples, kernel: rbf({ gamma: 1 }) }
  const y = Float64Array.of(1, 1, -1, -1)
  const svc = {
    ...common,
    ...{ task: 'svc', y, C: Float64Array.of(1, 1, 1, 1), loss: 'hinge', bias: 'free', interceptScaling: 1 },
  } as Problem
  const sums = (alpha: Float64Array) => [alpha[0] + alpha[1], alpha[2] + alpha[3]]
  const own = feasibleStart(svc, Float64Array.of(5, 0.5, 0.25, 0.5))!
  expect(Math.max(...own)).toBeLessThanOrEqual(1)
  expect(sums(own)[0]).toBeCloseTo(0.75, 14)
  expect(sums(own)[1]).toBeCloseTo(0.75, 14)
  const nu = { ...common, task: 'nu-svc', y, weights: Float64Array.of(1, 1, 1, 1), nu: 0.6 } as Problem
  // Of eight samples in all, half the sum of 4.8 on either side: more than two of weight 1 can hold.
  expect(feasibleStart(nu, Float64Array.of(1, 1, 1, 1), [4, 4])).toBeUndefined()
  const half = feasibleStart(nu, Float64Array.of(1, 0.1, 0.2, 0.1), [3, 3])!
  expect(sums(half).map((sum) => sum.toFixed(12))).toEqual(['1.800000000000', '1.800000000000'])
  const one = { ...common, task: 'one-class', weights: Float64Array.of(1, 1, 1, 1), nu: 0.5 } as Problem
  expect(feasibleStart(one, Float64Array.of(1, 1, 1, 0), [5, 0])!.reduce((a, b) => a + b)).toBeCloseTo(
    2.5,
    12,
  )
  const svr = { ...common, task: 'svr', z: y, C: Float64Array.of(1, 1, 1, 1), epsilon: 0.1 } as Problem
  expect(
    feasibleStart(svr, Float64Array.of(2, -0.5, 0, -0.25), undefined)!.reduce((a, b) => a + b),
  ).toBeCloseTo(0, 14)
})
