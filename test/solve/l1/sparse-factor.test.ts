import { afterAll, describe, expect, test } from 'vitest'
import { inOneGo } from '../../../src/base/pieces.ts'
import { Random } from '../../../src/base/random.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { SparseFactor } from '../../../src/solve/l1/sparse-factor.ts'
import { EngineRows } from '../../../src/solve/rows/engine-rows.ts'
import type { LinearRows } from '../../../src/solve/rows/linear-rows.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'

/** Features of very different frequencies, as words have them. */
function words(rows: number, cols: number, seed: number) {
  const random = new Random(seed)
  const values = Float64Array.from({ length: rows * cols }, (_, k) =>
    random.uniform() < 2 / (1 + (k % cols)) ? random.normal() : 0,
  )
  return toSparse({ kind: 'dense', rows, cols, values })
}

/** The largest part of b by which (R + X̃ᵀ diag(h) X̃) x differs from it. */
function errorOn(rows: LinearRows): number {
  const random = new Random(2)
  const n = rows.cols + 1
  const [h, R, b, x, product] = [rows.rows, n, n, n, n].map((length) => rows.vector(length))
  for (let i = 0; i < h.length; i++) h[i] = random.uniform()
  for (let j = 0; j < n; j++) R[j] = 0.1 + random.uniform()
  for (let j = 0; j < n; j++) b[j] = random.normal()
  const factor = new SparseFactor(rows)
  inOneGo(factor.factor(h, R, () => false))
  x.set(b)
  factor.solve(x)
  rows.product(h, x, product)
  return Math.max(...b.map((own, j) => Math.abs(own - product[j] - R[j] * x[j])))
}

describe.each(testedBuilds)('systems are solved, in the build %s and in plain loops', (build) => {
  afterAll(() => chooseEngineBuild(undefined))
  test.each([1.5, 0])('constant feature %d', (constant) => {
    chooseEngineBuild(build)
    const samples = words(120, 300, 4)
    expect(errorOn(new PlainRows(samples, constant))).toBeLessThan(1e-11)
    withEngine(1, (engine) => expect(errorOn(new EngineRows(engine, samples, constant))).toBeLessThan(1e-11))
  })
})

test('rare features make it cheap', () => {
  const { price } = new SparseFactor(new PlainRows(words(120, 300, 4), 1))
  expect(price).toBeLessThan(0.1 * (300 ** 3 / 6))
})

test('a feature that nothing bends stays where it is', () => {
  const rows = new PlainRows(
    toSparse({ kind: 'dense', rows: 2, cols: 2, values: Float64Array.of(2, 0, 0, 0) }),
    0,
  )
  const factor = new SparseFactor(rows)
  inOneGo(factor.factor(Float64Array.of(1, 1), new Float64Array(3), () => false))
  const b = Float64Array.of(4, 1, 1)
  factor.solve(b)
  expect(b[0]).toBeCloseTo(1, 14)
  expect(b[1]).toBeCloseTo(0, 14)
  expect(b[2]).toBeCloseTo(0, 14)
})
