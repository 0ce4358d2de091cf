import { originOf } from './lazy-rows.ts'
import { type Matrix, rowStart } from './matrix.ts'

/** Values of a row that tell it from others as a rule. All of them are read only of rows that are equal in these. */
const TELLING = 16
/** Multiples of it, modulo 1, lie evenly between 0 and 1. */
const GOLDEN_RATIO = 0.6180339887498949

/** For each listed row of a matrix the place in the list of the first one that is equal to it: its own if there is none. */
export function firstEqualRows(matrix: Matrix, list: Uint32Array): Uint32Array {
  const origin = originOf(matrix)
  if (origin)
    return firstEqualRows(
      origin.matrix,
      list.map((row) => origin.chosen[row]),
    )
  const few = placesByHash(matrix, list, rowHashes(matrix, list, TELLING), list.length)
  if (few) return few
  const all = rowHashes(matrix, list, Number.POSITIVE_INFINITY)
  return placesByHash(matrix, list, all, Number.POSITIVE_INFINITY) as Uint32Array
}

/** The same, by hashes of the rows; undefined when more than `mostErrors` rows were compared that are not equal. */
function placesByHash(
  matrix: Matrix,
  list: Uint32Array,
  hashes: Int32Array,
  mostErrors: number,
): Uint32Array | undefined {
  // Open addressing in a table at most half full; entries are places in the list, counted from 1.
  const mask = 2 ** Math.ceil(Math.log2(2 * list.length + 1)) - 1
  const table = new Uint32Array(mask + 1)
  const places = new Uint32Array(list.length)
  let errors = 0
  for (let place = 0; place < list.length; place++) {
    const hash = hashes[place]
    let at = hash & mask
    for (; table[at] !== 0; at = (at + 1) & mask) {
      const other = table[at] - 1
      if (hashes[other] !== hash) continue
      if (areEqualRows(matrix, list[place], list[other])) break
      if (++errors > mostErrors) return undefined
    }
    if (table[at] === 0) table[at] = place + 1
    places[place] = table[at] - 1
  }
  return places
}

/** Hashes of rows, of `most` values each: where a row has more, of some all over it, in no pattern that columns could have. */
function rowHashes(matrix: Matrix, list: Uint32Array, most: number): Int32Array {
  const { values } = matrix
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)
  const indices = matrix.kind === 'sparse' ? matrix.indices : undefined
  const hashes = new Int32Array(list.length)
  for (let place = 0; place < list.length; place++) {
    const start = rowStart(matrix, list[place])
    const length = rowStart(matrix, list[place] + 1) - start
    const count = Math.min(length, most)
    let hash = length
    for (let j = 0; j < count; j++) {
      const k = start + (count === length ? j : Math.floor(((j * GOLDEN_RATIO) % 1) * length))
      hash = Math.imul(hash ^ words[2 * k] ^ (hash >>> 15), 0x85ebca6b)
      hash = Math.imul(hash ^ words[2 * k + 1] ^ (indices ? indices[k] : 0), 0x9e3779b1)
    }
    hashes[place] = hash ^ (hash >>> 16)
  }
  return hashes
}

/** Whether two rows of a matrix hold the same values. */
export function areEqualRows(matrix: Matrix, a: number, b: number): boolean {
  const { values } = matrix
  const from = rowStart(matrix, a)
  const other = rowStart(matrix, b)
  const length = rowStart(matrix, a + 1) - from
  if (rowStart(matrix, b + 1) - other !== length) return false
  for (let k = 0; k < length; k++) {
    if (values[from + k] !== values[other + k]) return false
    if (matrix.kind === 'sparse' && matrix.indices[from + k] !== matrix.indices[other + k]) return false
  }
  return true
}
