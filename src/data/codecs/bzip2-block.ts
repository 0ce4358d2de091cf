/**
 * One block of bzip2 data. It was made in four steps, which are undone here from the last to the first:
 *
 * 1. runs of 4 to 259 equal bytes become 4 bytes and a count,
 * 2. the bytes are sorted by what follows them (the Burrows–Wheeler transform),
 * 3. each byte becomes its place in a list of those seen last, and runs of place 0 a number in digits 1 and 2 to base 2,
 * 4. the result is written in prefix codes, of which there are 2 to 6; each group of 50 symbols says which it uses.
 */
import { type BitReader, DecodeError } from './bit-reader.ts'

/** Numbers of the format: symbols that share a code, and the most bits of a code. */
const groupSymbols = 50
const longestCode = 20
/** Symbols 0 and 1 are the digits of runs. */
const digitSymbols = 2
/** A run of step 1: this many equal bytes, then a count. */
const runStart = 4
/** Decoded bytes are handed on in pieces of this length, as long as chunks of files. */
const pieceBytes = 1 << 18

/** The checksum of bzip2 takes bits from the highest on. */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24
  for (let bit = 0; bit < 8; bit++) remainder = (remainder << 1) ^ (remainder < 0 ? 0x04c11db7 : 0)
  return remainder
})

/** A prefix code: symbols by the length of their code, then by number. */
interface PrefixCode {
  readonly shortest: number
  readonly longest: number
  /** For each length, the largest code. */
  readonly limits: Int32Array
  /** For each length, what a code exceeds the place of its symbol by. */
  readonly offsets: Int32Array
  readonly symbols: Uint16Array
}

/** Reads blocks of up to `size` bytes, one after the other. */
export class Bzip2Block {
  readonly size: number
  /** After step 3 the bytes; for step 2 also, above them, the place of the byte that follows. */
  private readonly places: Uint32Array
  private length = 0
  private first = 0

  constructor(size: number) {
    this.size = size
    this.places = new Uint32Array(size)
  }

  /** Reads a block behind its mark and checksum: undoes steps 4 and 3. */
  read(input: BitReader): void {
    if (input.read(1) === 1) throw damage() // A kind of block that no bzip2 has written since 1997.
    this.first = input.read(24)
    const used = readUsedBytes(input)
    const { codes, selectors } = readCodes(input, used.length + digitSymbols)
    const { places, size } = this
    const end = used.length + 1
    let length = 0
    let run = 0
    let digit = 1
    let left = 0
    let group = 0
    let code = codes[0]
    for (;;) {
      if (left === 0) {
        if (group === selectors.length) throw damage()
        code = codes[selectors[group++]]
        left = groupSymbols
      }
      left--
      const symbol = readSymbol(input, code)
      if (symbol < digitSymbols) {
        run += digit << symbol
        digit <<= 1
        if (length + run > size) throw damage()
        continue
      }
      if (run > 0) {
        places.fill(used[0], length, length + run)
        length += run
        run = 0
        digit = 1
      }
      if (symbol === end) break
      if (length === size) throw damage()
      const place = symbol - 1
      const byte = used[place]
      for (let k = place; k > 0; k--) used[k] = used[k - 1]
      used[0] = byte
      places[length++] = byte
    }
    this.length = length
    if (this.first >= length) throw damage()
  }

  /** The bytes of the block: undoes steps 2 and 1, and compares the checksum at the end. */
  *bytes(checksum: number): Generator<Uint8Array> {
    const { places, length, first } = this
    linkPlaces(places, length)
    let crc = -1
    let piece = new Uint8Array(pieceBytes)
    let fill = 0
    let entry = places[first]
    let before = -1
    let equal = 0
    for (let k = 0; k < length; k++) {
      entry = places[entry >>> 8]
      let byte = entry & 0xff
      let copies = 1
      if (equal === runStart) {
        copies = byte
        byte = before
        equal = 0
        before = -1
      } else {
        equal = byte === before ? equal + 1 : 1
        before = byte
      }
      if (fill + copies > pieceBytes) {
        yield piece.subarray(0, fill)
        piece = new Uint8Array(pieceBytes)
        fill = 0
      }
      for (; copies > 0; copies--) {
        crc = (crc << 8) ^ crcTable[(crc >>> 24) ^ byte]
        piece[fill++] = byte
      }
    }
    if (~crc >>> 0 !== checksum) throw damage()
    yield piece.subarray(0, fill)
  }
}

/** Gives each place that of the byte which follows its own: the k-th byte b of the sorted ones is the k-th b there is. */
function linkPlaces(places: Uint32Array, length: number): void {
  const next = new Uint32Array(257)
  for (let i = 0; i < length; i++) next[places[i] + 1]++
  for (let byte = 0; byte < 256; byte++) next[byte + 1] += next[byte]
  for (let i = 0; i < length; i++) places[next[places[i] & 0xff]++] |= i << 8
}

/** The bytes that occur, ascending. */
function readUsedBytes(input: BitReader): Uint8Array {
  const used: number[] = []
  const ranges = input.read(16)
  for (let range = 0; range < 16; range++) {
    if (((ranges >> (15 - range)) & 1) === 0) continue
    const bytes = input.read(16)
    for (let k = 0; k < 16; k++) if ((bytes >> (15 - k)) & 1) used.push(16 * range + k)
  }
  if (used.length === 0) throw damage()
  return Uint8Array.from(used)
}

/** The prefix codes for `symbolCount` symbols, and which of them each group of symbols uses. */
function readCodes(input: BitReader, symbolCount: number) {
  const codeCount = input.read(3)
  const selectors = new Uint8Array(input.read(15))
  if (codeCount < 2 || codeCount > 6 || selectors.length === 0) throw damage()
  const recent = Array.from({ length: codeCount }, (_, c) => c)
  for (let s = 0; s < selectors.length; s++) {
    let place = 0
    while (input.read(1) === 1) if (++place === codeCount) throw damage()
    recent.unshift(...recent.splice(place, 1))
    selectors[s] = recent[0]
  }
  return { codes: Array.from({ length: codeCount }, () => readCode(input, symbolCount)), selectors }
}

function readCode(input: BitReader, symbolCount: number): PrefixCode {
  const lengths = new Uint8Array(symbolCount)
  let length = input.read(5)
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    for (;;) {
      if (length < 1 || length > longestCode) throw damage()
      if (input.read(1) === 0) break
      length += input.read(1) === 0 ? 1 : -1
    }
    lengths[symbol] = length
  }
  const limits = new Int32Array(longestCode + 1).fill(-1)
  const offsets = new Int32Array(longestCode + 1)
  const symbols = new Uint16Array(symbolCount)
  const shortest = Math.min(...lengths)
  const longest = Math.max(...lengths)
  let placed = 0
  let next = 0
  for (let size = shortest; size <= longest; size++) {
    offsets[size] = next - placed
    lengths.forEach((own, symbol) => {
      if (own !== size) return
      symbols[placed++] = symbol
      next++
    })
    limits[size] = next - 1
    if (next > 2 ** size) throw damage()
    next *= 2
  }
  return { shortest, longest, limits, offsets, symbols }
}

function readSymbol(input: BitReader, { shortest, longest, limits, offsets, symbols }: PrefixCode): number {
  let size = shortest
  let code = input.read(size)
  while (code > limits[size]) {
    if (++size > longest) throw damage()
    code = (code << 1) | input.read(1)
  }
  return symbols[code - offsets[size]]
}

function damage(): DecodeError {
  return new DecodeError('is damaged')
}
