import { describe, expect, test } from 'vitest'
import { inOneGo } from '../../../src/base/pieces.ts'
import { Random } from '../../../src/base/random.ts'
import { toDense, toSparse } from '../../../src/data/matrix/matrix.ts'
import { transpose } from '../../../src/data/matrix/transpose.ts'
import { ColumnStep } from '../../../src/solve/linear/column-step.ts'
import { LassoStep } from '../../../src/solve/linear/lasso-step.ts'
import { PlainRows } from '../../../src/solve/linear/plain-rows.ts'

const random = new Random(7)
const [rows, cols] = [60, 25]
const values = Float64Array.from({ length: rows * cols }, () =>
  random.uniform() < 0.4 ? random.normal() : 0,
)
const dense = { kind: 'dense' as const, rows, cols, values }

describe('the columns of a matrix', () => {
  test.each([dense, toSparse(dense)])('as rows, $kind', (matrix) => {
    const turned = toDense(transpose(matrix))
    expect([turned.rows, turned.cols]).toEqual([cols, rows])
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++) expect(turned.values[j * rows + i]).toBe(values[i * cols + j])
    }
  })
})

describe('a step by columns ends where the step with the whole matrix does', () => {
  test.each([
    { constant: 0, free: false },
    { constant: 1.5, free: false },
    { constant: 1, free: true },
  ])('constant feature $constant, free $free', ({ constant, free }) => {
    const plain = new PlainRows(toSparse(dense), constant)
    const lambda = new Float64Array(cols + 1).fill(1)
    if (free) lambda[cols] = 0
    const h = Float64Array.from({ length: rows }, () => (random.uniform() < 0.3 ? 0 : 2 * random.uniform()))
    const g = Float64Array.from({ length: cols + 1 }, () => 3 * random.normal())
    if (constant === 0) g[cols] = 0
    const w = Float64Array.from({ length: cols + 1 }, (_, j) =>
      j % 3 === 0 && j < cols ? random.normal() : 0,
    )
    const [a, b] = [ColumnStep, LassoStep].map((Step) => {
      const x = w.slice()
      inOneGo(new Step(plain, lambda, () => false).solve(h, g, x, 1e-10))
      return x
    })
    for (let j = 0; j <= cols; j++) expect(a[j]).toBeCloseTo(b[j], 7)
    expect(a.filter((own) => own === 0).length).toBeGreaterThan(constant === 0 ? 1 : 0)
  })
})
