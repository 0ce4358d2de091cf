import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { emptyStep, type SmoStep, solvePair } from '../../../src/solve/dual/pair-step.ts'

interface Pair {
  y: [number, number]
  alpha: [number, number]
  errors: [number, number]
  kernel: [kii: number, kjj: number, kij: number]
  C: [number, number]
}

function solved({ y, alpha, errors, kernel, C }: Pair): { moved: boolean; step: SmoStep } {
  const step = emptyStep()
  Object.assign(step, { i: 0, j: 1, yi: y[0], yj: y[1], errorI: errors[0], errorJ: errors[1] })
  Object.assign(step, { oldAlphaI: alpha[0], oldAlphaJ: alpha[1] })
  return { moved: solvePair(step, ...kernel, ...C), step }
}

/** The dual over the pair, up to a constant, straight from Σ α Q α / 2 − Σ α and not from the errors' difference. */
function objective({ y, alpha, errors, kernel: [kii, kjj, kij] }: Pair, ai: number, aj: number): number {
  const di = ai - alpha[0]
  const dj = aj - alpha[1]
  const quadratic = 0.5 * (kii * di * di + kjj * dj * dj) + y[0] * y[1] * kij * di * dj
  return quadratic + y[0] * errors[0] * di + y[1] * errors[1] * dj
}

function randomPair(random: Random, curved: boolean): Pair {
  const C: [number, number] = [0.5 + random.uniform(), 0.5 + random.uniform()]
  const kii = 1 + random.uniform()
  const kjj = 1 + random.uniform()
  const end = () => [0, 1, random.uniform()][random.int(3)]
  return {
    y: [random.int(2) ? 1 : -1, random.int(2) ? 1 : -1],
    alpha: [C[0] * end(), C[1] * end()],
    errors: [random.normal(), random.normal()],
    kernel: [kii, kjj, curved ? random.uniform() - 0.5 : (kii + kjj) / 2 + random.uniform() * random.int(2)],
    C,
  }
}

describe.each([
  { name: 'positive curvature', curved: true },
  { name: 'no or negative curvature: the better end (with L_1² and H_1², not L² and H²)', curved: false },
])('$name', ({ curved }) => {
  test('is the best feasible point of the segment', () => {
    const random = new Random(1)
    let moves = 0
    for (let trial = 0; trial < 500; trial++) {
      const pair = randomPair(random, curved)
      const { moved, step } = solved(pair)
      const { y, alpha, C } = pair
      if (moved) moves++
      else expect([step.alphaI, step.alphaJ]).toEqual(alpha)
      expect(y[0] * step.alphaI + y[1] * step.alphaJ).toBeCloseTo(y[0] * alpha[0] + y[1] * alpha[1], 12)
      for (const [a, limit] of [
        [step.alphaI, C[0]],
        [step.alphaJ, C[1]],
      ]) {
        expect(a).toBeGreaterThanOrEqual(0)
        expect(a).toBeLessThanOrEqual(limit)
      }
      const reached = objective(pair, step.alphaI, step.alphaJ)
      for (let part = 0; part <= 50; part++) {
        const aj = step.low + (part / 50) * (step.high - step.low)
        const ai = alpha[0] + y[0] * y[1] * (alpha[1] - aj)
        expect(reached).toBeLessThanOrEqual(objective(pair, ai, aj) + 1e-12)
      }
    }
    expect(moves).toBeGreaterThan(100)
  })
})

test('values at a bound are exactly there', () => {
  const random = new Random(2)
  for (let trial = 0; trial < 2000; trial++) {
    const pair = randomPair(random, true)
    pair.errors = [10 * random.normal(), 10 * random.normal()]
    pair.alpha[0] *= 1 / 3
    const { step } = solved(pair)
    const { C } = pair
    for (const [a, limit] of [
      [step.alphaI, C[0]],
      [step.alphaJ, C[1]],
    ]) {
      expect(a === 0 || a > 1e-13).toBe(true)
      expect(a === limit || a < limit * (1 - 1e-13)).toBe(true)
    }
  }
})

test('what one value is moved by when it is put onto its bound, the other takes over', () => {
  for (const [sign, alpha, target] of [
    [1, [0.5, 0.3], 0.8],
    [-1, [0.5, 0.9], 0.4],
  ] as const) {
    // Just short of where α_i is 0.
    const reached = target - sign * 3e-13
    const errors: [number, number] = [0, 2 * sign * (alpha[1] - reached)]
    const { moved, step } = solved({ y: [1, sign], alpha: [...alpha], errors, kernel: [1, 1, 0], C: [2, 2] })
    expect(moved).toBe(true)
    expect(step.alphaI).toBe(0)
    expect(Math.abs(step.alphaJ - target)).toBeLessThan(1e-15)
  }
})

test('a step smaller than what would be snapped is still taken', () => {
  const { moved, step } = solved({
    y: [1, -1],
    alpha: [1e4, 1e4],
    errors: [1e-9, 0],
    kernel: [1, 1, 0],
    C: [1e4, 1e4],
  })
  expect(moved).toBe(true)
  expect(1e4 - step.alphaJ).toBeCloseTo(5e-10, 11)
})

test('nothing depends on the scale of the kernel', () => {
  for (const scale of [1e-18, 1e-9, 1, 1e9, 1e18]) {
    const { moved, step } = solved({
      y: [1, -1],
      alpha: [0, 0],
      errors: [-1, 1],
      kernel: [2 * scale, 2 * scale, scale],
      C: [10 / scale, 10 / scale],
    })
    expect(moved).toBe(true)
    expect(step.alphaJ * scale).toBeCloseTo(1, 12)
    expect(step.alphaI).toBe(step.alphaJ)
  }
})

test('a pair with room for only one of the two does not move', () => {
  expect(solved({ y: [1, 1], alpha: [0, 0], errors: [-1, 1], kernel: [1, 1, 0], C: [1, 1] }).moved).toBe(
    false,
  )
  expect(solved({ y: [1, -1], alpha: [0, 0], errors: [-1, 1], kernel: [1, 1, 0], C: [0, 1] }).moved).toBe(
    false,
  )
})

test('a hard margin between equal points has no end', () => {
  const infinity = Number.POSITIVE_INFINITY
  const { moved, step } = solved({
    y: [1, -1],
    alpha: [0, 0],
    errors: [-1, 1],
    kernel: [1, 1, 1],
    C: [infinity, infinity],
  })
  expect(moved).toBe(true)
  expect(step.alphaJ).toBe(infinity)
})
