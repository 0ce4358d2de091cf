/** Laws that hold for every problem, tried on random ones: few samples on a coarse grid, so that points coincide. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expansionValues } from '../../src/certify/expansion-values.ts'
import { type DenseMatrix, selectRows, toMatrix } from '../../src/data/matrix/matrix.ts'
import { scale, shift } from '../../src/kernels/combinators.ts'
import type { AnyKernel } from '../../src/kernels/kernel.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { expansionCoefficients } from '../../src/problems/kernel-problem.ts'
import { makeProblem, type SvmProblem } from '../../src/problems/problem.ts'
import { solveSync } from '../../src/solve/driver/run.ts'
import type { Solver } from '../../src/solve/driver/solver.ts'
import { solvers } from '../../src/solve/methods/registry.ts'
import { smo } from '../../src/solve/methods/smo.ts'
import { naiveKernelMatrix, naiveMeasures } from '../suites/naive-measures.ts'

interface Case {
  readonly samples: DenseMatrix
  readonly y: number[]
  readonly C: number[]
  readonly kernel: AnyKernel
}

const kernels = fc.constantFrom<AnyKernel>(
  linear(),
  rbf({ gamma: 0.5 }),
  polynomial({ degree: 2, gamma: 0.5, coef0: 1 }),
)

const cases: fc.Arbitrary<Case> = fc.integer({ min: 2, max: 14 }).chain((count) =>
  fc
    .record({
      rows: fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })), {
        minLength: count,
        maxLength: count,
      }),
      y: fc.array(fc.constantFrom(-1, 1), { minLength: count, maxLength: count }),
      C: fc.array(fc.constantFrom(0, 0.01, 0.5, 1, 10), { minLength: count, maxLength: count }),
      kernel: kernels,
    })
    .filter(({ y }) => y.includes(1) && y.includes(-1))
    .map(({ rows, y, C, kernel }) => ({ samples: toMatrix(rows) as DenseMatrix, y, C, kernel })),
)

/** The optimum by the default solver: its dual value, and what α says of every sample, which is unique. */
function optimum(problem: SvmProblem): {
  dual: number
  values: Float64Array
  bias: number
  alpha: Float64Array
} {
  const { alpha, bias, certificate } = solveSync(problem, smo, {}, { tol: 1e-7 })
  expect(certificate.stopReason).toBe('converged')
  return {
    dual: certificate.dual,
    values: expansionValues(problem, expansionCoefficients(problem, alpha)),
    bias,
    alpha,
  }
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(actual.length).toBe(expected.length)
  for (let k = 0; k < actual.length; k++) {
    expect(Math.abs(actual[k] - expected[k])).toBeLessThanOrEqual(tolerance * (1 + Math.abs(expected[k])))
  }
}

const RUNS = { numRuns: 200, seed: 20 }

describe('feasible after any number of iterations', () => {
  const pairSolvers = (
    ['smo-platt', 'smo-mvp', 'smo', 'smo-simplified', 'smo-random', 'working-set'] as const
  ).map((name) => ({ name, solver: solvers[name] as Solver }))
  test.each(pairSolvers)('$name', ({ solver }) => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 60 }), fc.nat(), (given, maxIter, seed) => {
        const problem = makeProblem(given)
        const result = solveSync(problem, solver, {}, { maxIter, seed })
        const naive = naiveMeasures(problem, naiveKernelMatrix(problem), result)
        expect(naive.outside).toBeLessThanOrEqual(0)
        expect(naive.imbalance).toBeLessThanOrEqual(1e-10)
        expect(naive.gap).toBeGreaterThanOrEqual(-1e-9 * (1 + naive.primal))
        expect(Math.abs(result.certificate.maxViolation - naive.violation)).toBeLessThanOrEqual(1e-9)
        expect(result.certificate.stopReason === 'converged').toBe(naive.violation <= 1e-3 * (1 + 1e-6))
      }),
      RUNS,
    )
  })
})

describe('the deterministic partner search always ends at the optimum', () => {
  test.each([
    { name: 'smo-platt', options: {} },
    { name: 'smo-platt', options: { foldWeights: false } },
    { name: 'smo-mvp', options: {} },
    { name: 'smo', options: { engine: false } },
    { name: 'smo', options: { engine: true } },
    { name: 'working-set', options: {} },
  ] as const)('$name $options', ({ name, options }) => {
    fc.assert(
      fc.property(cases, (given) => {
        const { certificate } = solveSync(makeProblem(given), solvers[name] as Solver, options, { tol: 1e-5 })
        expect(certificate.stopReason).toBe('converged')
      }),
      RUNS,
    )
  })
})

test('the order of the samples does not matter', () => {
  const withOrder = cases.chain((given) =>
    fc.record({
      given: fc.constant(given),
      order: fc.shuffledSubarray([...given.y.keys()], { minLength: given.y.length }),
    }),
  )
  fc.assert(
    fc.property(withOrder, ({ given, order }) => {
      const straight = optimum(makeProblem(given))
      const permuted = optimum(
        makeProblem({
          ...given,
          samples: selectRows(given.samples, order),
          y: order.map((i) => given.y[i]),
          C: order.map((i) => given.C[i]),
        }),
      )
      expectClose([permuted.dual], [straight.dual], 1e-6)
      expectClose(
        permuted.values,
        Array.from(order, (i) => straight.values[i]),
        1e-2,
      )
    }),
    RUNS,
  )
})

test('swapping the labels flips the sign of the decision', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const straight = optimum(makeProblem(given))
      const swapped = optimum(makeProblem({ ...given, y: given.y.map((label) => -label) }))
      expectClose([swapped.dual], [straight.dual], 1e-6)
      expectClose(
        swapped.values,
        straight.values.map((value) => -value),
        1e-2,
      )
      // A sample well within its bounds fixes the bias; otherwise a whole interval is optimal.
      const fixed = straight.alpha.some((a, i) => a > 0.01 * given.C[i] && a < 0.99 * given.C[i])
      if (fixed) expectClose([swapped.bias], [-straight.bias], 1e-4)
    }),
    RUNS,
  )
})

test('a sample twice is a sample with twice its C', () => {
  const withSample = cases.chain((given) =>
    fc.record({ given: fc.constant(given), twin: fc.nat({ max: given.y.length - 1 }) }),
  )
  fc.assert(
    fc.property(withSample, ({ given, twin }) => {
      const order = [...given.y.keys(), twin]
      const twice = optimum(
        makeProblem({
          ...given,
          samples: selectRows(given.samples, order),
          y: order.map((i) => given.y[i]),
          C: order.map((i) => given.C[i]),
        }),
      )
      const heavier = optimum(makeProblem({ ...given, C: given.C.map((c, i) => (i === twin ? 2 * c : c)) }))
      expectClose([twice.dual], [heavier.dual], 1e-6)
      expectClose(twice.values.subarray(0, given.y.length), heavier.values, 1e-4)
    }),
    RUNS,
  )
})

test('a kernel times a with C over a: the same decision, the dual over a', () => {
  fc.assert(
    fc.property(cases, fc.constantFrom(0.1, 3, 50), (given, a) => {
      const plain = optimum(makeProblem(given))
      const scaled = optimum(
        makeProblem({ ...given, kernel: scale(given.kernel, a), C: given.C.map((c) => c / a) }),
      )
      expectClose([a * scaled.dual], [plain.dual], 1e-5)
      expectClose(scaled.values, plain.values, 1e-4)
    }),
    RUNS,
  )
})

test('a constant added to the kernel changes nothing when the bias is free', () => {
  fc.assert(
    fc.property(cases, fc.constantFrom(0.5, 20), (given, offset) => {
      const plain = optimum(makeProblem(given))
      const shifted = optimum(makeProblem({ ...given, kernel: shift(given.kernel, offset) }))
      expectClose([shifted.dual], [plain.dual], 1e-6)
      expectClose(shifted.values, plain.values, 1e-4)
    }),
    RUNS,
  )
})

test('a larger C never raises the dual', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const plain = optimum(makeProblem(given))
      const larger = optimum(makeProblem({ ...given, C: given.C.map((c) => 2 * c) }))
      expect(larger.dual).toBeLessThanOrEqual(plain.dual + 1e-6 * (1 + Math.abs(plain.dual)))
    }),
    RUNS,
  )
})
