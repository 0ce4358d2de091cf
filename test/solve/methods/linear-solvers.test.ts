import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { type Matrix, toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import type { LinearLoss } from '../../../src/problems/linear-loss.ts'
import { gapUnit, makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { type AnySolver, solveSync } from '../../../src/solve/driver/run.ts'
import { dualDescent } from '../../../src/solve/methods/dual-descent.ts'
import { linearSolvers } from '../../../src/solve/methods/registry.ts'

/** Noisy samples of very different scales, some twice, with weights, one of them 0. */
function machine(loss: LinearLoss, options: object = {}, store: (matrix: Matrix) => Matrix = toMatrix) {
  const random = new Random(5)
  const rows = Array.from({ length: 90 }, (_, i) =>
    Array.from({ length: 5 }, (_, j) => (i % 7 === 0 ? 1 : random.normal()) * 10 ** (j - 2)),
  )
  // One class has w = 0, and no value to measure a gap by, where the origin is among the samples.
  if (loss === 'one-class') for (const row of rows) row[2] += 9
  const values = rows.map((row) => row[2] + 0.05 * row[3] + random.normal())
  const isTube = loss.includes('epsilon')
  const z = values.map((value) => (isTube ? value : value > 0 ? 1 : -1))
  const C = rows.map((_, i) => i % 4)
  return makeLinearMachine({
    samples: store(toMatrix(rows)),
    loss,
    C,
    epsilon: 0.1,
    ...(loss !== 'one-class' && { z }),
    ...options,
  })
}

const losses = [
  'hinge',
  'squared-hinge',
  'logistic',
  'epsilon-insensitive',
  'squared-epsilon-insensitive',
] as const
const cases = [
  ...losses.flatMap((loss) =>
    (['regularised', 'free', 'none'] as const).map((bias) => ({ loss, bias, norm: 2 })),
  ),
  ...(['squared-hinge', 'logistic'] as const).flatMap((loss) =>
    (['regularised', 'free', 'none'] as const).map((bias) => ({ loss, bias, norm: 1 })),
  ),
  { loss: 'one-class', bias: 'free', norm: 2 } as const,
]

describe('every machine is solved to a certified gap, by all that can solve it', () => {
  test.each(cases)('$loss, bias $bias, norm $norm', ({ loss, bias, norm }) => {
    const values = []
    for (const solver of Object.values(linearSolvers) as AnySolver[]) {
      // Descent along coordinates crawls on features of such different scales: that is what the others are for.
      if (solver === (dualDescent as AnySolver)) continue
      const takes = solver.biasForms.includes(bias) && (solver.norms ?? [2]).includes(norm as 1 | 2)
      if (!takes || (loss === 'logistic' && !solver.logistic)) continue
      const problem = machine(loss, { bias, norm })
      const { certificate } = solveSync(problem, solver, {}, { tol: 1e-8 })
      expect(certificate).toMatchObject({ stopReason: 'converged' })
      values.push(certificate.primal)
    }
    expect(values.length).toBeGreaterThanOrEqual(2)
    for (const value of values)
      expect(Math.abs(value - values[0])).toBeLessThanOrEqual(2e-8 * Math.abs(values[0]))
  })
})

test.each([
  [1500, 15],
  // Too many values for the cache: samples have their turn in blocks.
  [3000, 40],
])('dual descent on the engine takes the same steps, to the bit: %i x %i', (count, width) => {
  const random = new Random(3)
  const rows = Array.from({ length: count }, () => Array.from({ length: width }, () => random.normal()))
  const z = rows.map((row) => (row[0] + random.normal() > 0 ? 1 : -1))
  for (const loss of ['hinge', 'squared-hinge', 'logistic'] as const) {
    for (const store of [toMatrix, toSparse]) {
      const problem = makeLinearMachine({ samples: store(toMatrix(rows)), loss, z })
      const [plain, fast] = [false, true].map((engine) =>
        solveSync(problem, dualDescent, { engine }, { maxIter: 30 }),
      )
      expect(fast.alpha).toEqual(plain.alpha)
    }
  }
})

describe('a run from the model of another one', () => {
  test.each([...losses, 'one-class'] as const)('%s: it ends at the same optimum, in fewer steps', (loss) => {
    const problem = machine(loss)
    const first = solveSync(machine(loss, { C: 0.7 }), linearSolvers.auto, {}, { tol: 1e-8 })
    const cold = solveSync(problem, linearSolvers.auto, {}, { tol: 1e-8 })
    for (const alpha of [undefined, cold.alpha]) {
      const start = {
        weights: alpha ? (cold.weights as Float64Array) : (first.weights as Float64Array),
        alpha,
      }
      const warm = solveSync(problem, linearSolvers.auto, {}, { tol: 1e-8, start })
      expect(warm.certificate).toMatchObject({ stopReason: 'converged' })
      expect(Math.abs(warm.certificate.primal - cold.certificate.primal)).toBeLessThanOrEqual(
        2e-8 * Math.abs(cold.certificate.primal),
      )
      if (alpha) expect(warm.certificate.iterations).toBeLessThan(cold.certificate.iterations / 2)
    }
  })

  test('numbers that are missing or none are refused', () => {
    const start = (values: number[]) => () =>
      solveSync(machine('hinge'), linearSolvers.newton, {}, { start: { weights: Float64Array.from(values) } })
    expect(start([1, 2])).toThrow('newton: start.weights must be 6 numbers, got 2')
    expect(start([1, 2, 3, 4, 5, Number.NaN])).toThrow('newton: start.weights[5] must be finite, got NaN')
  })
})

test('one class with the origin among its samples: the optimum is 0, and proven', () => {
  const random = new Random(11)
  for (const [count, width, scale] of [
    [60, 3, 1],
    [300, 5, 1e4],
    [400, 20, 1e-3],
  ]) {
    const rows = Array.from({ length: count }, () =>
      Array.from({ length: width }, () => scale * random.normal()),
    )
    const problem = makeLinearMachine({ samples: toMatrix(rows), loss: 'one-class', nu: 0.5 })
    const { certificate } = solveSync(problem, linearSolvers.auto)
    expect(certificate).toMatchObject({ stopReason: 'converged', primal: 0 })
    expect(certificate.gap).toBeLessThanOrEqual(1e-12 * gapUnit(problem))
  }
})

test("several samples per feature and a smooth loss: Newton's method, with a kink dual descent first", () => {
  const random = new Random(12)
  const cols = 1001
  const rows = 3 * cols
  const samples: Matrix = {
    ...{ kind: 'sparse', rows, cols },
    indptr: Uint32Array.from({ length: rows + 1 }, (_, i) => 2 * i),
    indices: Uint32Array.from({ length: 2 * rows }, (_, k) =>
      k % 2 === 0 ? (k / 2) % 500 : 500 + random.int(501),
    ),
    values: Float64Array.from({ length: 2 * rows }, () => random.normal()),
  }
  const z = Array.from({ length: rows }, () => (random.uniform() < 0.5 ? -1 : 1))
  const methodOf = (loss: LinearLoss, own: Matrix, targets: readonly number[]) => {
    const { certificate } = solveSync(
      makeLinearMachine({ samples: own, loss, z: targets, C: 0.1 }),
      linearSolvers.auto,
    )
    expect(certificate.stopReason).toBe('converged')
    return certificate.solver
  }
  expect(methodOf('squared-hinge', samples, z)).toBe('newton')
  expect(methodOf('hinge', samples, z)).toBe('dual-descent')
  expect(methodOf('squared-hinge', { ...samples, cols: cols + 1 }, z)).toBe('dual-descent')
})
