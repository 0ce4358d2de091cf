import { describe, expect, test } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { makeProblem } from '../../../src/problems/problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { SeparabilityTest } from '../../../src/solve/driver/separability-test.ts'
import type { Solver } from '../../../src/solve/driver/solver.ts'
import { solvers } from '../../../src/solve/methods/registry.ts'

const infinity = Number.POSITIVE_INFINITY
const pairSolvers = (
  ['smo-platt', 'smo-mvp', 'smo', 'smo-simplified', 'smo-random', 'working-set'] as const
).map((name) => solvers[name] as Solver)

describe.each(pairSolvers)('$name', (solver) => {
  test('example 3.7: the margin of the map (x, x²), by hand', () => {
    // k(x, z) = xz + x²z² is the map; the best line is x² = ½: w = (0, 2), b = −1, ‖w‖² / 2 = 2.
    const { samples, labels } = generate('example37')
    const squares = makeDataset(
      [-1, 0, 1].map((x) => [x, x * x]),
      labels,
    )
    const y = labels as Float64Array
    const explicit = makeProblem({ samples: squares.samples, kernel: linear(), y, C: infinity })
    const result = solveSync(explicit, solver, {}, { tol: 1e-6 })
    expect(result.certificate.stopReason).toBe('converged')
    expect(result.certificate.dual).toBeCloseTo(-2, 5)
    expect(result.certificate.primal).toBeCloseTo(2, 5)
    expect(result.bias).toBeCloseTo(-1, 5)
    const poly = makeProblem({
      samples,
      kernel: polynomial({ degree: 2, gamma: 1, coef0: 1 }),
      y,
      C: infinity,
    })
    expect(solveSync(poly, solver, {}, { tol: 1e-6 }).certificate.stopReason).toBe('converged')
  })

  test('equals a C that no sample reaches', () => {
    const { samples, labels } = generate('blobs', { n: 60, seed: 3 })
    const y = labels as Float64Array
    const [hard, soft] = [infinity, 1e6].map((C) =>
      solveSync(makeProblem({ samples, kernel: linear(), y, C }), solver, {}, { tol: 1e-5 }),
    )
    expect(hard.certificate.stopReason).toBe('converged')
    expect(Math.abs(hard.certificate.dual / soft.certificate.dual - 1)).toBeLessThanOrEqual(1e-5)
    expect(hard.certificate.boundedSupportVectors).toBe(0)
    // Primal and dual of the scaled, feasible point enclose the optimum.
    expect(hard.certificate.gap).toBeGreaterThanOrEqual(-1e-12)
    expect(hard.certificate.gap / hard.certificate.primal).toBeLessThanOrEqual(1e-3)
  })

  test('classes that cannot be separated are found out, equal points at once', () => {
    const { samples, labels } = generate('xor', { n: 40, seed: 1 })
    const y = labels as Float64Array
    const { certificate } = solveSync(makeProblem({ samples, kernel: linear(), y, C: infinity }), solver)
    expect(certificate).toMatchObject({ stopReason: 'unbounded', primal: infinity })
    const equal = makeDataset([[1], [1]], [1, -1])
    const problem = makeProblem({
      samples: equal.samples,
      kernel: linear(),
      y: equal.labels as Float64Array,
      C: infinity,
    })
    const end = solveSync(problem, solver, {}, { maxIter: 1000 })
    expect(end.certificate.stopReason).toBe('unbounded')
    expect(end.alpha.every(Number.isFinite)).toBe(true)
  })
})

describe('the proof', () => {
  const { samples, labels } = makeDataset([[0], [1], [2], [3]], [1, -1, 1, -1])
  const y = labels as Float64Array

  test('exists only for hard margins', () => {
    expect(SeparabilityTest.for(makeProblem({ samples, kernel: linear(), y, C: 1e9 }))).toBeUndefined()
  })

  test('a ray with w = 0 proves it, a point with a margin does not', () => {
    const proof = SeparabilityTest.for(makeProblem({ samples, kernel: linear(), y, C: infinity }))
    // 0 − 1 − ... : α = (1, 1, 0, 0) has w = −1; α = (1, 2, 1, 0) has w = 0 − 2 + 2 = 0 and is balanced.
    expect(proof?.refutes(Float64Array.of(1, 1, 0, 0))).toBe(false)
    expect(proof?.refutes(Float64Array.of(1, 2, 1, 0))).toBe(true)
    expect(proof?.refutes(Float64Array.of(0, 0, 0, 0))).toBe(false)
  })

  test('samples with a finite C prove nothing', () => {
    const soft = SeparabilityTest.for(
      makeProblem({ samples, kernel: linear(), y, C: Float64Array.of(infinity, 2, infinity, infinity) }),
    )
    expect(soft?.refutes(Float64Array.of(1, 2, 1, 0))).toBe(false)
  })
})
