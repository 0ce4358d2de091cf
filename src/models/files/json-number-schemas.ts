/** Schemas of the numbers in a model file. Apart from ./json-numbers.ts, so that writing models does not load zod. */
import { z } from 'zod'
import { show } from '../../base/errors.ts'
import { decodeNumber } from './json-numbers.ts'

/** Schema of a number that may be infinite or NaN. */
export const anyNumber = z.unknown().transform((value, context): number => {
  const number = decodeNumber(value)
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
    const number = decodeNumber(value[i])
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
