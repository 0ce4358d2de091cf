import { expect, test } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import type { AnyKernel } from '../../../src/kernels/kernel.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { generalDualOf } from '../../../src/problems/general-form.ts'
import { makeProblem, type SvmProblem } from '../../../src/problems/problem.ts'
import { biasOf } from '../../../src/solve/dual/bias.ts'
import { ShrinkingPoint } from '../../../src/solve/dual/shrinking-point.ts'
import { naiveKernelMatrix } from '../../suites/naive-measures.ts'

function blobs(kernel: AnyKernel, C: number, spread: number): SvmProblem {
  const { samples, labels } = generate('blobs', { n: 120, spread, box: 4, seed: 21 })
  return makeProblem({ samples, kernel, y: labels as Float64Array, C })
}

function exactValues(matrix: readonly Float64Array[], beta: Float64Array): Float64Array {
  return beta.map((_, i) => beta.reduce((sum, b, j) => sum + b * matrix[j][i], 0))
}

test('unshrinking reconstructs the gradient of the samples that were away', () => {
  const problem = blobs(rbf({ gamma: 0.1 }), 2, 4)
  const matrix = naiveKernelMatrix(problem)
  const point = new ShrinkingPoint(generalDualOf(problem), 1e6, 'f64')
  let reconstructed = 0
  for (let step = 1; point.findPair(1e-3); step++) {
    point.accept()
    if (step % 20 === 0) point.shrink()
    if (step % 60 !== 0 || !point.shrunk) continue
    expect([...point.unshrink(() => true)].length).toBeGreaterThan(0)
    reconstructed++
    expect(point.shrunk).toBe(false)
    const exact = exactValues(matrix, point.beta)
    point.v.forEach((v, i) => {
      expect(Math.abs(problem.y[i] - v - exact[i])).toBeLessThanOrEqual(1e-10)
    })
  }
  expect(reconstructed).toBeGreaterThan(1)
})

test('what is shrunk away was idle: the most violating pair stays', () => {
  const problem = blobs(rbf({ gamma: 0.1 }), 2, 4)
  const point = new ShrinkingPoint(generalDualOf(problem), 1e6, 'f64')
  let shrunk = 0
  while (point.findPair(1e-3)) {
    const { i, j } = point.step
    const { violation } = point
    point.shrink()
    if (point.shrunk) shrunk++
    expect(point.findPair(1e-3)).toBe(true)
    expect(point.violation).toBe(violation)
    expect([point.step.i, point.step.j]).toEqual([i, j])
    point.accept()
    expect([...point.unshrink(() => false)]).toEqual([])
  }
  expect(shrunk).toBeGreaterThan(5)
})

test('without a free support vector the bias is right while samples are away', () => {
  const problem = blobs(linear(), 0.002, 1)
  const matrix = naiveKernelMatrix(problem)
  const point = new ShrinkingPoint(generalDualOf(problem), 1e6, 'f64')
  let checked = 0
  while (point.findPair(1e-6)) {
    point.accept()
    point.shrink()
    if (!point.shrunk || point.beta.some((b) => b !== 0 && Math.abs(b) < 0.002)) continue
    const { y, C } = problem
    const f = exactValues(matrix, point.beta).map((value, i) => value - y[i])
    expect(point.bias.bias).toBeCloseTo(biasOf(point.beta.map(Math.abs), y, C, f), 10)
    checked++
  }
  expect(checked).toBeGreaterThan(0)
})

test('a fresh gradient is exact though the rows are f32, and is fresh until the next step', () => {
  const problem = blobs(rbf({ gamma: 0.1 }), 100, 4)
  const matrix = naiveKernelMatrix(problem)
  const point = new ShrinkingPoint(generalDualOf(problem), 1e6, 'f32')
  for (let step = 0; step < 300 && point.findPair(1e-3); step++) point.accept()
  const exact = exactValues(matrix, point.beta)
  const error = () => Math.max(...point.v.map((v, i) => Math.abs(problem.y[i] - v - exact[i])))
  expect(point.fresh).toBe(false)
  expect(error()).toBeGreaterThan(1e-7)
  const pauses = [...point.refresh(() => true)].length
  expect(pauses).toBe(point.beta.filter((b) => b !== 0).length)
  expect(point.fresh).toBe(true)
  expect(error()).toBeLessThanOrEqual(1e-9)
  point.findPair(1e-9)
  expect(point.drift()).toBeLessThanOrEqual(1e-9)
  point.accept()
  expect(point.fresh).toBe(false)
})

test('kernel values too large for f32 are kept in f64', () => {
  const { samples, labels } = generate('blobs', { n: 10, seed: 1 })
  const huge = { ...samples, values: samples.values.map((value) => value * 1e25) } as typeof samples
  const problem = makeProblem({ samples: huge, kernel: linear(), y: labels as Float64Array })
  expect(new ShrinkingPoint(generalDualOf(problem), 1e6, 'f32').precision).toBe('f64')
})
