/**
 * Certificates of problems so large that most rows are f32: every number is within its error bar of what plain loops over f64
 * find (test/torture), whatever the solver says.
 */
import { describe, expect, it } from 'vitest'
import { inOneGo } from '../../src/base/pieces.ts'
import { Random } from '../../src/base/random.ts'
import type { Solution } from '../../src/certify/certificate.ts'
import { Certifier, type Examination } from '../../src/certify/certifier.ts'
import { linear } from '../../src/kernels/linear.ts'
import { rbf as rbfKernel } from '../../src/kernels/rbf.ts'
import { makeProblem } from '../../src/problems/problem.ts'
import { solveSync } from '../../src/solve/driver/run.ts'
import type { Solver, SolverRun } from '../../src/solve/driver/solver.ts'
import { sdca } from '../../src/solve/methods/sdca.ts'
import { smo } from '../../src/solve/methods/smo.ts'
import { families } from '../torture/random-data.ts'
import { singleMachine } from '../torture/random-machines.ts'
import { problemOf, samplesOf } from '../torture/solve-machine.ts'
import type { Formula } from '../torture/true-expansion.ts'
import { measureTruly, type SingleMachine } from '../torture/true-measures.ts'

const rbf: Formula = { kind: 'rbf', gamma: 0.2 }
const polynomial: Formula = { kind: 'polynomial', gamma: 0.2, coef0: 1, degree: 3 }
const sigmoid: Formula = { kind: 'sigmoid', gamma: 0.1, coef0: -0.3 }

const cases = [
  ['svc', 'gaussian', rbf, 10],
  ['svc', 'outliers', rbf, 1],
  ['svc', 'cauchy', rbf, 1],
  ['svc', 'gaussian', polynomial, 0.1],
  ['nu-svc', 'duplicates', rbf, 1],
  ['one-class', 'shifted', rbf, 1],
  ['svr', 'gaussian', sigmoid, 0.5],
  ['nu-svr', 'gaussian', rbf, 2],
] as const

const ROWS = 2400
const COLS = 6

function problemFor(task: SingleMachine['task'], family: string, kernel: Formula, C: number) {
  const random = new Random(7)
  const values = families[family](random, ROWS, COLS)
  const points = { rows: ROWS, cols: COLS, values }
  const isClasses = task === 'svc' || task === 'nu-svc'
  const y = Float64Array.from({ length: ROWS }, (_, i) => {
    const line = Math.tanh(values[i * COLS]) + 0.5 * random.normal()
    return isClasses ? (line > 0 ? 1 : -1) : line
  })
  const ground = { points, kernel, C, factors: new Float64Array(ROWS).fill(1) }
  const nu = task === 'svc' || task === 'svr' ? 0 : 0.4
  const machine = singleMachine(ground, { task, y, nu, epsilon: task === 'svr' ? 0.1 : 0 })
  return { machine, problem: problemOf(machine, samplesOf(points, false)) }
}

function certifierOf(problem: ReturnType<typeof problemFor>['problem'], all = false): Certifier {
  return new Certifier(problem, { threads: 2, all, seed: 3, tol: 1e-3 })
}

/** How far the numbers of an examination may be off. */
function barsOf({ evidence }: Examination) {
  const { violationError, primalError, dualError, gapError } = evidence
  return { maxViolation: violationError, primal: primalError, dual: dualError, gap: gapError }
}

const names = ['maxViolation', 'primal', 'dual', 'gap'] as const

function expectWithinBars(a: Examination, b: Examination): void {
  for (const name of names) {
    const allowed = barsOf(a)[name] + barsOf(b)[name]
    expect([name, Math.abs(a[name] - b[name]) <= allowed]).toEqual([name, true])
  }
}

describe.each(cases)('%s, %s data', (task, family, kernel, C) => {
  const { machine, problem } = problemFor(task, family, kernel, C)
  const early = solveSync(problem, smo, {}, { maxIter: 300 })
  const late = solveSync(problem, smo, {}, { tol: 1e-3, maxIter: 20_000 })
  const certifier = certifierOf(problem)
  const first = { ...inOneGo(certifier.examine(early)) }
  const second = { ...inOneGo(certifier.examine(late)) }

  it('is true, within its error bars', () => {
    for (const [solution, found] of [
      [early, first],
      [late, second],
    ] as const) {
      const { primal, dual, violation } = measureTruly(machine, solution)
      const gap = { value: primal.value + dual.value, error: primal.error + dual.error }
      const truth = { primal, dual, gap, maxViolation: violation }
      for (const name of names) {
        const { value, error } = truth[name]
        const bar = barsOf(found)[name]
        expect(bar).toBeLessThan(Number.POSITIVE_INFINITY)
        expect([name, Math.abs(found[name] - value) <= bar + error]).toEqual([name, true])
      }
    }
  })

  it('is the same, within its error bars, with every row in f64', () => {
    const all = inOneGo(certifierOf(problem, true).examine(late))
    expect(all.evidence).toMatchObject({ rows: ROWS, rowsInDouble: ROWS, bound: 'worst-case' })
    expectWithinBars(second, all)
  })

  it('knows the dual value to four digits, and the gap to a quarter of itself or to five digits of the dual value', () => {
    for (const { dual, gap, evidence } of [first, second]) {
      expect(evidence.dualError).toBeLessThanOrEqual(1e-4 * Math.abs(dual))
      expect(evidence.gapError).toBeLessThanOrEqual(Math.max(0.25 * gap, 1e-5 * Math.abs(dual)))
    }
  })

  it('does not depend on what was examined before', () => {
    expectWithinBars(second, inOneGo(certifierOf(problem).examine(late)))
  })
})

describe('an examination that was stopped', () => {
  // Each stop leaves the certifier as it was then; the next examination must not take half of the work for the whole.
  it.each([
    ['svc', 'gaussian', rbf, 10],
    ['svr', 'outliers', rbf, 1],
    ['nu-svc', 'gaussian', polynomial, 1],
  ] as const)('does not spoil the next: %s, %s data', (task, family, kernel, C) => {
    const { problem } = problemFor(task, family, kernel, C)
    const solution = solveSync(problem, smo, {}, { maxIter: 5000 })
    const before = solveSync(problem, smo, {}, { maxIter: 500 })
    const whole = inOneGo(certifierOf(problem).examine(solution))
    for (const known of [undefined, before]) {
      for (let pieces = 1; ; pieces++) {
        const certifier = certifierOf(problem)
        if (known) inOneGo(certifier.examine(known))
        const work = certifier.examine(solution)
        let isOver = false
        for (let k = 0; k < pieces && !isOver; k++) isOver = work.next().done === true
        work.return(whole)
        const found = inOneGo(certifier.examine(solution))
        expectWithinBars(found, whole)
        expect(found.evidence.violationError).toBeLessThanOrEqual(1e-4)
        if (isOver) break
      }
    }
  })
})

describe('rows that are not alike', () => {
  const count = 4000
  const random = new Random(11)
  const labels = Float64Array.from({ length: count }, () => (random.uniform() < 0.5 ? 1 : -1))

  /** Every number of an examination within its bars of what f64 rows say. */
  function expectTrue(points: readonly number[][], gamma: number, C: number): void {
    const samples = { kind: 'dense' as const, rows: count, cols: 3, values: Float64Array.from(points.flat()) }
    const problem = makeProblem({ samples, kernel: rbfKernel({ gamma }), y: labels, C })
    const solution = solveSync(problem, smo, {}, { maxIter: 20_000 })
    for (let seed = 0; seed < 5; seed++) {
      const options = { threads: 1, seed, tol: 1e-3 }
      const all = inOneGo(new Certifier(problem, { ...options, all: true }).examine(solution))
      expectWithinBars(inOneGo(new Certifier(problem, { ...options, all: false }).examine(solution)), all)
    }
  }

  it('most of them alone, where f32 is exact, beside a few pairs where it is not', () => {
    const alone = () => [1e3 * random.normal(), 1e3 * random.normal(), 1e3 * random.normal()]
    const points = Array.from({ length: count }, alone)
    for (let i = 0; i < count; i += 40) points[i + 1] = points[i].map((x) => x + 0.3 * random.normal())
    expectTrue(points, 1, 3)
  })

  it('a few with wide bounds and no error beside many with narrow ones', () => {
    const points = Array.from({ length: count }, (_, i) =>
      Array.from({ length: 3 }, () => (i % 200 === 0 ? 500 * random.normal() : random.normal())),
    )
    expectTrue(points, 4, 5)
  })
})

describe('large problems', () => {
  const { problem } = problemFor('svc', 'gaussian', rbf, 10)

  it('have most of their rows in f32', () => {
    const { certificate } = solveSync(problem, smo)
    expect(certificate.stopReason).toBe('converged')
    expect(certificate.evidence?.rowsInDouble).toBeLessThan(0.8 * ROWS)
    expect(certificate.evidence?.rowsInDouble).toBeGreaterThan(100)
  })

  it('have all of them in f64 when asked', () => {
    const { certificate } = solveSync(problem, smo, {}, { certify: 'all' })
    expect(certificate.evidence).toMatchObject({ rows: ROWS, rowsInDouble: ROWS, rowsSampled: 0 })
  })
})

describe('a solver that lies', () => {
  const { machine, problem } = problemFor('svc', 'gaussian', rbf, 1)
  const honest = solveSync(problem, smo)
  const bent = honest.alpha.slice()
  // Two samples of one class swap what they have: feasible, and wrong.
  const at = bent.findIndex((a, i) => a === 1 && machine.y[i] > 0)
  const zero = bent.findIndex((a, i) => a === 0 && machine.y[i] > 0)
  bent[at] = 0
  bent[zero] = 1

  function lying(solution: Solution, end = {}): Solver {
    return {
      ...smo,
      *run(): SolverRun {
        yield { ...solution, iteration: 1, violation: 0 }
        return end
      },
    } as Solver
  }

  it('converges where its point is what it says', () => {
    expect(solveSync(problem, lying(honest)).certificate.stopReason).toBe('converged')
  })

  it('does not converge by saying that the violation is 0', () => {
    const { certificate } = solveSync(problem, lying({ alpha: bent, bias: honest.bias }))
    expect(certificate.stopReason).toBe('stalled')
    const { violation } = measureTruly(machine, { alpha: bent, bias: honest.bias })
    expect(Math.abs(certificate.maxViolation - violation.value)).toBeLessThan(1e-5)
    expect(violation.value).toBeGreaterThan(0.01)
  })

  it.each([
    ['nu-svc', 1, 0.6],
    ['one-class', 1, 0.6],
    ['nu-svr', 10, 0.6],
    ['svc', 1, 1],
    ['svr', 1, 1],
  ] as const)('does not converge with the solution of another problem: %s', (task, C, share) => {
    const { problem: wanted } = problemFor(task, 'gaussian', rbf, C)
    // Of ν problems, other sums; of the others, a larger box.
    const other =
      'nu' in wanted ? { ...wanted, nu: share * wanted.nu } : problemFor(task, 'gaussian', rbf, 3 * C).problem
    const elsewhere = solveSync(other, smo)
    expect(elsewhere.certificate.stopReason).toBe('converged')
    expect(solveSync(wanted, lying(elsewhere)).certificate.stopReason).toBe('stalled')
  })

  it.each([
    ['squared-hinge', 'none'],
    ['squared-hinge', 'regularised'],
    ['hinge', 'regularised'],
  ] as const)('does not converge with a multiplier below 0: %s, bias %s', (loss, bias) => {
    // The first sample twice.
    const values = Float64Array.of(1, 2, -1, -2, 1)
    const problem = makeProblem({
      ...{ samples: { kind: 'dense', rows: 5, cols: 1, values }, kernel: linear(), loss, bias },
      ...{ y: [1, 1, -1, -1, 1], C: 10 },
    })
    const solved = solveSync(problem, sdca)
    const { biasForms, squaredLoss } = sdca
    const stopReasonOf = (alpha: Float64Array) =>
      solveSync(problem, { ...lying({ ...solved, alpha }), biasForms, squaredLoss }, {}, { tol: 0.5 })
        .certificate.stopReason
    const { alpha } = solved
    const both = alpha[0] + alpha[4]
    // What one loses, the other one takes: the model stays the same.
    expect(stopReasonOf(alpha.with(0, 0).with(4, both))).toBe('converged')
    expect(stopReasonOf(alpha.with(0, -0.01).with(4, both + 0.01))).toBe('stalled')
  })

  it.each([
    ['a multiplier that is no number', { alpha: bent.with(5, Number.NaN), bias: 0 }],
    ['an infinite multiplier', { alpha: bent.with(5, Number.POSITIVE_INFINITY), bias: 0 }],
    ['a bias that is no number', { alpha: honest.alpha, bias: Number.NaN }],
    ['an infinite bias', { alpha: honest.alpha, bias: Number.NEGATIVE_INFINITY }],
  ])('ends in an error with %s', (_, solution) => {
    expect(() => solveSync(problem, lying(solution))).toThrow(
      /^smo: the (primal|dual|gap|bias) of the solution is -?(NaN|Infinity)/,
    )
  })
})
