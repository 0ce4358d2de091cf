import { describe, expect, it } from 'vitest'
import { generators } from '../../../src/data/generators/generators.ts'
import { kernelMatrix } from '../../../src/kernels/kernel-matrix.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { generalForm } from '../../../src/problems/general-form.ts'
import { makeProblem } from '../../../src/problems/problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { denseGradient, denseKernel, solveDense } from '../../../src/solve/dual/dense-smo.ts'
import { smo } from '../../../src/solve/methods/smo.ts'

const { samples, labels } = generators.moons.generate({ n: 80, noise: 0.25, seed: 4 })
const kernel = rbf({ gamma: 1 })
const machine = denseKernel(kernelMatrix(kernel, samples).values)
const problemWith = (C: number) => makeProblem({ samples, kernel, y: labels as Float64Array, C })

function objective(target: Float64Array, beta: Float64Array): number {
  const v = denseGradient(machine, target, beta)
  return beta.reduce((sum, b, i) => sum - 0.5 * b * (target[i] + v[i]), 0)
}

describe('solveDense', () => {
  it.each([0.1, 1, 100])('reaches the optimum of smo for C = %s', (C) => {
    const form = generalForm(problemWith(C))
    const beta = new Float64Array(80)
    const v = form.target.slice()
    const { violation, bias } = solveDense(machine, form, { beta, v }, 1e-8, Number.POSITIVE_INFINITY)
    const exact = solveSync(problemWith(C), smo, {}, { tol: 1e-8 })
    expect(violation).toBeLessThanOrEqual(1e-8)
    expect(objective(form.target, beta)).toBeCloseTo(exact.certificate.dual, 5)
    expect(bias).toBeCloseTo(exact.bias, 5)
    expect(beta.reduce((sum, b) => sum + b, 0)).toBeCloseTo(0, 8)
    beta.forEach((b, i) => {
      expect(b).toBeGreaterThanOrEqual(form.lower[i])
      expect(b).toBeLessThanOrEqual(form.upper[i])
    })
    const fresh = denseGradient(machine, form.target, beta)
    const scale = Math.max(1, ...beta.map(Math.abs))
    v.forEach((value, i) => {
      expect(Math.abs(value - fresh[i])).toBeLessThanOrEqual(1e-11 * scale)
    })
  })

  it('goes on from a solution: nothing to do there, little to do nearby', () => {
    const form = generalForm(problemWith(1))
    const beta = new Float64Array(80)
    const v = form.target.slice()
    const cold = solveDense(machine, form, { beta, v }, 1e-6, Number.POSITIVE_INFINITY)
    expect(solveDense(machine, form, { beta, v }, 1e-6, Number.POSITIVE_INFINITY).iterations).toBe(0)
    const nearby = generalForm(problemWith(1.1))
    const warm = solveDense(machine, nearby, { beta, v }, 1e-6, Number.POSITIVE_INFINITY)
    expect(warm.iterations).toBeGreaterThan(0)
    expect(warm.iterations).toBeLessThan(cold.iterations)
  })

  it('stops at a limit and says how far it is', () => {
    const form = generalForm(problemWith(1))
    const end = solveDense(machine, form, { beta: new Float64Array(80), v: form.target.slice() }, 1e-6, 3)
    expect(end.iterations).toBe(3)
    expect(end.violation).toBeGreaterThan(1e-6)
  })
})
