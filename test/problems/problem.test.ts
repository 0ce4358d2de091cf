import { describe, expect, test } from 'vitest'
import { toMatrix } from '../../src/data/matrix/matrix.ts'
import { kernelMatrix } from '../../src/kernels/kernel-matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import {
  diagonalShift,
  dualKernel,
  makeProblem,
  type ProblemOptions,
  upperBounds,
} from '../../src/problems/problem.ts'
import { expectClose } from '../close.ts'

const samples = toMatrix([[1], [3], [-2]])
const y = [1, 1, -1]

/** A problem with some things changed. */
function make(changes: Partial<ProblemOptions> = {}) {
  return makeProblem({ samples, y, kernel: linear(), ...changes })
}

test('defaults: C = 1 for all, hinge loss, free bias', () => {
  const problem = make()
  expect(problem).toMatchObject({ loss: 'hinge', bias: 'free', interceptScaling: 1 })
  expect([...problem.C]).toEqual([1, 1, 1])
  expect([...problem.y]).toEqual([1, 1, -1])
})

test('what depends on the samples is settled', () => {
  const { spec } = make({ kernel: rbf({ gamma: 'auto' }) }).kernel
  expect(spec).toEqual({ kind: 'rbf', gamma: 1 })
})

test('labels and costs are copied: changing the originals later changes nothing', () => {
  const labels = Float64Array.from(y)
  const C = Float64Array.from([1, 2, 3])
  const problem = make({ y: labels, C })
  labels.fill(0)
  C.fill(0)
  expect([...problem.y]).toEqual(y)
  expect([...problem.C]).toEqual([1, 2, 3])
})

describe('refuses', () => {
  test.each<[string, Partial<ProblemOptions>, string]>([
    [
      'no samples',
      { samples: [], y: [] },
      'a problem needs at least one sample of each class, got no samples',
    ],
    ['too few labels', { y: [1, -1] }, '3 samples but 2 labels'],
    ['other labels', { y: [1, 0, -1] }, 'y[1] must be +1 or -1, got 0'],
    ['one class', { y: [-1, -1, -1] }, 'all 3 samples have the same class; two classes are needed'],
    ['negative C', { C: -1 }, 'problem: C[0] must be >= 0, got -1'],
    ['NaN as C', { C: [1, Number.NaN, 1] }, 'problem: C[1] must be >= 0, got NaN'],
    ['too many C', { C: [1, 1, 1, 1] }, '3 samples but 4 values of C'],
    [
      'a hard margin with the squared hinge',
      { C: Number.POSITIVE_INFINITY, loss: 'squared-hinge' },
      'problem: C[0] must be finite and >= 0, got Infinity',
    ],
    [
      'another loss',
      { loss: 'log' as never },
      'problem: loss must be one of hinge, squared-hinge, got "log"',
    ],
    [
      'another bias',
      { bias: 'big' as never },
      'problem: bias must be one of free, regularised, none, got "big"',
    ],
    ['no scaling', { interceptScaling: 0 }, 'problem: interceptScaling must be > 0, got 0'],
  ])('%s', (_, changes, message) => {
    expect(() => make(changes)).toThrow(message)
  })
})

test('bounds and diagonal of the dual: U = C, D = 0 for the hinge; U = ∞, D = 1/2C for its square', () => {
  const C = [0.25, 0, 2]
  expect([...upperBounds(make({ C }))]).toEqual(C)
  expect([...diagonalShift(make({ C }))]).toEqual([0, 0, 0])
  const squared = make({ C, loss: 'squared-hinge' })
  expect([...upperBounds(squared)]).toEqual([Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY])
  expect([...diagonalShift(squared)]).toEqual([2, 0, 0.25])
})

test('trap: only a regularised bias changes the kernel of the dual, to k + s²', () => {
  const matrix = (changes: Partial<ProblemOptions>) => kernelMatrix(dualKernel(make(changes)), samples).values
  const plain = matrix({})
  expectClose(matrix({ bias: 'none' }), plain)
  expectClose(
    matrix({ bias: 'regularised', interceptScaling: 3 }),
    plain.map((k) => k + 9),
  )
})
