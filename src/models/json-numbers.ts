/**
 * Numbers in JSON without loss. A JSON number is the shortest text that reads back to the same double, which covers
 * all of them but four: `-0` (JSON.stringify writes 0), the infinities and NaN (it writes null). Those are written
 * as the strings "-0", "Infinity", "-Infinity" and "NaN".
 */
import { z } from 'zod'
import { show } from '../base/errors.ts'

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
  if (typeof value === 'string') return decode(value) ?? value
  if (Array.isArray(value)) return value.map(decodeDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decodeDeep(part)]))
}

function decode(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return words.includes(value as (typeof words)[number]) ? Number(value) : undefined
}

/** Schema of a number that may be infinite or NaN. */
export const anyNumber = z.unknown().transform((value, context): number => {
  const number = decode(value)
  if (number === undefined) return refuse(context, 'a number', value)
  return number
})

/** Schema of a finite number. */
export const finiteNumber = anyNumber.refine(Number.isFinite, 'must be finite')

/** Schema of an array of finite numbers. One loop, not one schema a number: support vectors are many. */
export const finiteNumbers = z.unknown().transform((value, context): Float64Array => {
  if (!Array.isArray(value)) return refuse(context, 'an array of numbers', value)
  const numbers = new Float64Array(value.length)
  for (let i = 0; i < numbers.length; i++) {
    const number = decode(value[i])
    if (number === undefined || !Number.isFinite(number)) {
      return refuse(context, 'a finite number', value[i], [i])
    }
    numbers[i] = number
  }
  return numbers
})

/** Schema of an array of whole numbers that count or point. */
export const counts = z.unknown().transform((value, context): Uint32Array => {
  if (!Array.isArray(value)) return refuse(context, 'an array of whole numbers', value)
  const numbers = new Uint32Array(value.length)
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = value[i]
    if (numbers[i] !== value[i]) return refuse(context, 'a whole number >= 0', value[i], [i])
  }
  return numbers
})

function refuse(context: z.RefinementCtx, allowed: string, got: unknown, path: PropertyKey[] = []): never {
  const message = got === undefined ? 'is missing' : `must be ${allowed}, got ${show(got)}`
  context.addIssue({ code: 'custom', path, message })
  return z.NEVER
}
