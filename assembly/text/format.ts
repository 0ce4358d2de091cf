/**
 * Lines of LIBSVM text, written: a text of any kind or some numbers, then ` index:value` for every value of a row but zeros, and a
 * newline.
 *
 * Every number is the shortest text that reads back as the same double, of several such the nearest, as JavaScript writes it.
 * There are two ways to it:
 *
 *   short   if fl(m / 10^k) = x for a whole m < 10^15, then x is what m · 10^-k reads as, and no other decimal of at most 15
 *           digits does
 *   any     x and the ends of the interval that reads as x, times 10^k, as whole numbers of 18 digits and what is left of them,
 *           from exact products of 128 bits; then digits are dropped while the interval still holds what is left (Adams, Ryū:
 *           fast float-to-string conversion, 2018, with exact products in place of tables)
 *
 * Below 2^-33 and from 10^15 on, 128 bits are not enough, or digits too many: a run that holds such a number is left to TypeScript.
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
const EXPONENT: u8 = 0x65
const DIGIT: u8 = 0x30
/** Eight digits 0. */
const ZEROS: u64 = 0x3030303030303030

/** Whole numbers below it have at most 15 digits: see the header of the file. */
const MOST_DIGITS_VALUE: f64 = 1e15
/** JavaScript writes smaller numbers with an exponent. */
const LEAST_PLAIN: f64 = 1e-6
/** 2^−33: of smaller ones, see the header of the file. */
const LEAST: f64 = 1.1641532182693481e-10
/** So many digits before the point, less than none, and JavaScript writes an exponent. */
const FEWEST_BEFORE: i32 = -6
const LOG10_OF_2: f64 = 0.3010299956639812
/** A number of 15 digits with one before the point. */
const MOST_DECIMALS: usize = 14
/** 10^0 … 10^15. */
const POWERS = memory.data<f64>([
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
])

/** 5^0 … 5^27: all that are below 2^63. */
const FIVES = memory.data<u64>([
  1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125, 6103515625,
  30517578125, 152587890625, 762939453125, 3814697265625, 19073486328125, 95367431640625, 476837158203125,
  2384185791015625, 11920928955078125, 59604644775390625, 298023223876953125, 1490116119384765625,
  7450580596923828125,
])
/** Digits that numbers are scaled to, at least, but for one. */
const SCALED_DIGITS: i32 = 17

/** Writes the run at `run`. Eight bytes behind its lines are written over. */
export function formatRun(run: usize): void {
  store<u32>(run, 0, fields.LINES_END)
  const count = <usize>load<u32>(run, fields.LINES_COUNT)
  const textEnds = <usize>load<u32>(run, fields.LINES_TEXT_ENDS)
  const numberCount = load<u32>(run, fields.LINES_NUMBER_COUNT)
  const stride = <usize>load<u32>(run, fields.LINES_STRIDE) << 3
  const rowEnds = <usize>load<u32>(run, fields.LINES_ROW_ENDS)
  const indices = <usize>load<u32>(run, fields.LINES_INDICES)
  const values = <usize>load<u32>(run, fields.LINES_VALUES)
  const base = load<u32>(run, fields.LINES_BASE)
  let numbers = <usize>load<u32>(run, fields.LINES_NUMBERS)
  let text = <usize>load<u32>(run, fields.LINES_TEXT)
  let at = <usize>load<u32>(run, fields.LINES_OUT)
  let k: u32 = 0
  // As many decimals as the longest short number so far has: more than needed cost nothing, being zeros.
  let most: usize = 8
  for (let line: usize = 0; line < count; line++) {
    if (numberCount) {
      for (let c: u32 = 0; c < numberCount; c++) {
        if (c) store<u8>(at++, SPACE)
        at = writeLeading(at, load<f64>(numbers + <usize>c * stride))
        if (!at) return
      }
      numbers += 8
    } else {
      const textEnd = <usize>load<u32>(textEnds + (line << 2))
      while (text < textEnd) store<u8>(at++, load<u8>(text++))
    }
    const first = k
    const end = load<u32>(rowEnds + (line << 2))
    for (; k < end; k++) {
      const value = load<f64>(values + (<usize>k << 3))
      if (value == 0) continue
      const size = abs(value)
      if (!(size >= LEAST && size < MOST_DIGITS_VALUE)) return
      store<u8>(at++, SPACE)
      at = writeWhole(at, <u64>((indices ? load<u32>(indices + (<usize>k << 2)) : k - first) + base))
      store<u8>(at++, COLON)
      store<u8>(at, MINUS)
      at += usize(value < 0)
      let isShort = size >= LEAST_PLAIN
      let decimals = most
      let m: f64 = 0
      if (isShort) {
        while (size * power(decimals) >= MOST_DIGITS_VALUE) decimals--
        m = floor(size * power(decimals) + 0.5)
        while (m / power(decimals) != size) {
          if (decimals == MOST_DECIMALS || m >= MOST_DIGITS_VALUE / 10) {
            isShort = false
            break
          }
          decimals++
          m = floor(size * power(decimals) + 0.5)
        }
      }
      if (!isShort) {
        at = writeAny(at, size)
        continue
      }
      if (decimals > most) most = decimals
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

/** Writes a number that a line begins with and returns where it ends; 0 where it cannot be written here. */
function writeLeading(at: usize, value: f64): usize {
  store<u8>(at, MINUS)
  at += usize(reinterpret<i64>(value) < 0)
  const size = abs(value)
  if (size < MOST_DIGITS_VALUE && floor(size) == size) return writeWhole(at, <u64>size)
  return size >= LEAST && size < MOST_DIGITS_VALUE ? writeAny(at, size) : 0
}

/** Writes x, LEAST <= x < MOST_DIGITS_VALUE, and returns where it ends: the second way of the header. */
function writeAny(at: usize, x: f64): usize {
  // In quarters of the last bit of x the ends of its interval are whole, too.
  const bits = reinterpret<u64>(x)
  const mantissa = (bits & 0xfffffffffffff) | 0x10000000000000
  const quarters = mantissa << 2
  // 2^exponent <= x; 18 or 19 digits before the point, so that the interval is at least 11 wide and one can always be dropped.
  const exponent = <i32>(bits >> 52) - 1023
  const decimals = SCALED_DIGITS - <i32>floor(<f64>exponent * LOG10_OF_2)
  const five = load<u64>(FIVES + (<usize>decimals << 3))
  const shift = <u64>(54 - exponent - decimals)
  // The ends read as x where its mantissa is even. Below a power of two, numbers are half as far apart.
  const isEven = (mantissa & 1) == 0
  scale(quarters + 2, five, shift)
  let upper = scaled - u64(!isEven && remainder == 0)
  scale(quarters - (mantissa == 0x10000000000000 ? 1 : 2), five, shift)
  let lower = scaled
  let isLowerIn = isEven && remainder == 0
  scale(quarters, five, shift)
  let number = scaled
  let isHalf = remainder == 0
  let dropped: u64 = 0
  let power = -decimals
  for (;;) {
    const shorter = upper / 10
    const least = lower / 10
    const hasMore = shorter > least
    const lastOfLower = lower - least * 10
    if (!hasMore && !(isLowerIn && lastOfLower == 0)) break
    isLowerIn = isLowerIn && lastOfLower == 0
    isHalf = isHalf && dropped == 0
    const rest = number / 10
    dropped = number - rest * 10
    number = rest
    lower = least
    upper = shorter
    power++
  }
  // What is half way between two goes to the even one.
  if (isHalf && dropped == 5 && (number & 1) == 0) dropped = 4
  number += u64((number == lower && !isLowerIn) || dropped >= 5)
  return writeAt(at, number, power)
}

/** What {@link scale} has found. */
let scaled: u64 = 0
let remainder: u64 = 0

/** a · b / 2^shift, below 2^64, and its remainder, for 0 < shift < 64. */
function scale(a: u64, b: u64, shift: u64): void {
  const aLow = a & 0xffffffff
  const aHigh = a >> 32
  const bLow = b & 0xffffffff
  const bHigh = b >> 32
  const low = aLow * bLow
  const middle = aHigh * bLow + (low >> 32)
  const other = aLow * bHigh + (middle & 0xffffffff)
  const high = aHigh * bHigh + (middle >> 32) + (other >> 32)
  const rest = (other << 32) | (low & 0xffffffff)
  scaled = (high << (64 - shift)) | (rest >> shift)
  remainder = rest & ((<u64>1 << shift) - 1)
}

/** Writes number · 10^power as JavaScript does and returns where it ends. */
function writeAt(at: usize, number: u64, power: i32): usize {
  const end = writeWhole(at + 1, number)
  const digits = <i32>(end - at) - 1
  /** Digits before the point; those of 0.00x are less than none. */
  const before = digits + power
  if (before > 0 && power < 0) {
    for (let k = 0; k < before; k++) store<u8>(at + k, load<u8>(at + k, 1))
    store<u8>(at + before, POINT)
    return end
  }
  if (before > 0) {
    at = writeWhole(at, number)
    for (let k = 0; k < power; k++) store<u8>(at++, DIGIT)
    return at
  }
  if (before > FEWEST_BEFORE) {
    store<u8>(at++, DIGIT)
    store<u8>(at++, POINT)
    for (let k = before; k < 0; k++) store<u8>(at++, DIGIT)
    return writeWhole(at, number)
  }
  store<u8>(at, load<u8>(at, 1))
  store<u8>(at, POINT, 1)
  at = digits > 1 ? end : at + 1
  store<u8>(at++, EXPONENT)
  store<u8>(at++, MINUS)
  return writeWhole(at, <u64>(1 - before))
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

/** Writes a whole number and returns where it ends. */
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
