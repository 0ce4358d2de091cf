import { originOf } from './lazy-rows.ts'
import { type Matrix, rowStart } from './matrix.ts'

/** For each listed row of a matrix the place in the list of the first one that is equal to it: its own if there is none. */
export function firstEqualRows(matrix: Matrix, list: Uint32Array): Uint32Array {
  const origin = originOf(matrix)
  if (origin)
    return firstEqualRows(
      origin.matrix,
      list.map((row) => origin.chosen[row]),
    )
  // Open addressing in a table at most half full; entries are places in the list, counted from 1.
  const mask = 2 ** Math.ceil(Math.log2(2 * list.length + 1)) - 1
  const table = new Uint32Array(mask + 1)
  const hashes = rowHashes(matrix, list)
  const places = new Uint32Array(list.length)
  for (let place = 0; place < list.length; place++) {
    const hash = hashes[place]
    let at = hash & mask
    for (; table[at] !== 0; at = (at + 1) & mask) {
      const other = table[at] - 1
      if (hashes[other] === hash && areEqualRows(matrix, list[place], list[other])) break
    }
    if (table[at] === 0) table[at] = place + 1
    places[place] = table[at] - 1
  }
  return places
}

function rowHashes(matrix: Matrix, list: Uint32Array): Int32Array {
  const { values } = matrix
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)
  const indices = matrix.kind === 'sparse' ? matrix.indices : undefined
  const hashes = new Int32Array(list.length)
  for (let place = 0; place < list.length; place++) {
    const end = rowStart(matrix, list[place] + 1)
    let hash = 0
    for (let k = rowStart(matrix, list[place]); k < end; k++) {
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
