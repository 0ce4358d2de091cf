/** Newton's method where features are too many for a factor: from one width of smoothing to the next. */
import { expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { dualDescent } from '../../../src/solve/methods/dual-descent.ts'
import { newton } from '../../../src/solve/methods/newton.ts'
import { plantedRows } from '../../suites/planted-rows.ts'

const TOL = 1e-6

// Without a step for the samples that were free they take 28, 43 and 28 steps.
test.each([
  ['hinge', 'regularised', 1, 21],
  ['epsilon-insensitive', 'none', 1, 28],
  ['hinge', 'free', 1, 22],
] as const)('%s, bias %s, C = %d: %d steps at most', (loss, bias, C, most) => {
  const random = new Random(3)
  const { samples, f } = plantedRows(random, { rows: 1500, cols: 1600, perRow: 10 })
  const z = f.map((own) =>
    loss === 'hinge' ? (own > 0 === random.uniform() > 0.1 ? 1 : -1) : own + 0.1 * random.normal(),
  )
  const problem = makeLinearMachine({ samples, z, loss, C, bias, epsilon: 0.1 })
  const { certificate } = solveSync(problem, newton, {}, { tol: TOL })
  expect(certificate.stopReason).toBe('converged')
  expect(certificate.iterations).toBeLessThanOrEqual(most)
  if (bias === 'free') return
  const other = solveSync(problem, dualDescent, {}, { tol: TOL }).certificate
  expect(Math.abs(certificate.primal - other.primal)).toBeLessThan(2 * TOL * other.primal)
})
