/**
 * LIBSVM text, a run of whole lines at a time:
 *
 *     line   = [ label … label { index ":" number } ]      separated by spaces, tabs and carriage returns; mostly one label
 *     number = [ sign ] digits [ "." digits ] [ ( "e" | "E" ) [ sign ] digits ]
 *
 * This is the plain part of the format. Whatever else a line holds, right or wrong, the run is given back as not
 * plain; src/data/libsvm/libsvm-parser.ts then reads it, and says what is wrong with it.
 *
 * Numbers are correctly rounded, as src/data/text/number-scanner.ts does it: m < 2^53 over an exact power of ten is one
 * division; longer m are divided with the remainder carried along. What neither can decide is listed for TypeScript.
 *
 * Digits are read eight at a time, as the bytes of one word, the first digit in the lowest byte.
 */
import * as fields from '../structures'

// ASCII.
const TAB: u32 = 0x09
const NEWLINE: u32 = 0x0a
const RETURN: u32 = 0x0d
const SPACE: u32 = 0x20
const PLUS: u32 = 0x2b
const MINUS: u32 = 0x2d
const POINT: u32 = 0x2e
const COLON: u32 = 0x3a
const EXPONENT: u32 = 0x65

/** 10^0 … 10^22: exact. */
const POWERS = memory.data<f64>([
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
  1e20, 1e21, 1e22,
])
/** 10^0 … 10^8. */
const SHIFTS = memory.data<u64>([1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000])
/** Up to 9 · 10^(18−k) − 1 a mantissa has room for k more digits: it stays below 9 · 10^18 < 2^63. */
const LIMITS = memory.data<u64>([
  8999999999999999999, 899999999999999999, 89999999999999999, 8999999999999999, 899999999999999, 89999999999999,
  8999999999999, 899999999999, 89999999999,
])

/** Veltkamp's constant: splits a double into two halves of 26 bits. */
const SPLITTER: f64 = 134217729.0
/** Above the relative error of a quotient with its rest. */
const QUOTIENT_ERROR: f64 = 7.888609052210118e-31

/** Parses the run at `run`. Indices must lie between `least` and `most`. */
export function parseRun(run: usize, least: u32, most: u32): void {
  store<u32>(run, 0, fields.RUN_PLAIN)
  store<u32>(run, 0, fields.RUN_OPEN_COUNT)
  const to = <usize>load<u32>(run, fields.RUN_TO)
  const labels = <usize>load<u32>(run, fields.RUN_LABELS)
  const rowEnds = <usize>load<u32>(run, fields.RUN_ROW_ENDS)
  const indices = <usize>load<u32>(run, fields.RUN_INDICES)
  const values = <usize>load<u32>(run, fields.RUN_VALUES)
  const labelCount = <usize>load<u32>(run, fields.RUN_LABEL_COUNT)
  const maxRows = <usize>load<u32>(run, fields.RUN_MAX_ROWS)
  const before = <i64>least - 1
  const limit = <i64>most
  let at = <usize>load<u32>(run, fields.RUN_FROM)
  let line: u32 = 0
  let rows: usize = 0
  let stored: usize = 0
  let columns: i64 = 0 // all index − 1, or-ed: negative when an index was 0
  let largest: i64 = -1

  while (at < to) {
    const lineStart = at
    line++
    at = skipSpace(at)
    if (load<u8>(at) == NEWLINE) {
      at++
      continue
    }
    if (rows == maxRows) return
    for (let k: usize = 0; k < labelCount; k++) {
      if (k > 0) {
        if (<u32>load<u8>(at) > SPACE) return
        at = skipSpace(at)
      }
      at = parseNumber(at, labels + ((rows * labelCount + k) << 3), run)
      if (!at) return
    }
    let previous = before
    let token = at
    for (;;) {
      let byte: u32 = load<u8>(at)
      if (byte != SPACE) {
        if (byte == NEWLINE) break
        if (byte != TAB && byte != RETURN) return
      }
      byte = load<u8>(++at)
      if (byte <= SPACE) {
        at = skipSpace(at)
        if (load<u8>(at) == NEWLINE) break
      }

      token = at
      const word = load<u64>(at)
      let count = digitCount(word)
      if (count == 0) return
      let index = <i64>digitValue(word, count)
      at += count
      if (count == 8) {
        const more = load<u64>(at)
        count = digitCount(more)
        if (count == 8) return
        if (count > 0) index = index * <i64>load<u64>(SHIFTS + (count << 3)) + <i64>digitValue(more, count)
        at += count
      }
      if (load<u8>(at) != COLON || index <= previous) return
      previous = index
      columns |= index - 1
      const slot = values + (stored << 3)
      at = parseShort(++at, slot) || parseNumber(at, slot, run)
      if (!at) return
      store<u32>(indices + (stored << 2), <u32>(index - 1))
      stored += usize((load<u64>(slot) << 1) != 0) // zeros, of either sign, are written over
    }
    at++
    if (previous > largest) {
      if (previous > limit) return
      largest = previous
      store<u32>(run, line, fields.RUN_LARGEST_LINE)
      store<u32>(run, <u32>(token - lineStart + 1), fields.RUN_LARGEST_COLUMN)
    }
    store<u32>(rowEnds + (rows << 2), <u32>stored)
    rows++
  }
  store<u32>(run, line, fields.RUN_LINES)
  store<u32>(run, <u32>rows, fields.RUN_ROWS)
  store<u32>(run, <u32>stored, fields.RUN_STORED)
  store<u32>(run, u32(columns < 0), fields.RUN_ZERO_SEEN)
  store<u32>(run, <u32>(largest + 1), fields.RUN_LARGEST)
  store<u32>(run, 1, fields.RUN_PLAIN)
}

/**
 * The same as `parseNumber` for most numbers: up to 7 digits, then white space, or a point, up to 8 digits and white
 * space; or one digit, a point, up to 15 and white space; so that m < 2^53. Returns 0 for all others. Lengths and signs vary from number to number: they cost no branch.
 */
// @ts-ignore: decorator
@inline
function parseShort(at: usize, slot: usize): usize {
  let word = load<u64>(at)
  const negative = <u32>(word & 0xff) == MINUS
  word >>= u64(negative) << 3
  at += usize(negative)
  // Most numbers begin with one digit and a point: then where the others are does not depend on counting.
  let count: usize = 1
  let m = (word & 0xff) - 0x30
  if (<u32>((word >> 8) & 0xff) != POINT || m > 9) {
    count = digitCount(word)
    if (count - 1 > 6) return 0
    m = digitValue(word, count)
  }
  at += count
  let byte: u32 = load<u8>(at)
  let value: f64
  if (byte == POINT) {
    const fraction = load<u64>(++at)
    let places = digitCount(fraction)
    if (places == 0) return 0
    at += places
    m = m * load<u64>(SHIFTS + (places << 3)) + digitValue(fraction, places)
    byte = load<u8>(at)
    if (places == 8 && byte > SPACE) {
      const more = load<u64>(at)
      const rest = digitCount(more)
      if (count > 1 || rest - 1 > 6) return 0
      m = m * load<u64>(SHIFTS + (rest << 3)) + digitValue(more, rest)
      if (m >= 9007199254740992) return 0
      at += rest
      places += rest
      byte = load<u8>(at)
    }
    value = <f64><i64>m / load<f64>(POWERS + (places << 3))
  } else value = <f64><i64>m
  if (byte > SPACE) return 0
  store<u64>(slot, reinterpret<u64>(value) | (u64(negative) << 63))
  return at
}

/** Stores the number at `at` to `slot` and returns where it ends; 0 when there is none, or no room to leave it open. */
function parseNumber(at: usize, slot: usize, run: usize): usize {
  const start = at
  let byte: u32 = load<u8>(at)
  const negative = byte == MINUS
  if (negative || byte == PLUS) at++

  // The digits before the point, then those behind it, eight at a time.
  let m: u64 = 0
  let digits: usize = 0
  let behind: usize = 0
  let open = false
  for (;;) {
    const word = load<u64>(at)
    const count = digitCount(word)
    if (count > 0) {
      open = open || m > load<u64>(LIMITS + (count << 3))
      m = m * load<u64>(SHIFTS + (count << 3)) + digitValue(word, count)
      at += count
      digits += count
      if (count == 8) continue
    }
    byte = load<u8>(at)
    if (behind || byte != POINT) break
    behind = ++at
  }
  let power = behind ? <i32>(behind - at) : 0
  if (digits == 0) return 0
  if ((byte | 0x20) == EXPONENT) {
    byte = load<u8>(++at)
    const small = byte == MINUS
    if (small || byte == PLUS) at++
    const word = load<u64>(at)
    const count = digitCount(word)
    if (count == 0 || count == 8) return 0
    at += count
    const exponent = <i32>digitValue(word, count)
    power += small ? -exponent : exponent
  }

  let value: f64 = 0
  if (m != 0 || open) {
    if (open || power < -22 || power > 22) open = true
    else if (m < 9007199254740992) {
      const factor = load<f64>(POWERS + ((<usize>abs(power)) << 3))
      value = power < 0 ? <f64>m / factor : <f64>m * factor
    } else if (power > 0) open = true
    else {
      value = longQuotient(m, load<f64>(POWERS + ((<usize>-power) << 3)))
      open = value != value
    }
    if (open) {
      const entry = openEntry(run)
      if (!entry) return 0
      store<u32>(entry, <u32>slot, fields.OPEN_VALUE)
      store<u32>(entry, <u32>start, fields.OPEN_FROM)
      store<u32>(entry, <u32>at, fields.OPEN_TO)
      value = 1
    }
  }
  store<f64>(slot, negative ? -value : value)
  return at
}

/** Room in the list of open numbers; 0 when it is full. */
function openEntry(run: usize): usize {
  const count = load<u32>(run, fields.RUN_OPEN_COUNT)
  if (count == load<u32>(run, fields.RUN_MAX_OPEN)) return 0
  store<u32>(run, count + 1, fields.RUN_OPEN_COUNT)
  return <usize>load<u32>(run, fields.RUN_OPEN) + <usize>count * fields.OPEN_BYTES
}

/** m / divisor for 2^53 <= m < 9 · 10^18; NaN when its error leaves open how to round. */
function longQuotient(m: u64, divisor: f64): f64 {
  const high = <f64>m
  const low = <f64>(<i64>m - <i64>high)
  const quotient = high / divisor
  const back = quotient * divisor
  const rest = (high - back - productError(quotient, divisor, back) + low) / divisor
  const error = quotient * QUOTIENT_ERROR
  const rounded = quotient + (rest - error)
  return rounded == quotient + (rest + error) ? rounded : NaN
}

/** a · b − fl(a · b), exactly (Dekker's product with Veltkamp's split). */
function productError(a: f64, b: f64, product: f64): f64 {
  const aSplit = SPLITTER * a
  const aHigh = aSplit - (aSplit - a)
  const aLow = a - aHigh
  const bSplit = SPLITTER * b
  const bHigh = bSplit - (bSplit - b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

// @ts-ignore: decorator
@inline
function skipSpace(at: usize): usize {
  let byte: u32 = load<u8>(at)
  while (byte == SPACE || byte == TAB || byte == RETURN) byte = load<u8>(++at)
  return at
}

/**
 * How many of the first bytes of a word are digits, 0x30 to 0x39: they stay below 0x80 when 0x46 is added, and when 0x30 is taken away.
 * Other bytes do not, and what they carry to the next one does not matter.
 */
// @ts-ignore: decorator
@inline
function digitCount(word: u64): usize {
  return <usize>(ctz(((word + 0x4646464646464646) | (word - 0x3030303030303030)) & 0x8080808080808080) >> 3)
}

/**
 * The value of the first `count` (1 to 8) digits of a word. They are moved to its end, zeros come in front; then
 * neighbours are joined: digits to pairs, pairs to fours, fours to eight.
 */
// @ts-ignore: decorator
@inline
function digitValue(word: u64, count: usize): u64 {
  const digits = (word ^ 0x3030303030303030) << (<u64>(8 - count) << 3)
  const pairs = ((digits * 2561) >> 8) & 0x00ff00ff00ff00ff // 10 · 2^8 + 1
  const fours = ((pairs * 6553601) >> 16) & 0x0000ffff0000ffff // 100 · 2^16 + 1
  return (fours * 42949672960001) >> 32 // 10000 · 2^32 + 1
}
