import { countUp } from '../../base/lists.ts'
import { type Matrix, rowStart, selectRows } from '../../data/matrix/matrix.ts'
import { type EngineMatrix, fillSparse, type PlaceRows } from './engine-matrix.ts'

/** Values that are handed to the engine at a time, with their columns 384 KB: it stays in the processor's cache. */
const PIECE = 2 ** 15

/**
 * Copies values into the engine so that row i becomes row places[i]. Values cross a piece at a time, and the engine puts them where they
 * belong: here, a loop over them would take longer than it takes V8 to compile it.
 */
export function rowsTo(places: Uint32Array): PlaceRows {
  return (matrix, target, positions) => {
    if (isPlain(matrix, target)) placeRows(matrix, target, positions, places)
    else fillSparse(selectRows(matrix, inverseOf(places)), 0, matrix.rows, target)
  }
}

/** Copies values in the same way, row i to row i. */
export const rowsInOrder: PlaceRows = (matrix, target, positions) => {
  if (isPlain(matrix, target)) placeRows(matrix, target, positions, countUp(matrix.rows))
  else fillSparse(matrix, 0, matrix.rows, target)
}

/** Zeros among the values of sparse rows, and dense rows that become sparse, are rare. */
function isPlain(matrix: Matrix, target: EngineMatrix): boolean {
  return target.dense || (matrix.kind === 'sparse' && matrix.values.length === target.exact.length)
}

function inverseOf(places: Uint32Array): Uint32Array {
  const inverse = new Uint32Array(places.length)
  for (let i = 0; i < places.length; i++) inverse[places[i]] = i
  return inverse
}

function placeRows(
  matrix: Matrix,
  target: EngineMatrix,
  positions: Uint32Array | undefined,
  places: Uint32Array,
): void {
  const { rows, cols, values } = matrix
  const { engine, pointer, dense } = target
  const mark = engine.mark()
  const upload = (list: Uint32Array): number => {
    const array = engine.array(Uint32Array, list.length)
    array.set(list)
    return array.pointer
  }
  const isSparse = matrix.kind === 'sparse'
  const starts = isSparse ? upload(matrix.indptr) : 0
  const placesThere = upload(places)
  const moved = positions ? upload(positions) : 0
  if (!dense) engine.exports.layOutRows(pointer, starts, placesThere, rows)
  let room = engine.array(Float64Array, 0)
  let columns = engine.array(Uint32Array, 0)
  let to = 0
  for (let from = 0; from < rows; from = to) {
    const first = rowStart(matrix, from)
    to = lastRow(matrix, from)
    const last = rowStart(matrix, to)
    if (last - first > room.length) {
      room = engine.array(Float64Array, Math.max(PIECE, last - first))
      if (isSparse) columns = engine.array(Uint32Array, room.length)
    }
    room.set(values.subarray(first, last))
    if (isSparse) columns.set(matrix.indices.subarray(first, last))
    engine.exports.placeRows(
      pointer,
      to - from,
      placesThere + 4 * from,
      starts && starts + 4 * from,
      cols,
      isSparse ? columns.pointer : 0,
      room.pointer,
      moved,
    )
  }
  engine.release(mark)
}

/** The row before which a piece that begins with a row ends: as many as fit, one at least. */
function lastRow(matrix: Matrix, from: number): number {
  const most = rowStart(matrix, from) + PIECE
  let low = from + 1
  let high = matrix.rows
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (rowStart(matrix, middle) <= most) low = middle
    else high = middle - 1
  }
  return low
}
