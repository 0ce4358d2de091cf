import { describe, expect, test } from 'vitest'
import { conjugateGradients } from '../../src/base/conjugate-gradients.ts'
import { inOneGo } from '../../src/base/pieces.ts'

/** A = diag(1 … n) + 11ᵀ, whose inverse is known by Sherman and Morrison. */
const n = 6
function times(x: Float64Array, out: Float64Array): void {
  const sum = x.reduce((all, own) => all + own, 0)
  for (let j = 0; j < n; j++) out[j] = (j + 1) * x[j] + sum
}
const b = Float64Array.from({ length: n }, (_, j) => Math.cos(j))
const harmonic = b.reduce((sum, _, j) => sum + 1 / (j + 1), 0)
const part = b.reduce((sum, own, j) => sum + own / (j + 1), 0) / (1 + harmonic)
const solution = b.map((own, j) => (own - part) / (j + 1))

function solve(condition: (r: Float64Array, z: Float64Array) => void, most: number) {
  const vector = () => new Float64Array(n)
  const vectors = { residual: b.slice(), direction: vector(), product: vector(), conditioned: vector() }
  const x = vector()
  const isThere = inOneGo(conjugateGradients({ ...vectors, times, condition }, x, 1e-24, most, () => true))
  return { x, isThere }
}

describe('conjugateGradients', () => {
  test('solves a system of n variables in n steps', () => {
    const { x, isThere } = solve((r, z) => z.set(r), n)
    expect(isThere).toBe(true)
    for (const [j, own] of x.entries()) expect(own).toBeCloseTo(solution[j], 12)
  })

  test('needs two steps where the preconditioner leaves a matrix of rank one', () => {
    const diagonal = (r: Float64Array, z: Float64Array) => z.set(r.map((own, j) => own / (j + 1)))
    const { x, isThere } = solve(diagonal, 2)
    expect(isThere).toBe(true)
    for (const [j, own] of x.entries()) expect(own).toBeCloseTo(solution[j], 12)
  })

  test('says when steps ran out', () => {
    expect(solve((r, z) => z.set(r), 2).isThere).toBe(false)
  })
})
