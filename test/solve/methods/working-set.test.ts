import { describe, expect, test } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { featureMap } from '../../../src/kernels/user-kernels.ts'
import { makeProblem } from '../../../src/problems/problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import type { SmoStep } from '../../../src/solve/dual/pair-step.ts'
import { workingSet } from '../../../src/solve/methods/working-set.ts'
import { expectClose } from '../../close.ts'
import { naiveKernelMatrix, naiveMeasures } from '../../suites/naive-measures.ts'
import { referenceOptimum } from '../../suites/reference-optimum.ts'
import { smallProblem } from '../../suites/small-problems.ts'

const kernels = [linear(), rbf({ gamma: 0.4 }), polynomial({ gamma: 1, coef0: 1, degree: 2 })]

describe('projected gradients on the whole dual find the same', () => {
  test.each(kernels)('$spec.kind', (kernel) => {
    for (const added of [2, 3, 100]) {
      for (const seed of [1, 2, 3]) {
        const problem = smallProblem(seed, { kernel, count: 12 })
        const result = solveSync(problem, workingSet, { added }, { tol: 1e-9 })
        const { dual } = referenceOptimum(problem)
        const naive = naiveMeasures(problem, naiveKernelMatrix(problem), result)
        expect(result.certificate.stopReason).toBe('converged')
        expect(naive.dual / dual).toBeCloseTo(1, 9)
        expect(naive.violation).toBeLessThanOrEqual(1.001e-9)
        expect(naive.outside).toBeLessThanOrEqual(0)
        expect(naive.imbalance).toBeLessThanOrEqual(1e-14)
        expect(result.alpha[2]).toBe(0)
      }
    }
  })
})

/** Everything a run says about its steps. */
function stepsOf(problem: Parameters<typeof solveSync>[0], added: number, tol = 1e-6) {
  const steps: SmoStep[] = []
  const options = {
    tol,
    onStep: (step: SmoStep) => void steps.push({ ...step }),
    trace: { every: 1, snapshots: true },
  }
  const result = solveSync(problem, workingSet, { added }, options)
  return { steps, ...result }
}

test.each([2, 10, 50])('a round works on the support vectors and at most %i others', (added) => {
  const { samples, labels } = generate('moons', { n: 200, noise: 0.3, seed: 3 })
  const problem = makeProblem({ samples, kernel: rbf({ gamma: 1 }), y: labels as Float64Array, C: 2 })
  const { steps, trace, certificate } = stepsOf(problem, added)
  expect(certificate.stopReason).toBe('converged')
  expect(certificate.iterations).toBeGreaterThan(1)
  for (let round = 1; round <= certificate.iterations; round++) {
    const before = trace[round - 1].alpha as Float64Array
    const touched = new Set(steps.filter((s) => s.iteration === round).flatMap((s) => [s.i, s.j]))
    const newcomers = [...touched].filter((i) => before[i] === 0)
    expect(newcomers.length).toBeLessThanOrEqual(added)
    // The dual falls in every round.
    expect(trace[round].dual).toBeLessThan(trace[round - 1].dual)
  }
})

test('every step stays within its segment, and the steps add up to alpha', () => {
  const problem = smallProblem(4, { count: 30 })
  const { steps, alpha } = stepsOf(problem, 4)
  const sum = new Float64Array(alpha.length)
  for (const step of steps) {
    // Values within rounding of a bound are put onto it.
    expect(step.alphaJ).toBeGreaterThanOrEqual(step.low - 1e-11)
    expect(step.alphaJ).toBeLessThanOrEqual(step.high + 1e-11)
    expect(step.eta).toBeGreaterThan(0)
    expect(sum[step.i]).toBe(step.oldAlphaI)
    expect(sum[step.j]).toBe(step.oldAlphaJ)
    sum[step.i] = step.alphaI
    sum[step.j] = step.alphaJ
  }
  expect(sum).toEqual(alpha)
})

test('added = Infinity takes all violators, and one round is enough', () => {
  const problem = smallProblem(5, { count: 40, kernel: rbf({ gamma: 0.3 }) })
  const { certificate } = solveSync(problem, workingSet, { added: Number.POSITIVE_INFINITY })
  expect(certificate).toMatchObject({ iterations: 1, stopReason: 'converged' })
})

describe('where a literal reading of the source goes round in circles', () => {
  test('no free support vector: the bias is the midpoint, and samples object to the interval, not to it', () => {
    // Below C = 0.001 every alpha of a support vector is at its bound.
    const { samples, labels } = generate('blobs', { n: 60, spread: 3, box: 3, seed: 1 })
    const problem = makeProblem({ samples, kernel: linear(), y: labels as Float64Array, C: 1e-4 })
    for (const added of [2, 7]) {
      const { alpha, certificate, bias } = solveSync(problem, workingSet, { added }, { tol: 1e-9 })
      expect(alpha.every((a) => a === 0 || a === 1e-4)).toBe(true)
      expect(certificate.stopReason).toBe('converged')
      const matrix = naiveKernelMatrix(problem)
      const f = matrix.map((row, i) =>
        row.reduce((s, k, j) => s + alpha[j] * problem.y[j] * k, -problem.y[i]),
      )
      const mayRise = (i: number) => (problem.y[i] > 0 ? alpha[i] === 0 : alpha[i] > 0)
      const up = Math.min(...f.filter((_, i) => mayRise(i)))
      const low = Math.max(...f.filter((_, i) => !mayRise(i)))
      expect(bias).toBeCloseTo(-(up + low) / 2, 12)
    }
  })

  test('the worst violators are all of one class', () => {
    const rows = [[5], [6], [7], [8], [9], [-1]]
    const { samples } = makeDataset(rows, [1, 1, 1, 1, 1, -1])
    const problem = makeProblem({ samples, kernel: linear(), y: [1, 1, 1, 1, 1, -1], C: 10 })
    const { alpha, bias, certificate } = solveSync(problem, workingSet, { added: 2 }, { tol: 1e-9 })
    // The street between −1 and 5: w = 1/3, b = −2/3, alpha = 2 / 6².
    expect(certificate.stopReason).toBe('converged')
    expectClose(alpha, [1 / 18, 0, 0, 0, 0, 1 / 18], 1e-9)
    expect(bias).toBeCloseTo(-2 / 3, 9)
  })
})

describe('hard margin', () => {
  const { samples, labels } = generate('example37')
  const y = labels as Float64Array

  test('example 3.7 of seed 001, lifted by (x, x²): w = (0, 2), b = −1, alpha = (1, 2, 1)', () => {
    const lift = featureMap((x: Float64Array) => [x[0], x[0] ** 2], { name: 'lift' })
    const problem = makeProblem({ samples, kernel: lift, y, C: Number.POSITIVE_INFINITY })
    const { alpha, bias, certificate } = solveSync(problem, workingSet, {}, { tol: 1e-12 })
    const w = [0, 1].map((j) =>
      [-1, 0, 1].reduce((sum, _, i) => {
        const x = (samples.values as Float64Array)[i]
        return sum + alpha[i] * y[i] * [x, x * x][j]
      }, 0),
    )
    expectClose(w, [0, 2], 1e-12)
    expect(bias).toBeCloseTo(-1, 12)
    expectClose([...alpha].sort(), [1, 1, 2], 1e-12)
    expect(certificate).toMatchObject({
      stopReason: 'converged',
      supportVectors: 3,
      boundedSupportVectors: 0,
    })
    expect(certificate.primal).toBeCloseTo(2, 12)
    expect(certificate.dual).toBeCloseTo(-2, 12)
  })

  test.each([2, 100])('without the lift no line separates the points: unbounded (added %i)', (added) => {
    const problem = makeProblem({ samples, kernel: linear(), y, C: Number.POSITIVE_INFINITY })
    expect(solveSync(problem, workingSet, { added }).certificate.stopReason).toBe('unbounded')
  })

  test('overlapping clouds: unbounded too, not an endless round', () => {
    const clouds = generate('blobs', { n: 60, spread: 3, box: 3, seed: 1 })
    const problem = makeProblem({
      samples: clouds.samples,
      kernel: linear(),
      y: clouds.labels as Float64Array,
      C: Number.POSITIVE_INFINITY,
    })
    expect(solveSync(problem, workingSet, {}, { maxIter: 500 }).certificate.stopReason).toBe('unbounded')
  })
})

test('a cache far too small changes nothing but the time', () => {
  const problem = smallProblem(6, { count: 50, kernel: rbf({ gamma: 0.3 }) })
  const plenty = solveSync(problem, workingSet, { added: 6 })
  const none = solveSync(problem, workingSet, { added: 6 }, { cacheBytes: 0 })
  expect(none.alpha).toEqual(plenty.alpha)
  expect(none.bias).toBe(plenty.bias)
})

test('a run cut short in its first round has something to show', () => {
  const { samples, labels } = generate('blobs', { n: 300, features: 10, spread: 4, box: 3, seed: 2 })
  const problem = makeProblem({ samples, kernel: linear(), y: labels as Float64Array, C: 1 })
  const controller = new AbortController()
  let steps = 0
  const onStep = () => {
    if (++steps === 3000) controller.abort()
  }
  const result = solveSync(
    problem,
    workingSet,
    { added: 300 },
    { tol: 1e-6, onStep, signal: controller.signal },
  )
  const naive = naiveMeasures(problem, naiveKernelMatrix(problem), result)
  expect(result.certificate).toMatchObject({ stopReason: 'aborted', iterations: 0 })
  expect(naive.dual).toBeLessThan(0)
  expect(naive.outside).toBeLessThanOrEqual(0)
  expect(naive.imbalance).toBeLessThanOrEqual(1e-12)
  expect(result.certificate.primal).toBeCloseTo(naive.primal, 8)
})

test('says what it cannot do', () => {
  const problem = smallProblem(7)
  const run = (options: object) => () => solveSync(problem, workingSet, options)
  expect(run({ added: 1 })).toThrow('working-set: added must be a whole number >= 2, got 1')
  expect(() => solveSync({ ...problem, bias: 'none' }, workingSet)).toThrow(
    'working-set: bias must be one of free, got "none"',
  )
})
