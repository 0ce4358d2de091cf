/**
 * Σ_j c_j k(x_j, x_i) on the engine for the block solver: f32 kernel values where that will do, f64 where it must. With the
 * linear kernel the sum is ⟨w, x_i⟩, w = Σ_j c_j x_j: one product per sample instead of one for each j.
 */

import { allocate } from '../../base/allocate.ts'
import { KERNEL_VALUE_WORK } from '../../base/kernel-work.ts'
import { countUp } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { addRow, matrixTimes, weightedRowSum } from '../../data/matrix/products.ts'
import { type EngineMatrix, uploadQueries } from '../../engine/matrix/engine-matrix.ts'
import { kernelWork } from '../../engine/matrix/engine-worth.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import type { Due } from '../driver/pieces.ts'

/** Multiply-adds of a piece of work, in f32 and in f64: less than 0.1 s. Each piece packs its queries anew, and ends with idle threads. */
const PIECE_WORK = 5e8
const EXACT_PIECE_WORK = 3e7
/** Pieces are made of whole tasks of the engine. */
const PIECE_UNIT = 256

/** See the header of the file. */
export class GradientSums {
  /** Whether the kernel is linear. */
  readonly linear: boolean
  readonly engine: Engine
  private readonly dual: GeneralDual
  private readonly kernel: number
  private readonly samples: EngineMatrix
  private readonly coefficients: EngineArray<Float64Array>
  private readonly valueWork: number
  private readonly due: Due

  /** `samples` in the engine are those of the dual. */
  constructor(engine: Engine, dual: GeneralDual, kernel: number, samples: EngineMatrix, due: Due) {
    this.engine = engine
    this.dual = dual
    this.kernel = kernel
    this.samples = samples
    this.due = due
    this.linear = dual.kernel.spec.kind === 'linear'
    this.valueWork = samples.values.length / dual.target.length + KERNEL_VALUE_WORK
    this.coefficients = engine.array(Float64Array, dual.target.length)
  }

  /** vector[i] −= Σ_j (beta_j − before_j) k(x_j, x_i) for the first `length` rows of `columns`; `before` 0 if absent. */
  *subtract(
    columns: EngineMatrix,
    length: number,
    vector: EngineArray<Float64Array>,
    beta: Float64Array,
    before?: Float64Array,
  ): Pieces {
    const mark = this.engine.mark()
    const { list, count } = this.collect(beta, before)
    yield* this.subtractListed(columns, length, vector, list, this.coefficients, count)
    this.engine.release(mark)
  }

  /** vector[i] −= Σ coefficients[a] k(x_list[a], x_i) over `count` listed samples, for the first rows of `columns`. */
  *subtractListed(
    columns: EngineMatrix,
    length: number,
    vector: EngineArray<Float64Array>,
    list: EngineArray<Uint32Array>,
    coefficients: EngineArray<Float64Array>,
    count: number,
  ): Pieces {
    if (count === 0) return
    const { engine } = this
    const mark = engine.mark()
    const sum = this.linear ? this.weights(list, coefficients, count) : undefined
    const queries = sum ? 1 : count
    const piece = PIECE_UNIT * Math.ceil(PIECE_WORK / (PIECE_UNIT * queries * this.valueWork))
    for (let from = 0; from < length; from += piece) {
      engine.run({
        kind: 'accumulate',
        matrix: columns.pointer,
        kernel: this.kernel,
        from,
        to: Math.min(length, from + piece),
        queryMatrix: (sum ? sum.matrix : this.samples).pointer,
        queries: (sum ? sum.list : list).pointer,
        count: queries,
        coefficients: (sum ? sum.one : coefficients).pointer,
        vector: vector.pointer,
      })
      if (this.due()) yield
    }
    engine.release(mark)
  }

  /** w = Σ coefficients[a] x_list[a] as the only row of a matrix, in memory that the caller releases. */
  private weights(list: Uint32Array, coefficients: Float64Array, count: number) {
    const { engine, samples } = this
    const matrix = this.dual.samples as Matrix
    const values = allocate(Float64Array, matrix.cols)
    for (let a = 0; a < count; a++) addRow(matrix, list[a], coefficients[a], values)
    const row: Matrix = { kind: 'dense', rows: 1, cols: matrix.cols, values }
    return {
      matrix: uploadQueries(engine, row, 0, 1, samples),
      list: engine.array(Uint32Array, 1).fill(0) as EngineArray<Uint32Array>,
      one: engine.array(Float64Array, 1).fill(1) as EngineArray<Float64Array>,
    }
  }

  /** Kβ of all samples, in f64: through w when the kernel is linear. */
  *exactValues(beta: Float64Array): Pieces<Float64Array> {
    if (!this.linear) {
      const all = countUp(beta.length)
      const values = new Float64Array(all.length)
      const supportVectors = beta.reduce((count, b) => (b !== 0 ? count + 1 : count), 0)
      const work = kernelWork(supportVectors, beta.length, this.samples.values.length)
      const pieces = Math.ceil(work / EXACT_PIECE_WORK)
      const piece = PIECE_UNIT * Math.ceil(all.length / Math.max(1, pieces) / PIECE_UNIT)
      for (let from = 0; from < all.length; from += piece) {
        const some = all.subarray(from, from + piece)
        values.set(this.exactOf(some, some.length, beta), from)
        if (this.due()) yield
      }
      return values
    }
    const matrix = this.dual.samples as Matrix
    return matrixTimes(matrix, weightedRowSum(matrix, beta))
  }

  /** Kβ of `count` listed samples, in f64. */
  exactOf(samples: Uint32Array, count: number, beta: Float64Array): Float64Array {
    const { engine, coefficients } = this
    const mark = engine.mark()
    const support = this.collect(beta)
    const queries = engine.array(Uint32Array, count)
    queries.set(samples.subarray(0, count))
    const results = engine.array(Float64Array, count)
    engine.run({
      kind: 'exact',
      matrix: this.samples.pointer,
      kernel: this.kernel,
      samples: support.list.pointer,
      coefficients: coefficients.pointer,
      to: support.count,
      queryMatrix: this.samples.pointer,
      queries: queries.pointer,
      count,
      results: results.pointer,
    })
    const exact = results.slice()
    engine.release(mark)
    return exact
  }

  /** Lists the samples whose coefficient β_j − before_j is not 0, in memory that the caller releases. */
  private collect(beta: Float64Array, before?: Float64Array) {
    const list = this.engine.array(Uint32Array, beta.length)
    let count = 0
    for (let j = 0; j < beta.length; j++) {
      const coefficient = before ? beta[j] - before[j] : beta[j]
      if (coefficient === 0) continue
      this.coefficients[count] = coefficient
      list[count++] = j
    }
    return { list, count }
  }
}
