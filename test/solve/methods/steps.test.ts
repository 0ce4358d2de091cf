/** The steps SMO solvers emit, replayed: each must be what the definition says, from a point nobody kept for us. */
import { describe, expect, test } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import type { AnyKernel } from '../../../src/kernels/kernel.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { makeProblem, type SvmProblem } from '../../../src/problems/problem.ts'
import type { ModelStep } from '../../../src/solve/driver/model-step.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import type { Solver } from '../../../src/solve/driver/solver.ts'
import type { SmoStep } from '../../../src/solve/dual/pair-step.ts'
import { solvers } from '../../../src/solve/methods/registry.ts'
import { naiveKernelMatrix } from '../../suites/naive-measures.ts'

interface Case {
  readonly name: string
  readonly solver: Solver
  readonly options?: object
  /** Of f, which rows in f32 leave a trace in. */
  readonly rounding?: number
}

const cases: Case[] = [
  { name: 'smo-platt', solver: solvers['smo-platt'] as Solver },
  { name: 'smo-platt without w', solver: solvers['smo-platt'] as Solver, options: { foldWeights: false } },
  { name: 'smo-mvp', solver: solvers['smo-mvp'] },
  { name: 'smo', solver: solvers.smo as Solver, rounding: 1e-4 },
  { name: 'smo with f64 rows', solver: solvers.smo as Solver, options: { precision: 'f64' } },
  { name: 'smo-simplified', solver: solvers['smo-simplified'] as Solver },
  { name: 'smo-random', solver: solvers['smo-random'] as Solver },
  { name: 'smo-random, heuristic', solver: solvers['smo-random'] as Solver, options: { pairs: 'heuristic' } },
]

const moons = generate('moons', { n: 50, noise: 0.3, seed: 3 })
/** Every point twice, some with opposite labels. */
const twice = makeDataset(
  Array.from({ length: 24 }, (_, i) => [(i >> 1) % 5, (i >> 1) % 3]),
  Array.from({ length: 24 }, (_, i) => (i % 7 < 3 ? 1 : -1)),
)
const sets: { name: string; data: typeof moons; kernel: AnyKernel; C: number }[] = [
  { name: 'moons, rbf', data: moons, kernel: rbf({ gamma: 1 }), C: 5 },
  { name: 'moons, linear', data: moons, kernel: linear(), C: 1 },
  { name: 'duplicates, linear', data: twice, kernel: linear(), C: 2 },
]

describe.each(cases)('$name', ({ solver, options = {}, rounding = 1e-9 }) => {
  test.each(sets)('$name', ({ data, kernel, C }) => {
    const problem = makeProblem({ samples: data.samples, kernel, y: data.labels as Float64Array, C })
    const matrix = naiveKernelMatrix(problem)
    const alpha = new Float64Array(problem.y.length)
    let iteration = 0
    let steps = 0
    const onStep = (step: SmoStep) => {
      steps++
      expect(step.iteration).toBeGreaterThanOrEqual(iteration)
      iteration = step.iteration
      expectStep(problem, matrix, alpha, step, rounding)
      alpha[step.i] = step.alphaI
      alpha[step.j] = step.alphaJ
    }
    const result = solveSync(problem, solver, options, { onStep, tol: 1e-3 })
    expect(steps).toBeGreaterThan(5)
    expect(alpha).toEqual(result.alpha)
    expect(result.certificate.iterations).toBeGreaterThanOrEqual(iteration)
  })
})

function expectStep(
  problem: SvmProblem,
  matrix: readonly Float64Array[],
  alpha: Float64Array,
  step: SmoStep,
  rounding: number,
): void {
  const { y, C } = problem
  const { i, j } = step
  const f = (k: number) => alpha.reduce((sum, a, p) => sum + a * y[p] * matrix[p][k], -y[k])
  expect([step.yi, step.yj]).toEqual([y[i], y[j]])
  expect([step.oldAlphaI, step.oldAlphaJ]).toEqual([alpha[i], alpha[j]])
  // Errors are up to date for both samples, bound ones too: no stale cache.
  expect(Math.abs(step.errorI - step.errorJ - (f(i) - f(j)))).toBeLessThanOrEqual(rounding)
  expect(Math.abs(step.eta - (matrix[i][i] + matrix[j][j] - 2 * matrix[i][j]))).toBeLessThanOrEqual(rounding)
  const sign = y[i] * y[j]
  expect(step.low).toBe(Math.max(0, sign > 0 ? alpha[i] + alpha[j] - C[i] : alpha[j] - alpha[i]))
  expect(step.high).toBe(Math.min(C[j], sign > 0 ? alpha[i] + alpha[j] : C[i] + (alpha[j] - alpha[i])))
  expect(y[i] * (step.alphaI - alpha[i])).toBeCloseTo(-y[j] * (step.alphaJ - alpha[j]), 10)
  // Without curvature an end is taken; snapping may move it by rounding.
  const end = Math.abs(step.alphaJ - step.low) < Math.abs(step.alphaJ - step.high) ? step.low : step.high
  const clipped = Math.min(step.high, Math.max(step.low, step.unclipped))
  expect(step.alphaJ).toBeCloseTo(Number.isNaN(step.unclipped) ? end : clipped, 9)
}

describe('samples that are shrunk away', () => {
  const { samples, labels } = generate('moons', { n: 120, noise: 0.25, seed: 1 })
  const y = labels as Float64Array

  test('smo says whenever others are active, and steps on active ones only', () => {
    const problem = makeProblem({ samples, kernel: rbf({ gamma: 1 }), y, C: 100 })
    const alpha = new Float64Array(y.length)
    const counts: number[] = []
    let active = new Set(y.keys())
    const onStep = (step: SmoStep) => {
      if (step.active) {
        active = new Set(step.active)
        counts.push(active.size)
        for (const [i, a] of alpha.entries()) if (!active.has(i)) expect([0, 100]).toContain(a)
      }
      expect(active.has(step.i) && active.has(step.j)).toBe(true)
      alpha[step.i] = step.alphaI
      alpha[step.j] = step.alphaJ
    }
    solveSync(problem, solvers.smo as Solver, {}, { tol: 1e-6, onStep })
    expect(Math.min(...counts)).toBeLessThan(y.length)
    expect(counts).toContain(y.length)
  })

  test('sdca shows which are active, and steps on these only', () => {
    const problem = makeProblem({ samples, kernel: linear(), y, C: 1, bias: 'regularised' })
    let fewest = y.length
    const onModelStep = ({ sample, active }: ModelStep) => {
      fewest = Math.min(fewest, active?.length ?? y.length)
      expect(active?.includes(sample)).toBe(true)
    }
    solveSync(problem, solvers.sdca as Solver, {}, { onModelStep })
    expect(fewest).toBeLessThan(y.length)
  })
})
