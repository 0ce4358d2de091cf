/**
 * P and N (./row-values.ts) of the first rows of a matrix on an engine, or of all, from f32 kernel values. The sums are f64, so that later
 * coefficients need only what has changed since.
 */
import type { Pieces } from '../base/pieces.ts'
import type { SamplesOnEngine } from '../engine/matrix/samples-on-engine.ts'
import { QUERIES } from '../engine/memory/structures.ts'

/** Kernel values between two pauses: some tens of milliseconds. Shorter jobs leave threads idle at their ends. */
export const VALUES_PER_PIECE = 3e7

/** See the header of the file. */
export class RoundedSums {
  /** The row of the matrix that each sample has; undefined where that is its own. */
  readonly rowOf: Uint32Array | undefined
  readonly plus: Float64Array
  readonly minus: Float64Array
  /** How many rows may have a coefficient. */
  private readonly terms: number
  /** The coefficients of each row that are in either sum, once there are any: the positive and the negative ones. */
  private readonly added: [plus?: Float64Array, minus?: Float64Array] = []

  /** Sums for this many rows, with terms of as many as may have a coefficient. */
  constructor(rowOf: Uint32Array | undefined, rows: number, terms: number) {
    this.rowOf = rowOf
    this.plus = new Float64Array(rows)
    this.minus = new Float64Array(rows)
    this.terms = terms
  }

  /** Makes the sums those over the samples `support`: adds what has changed. */
  *bringTo(
    { engine, kernelPointer, samples, kept }: SamplesOnEngine,
    support: Uint32Array,
    coefficients: Float64Array,
  ): Pieces {
    const { rowOf, added, terms } = this
    const rows = this.plus.length
    const wanted = [new Float64Array(terms), new Float64Array(terms)]
    addSizes(support, coefficients, rowOf, wanted)
    const mark = engine.mark()
    // Kept rows have a value for every row of the matrix.
    const vector = engine.array(Float64Array, Math.max(rows, samples.norms.length) + 8)
    const queries = engine.array(Uint32Array, terms)
    const changes = engine.array(Float64Array, terms)
    const piece = kept ? kept.atATime : QUERIES * Math.ceil(VALUES_PER_PIECE / (QUERIES * rows))
    for (const [side, sum] of [this.plus, this.minus].entries()) {
      const target = wanted[side]
      const before = added[side]
      const count = listChanges(target, before, queries, changes)
      if (before) negate(sum, vector)
      else vector.fill(0)
      for (let from = 0; from < count; from += piece) {
        const part = Math.min(piece, count - from)
        const some = engine.view(Uint32Array, queries.pointer + 4 * from, part)
        const factors = engine.view(Float64Array, changes.pointer + 8 * from, part)
        if (kept) kept.subtract(vector, some, factors, part)
        else {
          engine.run({
            kind: 'accumulate',
            matrix: samples.pointer,
            kernel: kernelPointer,
            from: 0,
            to: rows,
            queryMatrix: samples.pointer,
            queries: some.pointer,
            count: part,
            coefficients: factors.pointer,
            vector: vector.pointer,
          })
        }
        yield
      }
      negate(vector, sum)
      added[side] = target
    }
    engine.release(mark)
  }
}

/*
 * The loops over all rows are functions of their own: where they stand in a generator, the optimising compiler takes all of that
 * with each of them, which costs more than they do.
 */

/** Adds the sizes of positive and of negative coefficients to those of the rows that they belong to. */
function addSizes(
  support: Uint32Array,
  coefficients: Float64Array,
  rowOf: Uint32Array | undefined,
  [positive, negative]: readonly Float64Array[],
): void {
  for (let k = 0; k < support.length; k++) {
    const j = support[k]
    const c = coefficients[j]
    const sizes = c > 0 ? positive : negative
    sizes[rowOf ? rowOf[j] : j] += Math.abs(c)
  }
}

/** Lists the places where two lists differ and by how much; returns their number. */
function listChanges(
  target: Float64Array,
  before: Float64Array | undefined,
  places: Uint32Array,
  changes: Float64Array,
): number {
  let count = 0
  for (let j = 0; j < target.length; j++) {
    const change = before ? target[j] - before[j] : target[j]
    if (change === 0) continue
    places[count] = j
    changes[count++] = change
  }
  return count
}

/** to_i = −from_i for as many as both have. */
function negate(from: Float64Array, to: Float64Array): void {
  const count = Math.min(from.length, to.length)
  for (let i = 0; i < count; i++) to[i] = -from[i]
}
