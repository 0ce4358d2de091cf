/**
 * Kernel expansions Σ_j c_j k(x_j, q) for many queries q: what decision functions and certificates are made of. There may
 * be several of them, over the same samples: kernel values are computed once for all. The samples are uploaded once, the
 * queries in pieces that reuse the same memory. Two precisions:
 *
 *   f32   kernel values f32, sums f64: 16 queries at a time
 *   f64   everything f64: 8 queries at a time, about a third as fast; products of whole numbers (assembly/kernel/integer-products.ts) are
 *         exact and take a third of that
 *
 * Each sum comes with a bound of its error: Σ |c_j| times that of a kernel value (./kernel-error.ts), and 2^−53 n of the
 * largest value that a sum of n terms can have. In f64 that is what rounding can do at worst; in f32 what it usually does, as
 * errors are as often up as down. Where that is not small for the largest kernel value, so that it is better computed in
 * another way, the bound is Infinity.
 */
import { countUp, pickNumbers } from '../../base/lists.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { type EngineKernel, uploadKernel } from '../matrix/engine-kernel.ts'
import { type EngineMatrix, uploadMatrix, uploadQueries } from '../matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../memory/engine.ts'
import { EXACT_QUERIES, QUERIES, QUERY_BYTES, TILE } from '../memory/structures.ts'
import { kernelError, type Precision } from './kernel-error.ts'

/**
 * Queries of one job: enough for all threads; so few that threads which have only just been started soon join in. Wide
 * ones are fewer, so that those that are uploaded stay in the caches.
 */
const MOST_QUERIES = 1024
const FEWEST_QUERIES = 128
const QUERY_VALUES = 1 << 19
/** Sums of one job: 32 MB. */
const MOST_SUMS = 1 << 22

/** The largest error that a kernel value may have, as a share of the largest value. */
const TRUSTED = { f32: 1e-4, f64: 1e-10 }

/**
 * Which sums coefficients belong to. Samples come in groups; each has a coefficient in every one of `rows` rows, and the
 * one in row r of a sample of group g is one of sum number targets[g · rows + r].
 */
export interface SumLayout {
  readonly rows: number
  /** Where each group ends. */
  readonly groupEnds: Uint32Array
  readonly targets: Uint32Array
  /** Sums a query. */
  readonly outputs: number
}

/** Sums for some queries, [query][sum], and for each a bound of its error. */
export interface Sums {
  readonly values: Float64Array
  readonly errors: Float64Array
}

/** Samples, their coefficients, and their layout as the engine reads it. */
interface Terms {
  readonly samples: EngineArray<Uint32Array>
  readonly coefficients: EngineArray<Float64Array>
  readonly count: number
  readonly layout: number
}

/** See the header of the file. Lives as long as the arena is not released. */
export class KernelSums {
  private readonly engine: Engine
  private readonly kernel: EngineKernel
  private readonly kernelPointer: number
  private readonly source: Matrix
  private readonly samples: EngineMatrix
  private readonly outputs: number
  /** All samples, and those that have a coefficient other than 0. */
  private readonly all: Terms
  private readonly used: Terms
  // For the bounds: Σ |c_j| of each sum, the largest ‖x_j‖².
  private readonly weights: Float64Array
  private readonly largestNorm: number

  /** Coefficients: one per sample, or [row][sample] as the layout says. */
  constructor(
    engine: Engine,
    kernel: EngineKernel,
    samples: Matrix,
    coefficients: Float64Array,
    layout: SumLayout = {
      rows: 1,
      groupEnds: Uint32Array.of(samples.rows),
      targets: Uint32Array.of(0),
      outputs: 1,
    },
  ) {
    this.engine = engine
    this.kernel = kernel
    this.source = samples
    this.kernelPointer = uploadKernel(engine, kernel)
    this.samples = uploadMatrix(engine, samples, kernel)
    this.outputs = layout.outputs
    const used = usedSamples(coefficients, samples.rows)
    this.used = this.upload(used, coefficients, layout)
    this.all =
      used.length === samples.rows ? this.used : this.upload(countUp(samples.rows), coefficients, layout)
    this.weights = sumWeights(coefficients, layout, samples.rows)
    this.largestNorm = this.samples.exactNorms.reduce((most, norm) => Math.max(most, norm), 0)
  }

  /** The sums for every row of a matrix, which must be at least as wide as the samples. */
  of(queries: Matrix, precision: Precision): Sums {
    const { engine, samples, source, outputs } = this
    const { rows, cols } = queries
    const sums = { values: new Float64Array(rows * outputs), errors: new Float64Array(rows * outputs) }
    engine.reserveScratch(cols)
    const width = samples.dense ? cols : queries.values.length / rows
    const fitting = Math.floor(QUERY_VALUES / (width + 1) / 16) * 16
    const room = Math.max(16, Math.floor(MOST_SUMS / outputs / 16) * 16)
    const step = Math.min(MOST_QUERIES, room, Math.max(FEWEST_QUERIES, fitting))
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

  /** The chosen samples and their coefficients; groups are those of the chosen ones. */
  private upload(chosen: Uint32Array, coefficients: Float64Array, layout: SumLayout): Terms {
    const { engine } = this
    const { rows, groupEnds, targets, outputs } = layout
    const count = chosen.length
    const samples = engine.copy(chosen)
    const ends = engine.array(Uint32Array, groupEnds.length)
    for (let g = 0, s = 0; g < groupEnds.length; g++) {
      while (s < count && chosen[s] < groupEnds[g]) s++
      ends[g] = s
    }
    const goals = engine.copy(targets)
    const groups = { rows, stride: count, ends: ends.pointer, targets: goals.pointer, outputs }
    if (rows === 1) {
      const own = engine.copy(pickNumbers(coefficients, chosen))
      return { samples, coefficients: own, count, layout: engine.structure('SUMS', groups) }
    }
    const lists = listCoefficients(coefficients, this.source.rows, chosen, ends, rows)
    const own = engine.copy(lists.values)
    const pointers = {
      ...groups,
      ...{ listEnds: engine.copy(lists.ends).pointer, listed: engine.copy(lists.places).pointer },
    }
    return { samples, coefficients: own, count, layout: engine.structure('SUMS', pointers) }
  }

  /** Sums for `count` rows of `queries` from `first` on go to those of query `at` and the following. */
  private run(
    queries: EngineMatrix,
    first: number,
    count: number,
    precision: Precision,
    sums: Sums,
    at: number,
  ): void {
    const { engine, outputs, weights } = this
    const lanes = precision === 'f32' ? QUERIES : EXACT_QUERIES
    const rows = engine.array(Uint32Array, count)
    for (let q = 0; q < count; q++) rows[q] = first + q
    const results = engine.array(Float64Array, Math.ceil(count / lanes) * lanes * outputs)
    const terms = precision === 'f32' ? this.all : this.used
    const shared = {
      matrix: this.samples.pointer,
      kernel: this.kernelPointer,
      queryMatrix: queries.pointer,
      queries: rows.pointer,
      count,
      results: results.pointer,
      coefficients: terms.coefficients.pointer,
      to: terms.count,
      layout: terms.layout,
    }
    if (precision === 'f32') engine.run({ kind: 'expand', ...shared })
    else engine.run({ kind: 'exact', ...shared, samples: terms.samples.pointer })
    const { values, errors } = sums
    // Results are [block of queries][sum][query]: read in their order, as there may be very many.
    for (let from = 0; from < count; from += lanes) {
      const own = Math.min(lanes, count - from)
      for (let p = 0, k = from * outputs; p < outputs; p++, k += lanes) {
        for (let q = 0; q < own; q++) values[(at + from + q) * outputs + p] = results[k + q]
      }
    }
    const bounds = this.errorBounds(queries, precision)
    for (let q = 0; q < count; q++) {
      const bound = bounds(queries.exactNorms[first + q])
      const to = (at + q) * outputs
      if (bound === Number.POSITIVE_INFINITY) errors.fill(bound, to, to + outputs)
      else for (let p = 0; p < outputs; p++) errors[to + p] = bound * weights[p]
    }
  }

  /** Tells, by the norm of a query, by how much a sum whose |c_j| add up to 1 may be off; see the header of the file. */
  private errorBounds(queries: EngineMatrix, precision: Precision): (queryNorm: number) => number {
    const { kernel, samples, largestNorm } = this
    const integers = samples.integers !== undefined && queries.integers !== undefined
    const growth = precision === 'f64' ? 'worst' : 'usual'
    const error = kernelError(kernel, precision, { longest: samples.longest, integers }, growth)
    return (queryNorm) => {
      const worst = error.worst(largestNorm, queryNorm)
      const size = error.size(largestNorm, queryNorm)
      if (!(worst <= TRUSTED[precision] * size)) return Number.POSITIVE_INFINITY
      return worst + 2 ** -53 * this.used.count * size
    }
  }
}

/** The samples that have a coefficient other than 0. */
function usedSamples(coefficients: Float64Array, count: number): Uint32Array {
  const isUsed = new Uint8Array(count)
  for (let from = 0; from < coefficients.length; from += count) {
    for (let j = 0; j < count; j++) if (coefficients[from + j] !== 0) isUsed[j] = 1
  }
  const used = new Uint32Array(count)
  let found = 0
  for (let j = 0; j < count; j++) if (isUsed[j] === 1) used[found++] = j
  return used.subarray(0, found)
}

/** The coefficients that are not 0, as SUMS of ../memory/structures.ts lists them: by tile, group (these end at `ends`) and row. */
function listCoefficients(
  coefficients: Float64Array,
  total: number,
  chosen: Uint32Array,
  ends: Uint32Array,
  rows: number,
): { readonly ends: Uint32Array; readonly places: Uint32Array; readonly values: Float64Array } {
  const count = chosen.length
  let size = 0
  for (let k = 0; k < coefficients.length; k++) if (coefficients[k] !== 0) size++
  const places = new Uint32Array(size)
  const values = new Float64Array(size)
  // Every tile and every group begins at most one piece that is a group's share of a tile.
  const listEnds = new Uint32Array((Math.ceil(count / TILE) + ends.length) * rows)
  let [lists, entries] = [0, 0]
  for (let tile = 0, group = 0; tile < count; tile += TILE) {
    const end = Math.min(count, tile + TILE)
    for (let from = tile; from < end; ) {
      while (ends[group] <= from) group++
      const to = Math.min(end, ends[group])
      for (let r = 0; r < rows; r++) {
        for (let s = from; s < to; s++) {
          const value = coefficients[r * total + chosen[s]]
          if (value === 0) continue
          places[entries] = (s - tile) * QUERY_BYTES
          values[entries++] = value
        }
        listEnds[lists++] = entries
      }
      from = to
    }
  }
  return { ends: listEnds.subarray(0, lists), places, values }
}

/** Σ |c_j| of each sum. */
function sumWeights(coefficients: Float64Array, layout: SumLayout, count: number): Float64Array {
  const { rows, groupEnds, targets, outputs } = layout
  const weights = new Float64Array(outputs)
  for (let g = 0, from = 0; g < groupEnds.length; g++) {
    for (let r = 0; r < rows; r++) {
      const target = targets[g * rows + r]
      for (let j = from; j < groupEnds[g]; j++) weights[target] += Math.abs(coefficients[r * count + j])
    }
    from = groupEnds[g]
  }
  return weights
}
