/** Violation, gap and dual value of dual points with known rows: the textbook's, and the truth within the errors of rows. */
import { describe, expect, it } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { DualMeasures } from '../../src/certify/dual-measures.ts'
import { withEngine } from '../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../src/engine/memory/engine-build.ts'
import { expansionCoefficients } from '../../src/problems/kernel-problem.ts'
import { solveSync } from '../../src/solve/driver/run.ts'
import { smo } from '../../src/solve/methods/smo.ts'
import { singleMachine } from '../torture/random-machines.ts'
import { problemOf, samplesOf } from '../torture/solve-machine.ts'
import { trueExpansion } from '../torture/true-expansion.ts'
import { measureTruly, type SingleMachine } from '../torture/true-measures.ts'

const tasks = ['svc', 'nu-svc', 'one-class', 'svr', 'nu-svr'] as const
const ROWS = 40

/** A problem, a feasible point of it some steps from the start, and its rows. */
function someMeasured(task: SingleMachine['task'], seed: number, maxIter: number) {
  const random = new Random(seed)
  const values = Float64Array.from({ length: 3 * ROWS }, () => random.normal())
  const points = { rows: ROWS, cols: 3, values }
  const y = Float64Array.from({ length: ROWS }, (_, i) => {
    const line = values[3 * i] + 0.5 * random.normal()
    return task === 'svc' || task === 'nu-svc' ? (i < 2 ? 2 * i - 1 : Math.sign(line)) : line
  })
  const ground = {
    points,
    kernel: { kind: 'rbf' as const, gamma: 0.5 },
    C: 2,
    factors: Float64Array.from({ length: ROWS }, () => 0.3 + random.uniform()),
  }
  const nu = task === 'svc' || task === 'svr' ? 0 : 0.3
  const machine = singleMachine(ground, { task, y, nu, epsilon: task === 'svr' ? 0.2 : 0 })
  const problem = problemOf(machine, samplesOf(points, false))
  const solution = solveSync(problem, smo, {}, { maxIter, tol: 1e-9 })
  const { high } = trueExpansion(points, ground.kernel, expansionCoefficients(problem, solution.alpha))
  const point = new DualMeasures(problem)
  point.set(solution)
  const quadratic = (rows: Float64Array) =>
    expansionCoefficients(problem, solution.alpha).reduce((sum, c, i) => sum + c * rows[i], 0)
  return { truth: measureTruly(machine, solution), rows: high, point, quadratic }
}

describe.each(tasks)('%s', (task) => {
  it.each([1, 4, 12, 1000])(
    'after %i steps: the gap is primal + dual, as the textbook has them',
    (maxIter) => {
      for (const seed of [1, 2, 3]) {
        const { truth, rows, point, quadratic } = someMeasured(task, seed, maxIter)
        const known = { values: rows, errors: new Float64Array(ROWS) }
        const close = 1e-12 * (1 + Math.abs(truth.primal.value))
        const gap = point.gap(known)
        const dual = point.dual({ value: quadratic(rows), error: 0 })
        expect(Math.abs(gap.value - truth.primal.value - truth.dual.value)).toBeLessThan(close)
        expect(gap.error).toBeLessThan(close)
        expect(Math.abs(dual.value - truth.dual.value)).toBeLessThan(close)
        expect(Math.abs(point.violation(known).value - truth.violation.value)).toBeLessThan(close)
      }
    },
  )

  it('rows off within their errors: the intervals hold the truth, and close where rows are mended', () => {
    const random = new Random(9)
    for (const seed of [1, 2, 3, 4]) {
      for (const size of [1e-6, 1e-2, 1]) {
        const { truth, rows, point } = someMeasured(task, seed, 12)
        const errors = rows.map(() => size * random.uniform())
        const values = rows.map((g, i) => g + errors[i] * (2 * random.uniform() - 1))
        const known = { values, errors }
        const gap = truth.primal.value + truth.dual.value
        const expectHeld = ({ value, error }: { value: number; error: number }, true_: number): void => {
          expect(Math.abs(value - true_)).toBeLessThanOrEqual(error + 1e-12 * (1 + Math.abs(true_)))
        }
        expectHeld(point.gap(known), gap)
        expectHeld(point.violation(known), truth.violation.value)
        // What decides, once known, settles the violation: the rest need not be known better.
        const { variables } = point.decisive(known)
        const first = { violation: point.violation(known), gap: point.gap(known) }
        expect(point.violation(known, variables)).toEqual(first.violation)
        expect(point.gap(known, first.gap.variables)).toEqual(first.gap)
        for (const i of variables) {
          values[i % ROWS] = rows[i % ROWS]
          errors[i % ROWS] = 0
        }
        // Who could not be where m or M is, and whose G was 0, is not missed now that more is known.
        expect(point.violation(known, variables)).toEqual(point.violation(known))
        expect(point.gap(known, first.gap.variables).value).toBeCloseTo(point.gap(known).value, 14)
        const { value, error } = point.violation(known)
        expect(Math.abs(value - truth.violation.value)).toBeLessThan(1e-12)
        expect(error).toBeLessThan(1e-12)
        // The gap follows each row at the rates that it says.
        const { value: before, error: worst, rounding, rates, bentRates } = point.gap(known)
        const ofRows = rates.reduce((sum, rate, i) => sum + (Math.abs(rate) + bentRates[i]) * errors[i], 0)
        expect(worst).toBeGreaterThanOrEqual(ofRows)
        const change = rates.reduce((sum, rate, i) => sum + rate * (rows[i] - values[i]), 0)
        const bent = bentRates.reduce((sum, rate, i) => sum + rate * Math.abs(rows[i] - values[i]), 0)
        expect(Math.abs(gap - before - change)).toBeLessThanOrEqual(bent + rounding + 1e-12 * (1 + before))
        rates.forEach((rate, i) => {
          if (rate === 0 && bentRates[i] === 0) return
          values[i] = rows[i]
          errors[i] = 0
        })
        expect(point.gap(known).error).toBeLessThan(1e-12)
        expectHeld(point.gap(known), gap)
      }
    }
  })

  it('the engine lists the variables that violation and gap hang on', () => {
    const random = new Random(7)
    for (const build of ['simd', 'scalar'] as const) {
      chooseEngineBuild(build)
      for (const size of [0, 1e-3, 0.3]) {
        const { rows, point } = someMeasured(task, 3, 12)
        const errors = rows.map(() => size * random.uniform())
        if (size > 0) errors[3] = Number.POSITIVE_INFINITY
        if (size > 0.1) errors[4] = Number.NaN
        const known = { values: rows, errors }
        withEngine(1, (engine) => {
          const mark = engine.mark()
          const decisive = point.decisiveOn(engine, known)
          expect(decisive).toEqual(point.decisive(known).variables)
          expect(point.extremes(known, decisive)).toEqual(point.extremes(known))
          expect(point.gapTermsOn(engine, known)).toEqual(point.gap(known).variables)
          expect(engine.mark()).toBe(mark)
        })
      }
    }
    chooseEngineBuild(undefined)
  })

  it('the violation is within its interval wherever within their errors any two rows are', () => {
    const random = new Random(5)
    for (const seed of [1, 2]) {
      const { rows, point } = someMeasured(task, seed, 12)
      const errors = rows.map(() => 0.1 * random.uniform())
      const none = new Float64Array(ROWS)
      const { value, error } = point.violation({ values: rows, errors })
      let most = 0
      for (let i = 0; i < ROWS; i++) {
        for (let j = 0; j < ROWS; j++) {
          const values = rows.with(i, rows[i] - errors[i])
          if (j !== i) values[j] += errors[j]
          most = Math.max(most, point.violation({ values, errors: none }).value)
        }
      }
      expect(most).toBeGreaterThan(value)
      expect(most).toBeLessThanOrEqual(value + error)
    }
  })
})
