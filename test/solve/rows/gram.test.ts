import { afterAll, describe, expect, test } from 'vitest'
import { inOneGo } from '../../../src/base/pieces.ts'
import { Random } from '../../../src/base/random.ts'
import { type DenseMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import { linearAuto } from '../../../src/solve/methods/linear-auto.ts'
import { EngineRows } from '../../../src/solve/rows/engine-rows.ts'
import { PlainRows } from '../../../src/solve/rows/plain-rows.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'

const never = () => false

/** Samples with a share of values other than 0. */
function samplesOf(rows: number, cols: number, share: number, seed: number): DenseMatrix {
  const random = new Random(seed)
  const values = Float64Array.from({ length: rows * cols }, () =>
    random.uniform() < share ? random.normal() : 0,
  )
  return { kind: 'dense', rows, cols, values }
}

describe.each(testedBuilds)('Gram matrices of the build %s are those of plain loops', (build) => {
  afterAll(() => chooseEngineBuild(undefined))
  // 700 columns take several blocks of the target; 16 is a whole number of tiles, 18 and 3 are not.
  test.each([
    { rows: 60, cols: 700, share: 0.1 },
    { rows: 50, cols: 16, share: 1 },
    { rows: 50, cols: 18, share: 0.9 },
    { rows: 9, cols: 3, share: 1 },
    { rows: 9, cols: 2, share: 1 },
    { rows: 9, cols: 5, share: 1 },
    { rows: 9, cols: 3, share: 1, constant: 0 },
    { rows: 9, cols: 7, share: 1, constant: 0 },
  ])('$rows × $cols, $share of them not 0', ({ rows, cols, share, constant = 1.5 }) => {
    chooseEngineBuild(build)
    const matrix = samplesOf(rows, cols, share, cols)
    const stored = share < 0.5 ? toSparse(matrix) : matrix
    const random = new Random(1)
    // Rows of factor 0 are left out, and negative factors take rows out again.
    const factors = Float64Array.from({ length: rows }, (_, i) => (i % 3 === 1 ? 0 : random.normal()))
    withEngine(1, (engine) => {
      const fast = new EngineRows(engine, stored, constant)
      const plain = new PlainRows(stored, constant)
      const copied = fast.vector(rows)
      copied.set(factors)
      const [own, wanted] = [fast.triangle(cols + 1), plain.triangle(cols + 1)]
      for (let time = 0; time < 2; time++) {
        inOneGo(fast.addGram(copied, own, never))
        inOneGo(plain.addGram(factors, wanted, never))
      }
      let largest = 0
      for (let i = 0; i <= cols; i++) {
        const [a, b] = [own.row(i), wanted.row(i)]
        for (let j = 0; j <= i; j++) largest = Math.max(largest, Math.abs(a[j] - b[j]))
      }
      expect(largest).toBeLessThanOrEqual(1e-12 * rows)
    })
  })
})

test('features from 1e-3 to 1e3, correlated, at a price at which regularisation hardly counts', () => {
  const random = new Random(11)
  const [rows, cols] = [600, 40]
  const values = new Float64Array(rows * cols)
  const z = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const common = random.normal()
    let sum = 0
    for (let j = 0; j < cols; j++) {
      const own = common + random.normal()
      sum += own * (j % 5)
      values[i * cols + j] = own * 10 ** ((6 * j) / (cols - 1) - 3)
    }
    z[i] = sum + 12 * random.normal() > 0 ? 1 : -1
  }
  for (const loss of ['hinge', 'squared-hinge', 'logistic'] as const) {
    const samples = { kind: 'dense' as const, rows, cols, values }
    const problem = makeLinearMachine({ samples, loss, z, C: 1e4 })
    const { certificate } = solveSync(problem, linearAuto)
    expect(certificate).toMatchObject({ stopReason: 'converged' })
    expect(certificate.iterations).toBeLessThan(400)
  }
})

test('more features than a factor has room for, from 1e-3 to 1e3, noisy targets, equal samples, and a free bias', () => {
  const random = new Random(3)
  const [rows, cols] = [60, 1800]
  const scales = Float64Array.from({ length: cols }, () => 10 ** (6 * random.uniform() - 3))
  const truth = Float64Array.from({ length: cols }, () => random.normal())
  const values = new Float64Array(rows * cols)
  const targets = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const isCopy = i % 5 === 4
    if (isCopy) values.copyWithin(i * cols, (i - 1) * cols, i * cols)
    else for (let j = 0; j < cols; j++) values[i * cols + j] = random.normal() * scales[j]
    const signal = truth.reduce((sum, t, j) => sum + (t * values[i * cols + j]) / scales[j], 0)
    targets[i] = signal / Math.sqrt(cols) + 2 * random.normal()
  }
  for (const loss of ['squared-hinge', 'epsilon-insensitive', 'squared-epsilon-insensitive'] as const) {
    const z = loss === 'squared-hinge' ? targets.map((y) => (y > 0 ? 1 : -1)) : targets
    const samples = { kind: 'dense' as const, rows, cols, values }
    const problem = makeLinearMachine({
      samples,
      loss,
      z,
      C: 1,
      epsilon: loss === 'squared-hinge' ? 0 : 0.1,
      bias: 'free',
    })
    const { certificate } = solveSync(problem, linearAuto, {}, { maxIter: 300 })
    expect(certificate, loss).toMatchObject({ stopReason: 'converged' })
  }
})

describe.each(testedBuilds)(
  'passes for many classes of the build %s have the bits of plain loops',
  (build) => {
    afterAll(() => chooseEngineBuild(undefined))
    // 8 classes share registers, pairs of the others do; one is left over of 3 and 11.
    test.each([
      { k: 3, share: 1 },
      { k: 10, share: 0.3 },
      { k: 11, share: 0.3 },
    ])('$k classes, $share of the values not 0', ({ k, share }) => {
      chooseEngineBuild(build)
      const [rows, cols] = [40, 13]
      const matrix = samplesOf(rows, cols, share, k)
      const stored = share < 0.5 ? toSparse(matrix) : matrix
      const random = new Random(2)
      const starts = Uint32Array.from({ length: rows + 1 }, (_, a) => 2 * a)
      const classes = Uint32Array.from({ length: 2 * rows }, (_, s) =>
        s % 2 === 0 ? 0 : 1 + ((s >> 1) % (k - 1)),
      )
      const numbers = (length: number) =>
        Float64Array.from({ length }, (_, i) => (i % 5 === 0 ? 0 : random.normal()))
      const w = numbers((cols + 1) * k)
      const factors = numbers(rows * k).fill(0, 0, 2 * k)
      const curvature = numbers(rows)
      withEngine(1, (engine) => {
        const found = [new PlainRows(stored, 1.5), new EngineRows(engine, stored, 1.5)].map((own) => {
          const copied = (values: Float64Array) => {
            const copy = own.vector(values.length)
            copy.set(values)
            return copy
          }
          const listed = (values: Uint32Array) => {
            const copy = own.list(values.length)
            copy.set(values)
            return copy
          }
          const out = [own.vector(rows * k), own.vector(w.length), own.vector(w.length)]
          own.classValues(copied(w), k, out[0])
          own.classCombine(copied(factors), k, out[1])
          const samples = listed(Uint32Array.from({ length: rows }, (_, a) => a))
          const active = { count: rows, samples, starts: listed(starts), classes: listed(classes) }
          own.classProduct({ ...active, curvature: copied(curvature) }, k, copied(w), out[2])
          return out.map((values) => Array.from(values))
        })
        expect(found[1]).toEqual(found[0])
        expect(found[0][2].some((entry) => entry !== 0)).toBe(true)
      })
    })
  },
)
