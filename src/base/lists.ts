/** Lists of numbers, made by plain loops: `from` of a typed array takes a hundred nanoseconds per value when it maps. */

/** 0, 1, … up to count − 1. */
export function countUp(count: number): Uint32Array {
  const list = new Uint32Array(count)
  for (let i = 0; i < count; i++) list[i] = i
  return list
}

/** Several typed arrays as one. */
export function joinArrays<A extends Uint8Array | Uint32Array | Float64Array>(
  Type: new (length: number) => A,
  parts: readonly A[],
): A {
  const joined = new Type(parts.reduce((sum, part) => sum + part.length, 0))
  let end = 0
  for (const part of parts) {
    joined.set(part, end)
    end += part.length
  }
  return joined
}

/** values[i] for each i of a list. */
export function pickNumbers(values: ArrayLike<number>, list: ArrayLike<number>): Float64Array {
  const picked = new Float64Array(list.length)
  for (let k = 0; k < picked.length; k++) picked[k] = values[list[k]]
  return picked
}

/** The numbers below `count` that are chosen, in ascending order. */
export function indicesWhere(count: number, isChosen: (i: number) => boolean): Uint32Array {
  const chosen = new Uint32Array(count)
  let length = 0
  for (let i = 0; i < count; i++) if (isChosen(i)) chosen[length++] = i
  return chosen.slice(0, length)
}

/** a_i b_i of two lists of one length. */
export function productsOf(a: Float64Array, b: Float64Array): Float64Array {
  const products = new Float64Array(a.length)
  for (let i = 0; i < a.length; i++) products[i] = a[i] * b[i]
  return products
}

/** −a_i of a list. */
export function negated(values: Float64Array): Float64Array {
  const negated = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) negated[i] = -values[i]
  return negated
}

/** The places of a list whose value is not 0. */
export function placesOfNonZeros(values: Float64Array): Uint32Array {
  const places = new Uint32Array(values.length)
  let count = 0
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) places[count++] = i
  return places.slice(0, count)
}

/**
 * The numbers that occur, in the order in which they first appear. Equal neighbours are not looked up, nor is a number that
 * alternates with another, as the labels of two classes do.
 */
export function distinctNumbers(values: Float64Array): number[] {
  const seen = new Set<number>()
  let last = Number.NaN
  let other = Number.NaN
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value === last || value === other) continue
    seen.add(value)
    other = last
    last = value
  }
  return [...seen]
}

/** ⟨a, b⟩ */
export function dotProduct(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

/** The sum of a list, from its first value to its last. */
export function sumOf(values: Float64Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]
  return sum
}

/** The sum of the squares of a list. */
export function sumOfSquares(values: Float64Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] * values[i]
  return sum
}

/** The largest number of a list of any length, which Math.max cannot be given; −Infinity of none. */
export function largestOf(values: Iterable<number>): number {
  let largest = Number.NEGATIVE_INFINITY
  for (const value of values) largest = Math.max(largest, value)
  return largest
}

/** The smallest number of a list of any length; Infinity of none. */
export function smallestOf(values: Iterable<number>): number {
  let smallest = Number.POSITIVE_INFINITY
  for (const value of values) smallest = Math.min(smallest, value)
  return smallest
}

/** What there is of a list of which some entries are left out. */
export function present<T>(list: readonly (T | false | undefined)[]): T[] {
  return list.filter((entry) => entry !== false && entry !== undefined) as T[]
}
