/**
 * What the certificate of a linear machine sums over values and rows, where the samples are on an engine: by primitives of its own
 * (assembly/certify/linear.ts), which give the same bits as the plain functions of ./machine-measures.ts, except for logarithms.
 */
import { storedValues } from '../../data/matrix/matrix.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import type { EngineArray } from '../../engine/memory/engine.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import { type LinearMachineProblem, termsOf } from '../../problems/linear-problem.ts'

/**
 * Values of samples per call of a primitive: about a tenth of a millisecond. V8 begins a function in code that is made quickly and runs
 * slowly, and changes to better code from one call to the next, never within one.
 */
const VALUES_PER_CALL = 2 ** 14

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

/** The sums of a dual point and a model of one machine. */
export interface MachineSums {
  readonly terms: LossTerms
  combination(): Combination
  valuesWithErrors(model: Float64Array): ValuesWithErrors
  /** For the dual point `part` · β. */
  sumsOverRows(values: ValuesWithErrors, part: number): RowSums
}

/** See the functions of the same names in ./machine-measures.ts. All vectors over samples stay in the engine until `release`. */
export class SumsOnEngine implements MachineSums {
  readonly terms: LossTerms
  private readonly place: RowsOnEngine
  private readonly problem: LinearMachineProblem
  private readonly beta: number
  private readonly mark: number

  constructor(place: RowsOnEngine, problem: LinearMachineProblem, beta: Float64Array) {
    const { engine } = place
    this.place = place
    this.problem = problem
    this.mark = engine.mark()
    this.terms = termsOf(problem, engine)
    this.beta = engine.copy(beta).pointer
  }

  combination(): Combination {
    const { samples, constant } = this.problem
    const { engine, samples: uploaded } = this.place
    const [v, low, sums] = [samples.cols, samples.cols, 3].map((length) => this.zeros(length))
    this.overRows((from, to) =>
      engine.exports.combination(
        ...([uploaded.pointer, constant, this.beta, from, to] as const),
        ...([v.pointer, low.pointer, sums.pointer] as const),
      ),
    )
    for (let j = 0; j < v.length; j++) v[j] += low[j]
    const [total, rest, size] = sums
    return { v, total: total + rest, size }
  }

  valuesWithErrors(model: Float64Array): ValuesWithErrors {
    const { samples } = this.problem
    const { engine, samples: uploaded } = this.place
    const f = engine.array(Float64Array, samples.rows)
    const errors = engine.array(Float64Array, samples.rows)
    const starts = samples.kind === 'sparse' ? engine.copy(samples.indptr).pointer : 0
    const w = engine.copy(model).pointer
    this.overRows((from, to) =>
      engine.exports.valuesWithErrors(uploaded.pointer, w, starts, from, to, f.pointer, errors.pointer),
    )
    return { f, errors }
  }

  sumsOverRows({ f, errors }: ValuesWithErrors, part: number): RowSums {
    const { engine } = this.place
    const { z, lower, upper, shift, epsilon, isLogistic } = this.terms
    const losses = engine.structure('LOSSES', {
      ...{ count: z.length, isLogistic: Number(isLogistic) },
      ...{ z: at(z), lower: at(lower), upper: at(upper), shift: at(shift), epsilon },
    })
    const sums = this.zeros(8)
    this.overRows((from, to) =>
      engine.exports.sumsOverRows(losses, at(f), at(errors), this.beta, part, from, to, sums.pointer),
    )
    const [total, lossError, linear, linearSize, maxViolation, largestError, ...counts] = sums
    const [supportVectors, boundedSupportVectors] = counts
    return {
      ...{ losses: total, lossError, linear, linearSize, maxViolation, largestError },
      ...{ supportVectors, boundedSupportVectors },
    }
  }

  private zeros(length: number): EngineArray<Float64Array> {
    return this.place.engine.array(Float64Array, length).fill(0) as EngineArray<Float64Array>
  }

  /** All rows in their order, {@link VALUES_PER_CALL} at a time; an even number of rows, of which the logistic loss takes two together. */
  private overRows(add: (from: number, to: number) => void): void {
    const { samples } = this.problem
    const { rows } = samples
    const pairs = Math.ceil((VALUES_PER_CALL * rows) / (2 * (storedValues(samples) + rows)))
    for (let from = 0; from < rows; from += 2 * pairs) add(from, Math.min(rows, from + 2 * pairs))
  }

  /** Gives back the memory of all vectors. */
  release(): void {
    this.place.engine.release(this.mark)
  }
}

function at(vector: Float64Array): number {
  return (vector as EngineArray<Float64Array>).pointer
}
