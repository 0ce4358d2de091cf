/**
 * Zstandard data (RFC 8878): frames of blocks, each of literal bytes and of sequences that say how many literals come, and how
 * many bytes are then copied from how far back. No byte is written beyond the length that is wanted, so that time and memory
 * are bounded by it; decoders that count on sound data can be kept busy for hours by a few bytes.
 */
import { ByteCursor } from './byte-cursor.ts'
import { BackwardBits, type FseTable, fseTable, readFseTable } from './fse-table.ts'
import { type HuffmanTable, readLiterals } from './zstd-literals.ts'

const frameMagic = 0xfd2fb528
/** Frames to be passed over have this magic, but for its lowest four bits. */
const skippedMagic = 0x184d2a50

/** Numbers in codes: each stands for a range that begins where the one before ends, of a length in bits. */
interface Codes {
  readonly bits: readonly number[]
  readonly bases: readonly number[]
  /** The largest log2 of the states of a table, and the table where none is given. */
  readonly mostLog: number
  readonly usual: FseTable
}

function codes(
  first: number,
  bits: readonly number[],
  mostLog: number,
  counts: readonly number[],
  log: number,
): Codes {
  let next = first
  const bases = bits.map((count) => {
    next += 2 ** count
    return next - 2 ** count
  })
  return { bits, bases, mostLog, usual: fseTable(counts, log) }
}

const ones = (count: number): number[] => new Array(count).fill(1)
const rare = (count: number): number[] => new Array(count).fill(-1)
const zeros = (count: number): number[] => new Array(count).fill(0)

const literalCodes = codes(
  0,
  [...zeros(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
  9,
  [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, ...ones(5), ...rare(4)],
  6,
)
const matchCodes = codes(
  3,
  [...zeros(32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
  9,
  [1, 4, 3, 2, 2, 2, 2, 2, 2, ...ones(37), ...rare(7)],
  6,
)
const offsetCodes = codes(
  1,
  Array.from({ length: 32 }, (_, code) => code),
  8,
  [...ones(6), 2, 2, 2, ...ones(15), ...rare(5)],
  5,
)

/** What blocks of a frame take over from those before. */
interface Frame {
  code: HuffmanTable | undefined
  readonly tables: (FseTable | undefined)[]
  readonly offsets: [number, number, number]
  /** Where the frame began in the output. */
  readonly start: number
}

/** Decompresses Zstandard data that become just `length` bytes. */
export function unzstd(data: Uint8Array, length: number): Uint8Array {
  const out = new Output(length)
  const cursor = new ByteCursor(data)
  while (cursor.left > 0) {
    const magic = cursor.word()
    if (magic === frameMagic) readFrame(cursor, out)
    else if ((magic & ~15) >>> 0 === skippedMagic) cursor.skip(cursor.word())
    else throw new Error('Zstandard: data do not start as they should')
  }
  if (out.fill !== length) throw new Error(`Zstandard: data become ${out.fill} bytes, not ${length}`)
  return out.bytes
}

/** Bytes of which there are as many as wanted and no more. */
class Output {
  readonly bytes: Uint8Array
  fill = 0

  constructor(length: number) {
    this.bytes = new Uint8Array(length)
  }

  /** Appends bytes from `from` to `to`. */
  append(bytes: Uint8Array, from: number, to: number): void {
    this.reserve(to - from)
    for (let k = from; k < to; k++) this.bytes[this.fill++] = bytes[k]
  }

  repeat(byte: number, count: number): void {
    this.reserve(count)
    this.bytes.fill(byte, this.fill, this.fill + count)
    this.fill += count
  }

  /** Copies from `offset` bytes back, perhaps over what is being written. */
  copy(offset: number, count: number, start: number): void {
    this.reserve(count)
    if (!(offset > 0 && offset <= this.fill - start))
      throw new Error(`Zstandard: a copy from ${offset} bytes back`)
    const { bytes, fill } = this
    for (let k = fill; k < fill + count; k++) bytes[k] = bytes[k - offset]
    this.fill += count
  }

  private reserve(count: number): void {
    if (this.fill + count > this.bytes.length)
      throw new Error('Zstandard: data become more bytes than wanted')
  }
}

function readFrame(cursor: ByteCursor, out: Output): void {
  const head = cursor.byte()
  const isSingle = (head >> 5) & 1
  const sizeBytes = head >> 6 === 0 ? isSingle : 1 << (head >> 6)
  if (head & 8) throw new Error('Zstandard: a kind of frame that is not known')
  if ((head & 3) > 0) throw new Error('Zstandard: data that need a dictionary')
  cursor.skip(1 - isSingle + sizeBytes)
  const frame: Frame = { code: undefined, tables: [], offsets: [1, 4, 8], start: out.fill }
  for (let last = 0; last === 0; ) {
    const block = cursor.byte() + (cursor.byte() << 8) + (cursor.byte() << 16)
    last = block & 1
    const size = block >> 3
    const type = (block >> 1) & 3
    if (type === 1) out.repeat(cursor.byte(), size)
    else {
      cursor.skip(size)
      if (type === 0) out.append(cursor.bytes, cursor.at - size, cursor.at)
      else if (type === 2) readBlock(new ByteCursor(cursor.bytes, cursor.at - size, cursor.at), frame, out)
      else throw new Error('Zstandard: a kind of block that is not known')
    }
  }
  // The checksum at the end is of a kind that nothing else here needs: it is passed over.
  cursor.skip(head & 4)
}

function readBlock(cursor: ByteCursor, frame: Frame, out: Output): void {
  const { literals, code } = readLiterals(cursor, frame.code)
  frame.code = code
  const count = readCount(cursor)
  let used = 0
  const takeLiterals = (length: number): void => {
    if (used + length > literals.length) throw new Error('Zstandard: literals run out')
    out.append(literals, used, used + length)
    used += length
  }
  if (count > 0) {
    const modes = cursor.byte()
    if (modes & 3) throw new Error('Zstandard: tables of an unknown kind')
    const all = [literalCodes, offsetCodes, matchCodes]
    const [lengths, offsets, matches] = all.map((one, k) => {
      frame.tables[k] = readTable(cursor, one, (modes >> (6 - 2 * k)) & 3, frame.tables[k])
      return frame.tables[k]
    })
    const bits = new BackwardBits(cursor)
    let length = bits.read(lengths.log)
    let offset = bits.read(offsets.log)
    let match = bits.read(matches.log)
    for (let left = count; ; ) {
      const offsetCode = offsets.symbols[offset]
      const far = offsetCodes.bases[offsetCode] + bits.read(offsetCode)
      const matchLength = take(bits, matchCodes, matches.symbols[match])
      const literalLength = take(bits, literalCodes, lengths.symbols[length])
      takeLiterals(literalLength)
      out.copy(offsetOf(frame.offsets, far, literalLength), matchLength, frame.start)
      if (--left === 0) break
      length = lengths.bases[length] + bits.read(lengths.bits[length])
      match = matches.bases[match] + bits.read(matches.bits[match])
      offset = offsets.bases[offset] + bits.read(offsets.bits[offset])
      if (bits.left < 0) throw new Error('Zstandard: sequences run out of bits')
    }
    if (bits.left !== 0) throw new Error('Zstandard: sequences do not end where their bits do')
  }
  takeLiterals(literals.length - used)
}

/** How many sequences follow. */
function readCount(cursor: ByteCursor): number {
  const head = cursor.byte()
  if (head < 128) return head
  if (head < 255) return ((head - 128) << 8) + cursor.byte()
  return cursor.byte() + (cursor.byte() << 8) + 0x7f00
}

/** A table in one of four ways: the usual one, one symbol, one that is given here, the one before. */
function readTable(
  cursor: ByteCursor,
  { bits, mostLog, usual }: Codes,
  mode: number,
  before: FseTable | undefined,
): FseTable {
  if (mode === 0) return usual
  if (mode === 2) return readFseTable(cursor, bits.length, mostLog)
  if (mode === 1) {
    const symbol = cursor.byte()
    if (symbol >= bits.length) throw new Error(`Zstandard: the unknown code ${symbol}`)
    return { log: 0, symbols: Uint8Array.of(symbol), bits: Uint8Array.of(0), bases: Uint16Array.of(0) }
  }
  if (!before) throw new Error('Zstandard: a table is used again that was never given')
  return before
}

function take(bits: BackwardBits, { bits: counts, bases }: Codes, code: number): number {
  return bases[code] + bits.read(counts[code])
}

/** How far back a copy begins: the value less 3, or one of the last three (one less when no literals come first). */
function offsetOf(recent: [number, number, number], value: number, literalLength: number): number {
  const place = value > 3 ? 3 : literalLength === 0 ? value : value - 1
  if (place === 0) return recent[0]
  const offset = value > 3 ? value - 3 : place === 3 ? recent[0] - 1 : recent[place]
  if (place > 1) recent[2] = recent[1]
  recent[1] = recent[0]
  recent[0] = offset
  return offset
}
