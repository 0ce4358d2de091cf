import { describe, expect, test } from 'vitest'
import { diagnose } from '../../src/certify/diagnosis.ts'
import { measure } from '../../src/certify/measure.ts'
import { generate } from '../../src/data/generators/generators.ts'
import { toMatrix } from '../../src/data/matrix/matrix.ts'
import { linear } from '../../src/kernels/linear.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { featureMap } from '../../src/kernels/user-kernels.ts'
import { makeProblem } from '../../src/problems/problem.ts'
import { solveSync } from '../../src/solve/driver/run.ts'
import { pegasos } from '../../src/solve/methods/pegasos.ts'
import { sdca } from '../../src/solve/methods/sdca.ts'
import { smoMvp } from '../../src/solve/methods/smo-mvp.ts'
import { expectClose } from '../close.ts'
import { naiveKernelMatrix } from '../suites/naive-measures.ts'
import { smallProblem } from '../suites/small-problems.ts'

describe('example 3.7 of seed 001, hard margin', () => {
  const { samples, labels } = generate('example37')
  const lift = featureMap((x: Float64Array) => [x[0], x[0] ** 2], { name: 'lift' })
  const problem = makeProblem({
    samples,
    y: labels as Float64Array,
    kernel: lift,
    C: Number.POSITIVE_INFINITY,
  })

  test('w = (0, 2), b = −1: all three points on the margin, half a unit from the hyperplane x² = ½', () => {
    const solution = solveSync(problem, smoMvp, {}, { tol: 1e-12 })
    const found = diagnose(problem, solution)
    expect(found.norm).toBeCloseTo(2, 10)
    expect(found.marginWidth).toBeCloseTo(1, 10)
    expectClose(found.functionalMargins, [1, 1, 1], 1e-10)
    expectClose(found.geometricMargins, [0.5, 0.5, 0.5], 1e-10)
    expectClose(found.slacks, [0, 0, 0], 1e-10)
    expect(found.positionCounts).toEqual({ outside: 0, 'on-margin': 3, inside: 0, misclassified: 0 })
    expect(found.multiplierCounts).toEqual({ zero: 0, free: 3, bound: 0 })
    expect(found).toMatchObject({ separates: true, hardMargin: true })
    expect(found.smallestGeometricMargin).toBeCloseTo(0.5, 10)
  })

  test('w = (0, 1), b = −½ of the seed separates too, with functional margin ½: not yet hard-margin', () => {
    const alpha = Float64Array.from(labels as Float64Array, (y) => (y > 0 ? 0.5 : 1))
    const found = diagnose(problem, { alpha, bias: -0.5 })
    expect(found).toMatchObject({
      norm: 1,
      separates: true,
      hardMargin: false,
      smallestFunctionalMargin: 0.5,
    })
    // Scaling w and b changes the functional margins, not the geometric ones.
    expectClose(found.geometricMargins, [0.5, 0.5, 0.5])
  })
})

describe('the cases of section 3.4.1', () => {
  // Margins 3, 1, ½, 0, −¼ at w = 1: w = ¾ · 1 + 1 · ½ + 1 · 0 − 1 · ¼.
  const problem = makeProblem({
    samples: toMatrix([[3], [-1], [0.5], [0], [0.25]]),
    y: [1, -1, 1, 1, -1],
    kernel: linear(),
    C: 1,
    bias: 'none',
  })
  const optimum = { alpha: Float64Array.of(0, 0.75, 1, 1, 1), bias: 0 }

  test('by hand', () => {
    const found = diagnose(problem, optimum)
    expect([...found.functionalMargins]).toEqual([3, 1, 0.5, 0, -0.25])
    expect([...found.slacks]).toEqual([0, 0, 0.5, 1, 1.25])
    expect(found.positions).toEqual(['outside', 'on-margin', 'inside', 'inside', 'misclassified'])
    expect(found.multipliers).toEqual(['zero', 'free', 'bound', 'bound', 'bound'])
    expect([...found.violations]).toEqual([0, 0, 0, 0, 0])
    expect(found.positionCounts).toEqual({ outside: 1, 'on-margin': 1, inside: 2, misclassified: 1 })
    expect(found.multiplierCounts).toEqual({ zero: 1, free: 1, bound: 3 })
    expect(found).toMatchObject({ norm: 1, marginWidth: 2, separates: false, hardMargin: false })
    expect(found.smallestFunctionalMargin).toBe(-0.25)
  })

  test('a solver finds the same', () => {
    const found = diagnose(problem, solveSync(problem, sdca, {}, { tol: 1e-12 }))
    expectClose(found.functionalMargins, [3, 1, 0.5, 0, -0.25], 1e-10)
    expect(found.multipliers).toEqual(['zero', 'free', 'bound', 'bound', 'bound'])
  })

  test('each sample says how far its own condition fails', () => {
    const { violations } = diagnose(problem, { alpha: Float64Array.of(0.1, 0.25, 1, 0.5, 1), bias: 0 })
    // w = 0.3 + 0.25 + 0.5 − 0.25 = 0.8: free at 2.4, free at 0.8, bound at 0.4 (right), free at 0, bound at −0.2 (right).
    expectClose(violations, [1.4, 0.2, 0, 1, 0])
  })

  test('what counts as on the margin is up to the tolerance', () => {
    const nearly = { alpha: Float64Array.of(0, 0.755, 1, 1, 1), bias: 0 }
    expect(diagnose(problem, nearly).positions[1]).toBe('outside')
    expect(diagnose(problem, nearly, { tol: 0.01 }).positions[1]).toBe('on-margin')
    expect(() => diagnose(problem, nearly, { tol: 1 })).toThrow('diagnose: tol must be >= 0 and < 1, got 1')
  })
})

test.each(['hinge', 'squared-hinge'] as const)('the largest violation is the certificate’s: %s', (loss) => {
  for (const bias of ['regularised', 'none'] as const) {
    const problem = smallProblem(1, { loss, bias, kernel: rbf({ gamma: 0.5 }) })
    const { alpha, bias: b } = solveSync(problem, sdca, {}, { maxIter: 2 })
    const { violations } = diagnose(problem, { alpha, bias: b })
    expect(Math.max(...violations)).toBeCloseTo(measure(problem, { alpha, bias: b }).maxViolation, 12)
    expect(violations[2]).toBe(0)
  }
})

test('free bias: at a solution every condition holds within tol, whatever the kernel', () => {
  const { samples, labels } = generate('moons', { n: 80, noise: 0.3, seed: 2 })
  const problem = makeProblem({ samples, y: labels as Float64Array, kernel: rbf({ gamma: 1 }), C: 3 })
  const solution = solveSync(problem, smoMvp, {}, { tol: 1e-6 })
  const found = diagnose(problem, solution, { tol: 1e-5 })
  expect(Math.max(...found.violations)).toBeLessThanOrEqual(1e-6)
  found.multipliers.forEach((multiplier, i) => {
    const position = found.positions[i]
    if (multiplier === 'zero') expect(['outside', 'on-margin']).toContain(position)
    if (multiplier === 'free') expect(position).toBe('on-margin')
    if (multiplier === 'bound') expect(['on-margin', 'inside', 'misclassified']).toContain(position)
  })
  expect(Object.values(found.multiplierCounts).every((count) => count > 0)).toBe(true)
})

test('trap: eq. 77 needs its y_j: b = y_i − Σ α_j y_j k(x_j, x_i) for every free support vector', () => {
  const { samples, labels } = generate('moons', { n: 60, noise: 0.3, seed: 4 })
  const problem = makeProblem({ samples, y: labels as Float64Array, kernel: rbf({ gamma: 1 }), C: 3 })
  const solution = solveSync(problem, smoMvp, {}, { tol: 1e-9 })
  const { multipliers } = diagnose(problem, solution)
  const matrix = naiveKernelMatrix(problem)
  const { alpha, bias } = solution
  const free = multipliers.flatMap((multiplier, i) => (multiplier === 'free' ? [i] : []))
  expect(free.length).toBeGreaterThan(2)
  for (const i of free) {
    const withLabels = matrix[i].reduce((sum, k, j) => sum + alpha[j] * problem.y[j] * k, 0)
    const asPrinted = matrix[i].reduce((sum, k, j) => sum + alpha[j] * k, 0)
    expect(problem.y[i] - withLabels).toBeCloseTo(bias, 8)
    expect(Math.abs(problem.y[i] - asPrinted - bias)).toBeGreaterThan(0.5)
  }
})

test('a model with an expansion of its own is judged by it, its dual point by alpha', () => {
  const problem = smallProblem(3, { bias: 'regularised', interceptScaling: 2 })
  const solution = solveSync(problem, pegasos, {}, { maxIter: 3, tol: 1e-9 })
  const found = diagnose(problem, solution)
  const beta = solution.beta as Float64Array
  // The naive matrix holds k + s², so that the expansion is f(x) with its bias.
  const values = naiveKernelMatrix(problem).map((row) => row.reduce((sum, k, j) => sum + k * beta[j], 0))
  expectClose(
    found.functionalMargins,
    values.map((value, i) => problem.y[i] * value),
  )
  expect(Math.max(...found.violations)).toBeCloseTo(solution.certificate.maxViolation, 12)
  const squared = values.reduce((sum, value, i) => sum + beta[i] * (value - solution.bias), 0)
  expect(found.norm).toBeCloseTo(Math.sqrt(squared), 12)
})

test('w = 0 has no distances', () => {
  const problem = smallProblem(4, { bias: 'none' })
  const found = diagnose(problem, { alpha: new Float64Array(10), bias: 0 })
  expect(found.norm).toBe(0)
  expect(found.marginWidth).toBe(Number.POSITIVE_INFINITY)
  expect(found.geometricMargins.every(Number.isNaN)).toBe(true)
  expect(found.smallestGeometricMargin).toBeNaN()
  expect(found.separates).toBe(false)
})
