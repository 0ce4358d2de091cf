/** The systems of Newton's method: what the factor of a sample is worth, and a matrix without curvature. */
import { expect, it } from 'vitest'
import { inOneGo } from '../../../src/base/pieces.ts'
import { Random } from '../../../src/index.ts'
import { NewtonSystem } from '../../../src/solve/linear/newton-system.ts'
import { PlainRows } from '../../../src/solve/linear/plain-rows.ts'

const random = new Random(1)
const never = () => false

it('with features that the same few rows have takes few iterations by the factor of a sample', () => {
  const [rows, cols, rare] = [4000, 100, 20]
  const values = Float64Array.from({ length: rows * cols }, (_, k) => {
    const [i, j] = [Math.floor(k / cols), k % cols]
    return j >= rare || i % 700 === 0 ? random.normal() : 0
  })
  const data = new PlainRows({ kind: 'dense', rows, cols, values }, 1)
  const ridge = new Float64Array(cols + 1).fill(1e-6)
  const system = new NewtonSystem(data, ridge, never)
  const curvature = Float64Array.from({ length: rows }, () => 10 ** (-6 * random.uniform()))
  const g = new Float64Array(cols + 1)
  data.product(
    curvature,
    g.map(() => random.normal()),
    g,
  )
  const p = new Float64Array(cols + 1)
  inOneGo(system.solve(curvature, 1, g, p, 1e-3))
  const left = new Float64Array(cols + 1)
  data.product(curvature, p, left)
  const residual = Math.hypot(...left.map((own, j) => own + ridge[j] * p[j] + g[j]))
  expect(residual).toBeLessThan(0.02 * Math.hypot(...g))
  // 4; where all rows are drawn alike, 13.
  expect(system.steps).toBeLessThanOrEqual(8)
})

it.each([200, 1700])('without curvature is that of R, and leaves no factor behind: %i features', (cols) => {
  const values = Float64Array.from({ length: 30 * cols }, () => random.normal())
  const data = new PlainRows({ kind: 'dense', rows: 30, cols, values }, 1)
  const ridge = new Float64Array(cols + 1).fill(1)
  ridge[cols] = 0
  const system = new NewtonSystem(data, ridge, never)
  const g = Float64Array.from(ridge, (own) => (own > 0 ? random.normal() : 0))
  const p = new Float64Array(cols + 1)
  inOneGo(system.solve(new Float64Array(30), 1, g, p, 1e-3))
  p.forEach((own, j) => {
    expect(own).toBeCloseTo(-g[j], 12)
  })
  const curvature = new Float64Array(30).fill(1)
  g[cols] = 1
  inOneGo(system.solve(curvature, 1, g, p, 1e-6))
  const left = new Float64Array(cols + 1)
  data.product(curvature, p, left)
  left.forEach((own, j) => {
    expect(own + ridge[j] * p[j] + g[j]).toBeCloseTo(0, 3)
  })
})
