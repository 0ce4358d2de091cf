/**
 * Lines of LIBSVM text, written: a text of any kind, then ` index:value` for every value of a row but zeros, and a newline.
 *
 * Every number is the shortest text that reads back as the same double, as JavaScript writes it: if
 * fl(m / 10^k) = x for a whole m < 10^15, then x is what m · 10^-k reads as, and no other decimal of at most 15 digits does.
 * A run that holds another number is left to TypeScript.
 *
 * Digits are made eight at a time, as the bytes of one word, the first digit in the lowest byte.
 */
import * as fields from '../structures'

// ASCII.
const NEWLINE: u8 = 0x0a
const SPACE: u8 = 0x20
const MINUS: u8 = 0x2d
const POINT: u8 = 0x2e
const COLON: u8 = 0x3a
/** Eight digits 0. */
const ZEROS: u64 = 0x3030303030303030

/** Whole numbers below it have at most 15 digits: see the header of the file. */
const MOST_DIGITS_VALUE: f64 = 1e15
/** JavaScript writes smaller numbers with an exponent. */
const LEAST_PLAIN: f64 = 1e-6
/** A number of 15 digits with one before the point. */
const MOST_DECIMALS: usize = 14
/** 10^0 … 10^15. */
const POWERS = memory.data<f64>([
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
])

/** Writes the run at `run`. Eight bytes behind its lines are written over. */
export function formatRun(run: usize): void {
  store<u32>(run, 0, fields.LINES_END)
  const count = <usize>load<u32>(run, fields.LINES_COUNT)
  const textEnds = <usize>load<u32>(run, fields.LINES_TEXT_ENDS)
  const rowEnds = <usize>load<u32>(run, fields.LINES_ROW_ENDS)
  const indices = <usize>load<u32>(run, fields.LINES_INDICES)
  const values = <usize>load<u32>(run, fields.LINES_VALUES)
  const base = load<u32>(run, fields.LINES_BASE)
  let text = <usize>load<u32>(run, fields.LINES_TEXT)
  let at = <usize>load<u32>(run, fields.LINES_OUT)
  let k: u32 = 0
  // As many decimals as the longest number so far has: more than needed cost nothing, being zeros.
  let most: usize = 8
  for (let line: usize = 0; line < count; line++) {
    const textEnd = <usize>load<u32>(textEnds + (line << 2))
    while (text < textEnd) store<u8>(at++, load<u8>(text++))
    const first = k
    const end = load<u32>(rowEnds + (line << 2))
    for (; k < end; k++) {
      const value = load<f64>(values + (<usize>k << 3))
      if (value == 0) continue
      const size = abs(value)
      if (!(size >= LEAST_PLAIN && size < MOST_DIGITS_VALUE)) return
      let decimals = most
      while (size * power(decimals) >= MOST_DIGITS_VALUE) decimals--
      let m = floor(size * power(decimals) + 0.5)
      while (m / power(decimals) != size) {
        if (decimals == MOST_DECIMALS || m >= MOST_DIGITS_VALUE / 10) return
        decimals++
        m = floor(size * power(decimals) + 0.5)
      }
      if (decimals > most) most = decimals
      store<u8>(at++, SPACE)
      at = writeWhole(at, <u64>((indices ? load<u32>(indices + (<usize>k << 2)) : k - first) + base))
      store<u8>(at++, COLON)
      store<u8>(at, MINUS)
      at += usize(value < 0)
      const whole = floor(size)
      at = writeWhole(at, <u64>whole)
      const part = m - whole * power(decimals)
      if (part != 0) {
        store<u8>(at++, POINT)
        if (decimals <= 8) at += writeDecimals(at, <u32>(part * power(8 - decimals)))
        else {
          const upper = floor(part / power(decimals - 8))
          const lower = part - upper * power(decimals - 8)
          const written = writeDecimals(at, <u32>upper)
          at += lower == 0 ? written : 8 + writeDecimals(at + 8, <u32>(lower * power(16 - decimals)))
        }
      }
    }
    store<u8>(at++, NEWLINE)
  }
  store<u32>(run, <u32>at, fields.LINES_END)
}

// @ts-ignore: decorator
@inline
function power(k: usize): f64 {
  return load<f64>(POWERS + (k << 3))
}

/** Writes eight decimals and returns how many there are without the zeros at the end. */
// @ts-ignore: decorator
@inline
function writeDecimals(at: usize, number: u32): usize {
  const digits = digitsOf(number)
  store<u64>(at, digits | ZEROS)
  return 8 - <usize>(clz(digits) >> 3)
}

/** Writes a whole number below 10^16 and returns where it ends. */
// @ts-ignore: decorator
@inline
function writeWhole(at: usize, number: u64): usize {
  if (number < 10) {
    store<u8>(at, <u8>number | 0x30)
    return at + 1
  }
  return writeLong(at, number)
}

function writeLong(at: usize, number: u64): usize {
  const upper = number < 100000000 ? 0 : number / 100000000
  const digits = digitsOf(<u32>(number - upper * 100000000))
  if (upper) {
    const behind = writeLong(at, upper)
    store<u64>(behind, digits | ZEROS)
    return behind + 8
  }
  // At least the last digit is written, also of 0.
  const leading = min<u64>(7, ctz(digits) >> 3)
  store<u64>(at, (digits | ZEROS) >> (leading << 3))
  return at + 8 - <usize>leading
}

/**
 * The eight digits of a number below 10^8, as bytes of their values. It is split in halves, these in halves, and again:
 * quotients by 100 of numbers below 10^4, and by 10 of those below 100, are products with 10486 / 2^20 and 103 / 2^10.
 */
// @ts-ignore: decorator
@inline
function digitsOf(number: u32): u64 {
  const high = number / 10000
  const fours = <u64>high | (<u64>(number - high * 10000) << 32)
  const hundreds = ((fours * 10486) >> 20) & 0x0000007f0000007f
  const pairs = hundreds | ((fours - hundreds * 100) << 16)
  const tens = ((pairs * 103) >> 10) & 0x000f000f000f000f
  return tens | ((pairs - tens * 10) << 8)
}
