/** The literal bytes of a Zstandard block (RFC 8878, 3.1.1.3.1 and 4.2): as they are, one byte many times, or Huffman-coded. */
import { ByteCursor } from './byte-cursor.ts'
import { BackwardBits, readFseTable } from './fse-table.ts'

const longestCode = 11
const mostWeights = 255
/** Weights go up to the longest code. */
const weightSymbols = longestCode + 1
const weightLog = 6
/** No block holds more: 128 KiB. */
const mostLiterals = 1 << 17

/** A prefix code by the bits that are read: what they begin with, and how many of them it takes. */
export interface HuffmanTable {
  readonly log: number
  readonly symbols: Uint8Array
  readonly bits: Uint8Array
}

/** Reads the literals; `before` is the code of an earlier block, which they may use again. Returns the code they use, too. */
export function readLiterals(
  cursor: ByteCursor,
  before: HuffmanTable | undefined,
): { readonly literals: Uint8Array; readonly code: HuffmanTable | undefined } {
  const head = cursor.byte()
  const kind = head & 3
  const format = (head >> 2) & 3
  if (kind < 2) {
    const size =
      format === 1
        ? (head >> 4) + (cursor.byte() << 4)
        : format === 3
          ? (head >> 4) + longSize(cursor)
          : head >> 3
    if (size > mostLiterals) throw new Error(`Zstandard: ${size} literals in a block`)
    if (kind === 1) return { literals: new Uint8Array(size).fill(cursor.byte()), code: before }
    cursor.skip(size)
    return { literals: cursor.bytes.subarray(cursor.at - size, cursor.at), code: before }
  }
  const width = format < 2 ? 10 : format === 2 ? 14 : 18
  let sizes = head >> 4
  for (let bits = 4; bits < 2 * width; bits += 8) sizes += cursor.byte() * 2 ** bits
  const size = sizes % 2 ** width
  const length = Math.floor(sizes / 2 ** width)
  if (size > mostLiterals) throw new Error(`Zstandard: ${size} literals in a block`)
  cursor.skip(length)
  const packed = new ByteCursor(cursor.bytes, cursor.at - length, cursor.at)
  const code = kind === 2 ? readCode(packed) : before
  if (!code) throw new Error('Zstandard: a code is used again that was never given')
  const literals = new Uint8Array(size)
  if (format === 0) readStream(packed, packed.left, code, literals)
  else readFourStreams(packed, code, literals)
  return { literals, code }
}

function longSize(cursor: ByteCursor): number {
  return (cursor.byte() << 4) + (cursor.byte() << 12)
}

function readFourStreams(packed: ByteCursor, code: HuffmanTable, literals: Uint8Array): void {
  const lengths = Array.from({ length: 3 }, () => packed.byte() + (packed.byte() << 8))
  const part = (literals.length + 3) >> 2
  if (3 * part > literals.length) throw new Error('Zstandard: too few literals for four streams')
  lengths.forEach((length, k) => {
    readStream(packed, length, code, literals.subarray(k * part, (k + 1) * part))
  })
  readStream(packed, packed.left, code, literals.subarray(3 * part))
}

function readStream(
  packed: ByteCursor,
  length: number,
  { log, symbols, bits }: HuffmanTable,
  out: Uint8Array,
): void {
  packed.skip(length)
  const stream = new BackwardBits(new ByteCursor(packed.bytes, packed.at - length, packed.at))
  const mask = (1 << log) - 1
  let state = stream.read(log)
  for (let k = 0; k < out.length; k++) {
    out[k] = symbols[state]
    const count = bits[state]
    state = ((state << count) + stream.read(count)) & mask
  }
  if (stream.left !== -log) throw new Error('Zstandard: literals do not end where their bits do')
}

function readCode(cursor: ByteCursor): HuffmanTable {
  const weights = readWeights(cursor)
  const total = weights.reduce((sum, weight) => sum + (weight > 0 ? 2 ** (weight - 1) : 0), 0)
  const log = 32 - Math.clz32(total)
  const rest = 2 ** log - total
  // The weight of the last symbol is what is left.
  if (total === 0 || log > longestCode || (rest & (rest - 1)) !== 0)
    throw new Error('Zstandard: a code is not complete')
  weights.push(32 - Math.clz32(rest))
  const symbols = new Uint8Array(1 << log)
  const bits = new Uint8Array(1 << log)
  let at = 0
  for (let weight = 1; weight <= log; weight++) {
    weights.forEach((own, symbol) => {
      if (own !== weight) return
      const end = at + 2 ** (weight - 1)
      symbols.fill(symbol, at, end)
      bits.fill(log + 1 - weight, at, end)
      at = end
    })
  }
  return { log, symbols, bits }
}

/** The weights of all symbols but the last: log2 of how many states they have, plus 1. */
function readWeights(cursor: ByteCursor): number[] {
  const head = cursor.byte()
  if (head >= 128) {
    const count = head - 127
    const bytes = Array.from({ length: (count + 1) >> 1 }, () => cursor.byte())
    return bytes.flatMap((byte) => [byte >> 4, byte & 15]).slice(0, count)
  }
  cursor.skip(head)
  const packed = new ByteCursor(cursor.bytes, cursor.at - head, cursor.at)
  const { log, symbols, bits, bases } = readFseTable(packed, weightSymbols + 1, weightLog)
  const stream = new BackwardBits(packed)
  const states = [stream.read(log), stream.read(log)]
  const weights: number[] = []
  for (let turn = 0; ; turn = 1 - turn) {
    const state = states[turn]
    weights.push(symbols[state])
    states[turn] = bases[state] + stream.read(bits[state])
    if (stream.left < 0) {
      weights.push(symbols[states[1 - turn]])
      break
    }
    if (weights.length > mostWeights) throw new Error('Zstandard: a code has too many symbols')
  }
  if (weights.length > mostWeights) throw new Error('Zstandard: a code has too many symbols')
  return weights
}
