/** The systems of Newton's method: factors of a sample, and corrected for a few rows; a matrix without curvature. */
import { describe, expect, it } from 'vitest'
import { inOneGo } from '../../../src/base/pieces.ts'
import { Random } from '../../../src/index.ts'
import { NewtonSystem } from '../../../src/solve/linear/newton-system.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'

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
  const q = new Float64Array(rows)
  inOneGo(system.solve(curvature, 1, g, p, q, 1e-3))
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
  const q = new Float64Array(30)
  inOneGo(system.solve(new Float64Array(30), 1, g, p, q, 1e-3))
  p.forEach((own, j) => {
    expect(own).toBeCloseTo(-g[j], 12)
  })
  const curvature = new Float64Array(30).fill(1)
  g[cols] = 1
  inOneGo(system.solve(curvature, 1, g, p, q, 1e-6))
  const left = new Float64Array(cols + 1)
  data.product(curvature, p, left)
  left.forEach((own, j) => {
    expect(own + ridge[j] * p[j] + g[j]).toBeCloseTo(0, 3)
  })
})

/** How far A p + g is from 0, as a part of g, and q from X̃p. */
function errors(
  data: PlainRows,
  ridge: Float64Array,
  curvature: Float64Array,
  g: Float64Array,
  p: Float64Array,
  q: Float64Array,
) {
  const left = new Float64Array(g.length)
  data.product(curvature, p, left)
  const values = new Float64Array(q.length)
  data.values(p, values)
  return {
    residual: Math.hypot(...left.map((own, j) => own + ridge[j] * p[j] + g[j])) / Math.hypot(...g),
    values: Math.max(...values.map((own, i) => Math.abs(own - q[i]))),
  }
}

describe('a factor is corrected for a few rows that change', () => {
  const [rows, cols] = [600, 300]
  const values = Float64Array.from({ length: rows * cols }, () => random.normal())
  const data = new PlainRows({ kind: 'dense', rows, cols, values }, 1)
  const ridge = new Float64Array(cols + 1).fill(1)
  const g = Float64Array.from(ridge, () => random.normal())
  const [p, q] = [new Float64Array(cols + 1), new Float64Array(rows)]

  it.each([
    [1, 0],
    // Where too many have changed, the factor is tried as it is before it is a new one.
    [12, 20],
  ])('%i of them at a time, with %i iterations at most', (count, most) => {
    const system = new NewtonSystem(data, ridge, never)
    const curvature = Float64Array.from({ length: rows }, (_, i) => (i % 3 === 0 ? 0 : 2))
    let first = 0
    for (let turn = 0; turn < 40; turn++) {
      inOneGo(system.solve(curvature, 1, g, p, q, 1e-6))
      const { residual, values } = errors(data, ridge, curvature, g, p, q)
      expect(residual).toBeLessThan(1e-11)
      expect(values).toBe(0)
      // The diagonal was tried before the first factor.
      if (turn === 0) first = system.steps
      // Rows enter, leave, and come back.
      for (let k = 0; k < count; k++) curvature[(7 * turn + 31 * k) % rows] = (turn + k) % 3
    }
    expect(system.steps - first).toBeLessThanOrEqual(most)
  })

  it('not at all where iterations with the diagonal are few', () => {
    // 1,200 sparse rows of 1,000 features: a factor costs as much as thousands of iterations.
    const few = 5
    const indices = Uint32Array.from({ length: 1200 * few }, (_, k) => (k % few) * 200 + random.int(200))
    const indptr = Uint32Array.from({ length: 1201 }, (_, i) => i * few)
    const values = Float64Array.from(indices, () => random.normal())
    const sparse = new PlainRows({ kind: 'sparse', rows: 1200, cols: 1000, indptr, indices, values }, 1)
    const system = new NewtonSystem(sparse, new Float64Array(1001).fill(1), never)
    const curvature = new Float64Array(1200).fill(1)
    const [g, p, q] = [1001, 1001, 1200].map((length) => Float64Array.from({ length }, () => random.normal()))
    for (const own of [1, 2, 3]) {
      curvature.fill(own, 0, 600)
      inOneGo(system.solve(curvature, 1, g, p, q, 1e-6))
      expect(errors(sparse, new Float64Array(1001).fill(1), curvature, g, p, q).residual).toBeLessThan(1e-5)
    }
    expect(system.steps).toBeGreaterThan(0)
    // The work of a factor of 1,000 features is a thirty-sixth of its multiply-adds.
    expect(system.work).toBeLessThan(1000 ** 3 / 36)
  })

  it('where rows that decide leave, iterations make up for what rounding has spoilt', () => {
    // As many rows as features, so that each alone holds a direction.
    const few = new Float64Array(cols + 1).fill(1e-9)
    const system = new NewtonSystem(data, few, never)
    const curvature = Float64Array.from({ length: rows }, (_, i) => (i <= cols ? 1 : 0))
    const energy = (x: Float64Array) => {
      const product = new Float64Array(x.length)
      data.product(curvature, x, product)
      return x.reduce((sum, own, j) => sum + own * (product[j] + few[j] * own), 0)
    }
    for (let turn = 0; turn < 12; turn++) {
      inOneGo(system.solve(curvature, 1, g, p, q, 1e-6))
      const anew = new Float64Array(cols + 1)
      inOneGo(new NewtonSystem(data, few, never).solve(curvature, 1, g, anew, q, 1e-6))
      const off = p.map((own, j) => own - anew[j])
      expect(energy(off)).toBeLessThan(1e-10 * energy(anew))
      curvature[turn] = 0
    }
  })

  it('a run that continues has the same bits', () => {
    const system = new NewtonSystem(data, ridge, never)
    const curvature = new Float64Array(rows).fill(1)
    for (let turn = 0; turn < 4; turn++) {
      inOneGo(system.solve(curvature, 1, g, p, q, 1e-6))
      curvature[17 * turn] = 0
    }
    const other = new NewtonSystem(data, ridge, never)
    other.restore(system.save())
    inOneGo(system.solve(curvature, 1, g, p, q, 1e-6))
    const [wanted, found] = [p.slice(), new Float64Array(cols + 1)]
    inOneGo(other.solve(curvature, 1, g, found, q, 1e-6))
    expect(found).toEqual(wanted)
  })
})
