/** Schemas of the numbers in a model file. */
import * as z from '../../base/schema.ts'
import { decodeNumber } from './json-numbers.ts'

/** Schema of a number that may be infinite or NaN. */
export const anyNumber = z.custom((value) => decodeNumber(value) ?? z.refuseValue('a number', value))

/** Schema of a finite number. */
export const finiteNumber = anyNumber.refine(Number.isFinite, 'must be finite')

/** Schema of an array of finite numbers. One loop, not one schema a number: support vectors are many. */
export const finiteNumbers = z.custom((value): Float64Array => {
  if (!Array.isArray(value)) return z.refuseValue('an array of numbers', value)
  const numbers = new Float64Array(value.length)
  for (let i = 0; i < numbers.length; i++) {
    const number = decodeNumber(value[i])
    if (number === undefined || !Number.isFinite(number)) {
      return z.refuseValue('a finite number', value[i], [i])
    }
    numbers[i] = number
  }
  return numbers
})

/** Schema of an array of whole numbers that count or point. */
export const counts = z.custom((value): Uint32Array => {
  if (!Array.isArray(value)) return z.refuseValue('an array of whole numbers', value)
  const numbers = new Uint32Array(value.length)
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = value[i]
    if (numbers[i] !== value[i]) return z.refuseValue('a whole number >= 0', value[i], [i])
  }
  return numbers
})
