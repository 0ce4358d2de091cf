/**
 * Tables of finite state entropy, of which Zstandard data are made (RFC 8878, 4.1). A state stands for a symbol; which state
 * follows depends on some bits.
 */
import type { ByteCursor } from './byte-cursor.ts'

/** See the head of the file. */
export interface FseTable {
  /** log2 of the number of states. */
  readonly log: number
  readonly symbols: Uint8Array
  /** Bits that the next state takes, and what is added to them. */
  readonly bits: Uint8Array
  readonly bases: Uint16Array
}

/** The table of symbols that occur `counts` times among 2^log states; -1 stands for less than once. */
export function fseTable(counts: readonly number[], log: number): FseTable {
  const size = 1 << log
  const symbols = new Uint8Array(size)
  const next = new Uint16Array(counts.length)
  let high = size - 1
  counts.forEach((count, symbol) => {
    if (count === -1) symbols[high--] = symbol
    next[symbol] = Math.abs(count)
  })
  const step = (size >> 1) + (size >> 3) + 3
  let at = 0
  counts.forEach((count, symbol) => {
    for (let k = 0; k < count; k++) {
      symbols[at] = symbol
      do at = (at + step) & (size - 1)
      while (at > high)
    }
  })
  const bits = new Uint8Array(size)
  const bases = new Uint16Array(size)
  for (let state = 0; state < size; state++) {
    const number = next[symbols[state]]++
    bits[state] = log - (31 - Math.clz32(number))
    bases[state] = (number << bits[state]) - size
  }
  return { log, symbols, bits, bases }
}

/** Reads counts, of at most `mostSymbols` symbols and 2^mostLog states, and makes the table. */
export function readFseTable(cursor: ByteCursor, mostSymbols: number, mostLog: number): FseTable {
  const { bytes, at: start, end } = cursor
  let bit = 0
  const read = (count: number): number => {
    let value = 0
    for (let k = 0; k < count; k++, bit++) {
      const byte = start + (bit >> 3)
      // Behind the end are zeros: the last number may look at more bits than it takes.
      if (byte < end) value |= ((bytes[byte] >> (bit & 7)) & 1) << k
    }
    return value
  }
  const log = 5 + read(4)
  if (log > mostLog) throw new Error(`Zstandard: a table of 2^${log} states`)
  const counts: number[] = []
  let left = (1 << log) + 1
  while (left > 1) {
    if (counts.length >= mostSymbols || bit > 8 * (end - start))
      throw new Error('Zstandard: a table has too many symbols')
    const width = 32 - Math.clz32(left)
    const spare = (1 << width) - 1 - left
    const low = read(width - 1)
    let value = low
    if (low >= spare) {
      value |= read(1) << (width - 1)
      if (value >= 1 << (width - 1)) value -= spare
    }
    const count = value - 1
    counts.push(count)
    left -= Math.abs(count)
    if (count !== 0) continue
    for (let zeros = 3; zeros === 3; ) {
      zeros = read(2)
      for (let k = 0; k < zeros; k++) counts.push(0)
      if (counts.length > mostSymbols) throw new Error('Zstandard: a table has too many symbols')
    }
  }
  if (left !== 1) throw new Error('Zstandard: the counts of a table do not add up')
  cursor.skip((bit + 7) >> 3)
  return fseTable(counts, log)
}

/** Reads bits from the last byte back to the first; the highest bit that is set ends them. */
export class BackwardBits {
  private readonly bytes: Uint8Array
  private readonly start: number
  /** Position of the next bit below which there is more, counted from `start`. */
  private at: number

  constructor({ bytes, at, end }: ByteCursor) {
    const last = end > at ? bytes[end - 1] : 0
    if (last === 0) throw new Error('Zstandard: bits do not end')
    this.bytes = bytes
    this.start = at
    this.at = 8 * (end - at - 1) + 31 - Math.clz32(last)
  }

  /** Bits that are left; below zero when more were read than there are. */
  get left(): number {
    return this.at
  }

  /** The next bits, up to 32, as a number; zeros where none are left. */
  read(count: number): number {
    this.at -= count
    let { at } = this
    const { bytes, start } = this
    if (at >= 0 && count <= 24) {
      const k = start + (at >> 3)
      const word = bytes[k] | (bytes[k + 1] << 8) | (bytes[k + 2] << 16) | (bytes[k + 3] << 24)
      return (word >>> (at & 7)) & ((1 << count) - 1)
    }
    let value = 0
    let have = 0
    while (have < count) {
      const byte = at < 0 ? 0 : bytes[start + (at >> 3)]
      const shift = at & 7
      const take = Math.min(8 - shift, count - have)
      value += ((byte >> shift) & ((1 << take) - 1)) * 2 ** have
      have += take
      at += take
    }
    return value
  }
}
