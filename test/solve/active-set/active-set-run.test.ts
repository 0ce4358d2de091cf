/** The default solver on problems that pair steps alone would need millions of steps for. */
import { describe, expect, it } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { generalDualOf, signedPointOf } from '../../../src/problems/general-form.ts'
import {
  makeNuSvcProblem,
  makeNuSvrProblem,
  makeOneClassProblem,
  makeSvrProblem,
  type Problem,
} from '../../../src/problems/kernel-problem.ts'
import { makeProblem } from '../../../src/problems/problem.ts'
import { type RunOptions, type SolveResult, solveSync } from '../../../src/solve/driver/run.ts'
import { smo } from '../../../src/solve/methods/smo.ts'
import { onBuild } from '../../suites/engine-kernels.ts'
import { endThreads, startThreads } from '../../suites/engine-threads.ts'
import { kernelMatrixOf, objectiveOf, violationOf } from '../../suites/general-duals.ts'

const moons = generate('moons', { n: 400, noise: 0.3, seed: 1 })
const fields = generate('checkerboard', { n: 300, noise: 0.3, seed: 2 })
const curve = generate('friedman', { n: 200, noise: 2, seed: 3 })
const y = moons.labels as Float64Array
const z = curve.labels as Float64Array

const hard: [string, Problem][] = [
  ['moons, C 32768', makeProblem({ samples: moons.samples, y, kernel: rbf({ gamma: 8 }), C: 32768 })],
  ['moons, C 1e5, wide', makeProblem({ samples: moons.samples, y, kernel: rbf({ gamma: 0.5 }), C: 1e5 })],
  [
    'moons, polynomial',
    makeProblem({
      samples: moons.samples,
      y,
      kernel: polynomial({ gamma: 1, coef0: 1, degree: 5 }),
      C: 1000,
    }),
  ],
  [
    'checkerboard, C 1e5',
    makeProblem({
      samples: fields.samples,
      y: fields.labels as Float64Array,
      kernel: rbf({ gamma: 2 }),
      C: 1e5,
    }),
  ],
  [
    'ε-SVR, C 1e5',
    makeSvrProblem({ samples: curve.samples, z, kernel: rbf({ gamma: 0.1 }), C: 1e5, epsilon: 0.5 }),
  ],
]
const others: [string, Problem][] = [
  ['ν-SVC', makeNuSvcProblem({ samples: moons.samples, y, kernel: rbf({ gamma: 0.5 }), nu: 0.3 })],
  ['one class', makeOneClassProblem({ samples: moons.samples, kernel: rbf({ gamma: 0.01 }), nu: 0.4 })],
  ['ν-SVR', makeNuSvrProblem({ samples: curve.samples, z, kernel: rbf({ gamma: 0.05 }), C: 1000, nu: 0.4 })],
]

function expectOptimal(problem: Problem, { alpha, certificate }: SolveResult, tol: number) {
  const dual = generalDualOf(problem)
  const K = kernelMatrixOf(dual)
  const beta = signedPointOf(problem, alpha)
  expect(certificate.stopReason).toBe('converged')
  expect(violationOf(dual, K, beta)).toBeLessThanOrEqual(tol * (1 + 1e-6))
  expect(certificate.maxViolation).toBeLessThanOrEqual(tol * (1 + 1e-6))
  const objective = objectiveOf(dual, K, beta)
  expect(Math.abs(certificate.dual - objective)).toBeLessThan(1e-9 * Math.abs(objective) + 1e-9)
  expect(beta.every((b, i) => dual.lower[i] <= b && b <= dual.upper[i])).toBe(true)
  return { beta, objective }
}

describe.each([...hard, ...others])('%s', (_, problem) => {
  it.each([1e-3, 1e-6])('is as good on the engine as in plain code, at tol %s', (tol) => {
    const engine = expectOptimal(problem, solveSync(problem, smo, {}, { tol }), tol)
    const plain = expectOptimal(problem, solveSync(problem, smo, { engine: false }, { tol }), tol)
    // Convexity: at a violation of tol, the objective is within tol times what the two points differ.
    const distance = engine.beta.reduce((sum, b, i) => sum + Math.abs(b - plain.beta[i]), 0)
    const rounding = 1e-9 * Math.abs(plain.objective)
    expect(Math.abs(engine.objective - plain.objective)).toBeLessThanOrEqual(tol * distance + rounding)
  })
})

describe.each(hard)('%s', (_, problem) => {
  // Where steps are limited or shown, rounds take them, and not a path over the whole matrix (../blocks/path-run.test.ts).
  const solve = (options: RunOptions = {}) => solveSync(problem, smo, {}, { maxIter: 29_999, ...options })

  it('does not take long', () => {
    const { certificate } = solve()
    expect(certificate.precision).toBe('f64')
    // Pair steps alone come first; then some hundred turns of the active-set method, not millions of steps.
    expect(certificate.iterations).toBeLessThan(21_000)
  })

  it('ends in the same bits by scalars, by vectors and with a trace', () => {
    const [scalar, simd] = (['scalar', 'simd'] as const).map((build) => onBuild(build, () => solve()))
    expect(simd.alpha).toEqual(scalar.alpha)
    const { alpha } = solve()
    const traced = solve({ trace: { every: 777 } })
    expect(traced.alpha).toEqual(alpha)
    expect(traced.trace.map(({ iteration }) => iteration)).toContain(777)
  })

  it('stops where it is told to', () => {
    const { iterations } = solve().certificate
    const { alpha, certificate } = solve({ maxIter: iterations - 5 })
    expect(certificate.stopReason).toBe('iteration-limit')
    expect(certificate.iterations).toBe(iterations - 5)
    const dual = generalDualOf(problem)
    const beta = signedPointOf(problem, alpha)
    expect(violationOf(dual, kernelMatrixOf(dual), beta)).toBeCloseTo(certificate.maxViolation, 6)
  })
})

it('who listens to the steps hears them all', () => {
  const [, problem] = hard[0]
  let heard = 0
  const options = { maxIter: 60_000, onStep: () => heard++ }
  expect(solveSync(problem, smo, {}, options).certificate.iterations).toBe(60_000)
  expect(heard).toBe(60_000)
})

it('ends in the same bits on two threads', async () => {
  const { samples, labels } = generate('moons', { n: 3300, noise: 0.3, seed: 1 })
  const problem = makeProblem({ samples, y: labels as Float64Array, kernel: rbf({ gamma: 8 }), C: 512 })
  await startThreads(2)
  try {
    const [one, two] = [1, 2].map((threads) => solveSync(problem, smo, {}, { threads }))
    expect(one.certificate).toMatchObject({ stopReason: 'converged', precision: 'f64' })
    expect(two.alpha).toEqual(one.alpha)
    expect(two.bias).toBe(one.bias)
  } finally {
    endThreads()
  }
})
