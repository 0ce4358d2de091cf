import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import { type LinearMachineProblem, makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { SmoothDescent, suits } from '../../../src/solve/l1/smooth-descent.ts'
import { LinearPoint } from '../../../src/solve/linear/linear-point.ts'
import { withRows } from '../../../src/solve/rows/with-rows.ts'

const TOL = 1e-7

/** Columns of sizes that differ by six powers of ten, every third row twice with both labels. */
function machine(loss: 'squared-hinge' | 'logistic', C: number, bias: 'regularised' | 'free', cols = 30) {
  const random = new Random(cols)
  const rows = 300
  const sizes = Float64Array.from({ length: cols }, () => 10 ** (6 * random.uniform() - 3))
  const values = Float64Array.from({ length: rows * cols }, (_, k) =>
    random.uniform() < 0.3 || cols < 100 ? random.normal() * sizes[k % cols] : 0,
  )
  const z = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    if (i % 3 === 2) values.copyWithin(i * cols, (i - 1) * cols, i * cols)
    z[i] = i % 3 === 2 ? -z[i - 1] : values[i * cols] / sizes[0] + random.normal() > 0 ? 1 : -1
  }
  return makeLinearMachine({
    samples: toSparse({ kind: 'dense', rows, cols, values }),
    ...{ z, loss, C, bias, norm: 1 },
  })
}

/** What it ends with, after `stopAfter` steps of another descent from which it continues. */
function solve(problem: LinearMachineProblem, isFast: boolean, stopAfter = 0) {
  const context = { allowedGap: () => TOL, due: () => false }
  return withRowsSync(problem, isFast, (rows) => {
    const point = new LinearPoint(problem, rows, {})
    const goal = () => TOL * point.primal
    let descent = new SmoothDescent(problem, rows, point, context.due)
    let run = descent.run(goal)
    if (stopAfter > 0) {
      for (let step = 0; step < stopAfter; step++) run.next()
      const saved = structuredClone(descent.save()) as object
      descent = new SmoothDescent(problem, rows, point, context.due)
      descent.restore(saved)
      run = descent.run(goal)
    }
    let piece = run.next()
    for (; !piece.done; piece = run.next());
    const { iteration, weights } = point.state
    return { isDone: piece.value, gap: point.relativeGap, iteration, weights: weights.slice() }
  })
}

function withRowsSync<Result>(
  problem: LinearMachineProblem,
  isFast: boolean,
  work: (rows: Parameters<Parameters<typeof withRows>[2]>[0]) => Result,
): Result {
  let result: Result | undefined
  const run = withRows(
    problem,
    isFast,
    // biome-ignore lint/correctness/useYield: nobody looks at the state
    function* (rows) {
      result = work(rows)
      return {}
    },
    { fewest: 0 },
  )
  for (let piece = run.next(); !piece.done; piece = run.next());
  return result as Result
}

describe('Newton steps on a smoothed norm', () => {
  test.each([0.01, 1, 1000])('end with the gap that is asked for within 60 steps, C = %d', (C) => {
    for (const loss of ['squared-hinge', 'logistic'] as const) {
      for (const bias of ['regularised', 'free'] as const) {
        const { isDone, gap, iteration } = solve(machine(loss, C, bias), true)
        expect({ isDone, isWithin: gap <= TOL }, `${loss}, bias ${bias}`).toEqual({
          isDone: true,
          isWithin: true,
        })
        expect(iteration, `${loss}, bias ${bias}`).toBeLessThan(60)
      }
    }
  })

  test('take a part of many features, and others as they come near', () => {
    const random = new Random(1)
    const [rows, cols] = [3400, 1700]
    const values = new Float64Array(rows * cols)
    const z = new Float64Array(rows)
    for (let i = 0; i < rows; i++) {
      let f = random.normal()
      for (let k = 0; k < 8; k++) {
        const j = Math.floor(cols * random.uniform() ** 3)
        values[i * cols + j] = 1
        f += Math.sin(j)
      }
      z[i] = f > 0 ? 1 : -1
    }
    const samples = toSparse({ kind: 'dense', rows, cols, values })
    const problem = makeLinearMachine({ samples, z, loss: 'logistic', C: 0.1, bias: 'regularised', norm: 1 })
    const { isDone, gap, weights } = solve(problem, true)
    expect(isDone && gap <= TOL).toBe(true)
    const count = weights.filter((own) => own !== 0).length
    expect(count).toBeGreaterThan(16)
    expect(count).toBeLessThan(cols / 2)
  })

  test('take the same way from a snapshot', () => {
    const problem = machine('logistic', 100, 'regularised')
    const whole = solve(problem, true)
    const continued = solve(problem, true, 5)
    expect(continued.iteration).toBe(whole.iteration)
    expect(continued.weights).toEqual(whole.weights)
  })

  test('end at the same model without the engine', () => {
    const problem = machine('logistic', 1, 'regularised')
    const [plain, fast] = [false, true].map((isFast) => solve(problem, isFast))
    expect(plain.isDone && fast.isDone).toBe(true)
    expect(plain.weights.map(Math.sign)).toEqual(fast.weights.map(Math.sign))
  })

  test('are for two samples or more per feature, and of many features for the logistic loss alone', () => {
    const loss = (isLogistic: boolean) => ({ isLogistic }) as Parameters<typeof suits>[1]
    const rows = (count: number, cols: number) =>
      ({ rows: count, cols }) as unknown as Parameters<typeof suits>[0]
    expect(suits(rows(2000, 1000), loss(false), 0)).toBe(true)
    expect(suits(rows(1999, 1000), loss(true), 0)).toBe(false)
    expect(suits(rows(9000, 50_000), loss(true), 4000)).toBe(true)
    expect(suits(rows(9000, 50_000), loss(true), 5000)).toBe(false)
    expect(suits(rows(9000, 50_000), loss(false), 100)).toBe(false)
  })
})
