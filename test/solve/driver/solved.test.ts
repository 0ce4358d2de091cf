import { expect, test } from 'vitest'
import type { SolveResult } from '../../../src/solve/driver/run.ts'
import { SolvedBuilder, solutionOf } from '../../../src/solve/driver/solved.ts'

const result = (alpha: number[], beta?: number[]): SolveResult => ({
  alpha: Float64Array.from(alpha),
  bias: alpha.length,
  ...(beta && { beta: Float64Array.from(beta) }),
  trace: [],
  certificate: {
    ...{ primal: 0, dual: 0, gap: 0, maxViolation: 0, supportVectors: 0, boundedSupportVectors: 0 },
    ...{ stopReason: 'converged', iterations: 0, seconds: 0, solver: 'sdca', tol: 1e-3 },
  },
})

test.each([0, 1, 2])('of three problems only number %i has a model that is not its dual point', (which) => {
  const alphas = [[1], [2, 3, 4, 5, 6], [7, 8]]
  const builder = new SolvedBuilder(3)
  alphas.forEach((alpha, p) => {
    builder.add(result(alpha, p === which ? alpha.map((a) => -a) : undefined))
  })
  alphas.forEach((alpha, p) => {
    const solution = solutionOf(builder.solved, p)
    expect([...solution.alpha]).toEqual(alpha)
    expect(solution.beta && [...solution.beta]).toEqual(p === which ? alpha.map((a) => -a) : undefined)
  })
})
