/**
 * Numbers as bytes of text, the same text that `String` gives: the shortest that reads back as the same double.
 *
 * Most numbers in data have few decimals. If fl(m / 10^k) = x for a whole m < 10^15, then x is what the decimal
 * m · 10^-k reads as: m and 10^k are doubles themselves and division rounds correctly. No two decimals of at most 15
 * digits read as the same double, so without the zeros at its end this one is the shortest. It takes a third of the time
 * that `String` takes; whatever else a number may be is left to `String`.
 */

/** The longest text of a double, as in -1.2345678901234567e-100. */
export const LONGEST_NUMBER_TEXT = 24

const MOST_DIGITS_VALUE = 1e15
/** JavaScript writes smaller numbers with an exponent. */
const LEAST_PLAIN = 1e-6
/** Of numbers that are written here; leaves room for some decimals. */
const MOST_PLAIN = 1e6
const MOST_DECIMALS = 14
const POWERS = Float64Array.from({ length: MOST_DECIMALS + 1 }, (_, k) => 10 ** k)
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

/** Writes one number after the other. The decimals of one are tried first for the next: columns look alike. */
export class NumberBytes {
  private decimals = 0

  /** Writes `value` into `bytes` at `start`, where {@link LONGEST_NUMBER_TEXT} bytes must be free; returns the end. */
  write(bytes: Uint8Array, start: number, value: number): number {
    const size = Math.abs(value)
    if (!(size >= LEAST_PLAIN && size < MOST_PLAIN)) return writeText(bytes, start, value)
    let k = this.decimals
    while (size * POWERS[k] >= MOST_DIGITS_VALUE) k--
    let scaled = Math.floor(size * POWERS[k] + 0.5)
    while (scaled / POWERS[k] !== size) {
      if (k === MOST_DECIMALS || scaled >= MOST_DIGITS_VALUE / 10) {
        this.decimals = k
        return writeText(bytes, start, value)
      }
      k++
      scaled = Math.floor(size * POWERS[k] + 0.5)
    }
    for (; k > 0; k--) {
      const tenth = Math.floor(scaled / 10)
      if (10 * tenth !== scaled) break
      scaled = tenth
    }
    this.decimals = k
    let at = start
    if (value < 0) bytes[at++] = MINUS
    const whole = Math.floor(size)
    at = writeWhole(bytes, at, whole)
    if (k === 0) return at
    bytes[at++] = POINT
    const part = scaled - whole * POWERS[k]
    if (k <= 9) return writeDigits(bytes, at, at + k, part)
    const upper = Math.floor(part / 1e8)
    at = writeDigits(bytes, at, at + k - 8, upper)
    return writeDigits(bytes, at, at + 8, part - upper * 1e8)
  }
}

/** Writes a whole number, 0 <= number < 2^32, at `start`; returns the end. */
export function writeWhole(bytes: Uint8Array, start: number, number: number): number {
  let end = start + 1
  for (let power = 10; power <= number; power *= 10) end++
  return writeDigits(bytes, start, end, number)
}

/** Fills [start, end) with the last digits of a whole number below 2^32. */
function writeDigits(bytes: Uint8Array, start: number, end: number, number: number): number {
  let rest = number >>> 0
  for (let at = end - 1; at >= start; at--) {
    const tenth = (rest / 10) >>> 0
    bytes[at] = ZERO + rest - 10 * tenth
    rest = tenth
  }
  return end
}

function writeText(bytes: Uint8Array, start: number, value: number): number {
  const text = Object.is(value, -0) ? '-0' : String(value)
  for (let c = 0; c < text.length; c++) bytes[start + c] = text.charCodeAt(c)
  return start + text.length
}
