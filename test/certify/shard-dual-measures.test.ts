import { describe, expect, test } from 'vitest'
import { countUp, pickNumbers, placesOfNonZeros, productsOf } from '../../src/base/lists.ts'
import { inOneGo } from '../../src/base/pieces.ts'
import { Random } from '../../src/base/random.ts'
import { measure } from '../../src/certify/measure.ts'
import { measureDualBlock, ShardDualMeasures } from '../../src/certify/shard-dual-measures.ts'
import { type Matrix, selectRows } from '../../src/data/matrix/matrix.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { makeProblem, type SvmProblem } from '../../src/problems/problem.ts'

/** So many that f32 rows come first. */
const ROWS = 3000
const COLS = 60

function problemOf(seed: number, kernel: SvmProblem['kernel']): SvmProblem {
  const random = new Random(seed)
  const values = Float64Array.from({ length: ROWS * COLS }, () => random.normal())
  const samples: Matrix = { kind: 'dense', rows: ROWS, cols: COLS, values }
  const y = Float64Array.from({ length: ROWS }, (_, i) => (values[i * COLS] + random.normal() > 0 ? 1 : -1))
  return makeProblem({ samples, kernel, y, C: 2 })
}

/** A feasible point that is far from optimal: some at 0, some at the bound, some between. */
function pointOf({ y, C }: SvmProblem, seed: number): Float64Array {
  const random = new Random(seed)
  const alpha = Float64Array.from(y, (_, i) => [0, 0, 0, C[i], C[i] * random.uniform()][random.int(5)])
  let excess = alpha.reduce((sum, a, i) => sum + y[i] * a, 0)
  for (let i = 0; i < alpha.length; i++) {
    if (y[i] * excess <= 0) continue
    const moved = Math.max(0, alpha[i] - Math.abs(excess))
    excess -= y[i] * (alpha[i] - moved)
    alpha[i] = moved
  }
  return alpha
}

describe('measures of blocks, combined', () => {
  test.each([
    ['rbf', rbf({ gamma: 0.01 })],
    ['polynomial', polynomial({ gamma: 0.02, coef0: 1, degree: 2 })],
  ])('%s: the truth is within the error bars, which are small', (_, kernel) => {
    const problem = problemOf(1, kernel)
    const { y, C } = problem
    const samples = problem.samples as Matrix
    const alpha = pointOf(problem, 2)
    const used = placesOfNonZeros(alpha)
    const vectors = selectRows(samples, used)
    const coefficients = pickNumbers(productsOf(alpha, y), used)
    const truth = measure(problem, { alpha, bias: 0.3 }, 1)
    for (const sharp of [false, true]) {
      const sums = new ShardDualMeasures()
      for (const rest of [0, 1, 2]) {
        const rows = countUp(ROWS).filter((i) => i % 3 === rest)
        const own = {
          ...problem,
          samples: selectRows(samples, rows),
          y: pickNumbers(y, rows),
          C: pickNumbers(C, rows),
        }
        const solution = { alpha: pickNumbers(alpha, rows), bias: 0.3 }
        const sharpness = sharp ? { gap: 1e-9 * truth.primal, dual: 1e-9 * truth.primal } : undefined
        const block = { problem: own, solution, vectors, coefficients }
        const { part, excess } = inOneGo(
          measureDualBlock(block, { tol: 1e-3, threads: 1, seed: 0, sharpness }),
        )
        expect(excess).toHaveLength(rows.length)
        sums.add(part)
        // The sums of all blocks are kept, those of some are not.
        expect(sums.end().isFeasible).toBe(rest === 2)
      }
      const found = sums.end()
      const { evidence } = found
      expect(evidence.rows).toBe(ROWS)
      if (!sharp) expect(evidence.rowsInDouble).toBeLessThan(ROWS)
      const off = (name: 'primal' | 'dual' | 'gap' | 'maxViolation') => Math.abs(found[name] - truth[name])
      const rounding = 1e-12 * truth.primal
      expect(off('maxViolation')).toBeLessThanOrEqual(evidence.violationError + 1e-9)
      expect(off('gap')).toBeLessThanOrEqual(evidence.gapError + rounding)
      expect(off('dual')).toBeLessThanOrEqual(evidence.dualError + rounding)
      expect(off('primal')).toBeLessThanOrEqual(evidence.primalError + rounding)
      expect(evidence.violationError).toBeLessThanOrEqual(3e-5)
      if (sharp) expect(evidence.gapError).toBeLessThanOrEqual(1e-8 * truth.primal)
      expect(found.supportVectors).toBe(truth.supportVectors)
      expect(found.boundedSupportVectors).toBe(truth.boundedSupportVectors)
    }
  })
})
