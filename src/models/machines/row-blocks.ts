import { isMatrix, rowsBetween } from '../../data/matrix/matrix.ts'
import { type Samples, sampleCount } from '../../data/table/dataset.ts'
import type { Visit } from './machine.ts'

/** Values that are held at a time: 32 MB of them. */
const MOST_VALUES = 4e6
/** But never fewer rows than the engine takes together. */
const FEWEST_ROWS = 16

/** Rows of a set of samples, the first of which is row `from`. */
export interface RowBlock<S> {
  readonly from: number
  readonly rows: Samples<S>
}

/** Samples in blocks whose values, so many per row, take little memory; all in one where they do together. */
export function* rowBlocks<S>(samples: Samples<S>, outputs: number): Generator<RowBlock<S>> {
  const count = sampleCount(samples)
  const step = Math.max(FEWEST_ROWS, Math.floor(MOST_VALUES / outputs))
  if (count <= step) yield { from: 0, rows: samples }
  else
    for (let from = 0; from < count; from += step) yield { from, rows: someRows(samples, from, from + step) }
}

/** Rows from <= i < to, or as many of them as there are. */
export function someRows<S>(samples: Samples<S>, from: number, to: number): Samples<S> {
  return isMatrix(samples)
    ? (rowsBetween(samples, from, Math.min(to, samples.rows)) as Samples<S>)
    : samples.slice(from, to)
}

/** The values of all blocks, one after the other; `each` visits them. */
export function joinBlocks(length: number, each: (visit: Visit) => void): Float64Array {
  let joined: Float64Array | undefined
  let at = 0
  each((values) => {
    if (values.length === length) joined = values
    else {
      joined ??= new Float64Array(length)
      joined.set(values, at)
      at += values.length
    }
  })
  return joined ?? new Float64Array(length)
}
