/**
 * Kernel expansions Σ_j c_j k(x_j, q) for many queries q: what decision functions and certificates are made of. The
 * samples are uploaded once, the queries in pieces that reuse the same memory. Two precisions:
 *
 *   f32   kernel values f32, sums f64: 16 queries at a time
 *   f64   everything f64: 8 queries at a time, about a third as fast
 *
 * Each sum comes with a bound of its error. Per kernel value, with u = 2^−24 or 2^−53 and up to m values in a row:
 *
 *   rbf          u (4 + γ (‖x‖² + ‖q‖²) (4 + √m)): distances are made of norms and products, which may cancel
 *   sigmoid      u (4 + (γ ‖x‖ ‖q‖ + |c|) (4 + √m))
 *   polynomial   u d (4 + √m) (γ ‖x‖ ‖q‖ + |c|)^d
 *   linear       u (4 + √m) ‖x‖ ‖q‖
 *
 * and 2^−53 √n of the largest of them for their sum. √m in place of m, because rounding errors are as often up as down.
 * Where so little of a kernel value is certain that it is better computed in another way, the bound is Infinity.
 */
import type { Matrix } from '../data/matrix.ts'
import type { Engine, EngineArray } from './engine.ts'
import { type EngineKernel, uploadKernel } from './engine-kernel.ts'
import { type EngineMatrix, uploadMatrix, uploadQueries } from './engine-matrix.ts'

/**
 * Queries of one job: enough for all threads; so few that threads which have only just been started soon join in. Wide
 * ones are fewer, so that those that are uploaded stay in the caches.
 */
const MOST_QUERIES = 1024
const FEWEST_QUERIES = 128
const QUERY_VALUES = 1 << 19

/** How values are computed. */
export type Precision = 'f32' | 'f64'

/** Half a unit in the last place of 1; the largest relative error a kernel value may have; the largest number. */
const LIMITS = {
  f32: { rounding: 2 ** -24, trusted: 1e-4, largest: 1e30 },
  f64: { rounding: 2 ** -53, trusted: 1e-9, largest: 1e300 },
} as const

/** Sums for some queries, and for each a bound of its error. */
export interface Sums {
  readonly values: Float64Array
  readonly errors: Float64Array
}

/** See the head of the file. Lives as long as the arena is not released. */
export class EngineSums {
  private readonly engine: Engine
  private readonly kernel: EngineKernel
  private readonly kernelPointer: number
  private readonly source: Matrix
  private readonly samples: EngineMatrix
  private readonly coefficients: EngineArray<Float64Array>
  /** The samples whose coefficient is not 0, `usedCount` of them, and those coefficients. */
  private readonly used: EngineArray<Uint32Array>
  private readonly usedCoefficients: EngineArray<Float64Array>
  private readonly usedCount: number
  // For the bounds: Σ |c_j|, the largest ‖x_j‖², √m.
  private readonly weight: number
  private readonly largestNorm: number
  private readonly rootLength: number

  constructor(engine: Engine, kernel: EngineKernel, samples: Matrix, coefficients: Float64Array) {
    this.engine = engine
    this.kernel = kernel
    this.source = samples
    this.kernelPointer = uploadKernel(engine, kernel)
    this.samples = uploadMatrix(engine, samples, kernel)
    this.coefficients = engine.array(Float64Array, coefficients.length)
    this.coefficients.set(coefficients)
    this.used = engine.array(Uint32Array, coefficients.length)
    this.usedCoefficients = engine.array(Float64Array, coefficients.length)
    let count = 0
    let weight = 0
    for (let j = 0; j < coefficients.length; j++) {
      if (coefficients[j] === 0) continue
      this.used[count] = j
      this.usedCoefficients[count++] = coefficients[j]
      weight += Math.abs(coefficients[j])
    }
    this.usedCount = count
    this.weight = weight
    this.largestNorm = this.samples.exactNorms.reduce((most, norm) => Math.max(most, norm), 0)
    this.rootLength = Math.sqrt(longestRow(this.samples))
  }

  /** The sums for every row of a matrix, which must be at least as wide as the samples. */
  of(queries: Matrix, precision: Precision): Sums {
    const { engine, samples, source } = this
    const { rows, cols } = queries
    const sums = { values: new Float64Array(rows), errors: new Float64Array(rows) }
    engine.reserveScratch(cols)
    const width = samples.dense ? cols : queries.values.length / rows
    const fitting = Math.floor(QUERY_VALUES / (width + 1) / 16) * 16
    const step = Math.min(MOST_QUERIES, Math.max(FEWEST_QUERIES, fitting))
    for (let from = 0; from < rows; from += step) {
      const to = Math.min(rows, from + step)
      const mark = engine.mark()
      const own = queries === source
      const uploaded = own ? samples : uploadQueries(engine, queries, from, to, samples)
      this.run(uploaded, own ? from : 0, to - from, precision, sums, from)
      engine.release(mark)
    }
    return sums
  }

  /** Sums for `count` rows of `queries` from `first` on go to sums[at …]. */
  private run(
    queries: EngineMatrix,
    first: number,
    count: number,
    precision: Precision,
    sums: Sums,
    at: number,
  ): void {
    const { engine } = this
    const rows = engine.array(Uint32Array, count)
    for (let q = 0; q < count; q++) rows[q] = first + q
    const results = engine.array(Float64Array, count)
    const shared = {
      matrix: this.samples.pointer,
      kernel: this.kernelPointer,
      queryMatrix: queries.pointer,
      queries: rows.pointer,
      count,
      results: results.pointer,
    }
    if (precision === 'f32') {
      const { coefficients } = this
      engine.run({ kind: 'expand', ...shared, coefficients: coefficients.pointer, to: coefficients.length })
    } else {
      engine.run({
        kind: 'exact',
        ...shared,
        samples: this.used.pointer,
        coefficients: this.usedCoefficients.pointer,
        to: this.usedCount,
      })
    }
    sums.values.set(results, at)
    for (let q = 0; q < count; q++) {
      sums.errors[at + q] = this.errorBound(queries.exactNorms[first + q], precision)
    }
  }

  /** See the head of the file. */
  private errorBound(queryNorm: number, precision: Precision): number {
    const { kind, gamma, coef0, degree } = this.kernel
    const { rounding, trusted, largest } = LIMITS[precision]
    const product = Math.sqrt(this.largestNorm * queryNorm)
    const argument =
      kind === 'rbf' ? gamma * (this.largestNorm + queryNorm) : Math.abs(gamma) * product + Math.abs(coef0)
    const growth = 4 + this.rootLength
    let relative = rounding * growth
    let size = 1
    if (kind === 'linear') size = product
    else if (kind === 'polynomial') {
      size = argument ** degree
      relative *= degree
    } else relative = rounding * (4 + argument * growth)
    relative += 2 ** -53 * Math.sqrt(this.usedCount)
    const fits = size < largest && this.largestNorm + queryNorm < largest && relative < trusted
    return fits ? relative * size * this.weight : Number.POSITIVE_INFINITY
  }
}

function longestRow({ dense, cols, indptr }: EngineMatrix): number {
  if (dense) return cols
  let longest = 0
  for (let i = 1; i < indptr.length; i++) longest = Math.max(longest, indptr[i] - indptr[i - 1])
  return longest
}
