/** No row is further from the truth than its bound, whatever the kernel and the data; and the bounds are of use. */
import { describe, expect, it } from 'vitest'
import { inOneGo } from '../../src/base/pieces.ts'
import { Random } from '../../src/base/random.ts'
import { RowBounds } from '../../src/certify/row-bounds.ts'
import { RowValues } from '../../src/certify/row-values.ts'
import type { EngineKernel } from '../../src/engine/matrix/engine-kernel.ts'
import { withEngine } from '../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../src/engine/memory/engine-build.ts'
import { custom } from '../../src/kernels/user-kernels.ts'
import { families } from '../torture/random-data.ts'
import { kernelOf, samplesOf } from '../torture/solve-machine.ts'
import { type Formula, trueExpansion } from '../torture/true-expansion.ts'

const formulas: Readonly<Record<string, Formula>> = {
  linear: { kind: 'linear' },
  rbf: { kind: 'rbf', gamma: 0.3 },
  'narrow rbf': { kind: 'rbf', gamma: 20 },
  polynomial: { kind: 'polynomial', gamma: 0.2, coef0: 1, degree: 3 },
  'polynomial with a negative offset': { kind: 'polynomial', gamma: 0.5, coef0: -1, degree: 2 },
  sigmoid: { kind: 'sigmoid', gamma: 0.1, coef0: -0.4 },
}

/** Enough for f32 rows, whatever the data. */
const ROWS = 2200
const COLS = 7

/** An expansion over `family` data, and the truth about it. */
function expansionOf(formula: Formula, family: string, rows: number) {
  const random = new Random(11)
  const points = { rows, cols: COLS, values: families[family](random, rows, COLS) }
  const coefficients = Float64Array.from({ length: rows }, (_, i) => (i % 3 > 0 ? random.normal() : 0))
  const truth = trueExpansion(points, formula, coefficients)
  const compute = (sparse: boolean, all: boolean): RowValues => {
    const values = new RowValues({ samples: samplesOf(points, sparse), kernel: kernelOf(formula) }, 1)
    inOneGo(values.evaluate(coefficients, all))
    return values
  }
  const offBy = ({ values }: RowValues) =>
    values.map((value, i) => Math.abs(value - truth.high[i] - truth.low[i]))
  const expectBounded = (rows: RowValues): void => {
    const wrong = offBy(rows).findIndex((off, i) => !(off <= rows.errors[i] + truth.error[i]))
    expect([wrong, rows.broken]).toEqual([-1, false])
  }
  return { compute, offBy, expectBounded }
}

describe.each(Object.entries(formulas))('%s', (_, formula) => {
  const some = ['gaussian', 'outliers', 'shifted']
  const hostile = formula.kind === 'rbf' ? [...some, 'cauchy', 'duplicates', 'integers'] : some
  it.each(hostile)('%s data: f32 rows, f64 rows, plain ones', (family) => {
    const { compute, expectBounded } = expansionOf(formula, family, ROWS)
    for (const sparse of [false, true]) {
      const rows = compute(sparse, false)
      expect(rows.rounded().length).toBe(formula.kind === 'linear' ? 0 : ROWS)
      expectBounded(rows)
      if (formula.kind === 'linear') continue
      inOneGo(rows.refine(Uint32Array.from({ length: 200 }, (_, i) => 10 * i)))
      expect(rows.rounded().length).toBe(ROWS - 200)
      expectBounded(rows)
    }
    for (const [rows, all] of [
      [600, true],
      [150, false],
    ] as const) {
      const small = expansionOf(formula, family, rows)
      for (const sparse of [false, true]) small.expectBounded(small.compute(sparse, all))
    }
  })

  it('the bounds of ordinary data are within 10,000 times of what rows are off, or next to nothing', () => {
    const { compute, offBy } = expansionOf(formula, 'gaussian', ROWS)
    const median = (numbers: Float64Array) => numbers.map(Math.abs).sort()[ROWS / 2]
    for (const all of [false, true]) {
      const rows = compute(false, all)
      const little = (rows.isDouble[0] ? 1e-10 : 5e-4) * median(rows.values)
      expect(median(rows.errors)).toBeLessThan(Math.max(1e4 * median(offBy(rows)), little))
    }
  })
})

it('a kernel of the user: its values count as exact, sums round', () => {
  const kernel = custom<Float64Array>((x, z) => Math.min(x[0], z[0]), { name: 'min' })
  const points = { rows: 300, cols: 2, values: new Float64Array(600).map((_, k) => Math.abs(Math.sin(k))) }
  const values = new RowValues({ samples: samplesOf(points, false), kernel }, 1)
  const coefficients = Float64Array.from({ length: 300 }, (_, i) => (i % 2 ? 1 : -1) / (i + 1))
  inOneGo(values.evaluate(coefficients, false))
  for (let i = 0; i < 300; i++) {
    let sum = 0
    coefficients.forEach((c, j) => {
      sum += c * Math.min(points.values[2 * i], points.values[2 * j])
    })
    expect(Math.abs(sum - values.values[i])).toBeLessThanOrEqual(values.errors[i])
  }
})

const COUNT = 50
const kernels: readonly EngineKernel[] = [
  { kind: 'rbf', gamma: 0.3, coef0: 0, degree: 0 },
  { kind: 'rbf', gamma: 1e6, coef0: 0, degree: 0 },
  { kind: 'polynomial', gamma: -0.2, coef0: 1, degree: 4 },
  { kind: 'polynomial', gamma: 0.2, coef0: 0, degree: 1 },
  { kind: 'sigmoid', gamma: 0.1, coef0: -0.4, degree: 0 },
]

it.each(kernels)('the engine makes the same bounds of sums: %o', (kernel) => {
  const random = new Random(3)
  const some = (count: number) => Float64Array.from({ length: count }, () => 10 * random.uniform())
  const norms = some(COUNT)
  const coefficients = some(COUNT).map((c, i) => (i % 4 ? c - 5 : 0))
  const support = Uint32Array.from(coefficients.keys()).filter((i) => coefficients[i] !== 0)
  const rowOf = Uint32Array.from({ length: COUNT }, (_, i) => (7 * i) % 20)
  for (const build of ['simd', 'scalar'] as const) {
    chooseEngineBuild(build)
    for (const weights of [coefficients, coefficients.map(() => 0)]) {
      const traits = { kernel, norms, longest: 12, exact: 'nothing' as const, dense: true }
      const bounds = new RowBounds(traits, weights === coefficients ? support : new Uint32Array(0), weights)
      for (const places of [undefined, rowOf]) {
        const plus = some(places ? 20 : COUNT)
        const minus = some(plus.length)
        plus[3] = 1e-200
        minus[3] = 0
        plus[5] = Number.POSITIVE_INFINITY
        const [values, magnitudes, errors] = [1, 2, 3].map(() => new Float64Array(COUNT))
        for (const precision of ['f32', 'f64'] as const) {
          withEngine(1, (engine) => {
            bounds.boundSums(engine, { plus, minus }, places, precision, { values, magnitudes, errors })
          })
          values.forEach((value, i) => {
            const at = places ? places[i] : i
            expect([value, magnitudes[i]]).toEqual([plus[at] - minus[at], plus[at] + minus[at]])
            const bound = Number.isFinite(value) ? bounds.of(i, magnitudes[i], precision) : Infinity
            // Logarithms of two libraries may differ in the last place.
            if (errors[i] !== bound) expect(Math.abs(errors[i] / bound - 1)).toBeLessThan(1e-14)
          })
        }
      }
    }
  }
  chooseEngineBuild(undefined)
})
