/** Newton's method where features are too many for a factor: from one width of smoothing to the next. */
import { expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import type { SparseMatrix } from '../../../src/data/matrix/matrix.ts'
import { makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { dualDescent } from '../../../src/solve/methods/dual-descent.ts'
import { newton } from '../../../src/solve/methods/newton.ts'

const ROWS = 1500
const COLS = 1600
const PER_ROW = 10
const TOL = 1e-6

/** Sparse rows, and the values of a planted function. */
function sparseData(): { readonly samples: SparseMatrix; readonly f: Float64Array } {
  const random = new Random(3)
  const truth = Float64Array.from({ length: COLS }, () => random.normal())
  const indices: number[] = []
  const values: number[] = []
  const f = new Float64Array(ROWS)
  for (let i = 0; i < ROWS; i++) {
    const own = new Set<number>()
    while (own.size < PER_ROW) own.add(random.int(COLS))
    for (const j of [...own].sort((a, b) => a - b)) {
      const value = random.normal()
      indices.push(j)
      values.push(value)
      f[i] += value * truth[j]
    }
  }
  const samples: SparseMatrix = {
    kind: 'sparse',
    rows: ROWS,
    cols: COLS,
    indptr: Uint32Array.from({ length: ROWS + 1 }, (_, i) => i * PER_ROW),
    indices: Uint32Array.from(indices),
    values: Float64Array.from(values),
  }
  return { samples, f }
}

// Without a step for the samples that were free they take 26, 32 and 27 steps.
test.each([
  ['hinge', 'regularised', 1, 21],
  ['epsilon-insensitive', 'none', 1, 28],
  ['hinge', 'free', 1, 22],
] as const)('%s, bias %s, C = %d: %d steps at most', (loss, bias, C, most) => {
  const { samples, f } = sparseData()
  const random = new Random(4)
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
