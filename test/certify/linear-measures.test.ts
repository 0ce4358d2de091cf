import { describe, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { measureLinear } from '../../src/certify/linear/linear-measures.ts'
import { toMatrix } from '../../src/data/matrix/matrix.ts'
import { makeCrammerSinger, makeLinearMachine } from '../../src/problems/linear-problem.ts'

// Whole numbers times powers of two: sums of their products are exact in whole numbers.
const COLS = 400
const SCALE = 2 ** -40

function wholeNumbers(random: Random, count: number, bits: number): number[] {
  return Array.from({ length: count }, () => Math.round((random.uniform() - 0.5) * 2 ** bits))
}

/** ⟨a, b⟩ exactly. */
function exactProduct(a: readonly number[], b: readonly number[]): bigint {
  return a.reduce((sum, own, j) => sum + BigInt(own) * BigInt(b[j]), 0n)
}

describe('losses that are tiny beside their sums', () => {
  const random = new Random(11)
  const w = wholeNumbers(random, COLS, 40)
  const rows = Array.from({ length: 6 }, () => wholeNumbers(random, COLS, 40))
  // The last two features make f(x) nearly 1: what is left of it is below the rounding of its terms.
  w[COLS - 2] = 2 ** 40
  w[COLS - 1] = 1
  for (const row of rows) {
    row[COLS - 2] = 0
    row[COLS - 1] = 0
    const missing = 2n ** 80n - exactProduct(row, w)
    row[COLS - 2] = Number(missing >> 40n)
    row[COLS - 1] = Number(missing & (2n ** 40n - 1n)) - 2 ** 20
  }
  const samples = toMatrix(rows.map((row) => row.map((value) => value * SCALE)))
  const model = Float64Array.from([...w.map((weight) => weight * SCALE), 0])
  /** f(x_i) is 1 − 2^−60. */
  const loss = 2 ** -60

  test('the hinge loss is known to more digits than plain sums have', () => {
    const C = 2 ** 40
    const z = rows.map(() => 1)
    const problem = makeLinearMachine({ samples, z, loss: 'hinge', C, bias: 'none' })
    const { primal, evidence } = measureLinear(problem, {
      alpha: new Float64Array(rows.length),
      weights: model,
    })
    const norm = w.reduce((sum, weight) => sum + (weight * SCALE) ** 2, 0)
    const truth = 0.5 * norm + rows.length * C * loss
    expect(Math.abs(primal - truth)).toBeLessThanOrEqual(evidence.primalError)
    // The last rounding of f, times C, and nothing that grows with the number of features.
    expect(evidence.primalError).toBeLessThan(rows.length * C * 2 ** -51 + 1e-12 * truth)
  })

  test('so are those of Crammer and Singer', () => {
    const C = 2 ** 40
    const problem = makeCrammerSinger({
      samples,
      y: rows.map(() => 0),
      classes: 2,
      C,
      constant: 0,
    })
    const weights = new Float64Array(2 * model.length)
    weights.set(model)
    const { primal, evidence } = measureLinear(problem, {
      alpha: new Float64Array(2 * rows.length),
      weights,
    })
    const norm = w.reduce((sum, weight) => sum + (weight * SCALE) ** 2, 0)
    const truth = 0.5 * norm + rows.length * C * loss
    expect(Math.abs(primal - truth)).toBeLessThanOrEqual(evidence.primalError)
    const lengths = samples.rows * Math.sqrt(norm) * 40
    expect(evidence.primalError).toBeLessThan(lengths * C * 2 ** -48)
  })
})
