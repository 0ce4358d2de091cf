/**
 * Decimal numbers in bytes, [ sign ] digits [ "." digits ] [ ( "e" | "E" ) [ sign ] digits ], correctly rounded, most of them
 * without making a string.
 *
 * The value is m * 10^k with whole m and k. Where m < 2^53 and |k| <= 22, m and 10^|k| are exact doubles, so the product or
 * quotient is rounded once (Clinger 1990, "How to read floating point numbers accurately"). All others are left to `Number`.
 * This is the plain form, for lines that the engine does not take; assembly/text/ has the fast one.
 */

const plus = 0x2b
const minus = 0x2d
const point = 0x2e
const zero = 0x30
const nine = 0x39
const exponentMark = 0x65
const lowerCase = 0x20

/** Whole numbers below are exact doubles. */
const exactLimit = 2 ** 53
/** 10^22 is the largest power of ten that a double holds: 5^22 < 2^53 < 5^23. */
export const LARGEST_POWER_OF_TEN = 22
const powersOfTen = Float64Array.from({ length: LARGEST_POWER_OF_TEN + 1 }, (_, k) => Number(`1e${k}`))
/** Scans numbers; {@link end} says where the last one ended. */
export class NumberScanner {
  /** Position after the number that was scanned last. */
  end = 0

  /**
   * The number that starts at `start`: NaN when there is none (then `end` says nothing), infinite when it is too
   * large. Some byte that is no part of a number must follow within `bytes`.
   */
  scan(bytes: Uint8Array, start: number): number {
    let at = start
    let byte = bytes[at]
    const negative = byte === minus
    if (negative || byte === plus) byte = bytes[++at]

    const first = at
    let mantissa = 0
    while (byte >= zero && byte <= nine) {
      mantissa = mantissa * 10 + (byte - zero)
      byte = bytes[++at]
    }
    let digits = at - first
    let power = 0
    if (byte === point) {
      const fraction = ++at
      byte = bytes[at]
      while (byte >= zero && byte <= nine) {
        mantissa = mantissa * 10 + (byte - zero)
        byte = bytes[++at]
      }
      power = fraction - at
      digits -= power
    }
    if (digits === 0) return Number.NaN
    if ((byte | lowerCase) === exponentMark) {
      power += this.scanExponent(bytes, at + 1)
      at = this.end
    }
    this.end = at

    let magnitude: number
    // A mantissa that was ever rounded is not below 2^53 any more.
    if (mantissa < exactLimit && power >= -LARGEST_POWER_OF_TEN && power <= LARGEST_POWER_OF_TEN) {
      magnitude = power < 0 ? mantissa / powersOfTen[-power] : mantissa * powersOfTen[power]
    } else magnitude = numberOf(bytes, first, at)
    return negative ? -magnitude : magnitude
  }

  private scanExponent(bytes: Uint8Array, start: number): number {
    let at = start
    let byte = bytes[at]
    const negative = byte === minus
    if (negative || byte === plus) byte = bytes[++at]
    const first = at
    let exponent = 0
    while (byte >= zero && byte <= nine) {
      exponent = Math.min(exponent * 10 + (byte - zero), 9999)
      byte = bytes[++at]
    }
    this.end = at
    if (at === first) return Number.NaN
    return negative ? -exponent : exponent
  }
}

function numberOf(bytes: Uint8Array, start: number, end: number): number {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at])
  return Number(text)
}
