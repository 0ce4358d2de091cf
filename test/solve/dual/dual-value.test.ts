/** What a point is worth, against the definitions over a kernel matrix. */
import { describe, expect, it } from 'vitest'
import { rbf } from '../../../src/kernels/rbf.ts'
import type { GeneralDual } from '../../../src/problems/general-dual.ts'
import { dualityGap, dualValue } from '../../../src/solve/dual/dual-value.ts'
import { generalBias } from '../../../src/solve/dual/general-bias.ts'
import { generalDuals, kernelMatrixOf, objectiveOf, solvePlainly, vOf } from '../../suites/general-duals.ts'
import { someMatrix } from '../../suites/matrices.ts'

describe.each(Object.entries(generalDuals))('%s', (_, make) => {
  const dual: GeneralDual = make(2, someMatrix(4, 30, 3), rbf({ gamma: 0.4 }))
  const K = kernelMatrixOf(dual)
  const points = [3, 0.5, 1e-6].map((tol) => solvePlainly(dual, K, tol))

  it('the dual value is ½ βᵀKβ − tᵀβ + ε Σ|β|', () => {
    for (const beta of points) {
      const expected = objectiveOf(dual, K, beta)
      expect(Math.abs(dualValue(dual, beta, vOf(dual, K, beta)) - expected)).toBeLessThan(1e-10)
    }
  })

  it('the gap is the price of all errors at the bias, less what the point earns', () => {
    for (const beta of points) {
      const v = vOf(dual, K, beta)
      const { bias, groupValues } = generalBias(dual, beta, v)
      const { lower, upper, tube, groups } = dual
      const terms = Array.from(beta, (b, i) => {
        const s = v[i] - (groups && groupValues ? groupValues[groups[i]] : bias)
        // The most that any point of the box would earn here, and what this one does.
        const earned = (a: number) => a * s - tube * Math.abs(a)
        return Math.max(earned(lower[i]), earned(upper[i]), 0) - earned(b)
      })
      expect(Math.min(...terms)).toBeGreaterThanOrEqual(-1e-12)
      const expected = terms.reduce((sum, term) => sum + term, 0)
      expect(Math.abs(dualityGap(dual, beta, v) - expected)).toBeLessThan(1e-10)
    }
    expect(dualityGap(dual, points[2], vOf(dual, K, points[2]))).toBeLessThan(1e-3)
  })
})
