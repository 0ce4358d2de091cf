/**
 * Decimal numbers in bytes, [ sign ] digits [ "." digits ] [ ( "e" | "E" ) [ sign ] digits ], correctly rounded
 * without making a string of each.
 *
 * The value is m * 10^k with whole m and k. Three ways, each tried where the one before it cannot be sure:
 *
 * 1. m < 2^53 and |k| <= 22: m and 10^|k| are exact doubles, so the product or quotient is rounded once (Clinger
 *    1990, "How to read floating point numbers accurately").
 * 2. m of up to 30 digits, -22 <= k <= 0: m and the quotient as unevaluated sums of two doubles (Dekker 1971, "A
 *    floating-point technique for extending the available precision"), good to about 2^-104; used when rounding
 *    the quotient's lower and upper bound gives the same double, as it does for nearly all numbers of 17 digits.
 * 3. `Number` on the text.
 */

const plus = 0x2b
const minus = 0x2d
const point = 0x2e
const zero = 0x30
const nine = 0x39
const exponentMark = 0x65
const lowerCase = 0x20

const exactLimit = 2 ** 53
const powersOfTen = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`))
/** Digits that a double always holds exactly. */
const halfDigits = 15
/** Veltkamp's constant: splits a double into two halves of 26 bits. */
const splitter = 2 ** 27 + 1
/** Above the relative error of the quotient of way 2. */
const quotientError = 2 ** -100

/** Scans numbers; {@link end} tells where the last one ended. */
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
    const last = at
    if ((byte | lowerCase) === exponentMark) {
      power += this.scanExponent(bytes, at + 1)
      at = this.end
    }
    this.end = at

    let magnitude = Number.NaN
    // A mantissa that was ever rounded is not below 2^53 any more.
    if (mantissa < exactLimit) {
      if (power >= -22 && power <= 22) {
        magnitude = power < 0 ? mantissa / powersOfTen[-power] : mantissa * powersOfTen[power]
      }
    } else if (power >= -22 && power <= 0) {
      magnitude = longQuotient(bytes, first, last, powersOfTen[-power])
    }
    if (Number.isNaN(magnitude)) magnitude = numberOf(bytes, first, at)
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

/** The digits in [start, end) divided by `divisor`, an exact power of ten; NaN when it cannot tell how to round. */
function longQuotient(bytes: Uint8Array, start: number, end: number, divisor: number): number {
  let upper = 0
  let lower = 0
  let digits = 0
  for (let at = start; at < end; at++) {
    const digit = bytes[at] - zero
    if (digit < 0 || (digit === 0 && digits === 0)) continue
    if (digits < halfDigits) upper = upper * 10 + digit
    else lower = lower * 10 + digit
    digits++
  }
  if (digits > 2 * halfDigits) return Number.NaN

  // m = upper * 10^j + lower = high + low.
  const shift = powersOfTen[digits - halfDigits]
  const product = upper * shift
  const high = product + lower
  const carried = high - product
  const low = productError(upper, shift, product) + (product - (high - carried) + (lower - carried))

  // m / divisor = quotient + rest, the rest from the exact remainder of the first division.
  const quotient = high / divisor
  const back = quotient * divisor
  const rest = (high - back - productError(quotient, divisor, back) + low) / divisor
  const error = quotient * quotientError
  const rounded = quotient + (rest - error)
  return rounded === quotient + (rest + error) ? rounded : Number.NaN
}

/** a * b - fl(a * b), exactly (Dekker's product with Veltkamp's split). */
function productError(a: number, b: number, product: number): number {
  const aSplit = splitter * a
  const aHigh = aSplit - (aSplit - a)
  const aLow = a - aHigh
  const bSplit = splitter * b
  const bHigh = bSplit - (bSplit - b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

function numberOf(bytes: Uint8Array, start: number, end: number): number {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at])
  return Number(text)
}
