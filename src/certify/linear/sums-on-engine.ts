/**
 * What the certificate of a linear machine sums over values and rows, where the samples are on an engine: by primitives of its own
 * (assembly/certify/linear.ts), which give the same bits as the plain functions of ./machine-measures.ts, except for logarithms.
 */
import type { Matrix } from '../../data/matrix/matrix.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import type { EngineArray } from '../../engine/memory/engine.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'

/** v = Σ β_i x_i, Σ β_i, and Σ |β_i| ‖x̃_i‖. */
export interface Combination {
  readonly v: Float64Array
  readonly total: number
  readonly size: number
}

/** f(x_i) of every sample, and how far it may be off. */
export interface ValuesWithErrors {
  readonly f: Float64Array
  readonly errors: Float64Array
}

/** Sums over all samples, and the largest of some numbers. */
export interface RowSums {
  /** Σ L_i(f_i), and how far that may be off. */
  readonly losses: number
  readonly lossError: number
  /** Σ L_i*(β_i), and the sum of the sizes of its linear terms. */
  readonly linear: number
  readonly linearSize: number
  readonly maxViolation: number
  /** Of f_i. */
  readonly largestError: number
  readonly supportVectors: number
  readonly boundedSupportVectors: number
}

/** Where samples are; a kernel plays no part. */
export type RowsOnEngine = Pick<SamplesOnEngine, 'engine' | 'samples' | 'origin'>

/** See the functions of the same names in ./machine-measures.ts. Vectors are copied into the engine, and results out of it. */
export class SumsOnEngine {
  private readonly place: RowsOnEngine
  private readonly samples: Matrix

  constructor(place: RowsOnEngine, samples: Matrix) {
    this.place = place
    this.samples = samples
  }

  combination(beta: Float64Array, constant: number): Combination {
    const { samples, place } = this
    const { rows, cols } = samples
    const { engine } = place
    return this.within(() => {
      const v = engine.array(Float64Array, cols).fill(0) as EngineArray<Float64Array>
      const low = engine.array(Float64Array, cols).fill(0) as EngineArray<Float64Array>
      const sums = engine.array(Float64Array, 2)
      const [matrix, own] = [place.samples.pointer, engine.copy(beta).pointer]
      engine.exports.combination(matrix, constant, own, rows, v.pointer, low.pointer, sums.pointer)
      return { v: v.slice(), total: sums[0], size: sums[1] }
    })
  }

  valuesWithErrors(model: Float64Array): ValuesWithErrors {
    const { samples, place } = this
    const { engine } = place
    return this.within(() => {
      const f = engine.array(Float64Array, samples.rows)
      const errors = engine.array(Float64Array, samples.rows)
      const starts = samples.kind === 'sparse' ? engine.copy(samples.indptr).pointer : 0
      const [matrix, w] = [place.samples.pointer, engine.copy(model).pointer]
      engine.exports.valuesWithErrors(matrix, w, samples.rows, starts, f.pointer, errors.pointer)
      return { f: f.slice(), errors: errors.slice() }
    })
  }

  sumsOverRows(terms: LossTerms, { f, errors }: ValuesWithErrors, beta: Float64Array): RowSums {
    const { engine } = this.place
    const { z, lower, upper, shift, epsilon } = terms
    return this.within(() => {
      const copy = (vector: Float64Array) => engine.copy(vector).pointer
      const losses = engine.structure('LOSSES', {
        ...{ count: z.length, isLogistic: Number(terms.isLogistic) },
        ...{ z: copy(z), lower: copy(lower), upper: copy(upper), shift: copy(shift), epsilon },
      })
      const sums = engine.array(Float64Array, 8)
      engine.exports.sumsOverRows(losses, copy(f), copy(errors), copy(beta), sums.pointer)
      const [total, lossError, linear, linearSize, maxViolation, largestError, ...counts] = sums
      const [supportVectors, boundedSupportVectors] = counts
      return {
        ...{ losses: total, lossError, linear, linearSize, maxViolation, largestError },
        ...{ supportVectors, boundedSupportVectors },
      }
    })
  }

  /** Gives back the memory that the work takes. */
  private within<Result>(work: () => Result): Result {
    const { engine } = this.place
    const mark = engine.mark()
    const result = work()
    engine.release(mark)
    return result
  }
}
