/** Rows of samples into a matrix whose rows or columns come in another order; a piece of them at a time is copied into the memory. */
import * as at from '../structures'

/** Where the rows of a sparse matrix begin, when row i of these, of starts[i + 1] − starts[i] values, is to be row places[i]. */
export function layOutRows(matrix: usize, starts: usize, places: usize, count: u32): void {
  const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR)
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    const length = load<u32>(starts + i, 4) - load<u32>(starts + i)
    store<u32>(indptr + (<usize>load<u32>(places + i) << 2), length, 4)
  }
  store<u32>(indptr, 0)
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    store<u32>(indptr + i, load<u32>(indptr + i) + load<u32>(indptr + i, 4), 4)
  }
}

/**
 * Writes the f64 values of some rows, and their columns where the matrix is sparse. Row i of them begins at value starts[i] − starts[0] of
 * `values`, or, where `starts` is 0, is as long as the others. `places` are the rows that they become. `columns` belong to the values, 0
 * where rows have all. Column j becomes moved[j], unless that is 0.
 */
export function placeRows(
  matrix: usize,
  count: u32,
  places: usize,
  starts: usize,
  width: u32,
  columns: usize,
  values: usize,
  moved: usize,
): void {
  const begin = starts ? load<u32>(starts) : 0
  for (let i: u32 = 0; i < count; i++) {
    const own = <usize>i << 2
    const from = starts ? load<u32>(starts + own) - begin : i * width
    const length = starts ? load<u32>(starts + own, 4) - begin - from : width
    const place = load<u32>(places + own)
    const valuesOfRow = values + (<usize>from << 3)
    const columnsOfRow = columns ? columns + (<usize>from << 2) : 0
    if (load<u32>(matrix, at.MATRIX_DENSE)) placeDense(matrix, place, length, columnsOfRow, valuesOfRow, moved)
    else {
      const to = <usize>load<u32>(<usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>place << 2))
      memory.copy(<usize>load<u32>(matrix, at.MATRIX_EXACT) + (to << 3), valuesOfRow, <usize>length << 3)
      memory.copy(<usize>load<u32>(matrix, at.MATRIX_OFFSETS) + (to << 2), columnsOfRow, <usize>length << 2)
    }
  }
}

function placeDense(matrix: usize, row: u32, length: u32, columns: usize, values: usize, moved: usize): void {
  const cols = <usize>load<u32>(matrix, at.MATRIX_COLS)
  const out = <usize>load<u32>(matrix, at.MATRIX_EXACT) + ((<usize>row * cols) << 3)
  if (!moved && length == <u32>cols) {
    memory.copy(out, values, cols << 3)
    return
  }
  memory.fill(out, 0, cols << 3)
  for (let k: usize = 0; k < <usize>length; k++) {
    const value = load<f64>(values + (k << 3))
    // A column without values has no place.
    if (value == 0) continue
    const column = columns ? <usize>load<u32>(columns + (k << 2)) : k
    store<f64>(out + ((moved ? <usize>load<u32>(moved + (column << 2)) : column) << 3), value)
  }
}
