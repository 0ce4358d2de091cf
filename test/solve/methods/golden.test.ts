/** Numbers of LIBSVM and scikit-learn, as golden-solvers.py recorded them, against the exact solvers. */
import { describe, expect, test } from 'vitest'
import { solveSync } from '../../../src/solve/driver/run.ts'
import type { Solver } from '../../../src/solve/driver/solver.ts'
import { smo } from '../../../src/solve/methods/smo.ts'
import { smoMvp } from '../../../src/solve/methods/smo-mvp.ts'
import { goldenProblems } from '../../suites/solver-problems.ts'

test('the problems span what they should', () => {
  const kinds = new Set(goldenProblems.map(({ kernel }) => kernel.kind))
  const Cs = goldenProblems.flatMap((golden) => Array.from(golden.problem('free').C))
  const sizes = goldenProblems.map(({ samples }) => samples)
  expect(goldenProblems.length).toBeGreaterThanOrEqual(8)
  expect([...kinds].sort()).toEqual(['linear', 'polynomial', 'rbf'])
  expect([Math.min(...Cs), Math.max(...Cs)]).toEqual([1e-3, 1e4])
  expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([3, 2000])
  for (const golden of goldenProblems) expect(golden.problem('free').y.length).toBe(golden.samples)
})

const exact = [
  { name: 'smo', solver: smo as Solver },
  { name: 'smo-mvp', solver: smoMvp as Solver },
]

describe.each(exact)('$name', ({ solver }) => {
  test.each(goldenProblems)('$name', ({ problem, optimum }) => {
    const { certificate, bias } = solveSync(problem('free'), solver, {}, { tol: 1e-6 })
    const { libsvm, svc } = optimum
    expect(Math.abs(certificate.dual / svc.dual - 1)).toBeLessThanOrEqual(1e-6)
    // No worse than theirs: both minimise.
    expect(certificate.dual).toBeLessThanOrEqual(svc.dual + 1e-9 * Math.abs(svc.dual))
    // svm-train sums f32 values and prints six decimals.
    expect(Math.abs(certificate.dual - libsvm.obj)).toBeLessThanOrEqual(1e-6 + 1e-4 * Math.abs(libsvm.obj))
    expect(Math.abs(bias + libsvm.rho)).toBeLessThanOrEqual(1e-4)
    expect(certificate.supportVectors).toBe(libsvm.nSV)
    expect(certificate.boundedSupportVectors).toBe(libsvm.nBSV)
  })
})

test('seed 000: τ as small as 1e-8', () => {
  const golden = goldenProblems.find(({ name }) => name === 'xor-poly')
  const { certificate } = solveSync(golden?.problem('free') as never, smoMvp, {}, { tol: 2e-8 })
  expect(certificate.stopReason).toBe('converged')
  expect(certificate.maxViolation).toBeLessThanOrEqual(2e-8)
  expect(certificate.gap / certificate.primal).toBeLessThanOrEqual(1e-8)
})
