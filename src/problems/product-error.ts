/** 2^27 + 1: by it a number is split into two halves whose products are exact (Veltkamp). */
const SPLITTER = 134_217_729

/** What rounding took from a·b, given the product as it was rounded: exact, unless it is too small or too large for a number (Dekker). */
export function productError(a: number, b: number, product: number): number {
  const splitA = SPLITTER * a
  const highA = splitA - (splitA - a)
  const lowA = a - highA
  const splitB = SPLITTER * b
  const highB = splitB - (splitB - b)
  const lowB = b - highB
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB)
}
