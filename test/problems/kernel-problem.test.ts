import { describe, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { measure } from '../../src/certify/measure.ts'
import type { AnyKernel } from '../../src/kernels/kernel.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { generalForm, signedPointOf } from '../../src/problems/general-form.ts'
import {
  expansionCoefficients,
  makeNuSvcProblem,
  makeNuSvrProblem,
  makeOneClassProblem,
  makeSvrProblem,
  type Problem,
} from '../../src/problems/kernel-problem.ts'
import { makeProblem } from '../../src/problems/problem.ts'
import { solveSync } from '../../src/solve/driver/run.ts'
import { smo } from '../../src/solve/methods/smo.ts'

const random = new Random(3)
const rows = Array.from({ length: 60 }, () => [random.uniform() * 4 - 2, random.uniform() * 4 - 2])
const samples = { kind: 'dense', rows: 60, cols: 2, values: Float64Array.from(rows.flat()) } as const
const y = rows.map(([a, b]) => (a * a + b > 0.7 + 0.4 * (random.uniform() - 0.5) ? 1 : -1))
const z = rows.map(([a, b]) => Math.sin(2 * a) + 0.3 * b + 0.2 * (random.uniform() - 0.5))
const weights = rows.map((_, i) => [1, 2, 0.5, 0][i % 4])

const kernels: Record<string, AnyKernel> = {
  linear: linear(),
  polynomial: polynomial({ degree: 2, gamma: 0.5, coef0: 1 }),
  rbf: rbf({ gamma: 0.7 }),
}

const makers: Record<string, (kernel: AnyKernel, weights: number | number[]) => Problem> = {
  'nu-svc': (kernel, w) => makeNuSvcProblem({ samples, kernel, y, weights: w, nu: 0.3 }),
  'one-class': (kernel, w) => makeOneClassProblem({ samples, kernel, weights: w, nu: 0.25 }),
  svr: (kernel, w) => makeSvrProblem({ samples, kernel, z, C: w, epsilon: 0.1 }),
  'svr without a tube': (kernel, w) => makeSvrProblem({ samples, kernel, z, C: w, epsilon: 0 }),
  'nu-svr': (kernel, w) => makeNuSvrProblem({ samples, kernel, z, C: w, nu: 0.4 }),
}

describe.each(Object.keys(makers))('%s', (name) => {
  describe.each(Object.keys(kernels))('%s', (kernel) => {
    test.each([['equal weights', 1] as const, ['weights', weights] as const])('%s', (_, w) => {
      const problem = makers[name](kernels[kernel], w)
      const run = (options: object) =>
        solveSync(problem, smo, { engine: false, ...options }, { tol: 1e-9, maxIter: 3_000_000 })
      const result = run({})
      const form = generalForm(problem)
      const beta = signedPointOf(problem, result.alpha)
      // Feasible: in the box, sums as at the start.
      for (let i = 0; i < beta.length; i++) {
        expect(beta[i]).toBeGreaterThanOrEqual(form.lower[i])
        expect(beta[i]).toBeLessThanOrEqual(form.upper[i])
      }
      for (const group of [0, 1]) {
        const sum = (values: Float64Array | undefined) =>
          values?.reduce((total, b, i) => total + ((form.groups?.[i] ?? 0) === group ? b : 0), 0) ?? 0
        expect(sum(beta)).toBeCloseTo(sum(form.start), 9)
      }
      const { certificate } = result
      expect(certificate.stopReason).toBe('converged')
      expect(certificate.maxViolation).toBeLessThanOrEqual(1e-9)
      // Strong duality: the primal value of the model is the dual value. Nothing else could be both.
      expect(Math.abs(certificate.gap)).toBeLessThanOrEqual(1e-6 * (1 + Math.abs(certificate.primal)))
      const plain = run({ precision: 'f64', shrinking: false })
      expect(plain.certificate.dual).toBeCloseTo(certificate.dual, 8)
      expect(plain.bias).toBeCloseTo(result.bias, 5)
    })
  })

  test('a point that is not optimal has a positive gap, and the optimum is below it', () => {
    const problem = makers[name](kernels.rbf, 1)
    const best = solveSync(problem, smo, { engine: false }, { tol: 1e-8 })
    const early = solveSync(problem, smo, { engine: false }, { tol: 1e-8, maxIter: 15 })
    expect(early.certificate.stopReason).toBe('iteration-limit')
    expect(early.certificate.gap).toBeGreaterThan(0)
    expect(early.certificate.dual).toBeGreaterThan(best.certificate.dual)
    expect(early.certificate.primal).toBeGreaterThan(best.certificate.primal)
    const shifted = measure(problem, { ...best, bias: best.bias + 0.1 })
    expect(shifted.primal).toBeGreaterThan(best.certificate.primal + 1e-4)
  })
})

test('ν bounds the shares of margin errors and of support vectors', () => {
  const problem = makeNuSvcProblem({ samples, kernel: rbf({ gamma: 0.7 }), y, nu: 0.3 })
  const { certificate } = solveSync(problem, smo, { engine: false }, { tol: 1e-8 })
  expect(certificate.supportVectors).toBeGreaterThanOrEqual(0.3 * 60)
  expect(certificate.boundedSupportVectors).toBeLessThanOrEqual(0.3 * 60)
})

test('ν-SVR with the ε it chose is ε-SVR', () => {
  const kernel = rbf({ gamma: 0.7 })
  const nu = solveSync(makeNuSvrProblem({ samples, kernel, z, C: 2, nu: 0.4 }), smo, {}, { tol: 1e-9 })
  expect(nu.width).toBeGreaterThan(0)
  const problem = makeSvrProblem({ samples, kernel, z, C: 2, epsilon: nu.width })
  const same = solveSync(problem, smo, {}, { tol: 1e-9 })
  expect(same.bias).toBeCloseTo(nu.bias, 6)
  const coefficients = expansionCoefficients(
    makeNuSvrProblem({ samples, kernel, z, C: 2, nu: 0.4 }),
    nu.alpha,
  )
  same.alpha.forEach((b, i) => {
    expect(b).toBeCloseTo(coefficients[i], 5)
  })
})

test('ν-SVC with its margin is C-SVC with C = 1 / ρ', () => {
  const problem = makeNuSvcProblem({ samples, kernel: rbf({ gamma: 0.7 }), y, nu: 0.3 })
  const nu = solveSync(problem, smo, { engine: false }, { tol: 1e-9 })
  const margin = nu.width as number
  expect(margin).toBeGreaterThan(0)
  const { samples: same, kernel } = problem
  const classic = makeProblem({ samples: same, kernel, y, C: 1 / margin })
  const found = solveSync(classic, smo, { engine: false }, { tol: 1e-9 })
  expect(found.bias).toBeCloseTo(nu.bias / margin, 6)
  found.alpha.forEach((a, i) => {
    expect(a).toBeCloseTo(nu.alpha[i] / margin, 5)
  })
})

test('refuses what cannot be', () => {
  const kernel = linear()
  expect(() => makeNuSvcProblem({ samples, kernel, y, nu: 1.2 })).toThrow('nu must be')
  const rare = y.map((_, i) => (i < 5 ? 1 : -1))
  expect(() => makeNuSvcProblem({ samples, kernel, y: rare, nu: 0.5 })).toThrow('at most 0.166667')
  expect(() => makeOneClassProblem({ samples, kernel, nu: 0 })).toThrow('nu must be')
  expect(() => makeSvrProblem({ samples, kernel, z, epsilon: -1 })).toThrow('epsilon must be')
  expect(() => makeSvrProblem({ samples, kernel, z: z.slice(1) })).toThrow('60 samples but 59 targets')
  expect(() => makeSvrProblem({ samples, kernel, z: z.map(() => Number.NaN) })).toThrow('finite')
  expect(() => makeSvrProblem({ samples, kernel, z, C: weights.map(() => 0) })).toThrow('weight 0')
})
