/**
 * Numbers in JSON without loss. A JSON number is the shortest text that reads back to the same double, which covers
 * all of them but four: `-0` (JSON.stringify writes 0), the infinities and NaN (it writes null). Those are written
 * as the strings "-0", "Infinity", "-Infinity" and "NaN".
 */

const words = ['-0', 'Infinity', '-Infinity', 'NaN']

/** `value` with every number in it, however deep, as it is to be written; typed arrays become plain ones. */
export function encodeDeep(value: unknown): unknown {
  if (typeof value === 'number') return encodeNumber(value)
  return ArrayBuffer.isView(value)
    ? Array.from(value as Float64Array, encodeNumber)
    : mapDeep(value, encodeDeep)
}

/** Undoes {@link encodeDeep}; for objects without texts that could be taken for numbers. */
export function decodeDeep(value: unknown): unknown {
  return decodeNumber(value) ?? mapDeep(value, decodeDeep)
}

/** The number that a JSON value stands for; undefined when it is none. */
export function decodeNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return words.includes(value as string) ? Number(value) : undefined
}

function encodeNumber(value: number): number | string {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value
  return Object.is(value, -0) ? '-0' : String(value)
}

function mapDeep(value: unknown, map: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, map(part)]))
}
