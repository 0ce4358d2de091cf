import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { makeSvrProblem } from '../../../src/problems/kernel-problem.ts'
import { makeProblem } from '../../../src/problems/problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { StallWatch } from '../../../src/solve/driver/stall-watch.ts'
import { sdca } from '../../../src/solve/methods/sdca.ts'
import { smo } from '../../../src/solve/methods/smo.ts'

describe('a stall', () => {
  test('is a window without a new low of value or violation', () => {
    const watch = new StallWatch(3)
    expect(watch.stalls(1, -1, 5)).toBe(false)
    expect(watch.stalls(2, -1, 6)).toBe(false)
    expect(watch.stalls(3, -1, 4)).toBe(false)
    expect(watch.stalls(4, -1 - 1e-15, 4 - 1e-5)).toBe(false)
    expect(watch.stalls(5, -1.001, 9)).toBe(false)
    expect(watch.stalls(7, -1, 4)).toBe(false)
    expect(watch.stalls(8, Number.NaN, Number.NaN)).toBe(true)
  })

  test('is not held off by noise', () => {
    const random = new Random(1)
    const watch = new StallWatch(50)
    let looks = 1
    while (!watch.stalls(looks, random.normal(), Math.abs(random.normal()))) looks++
    expect(looks).toBeLessThan(1000)
  })

  test('is no slow descent', () => {
    const watch = new StallWatch(10)
    for (let look = 1; look < 1000; look++)
      expect(watch.stalls(look, -1e7 - look * 1e-5, 1 + (look % 7))).toBe(false)
  })
})

test('kernel values that f64 cannot tell apart: the default solver stalls, with its best point', () => {
  // Like weights in pounds beside a number of cylinders, under a cubic kernel: values of 1e19 that must cancel to 1.
  const random = new Random(3)
  const rows = Array.from({ length: 120 }, () => [
    4 + random.int(5),
    100 + 300 * random.uniform(),
    1500 + 3500 * random.uniform(),
  ])
  const z = rows.map(([cylinders, , weight]) => 50 - weight / 150 - cylinders + random.normal())
  const kernel = polynomial({ degree: 3, gamma: 1 / 3, coef0: 0 })
  const problem = makeSvrProblem({ samples: toMatrix(rows), kernel, z, C: 1, epsilon: 0.1 })
  for (const engine of [true, false]) {
    const { stopReason, iterations, primal } = solveSync(problem, smo, { engine }).certificate
    expect(stopReason).toBe('stalled')
    expect(iterations).toBeLessThan(1_000_000)
    // No worse than a constant.
    const mean = z.reduce((sum, value) => sum + value, 0) / z.length
    expect(primal).toBeLessThan(2 * z.reduce((sum, value) => sum + Math.abs(value - mean), 0))
  }
})

test('hard problems are slow, and do not stall', () => {
  const random = new Random(5)
  const rows = Array.from({ length: 200 }, () => [random.normal(), random.normal()])
  const y = rows.map(([a, b]) => (a * b + random.normal() > 0 ? 1 : -1))
  const problem = makeProblem({ samples: toMatrix(rows), kernel: rbf({ gamma: 0.5 }), y, C: 1e4 })
  for (const engine of [true, false]) {
    expect(solveSync(problem, smo, { engine }, { tol: 1e-5 }).certificate.stopReason).toBe('converged')
  }
})

test('a small violation with a wide gap is not solved: sdca goes on until the gap is narrow too', () => {
  const random = new Random(7)
  // More features than samples and a large C: the optimum has no slack at all.
  const rows = Array.from({ length: 30 }, () => Array.from({ length: 60 }, () => random.normal()))
  const y = rows.map(([first]) => (first > 0 ? 1 : -1))
  const problem = makeProblem({
    ...{ samples: toMatrix(rows), kernel: polynomial({ degree: 1, gamma: 1, coef0: 0 }), y, C: 1e4 },
    ...{ bias: 'regularised' as const },
  })
  const { certificate } = solveSync(problem, sdca, {}, { tol: 1e-4 })
  expect(certificate.stopReason).toBe('converged')
  expect(certificate.gap).toBeLessThanOrEqual(1e-3 * certificate.primal * (1 + 1e-6))
})

test('at its limit sdca returns the best model it has shown', () => {
  const random = new Random(9)
  const rows = Array.from({ length: 60 }, () => [1e3 * random.normal(), random.normal()])
  const y = rows.map(() => (random.uniform() < 0.5 ? 1 : -1))
  const problem = makeProblem({
    samples: toMatrix(rows),
    kernel: rbf({ gamma: 1e-6 }),
    y,
    C: 1e5,
    bias: 'regularised',
  })
  for (const maxIter of [1, 2, 3, 7, 20, 57]) {
    const { certificate, trace } = solveSync(problem, sdca, {}, { maxIter, trace: { every: 1 } })
    expect(certificate.stopReason).toBe('iteration-limit')
    const lowest = Math.min(...trace.map(({ primal }) => primal))
    expect(certificate.primal).toBeLessThanOrEqual(lowest * (1 + 1e-9))
  }
})
