import { describe, expect, it } from 'vitest'
import { generate, linear, rbf } from '../../../src/index.ts'
import { type ModelStep, makeProblem, solvers, solveSync } from '../../../src/solvers.ts'

const { samples, labels } = generate('blobs', { n: 60, spread: 3, seed: 5 })
const y = labels as Float64Array
const options = { samples, y, C: 2, bias: 'regularised' } as const
const linearProblem = makeProblem({ ...options, kernel: linear() })
const rbfProblem = makeProblem({ ...options, kernel: rbf({ gamma: 0.5 }) })

/** The steps of a run, copied, and its result; the run without a listener must end at the same point. */
function steps(name: 'subgradient' | 'pegasos' | 'sdca', problem = linearProblem) {
  const solver = solvers[name]
  const heard: ModelStep[] = []
  const onModelStep = (step: ModelStep) => heard.push({ ...step, coefficients: step.coefficients.slice() })
  const run = { tol: 1e-2, maxIter: 30 }
  const result = solveSync(problem, solver, {}, { ...run, trace: { every: 1, snapshots: true }, onModelStep })
  const silent = solveSync(problem, solver, {}, run)
  expect(silent.alpha).toEqual(result.alpha)
  expect(silent.beta).toEqual(result.beta)
  return { heard, result }
}

describe('steps of solvers without pairs', () => {
  it('of sub-gradient descent are one per epoch, with η_t = ΣC / t', () => {
    const { heard, result } = steps('subgradient')
    expect(heard.map(({ step }) => step)).toEqual(Array.from({ length: heard.length }, (_, k) => k + 1))
    expect(heard).toHaveLength(result.certificate.iterations)
    for (const { step, stepSize, sample } of heard) {
      expect(stepSize).toBeCloseTo((2 * 60) / step, 9)
      expect(sample).toBe(-1)
    }
  })

  it.each([linearProblem, rbfProblem])(
    'of Pegasos are one per sample, and the model is one of them',
    (problem) => {
      const { heard, result } = steps('pegasos', problem)
      expect(heard).toHaveLength(60 * result.certificate.iterations)
      const ends = heard.filter(({ step }) => step % 60 === 0)
      const same = ends.some(({ coefficients, scale }) =>
        coefficients.every((c, i) => Math.abs(scale * c - (result.beta?.[i] ?? 0)) < 1e-12),
      )
      expect(same).toBe(true)
      for (const { sample, step, iteration } of heard) {
        expect(sample).toBeGreaterThanOrEqual(0)
        expect(iteration).toBe(Math.ceil(step / 60))
      }
    },
  )

  it.each([linearProblem, rbfProblem])(
    'of coordinate ascent move one α each, and end at the result',
    (problem) => {
      const { heard, result } = steps('sdca', problem)
      let before: Float64Array = new Float64Array(60)
      for (const { coefficients, sample, stepSize, scale } of heard) {
        expect(scale).toBe(1)
        coefficients.forEach((c, i) => {
          expect(c - before[i]).toBeCloseTo(i === sample ? stepSize * y[i] : 0, 12)
        })
        before = coefficients
      }
      // + 0 makes 0 of −0.
      expect(before.map((c) => c + 0)).toEqual(result.alpha.map((a, i) => a * y[i] + 0))
    },
  )

  it('leave snapshots of the model in the trace where it is not y α', () => {
    const { result } = steps('pegasos')
    const last = result.trace.at(-1)
    expect(last?.beta).toEqual(result.beta)
    expect(last?.bias).toBe(result.bias)
    expect(steps('sdca').result.trace.at(-1)?.beta).toBeUndefined()
  })
})
