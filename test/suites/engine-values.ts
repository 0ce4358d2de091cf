/** Kernel values as the engine computes them, one by one, and as they are. */
import type { Random } from '../../src/base/random.ts'
import type { DenseMatrix, Matrix } from '../../src/data/matrix/matrix.ts'
import type { Precision, SampleTraits } from '../../src/engine/jobs/kernel-error.ts'
import { type EngineKernel, uploadKernel } from '../../src/engine/matrix/engine-kernel.ts'
import {
  gatherRows,
  reserveCopy,
  uploadMatrix,
  uploadQueries,
} from '../../src/engine/matrix/engine-matrix.ts'
import { withEngine } from '../../src/engine/memory/engine.ts'
import { rowOf } from './matrices.ts'
import { remembered } from './remembered.ts'

/** k(x_j, q_i) of all queries i with all samples j, and what bounds of their errors depend on. */
export interface EngineValues {
  readonly rows: readonly Float64Array[]
  readonly norms: Float64Array
  readonly queryNorms: Float64Array
  readonly traits: SampleTraits
}

/** Computes them; with `copied`, of copies of the samples. */
export function engineValues(
  kernel: EngineKernel,
  samples: Matrix,
  queries: Matrix,
  precision: Precision,
  copied = false,
): EngineValues {
  return withEngine(1, (engine) => {
    engine.reserveScratch(queries.cols)
    const pointer = uploadKernel(engine, kernel)
    const matrix = uploadMatrix(engine, samples, kernel)
    const other = uploadQueries(engine, queries, 0, queries.rows, matrix)
    const list = engine.array(Uint32Array, queries.rows)
    for (let i = 0; i < queries.rows; i++) list[i] = i
    const rows = Array.from({ length: queries.rows }, () => new Float64Array(samples.rows))
    const shared = { kernel: pointer, queryMatrix: other.pointer, queries: list.pointer, count: queries.rows }
    if (precision === 'f32') {
      const target = copied ? reserveCopy(engine, matrix, samples.rows, matrix.values.length) : matrix
      if (copied) {
        const all = Array.from({ length: samples.rows }, (_, j) => j)
        gatherRows(matrix, all, samples.rows, target)
      }
      const stride = Math.ceil(samples.rows / 4) * 4
      const values = engine.array(Float32Array, stride * queries.rows)
      const pointers = engine.array(Uint32Array, queries.rows)
      for (let i = 0; i < queries.rows; i++) pointers[i] = values.pointer + 4 * stride * i
      const span = { from: 0, to: samples.rows, parts: 1, rows: pointers.pointer }
      engine.run({ kind: 'kernel-rows', matrix: target.pointer, ...shared, ...span })
      rows.forEach((row, i) => {
        row.set(values.subarray(i * stride, i * stride + samples.rows))
      })
    } else {
      const sample = engine.array(Uint32Array, 1)
      const one = engine.array(Float64Array, 1)
      const results = engine.array(Float64Array, queries.rows)
      one[0] = 1
      const terms = { samples: sample.pointer, coefficients: one.pointer, to: 1, results: results.pointer }
      for (let j = 0; j < samples.rows; j++) {
        sample[0] = j
        engine.run({ kind: 'exact', matrix: matrix.pointer, ...shared, ...terms })
        for (let i = 0; i < queries.rows; i++) rows[i][j] = results[i]
      }
    }
    const integers = matrix.integers !== undefined && other.integers !== undefined
    const traits = { longest: matrix.longest, integers }
    return { rows, norms: matrix.exactNorms.slice(), queryNorms: other.exactNorms.slice(), traits }
  })
}

/** A sum of two numbers, the second of them what rounding the first has left. */
type Pair = readonly [number, number]

function add(a: number, b: number): Pair {
  const sum = a + b
  const share = sum - a
  return [sum, a - (sum - share) + (b - share)]
}

function multiply(a: number, b: number): Pair {
  const split = (x: number): Pair => {
    const high = 134217729 * x - (134217729 * x - x)
    return [high, x - high]
  }
  const product = a * b
  const [a1, a2] = split(a)
  const [b1, b2] = split(b)
  return [product, a1 * b1 - product + a1 * b2 + a2 * b1 + a2 * b2]
}

function addPairs([a, rest]: Pair, [b, otherRest]: Pair): Pair {
  const [sum, lost] = add(a, b)
  return add(sum, lost + rest + otherRest)
}

/** k(x, z) by definition, with sums in twice the digits of f64; the shorter row ends in zeros. */
export function definedKernel(kernel: EngineKernel, x: readonly number[], z: readonly number[]): number {
  const length = Math.max(x.length, z.length)
  const scaled = (factor: number, [high, low]: Pair) => addPairs(multiply(factor, high), [factor * low, 0])
  if (kernel.kind === 'rbf') {
    let distance: Pair = [0, 0]
    for (let k = 0; k < length; k++) {
      const [difference, lost] = add(x[k] ?? 0, -(z[k] ?? 0))
      distance = addPairs(distance, addPairs(multiply(difference, difference), [2 * difference * lost, 0]))
    }
    const [high, low] = scaled(-kernel.gamma, distance)
    return Math.exp(high) * (1 + low)
  }
  let product: Pair = [0, 0]
  for (let k = 0; k < length; k++) product = addPairs(product, multiply(x[k] ?? 0, z[k] ?? 0))
  if (kernel.kind === 'linear') return product[0]
  const [t] = addPairs(scaled(kernel.gamma, product), [kernel.coef0, 0])
  return kernel.kind === 'sigmoid' ? Math.tanh(t) : t ** kernel.degree
}

/** All of them, as {@link engineValues} has them. */
export const definedValues = remembered(
  (kernel: EngineKernel, samples: DenseMatrix, queries: DenseMatrix): Float64Array[] => {
    const rows = Array.from({ length: samples.rows }, (_, j) => rowOf(samples, j))
    return Array.from({ length: queries.rows }, (_, i) => {
      const query = rowOf(queries, i)
      return Float64Array.from(rows, (row) => definedKernel(kernel, row, query))
    })
  },
)

type MatrixMaker = (random: Random, rows: number, cols: number) => DenseMatrix

function madeOf(value: (random: Random, i: number) => number): MatrixMaker {
  return (random, rows, cols) => ({
    kind: 'dense',
    rows,
    cols,
    values: Float64Array.from({ length: rows * cols }, (_, k) => value(random, Math.floor(k / cols))),
  })
}

/** Every fifth sample is out there, all of them close to one another. */
const withOutliers = (size: number) =>
  madeOf((random, i) => (i % 5 === 0 ? size + random.normal() / 3 : random.normal()))

/** The same where most values are zero. */
function thinned(make: MatrixMaker): MatrixMaker {
  return (random, rows, cols) => {
    const matrix = make(random, rows, cols)
    return { ...matrix, values: matrix.values.map((value) => (random.uniform() < 0.3 ? value : 0)) }
  }
}

const cauchy = madeOf((random) => random.normal() / random.normal())
const clusters = madeOf((random, i) => (i % 2 === 0 ? 1e5 : -1e5) + random.normal())
const wholeOutliers = madeOf((random, i) =>
  i % 5 === 0 ? 3000 + Math.floor(3 * random.uniform()) : Math.floor(3 * random.uniform()),
)

/** Makers of samples some of which are far from the others. */
export const farSamples: readonly (readonly [string, MatrixMaker])[] = [
  ...[1e2, 1e3, 1e4, 1e5, 1e6].flatMap((size): [string, MatrixMaker][] => [
    [`outliers at ${size}`, withOutliers(size)],
    [`outliers at ${size}, mostly zeros`, thinned(withOutliers(size))],
  ]),
  ['Cauchy', cauchy],
  ['Cauchy, mostly zeros', thinned(cauchy)],
  ['clusters far apart', clusters],
  ['clusters far apart, mostly zeros', thinned(clusters)],
  ['whole numbers', wholeOutliers],
  ['whole numbers, mostly zeros', thinned(wholeOutliers)],
]
