import { describe, expect, it } from 'vitest'
import { Random, toMatrix } from '../../../src/index.ts'
import { polynomial } from '../../../src/kernels.ts'
import { restoreBalance } from '../../../src/solve/dual/restore-balance.ts'
import { makeProblem, smo, solveSync } from '../../../src/solvers.ts'

const balanceOf = (y: Float64Array, alpha: Float64Array) => y.reduce((sum, own, i) => sum + own * alpha[i], 0)

describe('restoreBalance', () => {
  it('takes what is too much from the largest free multiplier of its side', () => {
    const y = Float64Array.of(1, 1, 1, -1, -1)
    const alpha = Float64Array.of(1, 3, 4, 4, 3.5)
    restoreBalance(y, new Float64Array(5).fill(4), alpha)
    expect([...alpha]).toEqual([1, 2.5, 4, 4, 3.5])
  })

  it('leaves rounding alone, and multipliers at their bounds', () => {
    for (const alpha of [
      [1 + 2e-13, 1],
      [2, 1],
    ]) {
      const restored = Float64Array.from(alpha)
      restoreBalance(Float64Array.of(1, -1), Float64Array.of(2, 2), restored)
      expect([...restored]).toEqual(alpha)
    }
  })

  it('is needed where multipliers have shrunk by orders', () => {
    const random = new Random(18)
    const rows = Array.from({ length: 16 }, () => Array.from({ length: 6 }, () => 2232 + random.normal()))
    const y = Float64Array.from(rows, () => (random.uniform() < 0.5 ? 1 : -1))
    const kernel = polynomial({ gamma: 1, coef0: 0, degree: 3 })
    const problem = makeProblem({ samples: toMatrix(rows), kernel, y, C: 1101 })
    const { alpha } = solveSync(problem, smo, {}, { maxIter: 60_000 })
    const size = alpha.reduce((sum, own) => sum + own, 0)
    expect(size).toBeGreaterThan(0)
    expect(Math.abs(balanceOf(y, alpha))).toBeLessThan(1e-9 * size)
  })
})
