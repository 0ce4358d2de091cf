/**
 * Sums and products with about twice the digits of f64 (Ogita, Rump, Oishi 2005: Sum2 and Dot2). What is measured with it
 * is better than any certificate needs it to be.
 */

/** 2^27 + 1: splits a double into two halves whose products are exact (Veltkamp). */
const splitter = 134217729

/** a·b − fl(a·b), exactly, unless something overflows. */
export function productError(a: number, b: number, product: number): number {
  const p = splitter * a
  const aHigh = p - (p - a)
  const aLow = a - aHigh
  const q = splitter * b
  const bHigh = q - (q - b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

/** A running sum, kept in two numbers. */
export class Sum {
  high = 0
  low = 0

  /** Adds a number. */
  add(x: number): this {
    const sum = this.high + x
    const part = sum - this.high
    this.low += this.high - (sum - part) + (x - part)
    this.high = sum
    return this
  }

  /** Adds a·b. */
  addProduct(a: number, b: number): this {
    const product = a * b
    this.low += productError(a, b, product)
    return this.add(product)
  }

  /** The sum as one number. */
  get value(): number {
    return this.high + this.low
  }
}
