/**
 * Numbers in JSON without loss. A JSON number is the shortest text that reads back to the same double, which covers
 * all of them but four: `-0` (JSON.stringify writes 0), the infinities and NaN (it writes null). Those are written
 * as the strings "-0", "Infinity", "-Infinity" and "NaN".
 */

const words = ['-0', 'Infinity', '-Infinity', 'NaN'] as const

/** A number as it stands in a JSON file. */
export type JsonNumber = number | (typeof words)[number]

/** The number as it is to be written. */
export function encodeNumber(value: number): JsonNumber {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value
  return Object.is(value, -0) ? '-0' : (String(value) as JsonNumber)
}

/** All numbers of an array as they are to be written. */
export function encodeNumbers(values: ArrayLike<number>): JsonNumber[] {
  return Array.from(values, encodeNumber)
}

/** `value` with every number in it, however deep, as it is to be written. */
export function encodeDeep(value: unknown): unknown {
  if (typeof value === 'number') return encodeNumber(value)
  if (Array.isArray(value)) return value.map(encodeDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, encodeDeep(part)]))
}

/** Undoes {@link encodeDeep}; for objects without texts that could be taken for numbers. */
export function decodeDeep(value: unknown): unknown {
  if (typeof value === 'string') return decodeNumber(value) ?? value
  if (Array.isArray(value)) return value.map(decodeDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decodeDeep(part)]))
}

/** The number that a JSON value stands for; undefined when it is none. */
export function decodeNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return words.includes(value as (typeof words)[number]) ? Number(value) : undefined
}
