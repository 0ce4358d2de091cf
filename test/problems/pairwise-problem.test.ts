import { describe, expect, it } from 'vitest'
import { linear } from '../../src/kernels/linear.ts'
import { classPairs, membersOf, pairProblem, rowsOfPair } from '../../src/problems/pairwise-problem.ts'
import { someMatrix } from '../suites/matrices.ts'

describe('pairs of classes', () => {
  const classOf = Uint32Array.of(2, 0, 1, 0, 2, 2)
  const members = membersOf(classOf, 4)

  it('have the samples of the first class, then those of the second', () => {
    expect(members.map((list) => [...list])).toEqual([[1, 3], [2], [0, 4, 5], []])
    expect([...rowsOfPair(members, [0, 2])]).toEqual([1, 3, 0, 4, 5])
    expect([...classPairs(3)]).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ])
  })

  it('are problems of their own, with the bounds of their samples', () => {
    const samples = someMatrix(1, 6, 2)
    const bounds = Float64Array.of(1, 2, 3, 4, 5, 6)
    const shared = { task: 'pairs' as const, samples, kernel: linear(), classCount: 4, classOf, bounds }
    const problem = pairProblem({ ...shared, bias: 'free' }, members, [1, 2])
    expect(problem).toMatchObject({ task: 'svc', y: Float64Array.of(1, -1, -1, -1) })
    expect(problem).toMatchObject({ C: Float64Array.of(3, 1, 5, 6) })
    expect(pairProblem({ ...shared, bias: 'free', nu: 0.5 }, members, [0, 2])).toMatchObject({
      task: 'nu-svc',
      nu: 0.5,
      weights: Float64Array.of(2, 4, 1, 5, 6),
    })
  })
})
