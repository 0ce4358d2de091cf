import { expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { FreeFactor } from '../../../src/solve/active-set/cholesky-factor.ts'

/** A positive definite matrix: rows of noise times each other. */
function someMatrix(random: Random, n: number): Float64Array[] {
  const rows = Array.from({ length: n }, () => Float64Array.from({ length: n }, () => random.normal()))
  return rows
    .map((a, i) => rows.map((b, j) => a.reduce((sum, x, k) => sum + x * b[k], i === j ? 1 : 0)))
    .map((row) => Float64Array.from(row))
}

it('solves systems with whatever rows are left, however they came and went', () => {
  const random = new Random(5)
  const n = 150
  const A = someMatrix(random, n)
  const sides = [0, 1].map(() => Float64Array.from({ length: n }, () => random.normal()))
  // Room for 64 at first: it has to grow.
  const factor = new FreeFactor(0, 2, 1)
  const present: number[] = []
  const add = (i: number) => {
    const values = Float64Array.from(present, (j) => A[i][j])
    factor.append(values, A[i][i], [sides[0][i], sides[1][i]])
    present.push(i)
  }
  const check = () => {
    expect(factor.size).toBe(present.length)
    for (const s of [0, 1]) {
      const x = factor.sides[s].slice(0, present.length)
      factor.solveTransposed(x)
      present.forEach((i, a) => {
        const product = present.reduce((sum, j, b) => sum + A[i][j] * x[b], 0)
        expect(Math.abs(product - sides[s][i]), `row ${a} of ${present.length}`).toBeLessThan(1e-7)
      })
    }
  }
  for (let i = 0; i < n; i++) add(i)
  check()
  for (const r of [0, 148, 70, 71, 3, 0]) {
    factor.remove(r)
    present.splice(r, 1)
    check()
  }
  for (const i of [0, 75]) add(i)
  add(148)
  factor.dropLast()
  present.pop()
  check()
  while (present.length > 0) {
    const r = random.int(present.length)
    factor.remove(r)
    present.splice(r, 1)
    if (present.length % 13 === 0) check()
  }
})

it('takes new right-hand sides', () => {
  const A = someMatrix(new Random(7), 9)
  const factor = new FreeFactor(9, 1, 1)
  for (let i = 0; i < 9; i++) factor.append(A[i].subarray(0, i), A[i][i], [0])
  const b = Float64Array.from({ length: 9 }, (_, i) => i - 4)
  factor.setSide(0, b)
  const x = factor.sides[0].slice(0, 9)
  factor.solveTransposed(x)
  A.forEach((row, i) => {
    expect(row.reduce((sum, a, j) => sum + a * x[j], 0)).toBeCloseTo(b[i], 8)
  })
})

it('does not move a row that makes the matrix indefinite', () => {
  const factor = new FreeFactor(2, 1, 1)
  factor.append(new Float64Array(0), 1, [1])
  factor.append(Float64Array.of(2), 1, [5])
  const x = factor.sides[0].slice(0, 2)
  factor.solveTransposed(x)
  expect(factor.isIndefinite).toBe(true)
  expect(x[0]).toBeCloseTo(1, 9)
  expect(Math.abs(x[1])).toBeLessThan(1e-100)
})
