/** Rows of a matrix copied next to each other: the samples of a working set, or of the variables that are active. */
import * as at from '../structures'
import { FLOATING } from '../structures'

/**
 * Makes the matrix `target` hold the rows of `source` that `chosen` lists (u32, `count` of them), in that order: norms, and
 * entries where both have some (the 0th end of the target tells where they go), else f32 values; and where they came from.
 */
export function gatherRows(source: usize, chosen: usize, count: i32, target: usize): void {
  const end = chosen + (<usize>count << 2)
  store<u32>(target, <u32>source, at.MATRIX_ORIGIN)
  memory.copy(load<u32>(target, at.MATRIX_ORIGIN_ROWS), chosen, <usize>count << 2)
  const norms = <usize>load<u32>(source, at.MATRIX_NORMS)
  let toNorm = <usize>load<u32>(target, at.MATRIX_NORMS)
  for (let at = chosen; at < end; at += 4, toNorm += 4) {
    store<f32>(toNorm, load<f32>(norms + (<usize>load<u32>(at) << 2)))
  }
  if (load<u32>(source, at.MATRIX_FORM) != FLOATING && load<u32>(target, at.MATRIX_FORM) != FLOATING) {
    gatherEntries(load<u32>(source, at.MATRIX_ENTRY_ENDS), chosen, end, load<u32>(target, at.MATRIX_ENTRY_ENDS))
  } else if (load<u32>(source, at.MATRIX_DENSE)) gatherDense(source, chosen, end, target)
  else gatherSparse(source, chosen, end, target)
}

function gatherEntries(ends: usize, chosen: usize, end: usize, toEnds: usize): void {
  let to = <usize>load<u32>(toEnds)
  for (let at = chosen; at < end; at += 4) {
    const row = ends + (<usize>load<u32>(at) << 2)
    const from = <usize>load<u32>(row)
    const bytes = <usize>load<u32>(row, 4) - from
    memory.copy(to, from, bytes)
    to += bytes
    toEnds += 4
    store<u32>(toEnds, <u32>to)
  }
}

function gatherDense(source: usize, chosen: usize, end: usize, target: usize): void {
  const values = <usize>load<u32>(source, at.MATRIX_VALUES)
  const bytes = <usize>load<u32>(source, at.MATRIX_COLS) << 2
  let to = <usize>load<u32>(target, at.MATRIX_VALUES)
  for (let at = chosen; at < end; at += 4, to += bytes) {
    memory.copy(to, values + <usize>load<u32>(at) * bytes, bytes)
  }
}

function gatherSparse(source: usize, chosen: usize, end: usize, target: usize): void {
  const indptr = <usize>load<u32>(source, at.MATRIX_INDPTR)
  const values = <usize>load<u32>(source, at.MATRIX_VALUES)
  const offsets = <usize>load<u32>(source, at.MATRIX_OFFSETS)
  const toValues = <usize>load<u32>(target, at.MATRIX_VALUES)
  const toOffsets = <usize>load<u32>(target, at.MATRIX_OFFSETS)
  let toIndptr = <usize>load<u32>(target, at.MATRIX_INDPTR)
  let filled: usize = 0
  store<u32>(toIndptr, 0)
  for (let at = chosen; at < end; at += 4) {
    const row = indptr + (<usize>load<u32>(at) << 2)
    const from = <usize>load<u32>(row) << 2
    const bytes = (<usize>load<u32>(row, 4) << 2) - from
    memory.copy(toValues + filled, values + from, bytes)
    memory.copy(toOffsets + filled, offsets + from, bytes)
    filled += bytes
    toIndptr += 4
    store<u32>(toIndptr, <u32>(filled >> 2))
  }
}
