/** An f64 row outside its bound shows that bounds are wrong: then no f32 row is believed any more. */
import { describe, expect, it } from 'vitest'
import { inOneGo } from '../../src/base/pieces.ts'
import { Random } from '../../src/base/random.ts'
import { Certifier } from '../../src/certify/certifier.ts'
import { RowValues } from '../../src/certify/row-values.ts'
import { type EngineKernel, uploadKernel } from '../../src/engine/matrix/engine-kernel.ts'
import { uploadMatrix } from '../../src/engine/matrix/engine-matrix.ts'
import type { SamplesOnEngine } from '../../src/engine/matrix/samples-on-engine.ts'
import { giveEngine, takeEngine } from '../../src/engine/memory/engine.ts'
import { kernelForEngine } from '../../src/kernels/kernel-for-engine.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { makeProblem, type SvmProblem } from '../../src/problems/problem.ts'
import { someMatrix } from '../suites/matrices.ts'

const ROWS = 2200
const random = new Random(5)
const samples = someMatrix(3, ROWS, 6)
const kernel = rbf({ gamma: 0.2 })
const y = Float64Array.from({ length: ROWS }, (_, i) => (i % 2 ? 1 : -1))
const alpha = Float64Array.from({ length: ROWS }, () => random.uniform())
const coefficients = alpha.map((a, i) => a * y[i])
const problem: SvmProblem = makeProblem({ samples, kernel, y, C: 1 })

/** Calls `use` with samples on an engine, whose kept rows are off by `lie` at the rows that are chosen. */
function withRows<R>(lie: number, isChosen: (row: number) => boolean, use: (place: SamplesOnEngine) => R): R {
  const engine = takeEngine(1)
  const mark = engine.mark()
  try {
    const engineKernel = kernelForEngine(kernel) as EngineKernel
    engine.reserveScratch(samples.cols)
    const kernelPointer = uploadKernel(engine, engineKernel)
    const matrix = uploadMatrix(engine, samples, engineKernel)
    const place: SamplesOnEngine = { engine, kernelPointer, samples: matrix }
    const evaluator = kernel.between(samples, samples)
    const row = new Float64Array(ROWS)
    const kept = {
      atATime: 64,
      subtract(vector: Float64Array, some: Uint32Array, factors: Float64Array, count: number) {
        for (let a = 0; a < count; a++) {
          evaluator.row(some[a], row)
          for (let i = 0; i < ROWS; i++) {
            vector[i] -= factors[a] * (Math.fround(row[i]) + (isChosen(i) ? lie : 0))
          }
        }
      },
    }
    return use({ ...place, kept })
  } finally {
    giveEngine(engine, mark)
  }
}

/** Σ_j c_j k(x_j, x_i), row by row. */
function naiveRows(): Float64Array {
  const evaluator = kernel.between(samples, samples)
  const row = new Float64Array(ROWS)
  return Float64Array.from({ length: ROWS }, (_, i) => {
    evaluator.row(i, row)
    return row.reduce((sum, value, j) => sum + value * coefficients[j], 0)
  })
}

const truth = naiveRows()
const everyFifth = Uint32Array.from({ length: ROWS / 5 }, (_, k) => 5 * k)

describe('rows', () => {
  it('are not broken by f64 values within their bounds', () => {
    withRows(
      0,
      () => false,
      (place) => {
        const rows = new RowValues(problem, 1)
        inOneGo(rows.evaluate(coefficients, false, place))
        expect(rows.rounded()).toHaveLength(ROWS)
        inOneGo(rows.refine(everyFifth, place))
        expect(rows.rounded()).toHaveLength(ROWS - everyFifth.length)
        expect(rows.broken).toBe(false)
      },
    )
  })

  it('are broken by a single one outside', () => {
    withRows(
      1e-3,
      (i) => i === 35,
      (place) => {
        const rows = new RowValues(problem, 1)
        inOneGo(rows.evaluate(coefficients, false, place))
        const honest = everyFifth.filter((i) => i !== 35)
        inOneGo(rows.refine(honest, place))
        expect(rows.broken).toBe(false)
        inOneGo(rows.refine(everyFifth, place))
        expect(rows.broken).toBe(true)
        expect(Math.abs(rows.values[35] - truth[35])).toBeLessThanOrEqual(rows.errors[35] + 1e-10)
      },
    )
  })
})

describe('a certificate', () => {
  const options = { threads: 1, all: false, seed: 3, tol: 1e-3 }
  const examine = (all: boolean, place?: SamplesOnEngine) =>
    inOneGo(new Certifier(problem, { ...options, all }).examine({ alpha, bias: 0 }, place))

  it('keeps f32 rows where they are as good as they say', () => {
    const { evidence } = withRows(
      0,
      () => false,
      (place) => examine(false, place),
    )
    expect(evidence.rowsInDouble).toBeLessThan(ROWS)
    expect(evidence.bound).toBe('sampled')
  })

  it.each([
    ['all rows', () => true],
    ['every third row', (i: number) => i % 3 === 0],
  ])('has every row in f64, and true values, where the bounds of %s are wrong', (_, isChosen) => {
    const all = examine(true)
    const found = withRows(1e-3, isChosen, (place) => examine(false, place))
    expect(found.evidence).toMatchObject({ rowsInDouble: ROWS, bound: 'worst-case' })
    found.values.forEach((value, i) => {
      expect(Math.abs(value - truth[i])).toBeLessThan(1e-10)
    })
    for (const name of ['primal', 'dual', 'gap', 'maxViolation'] as const) {
      expect(Math.abs(found[name] - all[name])).toBeLessThanOrEqual(1e-9 * Math.abs(all[name]))
    }
    expect(found.evidence.gapError).toBeLessThan(1e-9 * found.primal)
  })
})
