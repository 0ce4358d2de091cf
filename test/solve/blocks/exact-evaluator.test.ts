/** Rows in f64 by the engine are those of the plain kernels. */
import { describe, expect, it } from 'vitest'
import { stackRows } from '../../../src/data/matrix/matrix.ts'
import type { EngineKernel } from '../../../src/engine/matrix/engine-kernel.ts'
import { kernelForEngine } from '../../../src/kernels/kernel-for-engine.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { sigmoid } from '../../../src/kernels/sigmoid.ts'
import { ExactEvaluator } from '../../../src/solve/blocks/exact-evaluator.ts'
import { someMatrix } from '../../suites/matrices.ts'

const kernels = [
  linear(),
  polynomial({ degree: 3, gamma: 0.3, coef0: 1 }),
  rbf({ gamma: 0.2 }),
  sigmoid({ gamma: 0.1, coef0: 0.5 }),
]

describe.each([1, 8, 29])('%i samples', (rows) => {
  it.each(kernels)('$spec.kind, listed once and twice, in any order', (kernel) => {
    const matrix = someMatrix(3, rows, 7)
    for (const lists of [1, 2]) {
      const listed = lists === 1 ? matrix : stackRows([matrix, matrix])
      const plain = kernel.between(listed, listed)
      const evaluator = new ExactEvaluator(matrix, lists, kernelForEngine(kernel) as EngineKernel, 1)
      try {
        const [row, expected] = [new Float64Array(plain.cols), new Float64Array(plain.cols)]
        expect([evaluator.rows, evaluator.cols]).toEqual([plain.rows, plain.cols])
        for (let k = 0; k < plain.rows; k++) {
          const i = (k * 11) % plain.rows
          evaluator.row(i, row)
          plain.row(i, expected)
          const scale = Math.max(1, ...expected.map(Math.abs))
          row.forEach((value, j) => {
            expect(Math.abs(value - expected[j])).toBeLessThanOrEqual(1e-13 * scale)
          })
        }
      } finally {
        evaluator.close()
      }
    }
  })
})
