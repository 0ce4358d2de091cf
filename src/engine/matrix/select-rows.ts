import type { Engine } from '../memory/engine.ts'
import { type EngineMatrix, makeMatrix } from './engine-matrix.ts'
import { joinIntegers } from './integer-matrix.ts'

/** Rows from <= i < to. */
export type RowRange = readonly [from: number, to: number]

/** A copy of some ranges of rows, one after the other, with everything that `source` has. */
export function joinRanges(engine: Engine, source: EngineMatrix, ranges: readonly RowRange[]): EngineMatrix {
  const { dense, cols, indptr, integers, positions, centre, longest } = source
  const begin = (row: number) => (dense ? row * cols : indptr[row])
  const sum = (length: (range: RowRange) => number) => ranges.reduce((all, range) => all + length(range), 0)
  const rows = sum(([from, to]) => to - from)
  const nonZeros = sum(([from, to]) => begin(to) - begin(from))
  const target = makeMatrix(engine, { dense, rows, cols, nonZeros, longest }, 'both')
  let row = 0
  let at = 0
  if (!dense) target.indptr[0] = 0
  for (const [from, to] of ranges) {
    const start = begin(from)
    const end = begin(to)
    target.norms.set(source.norms.subarray(from, to), row)
    target.exactNorms.set(source.exactNorms.subarray(from, to), row)
    target.values.set(source.values.subarray(start, end), at)
    target.exact.set(source.exact.subarray(start, end), at)
    if (!dense) {
      target.offsets.set(source.offsets.subarray(start, end), at)
      for (let i = from; i < to; i++) target.indptr[row + i - from + 1] = indptr[i + 1] - start + at
    }
    row += to - from
    at += end - start
  }
  const joined = { ...target, positions, centre }
  return integers ? { ...joined, integers: joinIntegers(engine, target.pointer, integers, ranges) } : joined
}
