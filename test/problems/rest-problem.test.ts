import { expect, test } from 'vitest'
import { toMatrix } from '../../src/data/matrix/matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { restProblem } from '../../src/problems/rest-problem.ts'

test('one class against the rest: its weight counts where its samples are positive, and only there', () => {
  const samples = toMatrix([[1], [2], [3], [4]])
  const problem = {
    task: 'rest',
    samples,
    kernel: linear(),
    classCount: 3,
    classOf: Uint32Array.of(0, 1, 2, 1),
    ownC: Float64Array.of(2, 6, 10, 12),
    restC: Float64Array.of(1, 1, 1, 2),
    loss: 'squared-hinge',
    norm: 2,
    bias: 'regularised',
    interceptScaling: 3,
  } as const
  expect(restProblem(problem, 1)).toMatchObject({
    samples,
    y: Float64Array.of(-1, 1, -1, 1),
    C: Float64Array.of(1, 6, 1, 12),
    loss: 'squared-hinge',
    bias: 'regularised',
    interceptScaling: 3,
  })
  expect([...restProblem(problem, 2).C]).toEqual([1, 1, 10, 2])
})
