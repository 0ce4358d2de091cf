/** The judge of the campaign is judged: its loops against exact whole numbers, and what it says of certificates that lie. */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { falsehoods } from './certificates.ts'
import { randomPoints } from './random-data.ts'
import { machineMakers } from './random-machines.ts'
import { solveMachine } from './solve-machine.ts'
import { type Points, trueExpansion } from './true-expansion.ts'
import { measureTruly } from './true-measures.ts'

/** Whole numbers so large that products of them do not fit into a double. */
function wholePoints(random: Random, rows: number, cols: number): Points {
  const values = Float64Array.from({ length: rows * cols }, () => random.int(2 ** 31) - 2 ** 30)
  return { rows, cols, values }
}

/** Σ_j c_j (⟨x_j, x_i⟩ + coef0)^degree, exactly. */
function exactExpansion(
  { rows, cols, values }: Points,
  c: Float64Array,
  coef0: number,
  degree: number,
): bigint[] {
  const x = Array.from(values, BigInt)
  return Array.from({ length: rows }, (_, i) => {
    let sum = 0n
    for (let j = 0; j < rows; j++) {
      let dot = BigInt(coef0)
      for (let k = 0; k < cols; k++) dot += x[i * cols + k] * x[j * cols + k]
      sum += BigInt(c[j]) * dot ** BigInt(degree)
    }
    return sum
  })
}

/** high + low − exact, as a number. */
function difference(high: number, low: number, exact: bigint): number {
  return Number(BigInt(high) - exact) + low
}

test.each([
  { kernel: { kind: 'linear' } as const, coef0: 0, degree: 1 },
  { kernel: { kind: 'polynomial', gamma: 1, coef0: 5, degree: 2 } as const, coef0: 5, degree: 2 },
  { kernel: { kind: 'polynomial', gamma: 1, coef0: 0, degree: 3 } as const, coef0: 0, degree: 3 },
])(
  'sums of $kernel.kind kernels to the power $degree are within their error of the exact ones',
  ({ kernel, coef0, degree }) => {
    const random = new Random(3)
    const points = wholePoints(random, 20, 3)
    const c = Float64Array.from({ length: 20 }, () => random.int(2001) - 1000)
    const exact = exactExpansion(points, c, coef0, degree)
    const { high, low, error } = trueExpansion(points, kernel, c)
    for (let i = 0; i < points.rows; i++) {
      expect(Math.abs(difference(high[i], low[i], exact[i]))).toBeLessThanOrEqual(error[i])
      expect(error[i]).toBeLessThanOrEqual(1e-10 * Math.abs(Number(exact[i])))
    }
  },
)

test('sums that cancel keep their digits', () => {
  const random = new Random(8)
  const { values } = wholePoints(random, 1, 2)
  // Two equal rows with opposite coefficients, and a small one: only the small one is left.
  const points = { rows: 3, cols: 2, values: Float64Array.of(...values, ...values, 1, 1) }
  const c = Float64Array.of(7, -7, 1)
  const kernel = { kind: 'polynomial', gamma: 1, coef0: 1, degree: 3 } as const
  const { high, low, error } = trueExpansion(points, kernel, c)
  const exact = exactExpansion(points, c, 1, 3)
  expect(Math.abs(difference(high[0], low[0], exact[0]))).toBeLessThanOrEqual(error[0])
  const largest = 7 * (1 + values[0] ** 2 + values[1] ** 2) ** 3
  expect(error[0]).toBeLessThan(1e-28 * largest)
})

test('a certificate is believed as it stands, and caught with any value changed', async () => {
  const random = new Random(5)
  const points = randomPoints(random, 'gaussian', 80, 3)
  const factors = new Float64Array(80).fill(1)
  for (const make of Object.values(machineMakers)) {
    const machine = make(random, { points, kernel: { kind: 'linear' }, C: 0.7, factors })
    const result = await solveMachine(machine, { tol: 1e-3, threads: 1 })
    const { certificate } = result
    const goal = machine.task === 'crammer-singer' ? 'gap' : 'violation'
    const truth = measureTruly(machine, result)
    const judged = (changed: object) =>
      falsehoods(
        {
          machine,
          result: { ...result, certificate: { ...certificate, ...changed } },
          goal,
          tol: certificate.tol,
        },
        truth,
      )
    expect(judged({})).toEqual([])
    expect(judged({ primal: 1.001 * certificate.primal + 0.001 })).toHaveLength(1)
    expect(judged({ dual: 1.001 * certificate.dual - 0.001 })).toHaveLength(1)
    expect(judged({ gap: certificate.gap + 0.001 * (1 + Math.abs(certificate.primal)) })).toHaveLength(1)
    expect(judged({ maxViolation: certificate.maxViolation + 0.001 })).toHaveLength(1)
    expect(judged({ supportVectors: certificate.supportVectors + 1 })).toHaveLength(1)
    const halfWay = { ...result, alpha: result.alpha.map((a) => a / 2) }
    const early = { machine, result: halfWay, goal, tol: certificate.tol } as const
    // Half the sum that ν requires is no solution, but may well be balanced.
    const wanted = 'nu' in machine && machine.nu > 0 ? 'sums are off' : 'converged at tol'
    expect(falsehoods(early, measureTruly(machine, halfWay)).join()).toContain(wanted)
  }
})
