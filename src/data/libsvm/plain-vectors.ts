/** Lines that begin with several numbers each, as those of support vectors do, by the reader of plain lines. */
import { Blocks } from '../matrix/column-blocks.ts'
import type { SparseMatrix } from '../matrix/matrix.ts'
import { plainLineReader } from './plain-lines.ts'

/**
 * Reads lines, which begin with `count` numbers each and have indices from 1 up to `most`; the numbers go to `numbers`, [number][line].
 * Undefined where a line is not plain.
 */
export type PlainVectorReader = (
  lines: readonly string[],
  count: number,
  most: number,
  numbers: Float64Array,
) => SparseMatrix | undefined

/** A {@link PlainVectorReader}: the engine's where it is installed. */
export const plainVectors: PlainVectorReader = (lines, count, most, numbers) => {
  const text = new TextEncoder().encode(`${lines.join('\n')}\n`)
  const rules = { least: 1, most, threads: Number.POSITIVE_INFINITY, labelCount: count }
  const indptr = new Uint32Array(lines.length + 1)
  const indices = new Blocks(Uint32Array)
  const values = new Blocks(Float64Array)
  let rows = 0
  let stored = 0
  let cols = 0
  let isPlain = true
  plainLineReader.current(text, 0, text.length, rules, (_from, _to, plain) => {
    isPlain = isPlain && plain !== undefined && rows + plain.rowEnds.length <= lines.length
    if (!isPlain || !plain) return
    const { labels, rowEnds } = plain
    for (let r = 0; r < rowEnds.length; r++, rows++) {
      indptr[rows + 1] = stored + rowEnds[r]
      for (let c = 0; c < count; c++) numbers[c * lines.length + rows] = labels[r * count + c]
    }
    indices.append(plain.indices)
    values.append(plain.values)
    stored += plain.values.length
    cols = Math.max(cols, plain.largest)
  })
  if (!isPlain || rows < lines.length) return undefined
  return { kind: 'sparse', rows, cols, indptr, indices: indices.join(), values: values.join() }
}
