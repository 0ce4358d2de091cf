/** What models promise of the values that are read: see `DecisionOptions`. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { parseLibsvm } from '../../../src/data/libsvm/libsvm-parser.ts'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import { type DenseMatrix, selectRows } from '../../../src/data/matrix/matrix.ts'
import type { EngineKernel } from '../../../src/engine/matrix/engine-kernel.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import type { Kernel } from '../../../src/kernels/kernel.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { sigmoid } from '../../../src/kernels/sigmoid.ts'
import { formatLibsvmModel } from '../../../src/models/files/format-libsvm-model.ts'
import { parseLibsvmModel } from '../../../src/models/files/parse-libsvm-model.ts'
import { OneClassModel } from '../../../src/models/one-class-model.ts'
import { SvcModel } from '../../../src/models/svc-model.ts'
import { SvrModel } from '../../../src/models/svr-model.ts'
import { engineStorages } from '../../suites/engine-kernels.ts'
import { definedKernel, farSamples } from '../../suites/engine-values.ts'
import { toolFolder, toolsInstalled } from '../../suites/installed-tools.ts'
import { rowOf } from '../../suites/matrices.ts'

/** Enough for the engine to be worth it; of the rows, some are compared. */
const VECTORS = 300
const ROWS = 600
const COMPARED = 20
const COLS = 17

const kernels: readonly Kernel[] = [
  rbf({ gamma: 0.001 }),
  rbf({ gamma: 0.3 }),
  rbf({ gamma: 20 }),
  polynomial({ gamma: 0.3, coef0: 0.5, degree: 3 }),
  sigmoid({ gamma: 0.1, coef0: -0.3 }),
]

/** Samples some of which are far from the others, and samples as the engine stores them in different ways. */
const families: readonly (readonly [string, (seed: number, rows: number) => DenseMatrix])[] = [
  ...farSamples.map(
    ([name, make]) => [name, (seed: number, rows: number) => make(new Random(seed), rows, COLS)] as const,
  ),
  ...engineStorages.map(
    ([name, make]) => [name, (seed: number, rows: number) => make(seed, rows, COLS)] as const,
  ),
]

function norm(row: readonly number[]): number {
  return Math.hypot(...row)
}

/** Of some rows: their number, k(x, v_s) by its definition for every vector, and κ, the largest size of a kernel value. */
function definedValues(kernel: Kernel, vectors: DenseMatrix, rows: DenseMatrix) {
  const spec = { coef0: 0, degree: 0, ...kernel.spec } as unknown as EngineKernel
  const all = Array.from({ length: vectors.rows }, (_, s) => rowOf(vectors, s))
  const longest = Math.max(...all.map(norm))
  return Array.from({ length: COMPARED }, (_, n) => {
    const i = n * (rows.rows / COMPARED)
    const x = rowOf(rows, i)
    const size =
      spec.kind === 'polynomial' ? (spec.gamma * longest * norm(x) + Math.abs(spec.coef0)) ** spec.degree : 1
    return { i, k: all.map((vector) => definedKernel(spec, vector, x)), size }
  })
}

/**
 * Values of a model with the coefficients [function][support vector] and these biases: how far the compared ones are at most
 * from their definition, as a share of κ Σ |c_s|.
 */
function worstShare(
  values: Float64Array,
  defined: ReturnType<typeof definedValues>,
  coefficients: readonly Float64Array[],
  biases: readonly number[],
): number {
  let worst = 0
  for (const { i, k, size } of defined) {
    coefficients.forEach((c, p) => {
      const sum = c.reduce((all, one, s) => all + one * k[s], biases[p])
      const weight = c.reduce((all, one) => all + Math.abs(one), 0)
      worst = Math.max(worst, Math.abs(values[i * coefficients.length + p] - sum) / (size * weight))
    })
  }
  return worst
}

describe.each(families)('values over samples: %s', (_, make) => {
  it('of every model are what they are defined to be', () => {
    kernels.forEach((kernel, n) => {
      const random = new Random(n)
      const vectors = make(n, VECTORS)
      const rows = make(n + 100, ROWS)
      const defined = definedValues(kernel, vectors, rows)
      // Large C: many coefficients at a bound that is far beyond what they sum to.
      const some = () => Float64Array.from({ length: VECTORS }, () => 3e4 * random.normal())
      const dualCoef = some()
      const parts = { kernel, supportVectors: vectors, features: COLS }
      const single = { ...parts, dualCoef, bias: 0.7 }
      const svr = new SvrModel(single)
      const found = svr.predict(rows)
      expect(worstShare(found, defined, [dualCoef], [0.7])).toBeLessThan(2e-10)
      expect(svr.decisionFunction(rows)).toEqual(found)
      expect(new OneClassModel(single).decisionFunction(rows)).toEqual(found)
      const fast = svr.predict(rows, { precision: 'f32' })
      expect(worstShare(fast, defined, [dualCoef], [0.7])).toBeLessThan(1e-4)
      const supportCounts = Uint32Array.of(100, 120, 80)
      const [first, second] = [some(), some()]
      const all = Float64Array.of(...first, ...second)
      const classes = [1, 2, 3]
      const biases = Float64Array.of(1, 2, 3)
      const svc = new SvcModel({ ...parts, classes, dualCoef: all, supportCounts, biases })
      const pairs = svc.decisionFunction(rows, { decisionFunctionShape: 'ovo' })
      const part = (c: Float64Array, from: number, to: number) =>
        c.map((one, s) => (s >= from && s < to ? one : 0))
      const joined = (a: Float64Array, b: Float64Array) => a.map((one, s) => one + b[s])
      const functions = [
        joined(part(first, 0, 100), part(first, 100, 220)),
        joined(part(second, 0, 100), part(first, 220, 300)),
        joined(part(second, 100, 220), part(second, 220, 300)),
      ]
      expect(worstShare(pairs, defined, functions, [1, 2, 3])).toBeLessThan(2e-10)
    })
  })
})

test('labels are those of f64 values, computed in f32 or not', () => {
  const [, make] = farSamples[0]
  const vectors = make(new Random(1), VECTORS, COLS)
  const rows = make(new Random(2), ROWS, COLS)
  const random = new Random(3)
  const dualCoef = Float64Array.from({ length: VECTORS }, () => random.normal())
  const model = new OneClassModel({
    kernel: rbf({ gamma: 0.05 }),
    supportVectors: vectors,
    dualCoef,
    bias: 0,
    features: COLS,
  })
  expect(model.predict(rows)).toEqual(model.labelsOf(model.decisionFunction(rows)))
})

const housing = fileURLToPath(new URL('../../../../shared/data/housing_scale', import.meta.url))
const installed = toolsInstalled('libsvm-tools', ['svm-predict'])

describe.skipIf(!installed || !existsSync(housing))('regression on housing_scale', () => {
  const files = toolFolder()

  it('predicts what svm-predict predicts', () => {
    const data = parseLibsvm(readFileSync(housing, 'utf8'), { labels: 'number' })
    const trained = new SVR({ kernel: rbf({ gamma: 0.5 }), C: 32768, maxIter: 200_000 }).fitSync(
      data as never,
    )
    files.write('model', formatLibsvmModel(trained))
    // The file has the coefficients and vectors with all their digits: both read the same model.
    const model = parseLibsvmModel(files.read('model')) as SvrModel
    const count = 3000
    const chosen = Uint32Array.from({ length: count }, (_, i) => i % data.samples.rows)
    const samples = selectRows(data.samples, chosen)
    const labels = Float64Array.from(chosen, (i) => data.labels[i] as number)
    files.write('data', formatLibsvm({ samples, labels }))
    files.run('svm-predict', [], 'data', 'model', 'out')
    const theirs = files.read('out').trim().split('\n').map(Number)
    const found = model.predict(samples)
    const differences = theirs.map((value, i) => Math.abs(value - found[i]))
    expect(Math.max(...differences)).toBeLessThan(1e-6)
  })
})
